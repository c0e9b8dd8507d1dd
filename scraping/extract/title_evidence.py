"""Gather everything on a page that is evidence of its title or of its website's."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import unquote, urlsplit

from lxml import etree

from reducepp.scraping.extract.blocks import Block
from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.metadata import Metadata, inner_text, types_of, value_text
from reducepp.scraping.extract.page_fields import collapse_spaces
from reducepp.scraping.extract.title_text import (
    UMLAUTS,
    fold,
    is_generic,
    site_host,
    split_title,
    word_set,
)
from reducepp.scraping.extract.vocabulary import alternatives, read_words

_HOME_WORDS = re.compile(alternatives("titles", "home_words"), re.IGNORECASE)
MAX_TITLE_CHARS, MAX_HEADINGS = 500, 20
"""The longest title of the 538 labelled HTML pages has 441 characters; 99 of 100 have at most 12
headings of the first level."""
FOOTER_BLOCKS = 40
"""Blocks at a page's end in which its copyright line is searched."""
_HOME_PATH = re.compile(r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?)?/*(?:(?:index|home|default)\.\w+)?", re.I)
_HEADING_EDGES = " ¶#§🔗|–—-:"
_BREAKING = ("br", "div", "p")
_GLUED = re.compile(r"^[^\W\d_A-ZÀ-Þ][A-ZÀ-Þ]|^[.!?:…»][^\W_]")
_PUBLISHERS = ("NewsMediaOrganization", "Organization", "Corporation", "OnlineStore")
_APP_TAGS = ("application-name", "apple-mobile-web-app-title")
_NAME_TAGS = read_words("titles", "name_tags")
_FEED_WORDS = re.compile(rf"\b(?:{alternatives('titles', 'feed_words')})\b", re.IGNORECASE)
_NAME_EDGES = " »«:|-–—[]"
_IN_BRACKETS = re.compile(r"(?<!\s)\s*+\(.*$")
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|\bcopyrights?\b|\bالحقوق محفوظة|\bحقوق النشر(?: محفوظة)?)"
    r"(?:\s|©|\(c\)|\bcopyrights?\b|\b(?:19|20)\d\d\b|[-–—,:./|]|\bby\b|\bpar\b|\bلدى\b|\bلموقع\b|\bلـ\s?)*"
    r"(?:all rights reserved\W*|tous droits réservés\W*)?"
    r"([^©|\n\r]{2,60})",
    re.IGNORECASE,
)
_OWNER_END = re.compile(
    rf"[.,;:]?\s?(?:\b(?:{alternatives('titles', 'owner_ends')})\b|جميع|كافة|\.\s|,\s|[-–—(]).*$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class TitleEvidence:
    """Everything on one page that may be a title of either kind."""

    title: str
    """`<title>` as it is."""
    declared: list[str]
    """og:title, twitter:title, JSON-LD headline: the page's title in tags."""
    headings: list[str]
    """Texts of the h1 elements, in order."""
    lower_headings: list[str]
    """Texts of the first h2 and h3 elements, which hold the title on pages whose h1 is a logo."""
    pieces: dict[str, list[str]]
    """Texts of the elements in an h1 of several, by its text: a kicker, the title, a date."""
    site_names: list[str]
    """The website's name in tags."""
    publishers: list[str] = field(default_factory=list)
    """Publishers in JSON-LD: the website, or who owns it."""
    home_links: list[str] = field(default_factory=list)
    """Texts of links to the home page, and of their images."""
    feed_names: list[str] = field(default_factory=list)
    """Names of feeds, of the search plugin and of apps: the website's, often with more words."""
    feed_titles: list[str] = field(default_factory=list)
    """Titles of feeds and of the search plugin as a whole, with their separators."""
    copyright_names: list[str] = field(default_factory=list)
    """Owners in copyright lines."""
    host: str = ""
    slug: tuple[str, ...] = ()
    """Folded words of the part of the address that is made of words, as content systems make it of
    the title."""
    folders: frozenset[str] = frozenset()
    """Folded names of the folders in the address: the sections that the page belongs to."""
    blocks: Sequence[Block] = ()
    """All lines of the page."""
    is_home: bool = False
    """The page is the website's home page."""

    def slug_fit(self, text: str) -> float:
        """Share of the slug's words that a text has; 0 where fewer than three are shared."""
        spellings = text, text.lower().translate(UMLAUTS)
        shared = max(len(set(self.slug) & word_set(spelling)) for spelling in spellings)
        return shared / len(set(self.slug)) if shared > 2 else 0.0


def gather_titles(
    root: Element, metadata: Metadata, url: str, blocks: Sequence[Block] = ()
) -> TitleEvidence:
    """Collect the evidence from the tree, the metadata and the page's lines."""
    host = site_host(url)
    headings = _headings(root, "h1")
    return TitleEvidence(
        title=metadata.title[:MAX_TITLE_CHARS],
        declared=[s[:MAX_TITLE_CHARS] for s in _declared_titles(metadata) if s],
        headings=list(map(join_pieces, headings)),
        lower_headings=list(map(join_pieces, _headings(root, "h2", "h3"))),
        pieces={join_pieces(pieces): pieces for pieces in headings if len(pieces) > 1},
        site_names=[name for name in _declared_names(metadata) if name],
        publishers=[name for name in _publishers(metadata) if name],
        home_links=_home_links(root, host),
        feed_names=_feed_names(metadata),
        feed_titles=_feed_titles(metadata),
        copyright_names=_copyright_names([block.text for block in blocks[-FOOTER_BLOCKS:]]),
        host=host,
        slug=_slug(url),
        folders=frozenset(map(fold, unquote(urlsplit(url).path).rstrip("/").split("/")[1:-1])),
        blocks=blocks,
        is_home=bool(host) and bool(_HOME_PATH.fullmatch(urlsplit(url).path)),
    )


def _declared_titles(metadata: Metadata) -> Iterator[str]:
    yield metadata.meta.get("og:title", "")
    yield metadata.meta.get("twitter:title", "")
    yield from (value_text(o.get("headline")) for o in metadata.objects if "headline" in o)


def _declared_names(metadata: Metadata) -> Iterator[str]:
    """The website's name in tags, the most reliable first."""
    yield metadata.meta.get("og:site_name", "")
    yield from (value_text(o.get("name")) for o in metadata.objects if "WebSite" in types_of(o))
    yield from (metadata.meta.get(name, "") for name in _APP_TAGS)


def _publishers(metadata: Metadata) -> Iterator[str]:
    yield from (value_text(o["publisher"]) for o in metadata.objects if "publisher" in o)
    for wanted in _PUBLISHERS:
        yield from (value_text(o.get("name")) for o in metadata.objects if wanted in types_of(o))


def _feed_names(metadata: Metadata) -> list[str]:
    """Names of feeds, the search plugin and apps, without words such as "RSS"."""
    named = [*metadata.link_titles, *(metadata.meta.get(name, "") for name in _NAME_TAGS)]
    plain = (_FEED_WORDS.sub("", part).strip(_NAME_EDGES) for n in named for part in split_title(n))
    return _names(collapse_spaces(_IN_BRACKETS.sub("", text)) for text in plain)[:12]


def _feed_titles(metadata: Metadata) -> list[str]:
    """Whole titles of feeds, up to the separator that WordPress sets."""
    before = (title.partition(" » ")[0] for title in metadata.link_titles)
    return _names(collapse_spaces(_FEED_WORDS.sub("", n)).strip(_NAME_EDGES) for n in before)


def _copyright_names(lines: Sequence[str]) -> list[str]:
    """Owners that copyright lines name."""
    owners = (match[1] for line in lines for match in _COPYRIGHT.finditer(line[:400]))
    names = _names(_OWNER_END.sub("", owner).strip(" »«:|-–—()[].,'\"") for owner in owners)
    return [name for name in names if len(name.split()) <= 6][:6]


def _names(texts: Iterable[str]) -> list[str]:
    """Those of the texts that can be a name, each once."""
    return list(dict.fromkeys(t for t in texts if 1 < len(t) <= 60 and not is_generic(t)))


def _headings(root: Element, *tags: str) -> list[list[str]]:
    """The first headings that have a text, each as the texts of the elements in it."""
    found = map(_pieces, islice(root.iter(*tags), MAX_HEADINGS))
    return [pieces for pieces in found if join_pieces(pieces)]


def join_pieces(pieces: Iterable[str]) -> str:
    """A heading on one line, without the marks that link to it."""
    return collapse_spaces("".join(pieces)).strip(_HEADING_EDGES)[:MAX_TITLE_CHARS]


def _pieces(heading: Element) -> list[str]:
    """The texts in a heading, with a space before those that only markup separates."""
    pieces = [heading.text or ""]
    for event, node in etree.iterwalk(heading, events=("start", "end")):
        if node is heading:
            continue
        text = (node.text if event == "start" else node.tail) or ""
        is_glued = bool(text and _GLUED.search(pieces[-1][-1:] + text[:1]))
        text = " " * (is_glued or node.tag in _BREAKING) + text
        pieces += [text] if text else []
    return pieces


def _slug(url: str) -> tuple[str, ...]:
    """Folded words of the last part of an address; none where it is one word."""
    parts = unquote(urlsplit(url).path).split("/")
    stems = (part.rpartition(".")[0] or part for part in parts)
    named = [stem for stem in stems if stem and stem != "index" and not stem.isdigit()]
    words = tuple(map(fold, re.findall(r"[^\W\d_]+", named[-1]))) if named else ()
    return words if len(words) > 1 else ()


def _home_links(root: Element, host: str) -> list[str]:
    """Texts, titles and images' texts of links to the home page, without generic words."""
    schemes = ("//", "http://", "https://")
    roots = {"/", "./", "", *(s + w + host for s in schemes for w in ("", "www."))}
    texts: list[str | None] = []
    for anchor in root.iter("a"):
        href = (anchor.get("href") or "#").strip().lower()
        if href in roots or (len(href) > 8 and href.rstrip("/") in roots):
            images = (image.get("alt") for image in anchor.iter("img"))
            texts += inner_text(anchor), anchor.get("title"), anchor.get("aria-label"), *images
    named = (_HOME_WORDS.sub("", collapse_spaces(text or "")) for text in texts)
    return _names(name.strip(" -|:.") for name in named)[:8]
