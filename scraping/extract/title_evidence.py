"""What on a page speaks for its title and for its website's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from reducepp.scraping.extract.host_names import site_host
from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.metadata import Metadata, inner_text, squeeze, text_of, types_of
from reducepp.scraping.extract.title_text import is_generic, split_title

_LOGO = re.compile(
    r"\b(?:logo|home ?page|click (?:to|here)\b.*|(?:go|back|return) to\b.*|visit\b.*|retour\b.*"
    r"|page d['’]accueil|^accueil|aller à\b.*)\b|شعار|الصفحة الرئيسية",
    re.IGNORECASE,
)
_HOME_PATH = re.compile(r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?)?/*(?:(?:index|home|default)\.\w+)?", re.I)
_HEADING_EDGES = " ¶#§🔗|–—-:"
_PARTING = ("br", "div", "p")
_GLUED = re.compile(r"^[^\W\d_A-ZÀ-Þ][A-ZÀ-Þ]|^[.!?:…»][^\W_]")
_PUBLISHERS = ("NewsMediaOrganization", "Organization", "Corporation", "OnlineStore")
_APP_TAGS = ("application-name", "apple-mobile-web-app-title")
_ASIDE_TAGS = (
    "al:ios:app_name",
    "al:android:app_name",
    "msapplication-tooltip",
    "publisher",
    "dc.publisher",
    "copyright",
)
_FEED = re.compile(
    r"\b(?:rss|atom|feeds?|flux|xml|[12]\.0|0\.92|comments?|commentaires|opensearch|entries"
    r"|kommentare?|(?:search|recherche\w*|suche)(?: in| on| for| sur| dans)?"
    r"|الخلاصة|التعليقات|خلاصة|بحث)\b",
    re.IGNORECASE,
)
_FEED_EDGES = " »«:|-–—[]"
_ASIDE = re.compile(r"\s*\(.*$")
_RIGHTS = re.compile(
    r"(?:©|\(c\)|\bcopyrights?\b|\bالحقوق محفوظة|\bحقوق النشر(?: محفوظة)?)"
    r"(?:\s|©|\(c\)|\bcopyrights?\b|\b(?:19|20)\d\d\b|[-–—,:./|]|\bby\b|\bpar\b|\bلدى\b|\bلموقع\b|\bلـ\s?)*"
    r"(?:all rights reserved\W*|tous droits réservés\W*)?"
    r"([^©|\n\r]{2,60})",
    re.IGNORECASE,
)
_RIGHTS_END = re.compile(
    r"[.,;:]?\s*(?:\b(?:(?:19|20)\d\d|all|tous|inc|llc|ltd|gmbh|sa|s\.a|limited|corporation|corp"
    r"|group|or its|and its|et ses|alle|designed|powered|is a|est un)\b"
    r"|جميع|كافة|\.\s|,\s|[-–—(]).*$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class TitleEvidence:
    """Everything on one page that speaks for a title of either kind."""

    title: str
    stated: list[str]
    """og:title, twitter:title, headline: the page's title as tags have it."""
    headings: list[str]
    """Texts of the h1 elements, in order."""
    lower: list[str]
    """Texts of the first h2 and h3 elements, which hold the title on pages whose h1 is a logo."""
    names: list[str]
    """The website's name as tags state it."""
    publishers: list[str] = field(default_factory=list)
    """Who publishes the page, as JSON-LD states it: the website, or who owns it."""
    home: list[str] = field(default_factory=list)
    """Texts of links to the home page, and of their images."""
    asides: list[str] = field(default_factory=list)
    """Names of feeds, of the search plugin and of apps: the website's, often with more."""
    feeds: list[str] = field(default_factory=list)
    """Names of feeds and of the search plugin as a whole, separators in them kept."""
    rights: list[str] = field(default_factory=list)
    """Whom copyright lines name."""
    host: str = ""
    is_home: bool = False
    """The page is the website's home page."""


def gather_titles(
    root: Element, metadata: Metadata, url: str, lines: Sequence[str] = ()
) -> TitleEvidence:
    """Collect the evidence from the tree, its statements and the page's last `lines`."""
    host = site_host(url)
    return TitleEvidence(
        title=metadata.title[:500],
        stated=[s[:500] for s in _stated_titles(metadata) if s],
        headings=_headings(root, "h1"),
        lower=_headings(root, "h2", "h3"),
        names=[name for name in _stated_names(metadata) if name],
        publishers=[name for name in _publishers(metadata) if name],
        home=_home_links(root, host),
        asides=_asides(metadata),
        feeds=_feeds(metadata),
        rights=_rights(lines),
        host=host,
        is_home=bool(host) and bool(_HOME_PATH.fullmatch(urlsplit(url).path)),
    )


def _stated_titles(metadata: Metadata) -> Iterator[str]:
    yield metadata.meta.get("og:title", "")
    yield metadata.meta.get("twitter:title", "")
    yield from (text_of(o.get("headline")) for o in metadata.objects if "headline" in o)


def _stated_names(metadata: Metadata) -> Iterator[str]:
    """The website's name in the order in which tags are trusted."""
    yield metadata.meta.get("og:site_name", "")
    yield from (text_of(o.get("name")) for o in metadata.objects if "WebSite" in types_of(o))
    yield from (metadata.meta.get(name, "") for name in _APP_TAGS)


def _publishers(metadata: Metadata) -> Iterator[str]:
    yield from (text_of(o["publisher"]) for o in metadata.objects if "publisher" in o)
    for wanted in _PUBLISHERS:
        yield from (text_of(o.get("name")) for o in metadata.objects if wanted in types_of(o))


def _asides(metadata: Metadata) -> list[str]:
    """Names that feeds, the search plugin and apps go by, without the words for these."""
    named = [*metadata.link_titles, *(metadata.meta.get(name, "") for name in _ASIDE_TAGS)]
    plain = (_FEED.sub("", part).strip(_FEED_EDGES) for n in named for part in split_title(n))
    found = (name for name in (squeeze(_ASIDE.sub("", p)) for p in plain) if _may_name(name))
    return list(dict.fromkeys(found))[:12]


def _feeds(metadata: Metadata) -> list[str]:
    """Whole names of feeds: what stands before the mark that the most used software sets."""
    before = (title.partition(" » ")[0] for title in metadata.link_titles)
    found = (squeeze(_FEED.sub("", name)).strip(_FEED_EDGES) for name in before)
    return list(dict.fromkeys(name for name in found if _may_name(name)))


def _rights(lines: Sequence[str]) -> list[str]:
    """Whom copyright lines name."""
    found: dict[str, None] = {}
    for line in lines:
        for match in _RIGHTS.finditer(line[:400]):
            name = _RIGHTS_END.sub("", match.group(1)).strip(" »«:|-–—()[].,'\"")
            if _may_name(name) and len(name.split()) <= 6:
                found.setdefault(name)
    return list(found)[:6]


def _may_name(name: str) -> bool:
    return 1 < len(name) <= 60 and not is_generic(name)


def _headings(root: Element, *tags: str) -> list[str]:
    """Texts of the first headings, without the marks that link to them."""
    texts = (_heading_text(h).strip(_HEADING_EDGES) for h in islice(root.iter(*tags), 20))
    return [text[:500] for text in texts if text]


def _heading_text(element: Element) -> str:
    """The text of a heading on one line; parts that only markup keeps apart stay apart."""
    text = ""
    for event, node in etree.iterwalk(element, events=("start", "end")):
        piece = (node.text if event == "start" else node.tail) or ""
        if node is element and event == "end":
            break
        if node.tag in _PARTING or (piece and _GLUED.search(text[-1:] + piece[:1])):
            text += " "
        text += piece
    return squeeze(text)


def _home_links(root: Element, host: str) -> list[str]:
    """What links to the home page are called, by text, title or image; generic words left out."""
    found: dict[str, None] = {}
    schemes = ("//", "http://", "https://")
    roots = {"/", "./", "", *(s + w + host for s in schemes for w in ("", "www."))}
    for anchor in root.iter("a"):
        href = (anchor.get("href") or "#").strip().lower()
        if href in roots or (len(href) > 8 and href.rstrip("/") in roots):
            for name in (_LOGO.sub("", n).strip(" -|:.") for n in _anchor_names(anchor)):
                if _may_name(name):
                    found.setdefault(name)
    return list(found)[:8]


def _anchor_names(anchor: Element) -> Iterable[str]:
    yield squeeze(inner_text(anchor))
    yield squeeze(anchor.get("title") or "")
    yield squeeze(anchor.get("aria-label") or "")
    for image in anchor.iter("img"):
        yield squeeze(image.get("alt") or "")
