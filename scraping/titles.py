"""The page's own title and the website's, told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from urllib.parse import urlsplit

from reducepp.urls import registered_domain
from scraping.metadata import Metadata, inner_text, squeeze, text_of, types_of
from scraping.tree import Element

# A colon alone is no separator: French writes " : " inside titles, and guillemets quote.
_SEPARATOR = re.compile(
    r"\s+(?:[|\-–—−‒―·•∙~/\\⋆★←→⇒›]|::+|//|\|\||--+|>>?|<)\s+|\s*[|｜¦]\s*|\s+[»«]\s+(?=\S+(?:\s\S+){0,4}$)"
)
_ADDRESS = re.compile(
    r"^(?:https?://|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|fr|co|uk|io|gov|edu|ma|dz|tn|eg|sa|ae|tv)/?$",
    re.I,
)
_GENERIC = """
    home homepage accueil index login news start main menu logo blog الرئيسية الصفحةالرئيسية
    فهرسالمنتدى الصفحةالأولى indexduforum accueilduforum boardindex forumindex forum forums
    retouralaccueil backtohome skiptocontent inicio untitled undefined null website mysite
    mywebsite site title welcome bienvenue gotohome visithomepage pagedaccueil
"""
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\S*$")
_LOGO = re.compile(
    r"\b(?:logo|home ?page|click (?:to|here)\b.*|(?:go|back|return) to\b.*|visit\b.*|retour\b.*"
    r"|page d['’]accueil|aller à\b.*)\b|شعار|الصفحة الرئيسية",
    re.IGNORECASE,
)
_PUBLISHERS = ("WebSite", "NewsMediaOrganization", "Organization", "Corporation", "OnlineStore")


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
    home: list[str] = field(default_factory=list)
    """Texts of links to the home page, and of their images."""
    host: str = ""
    is_home: bool = False
    """The page is the website's home page."""


def gather_titles(root: Element, metadata: Metadata, url: str) -> TitleEvidence:
    """Collect the evidence from the tree and its statements."""
    host = host_of(url)
    meta, objects = metadata.meta, metadata.objects
    stated = [meta.get("og:title", ""), meta.get("twitter:title", "")]
    stated += [text_of(o.get("headline")) for o in objects if "headline" in o]
    names = [meta.get("og:site_name", "")]
    for wanted in _PUBLISHERS:
        names += [text_of(o.get("name")) for o in objects if wanted in types_of(o)]
        if wanted == "WebSite":
            names += [text_of(o.get("publisher")) for o in objects if "publisher" in o]
    names += [meta.get("application-name", ""), meta.get("apple-mobile-web-app-title", "")]
    return TitleEvidence(
        title=metadata.title[:500],
        stated=[s[:500] for s in stated if s],
        headings=_headings(root, "h1"),
        lower=_headings(root, "h2", "h3"),
        names=[n for n in names if n],
        home=_home_links(root, host),
        host=host,
        is_home=bool(host) and urlsplit(url).path.strip("/") == "",
    )


def _headings(root: Element, *tags: str) -> list[str]:
    """Texts of the first headings, without the marks that link to them."""
    found = (squeeze(inner_text(h)).rstrip(" ¶#§🔗")[:500] for h in islice(root.iter(*tags), 20))
    return [heading for heading in found if heading]


def settle_titles(evidence: TitleEvidence) -> tuple[str, str]:
    """Page title and website title; either is "" where nothing speaks for one."""
    site = _stated_site(evidence)
    page = _page_title(evidence, site)
    if not site:
        site = _VERSION.sub("", _derived_site(evidence, page))
        page = _without_site(page, site, evidence) if page == evidence.title else page
    return page, site or registered_domain(evidence.host)


def _stated_site(evidence: TitleEvidence) -> str:
    """The first name that tags state and that is no address and not the page's title."""
    titles = {fold(t) for t in (*evidence.stated[:1], *evidence.headings)}
    own_title = fold(evidence.title)
    for name in evidence.names:
        plain = fold(name)
        if not plain or plain in _NOT_A_NAME or _ADDRESS.search(name) or len(name) > 80:
            continue
        if plain in titles and plain != own_title and not _names_host(name, evidence.host):
            continue
        return name
    return ""


def _page_title(evidence: TitleEvidence, site: str) -> str:
    """The h1 that agrees best with the stated titles, else those without the site's part."""
    headings = _own_headings(evidence.headings, evidence, site)
    if len(headings) < len(evidence.headings):
        headings += _own_headings(evidence.lower, evidence, site)
    references = [t for t in (evidence.title, *evidence.stated[:2]) if t]
    scored = [(max((_agreement(h, r) for r in references), default=0.0), h) for h in headings]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    alone = len(headings) == 1 and words_of(best[1]) <= words_of(evidence.title)
    alone = alone and not _is_site_part(best[1], site, evidence)
    if best[0] >= 0.5 or (best[0] > 0 and alone):
        return best[1]
    stated = [t for t in evidence.stated[:1] if not _is_logo(t, evidence)] + [evidence.title]
    stated = [_without_site(t, site, evidence) for t in stated]
    stated = [t for t in stated if t and not _is_name(t)]
    if len(headings) == 1 and not stated:
        return headings[0]
    return next(iter(stated), "") or evidence.title or next(iter(evidence.headings), "")


def _own_headings(headings: list[str], evidence: TitleEvidence, site: str) -> list[str]:
    """Headings that do not name the website."""
    named = [h for h in headings if fold(h) != fold(site) and not _is_name(h)]
    return [h for h in named if not _is_logo(h, evidence)]


def _is_logo(heading: str, evidence: TitleEvidence) -> bool:
    """Whether an h1 names the site: the title is a lower heading, and the h1 its other part."""
    if fold(heading) in map(fold, evidence.home) and fold(heading) != fold(evidence.title):
        return any(_agreement(lower, evidence.title) >= 0.5 for lower in evidence.lower)
    parts = [fold(part) for part in split_title(evidence.title)]
    if len(parts) < 2 or fold(heading) not in (parts[0], parts[-1]):
        return False
    if fold(heading) == parts[-1] and _names_host(heading, evidence.host):
        return True
    others = {part for part in parts if part != fold(heading)}
    return any(fold(lower) in others for lower in evidence.lower)


def _agreement(heading: str, reference: str) -> float:
    """Share of a heading's words found in a stated title; 0 for one-word overlaps by chance."""
    words, others = words_of(heading), words_of(reference)
    if not words or not others:
        return 0.0
    shared = len(words & others)
    return min(shared / len(words), 1.25 * shared / len(others) + 0.25)


def _without_site(title: str, site: str, evidence: TitleEvidence) -> str:
    """A title without the parts at either end that name the website."""
    before, colon, after = title.partition(": ")
    if colon and site and fold(before.rstrip()) == fold(site):
        title = after.strip()
    parts = split_title(title)
    while len(parts) > 1 and _is_site_part(parts[-1], site, evidence):
        parts.pop()
    while len(parts) > 1 and _is_site_part(parts[0], site, evidence):
        parts.pop(0)
    start = title.find(parts[0]) if parts else 0
    end = title.rfind(parts[-1]) + len(parts[-1]) if parts else 0
    return title[start:end].strip()


def _is_site_part(part: str, site: str, evidence: TitleEvidence) -> bool:
    plain = fold(part)
    if not plain:
        return True
    if site and (
        plain == fold(site)
        or (len(plain) > 3 and plain in fold(site))
        or (fold(site) in plain and len(part) < 2 * len(site))
    ):
        return True
    if any(plain == fold(name) for name in (*evidence.names, *evidence.home)):
        return True
    return len(part.split()) <= 5 and _names_host(part, evidence.host)


def _derived_site(evidence: TitleEvidence, page: str) -> str:
    """The website's name from what is left of `<title>`, or from the link to the home page."""
    parts = split_title(evidence.title)
    rest = [p for p in parts if page == evidence.title or not _same_title(p, page)]
    if len(parts) < 2:
        rest = []
    known = [p for p in reversed(rest) if len(p.split()) <= 8]
    known += evidence.home
    for name in known:
        if _names_host(name, evidence.host):
            return name
    homes = {fold(name) for name in evidence.home}
    for name in rest:
        if fold(name) in homes:
            return name
    if rest and len(rest[-1].split()) <= 6:
        return rest[-1]
    if evidence.is_home and len(evidence.title.split()) <= 6:
        return evidence.title
    return next(iter(evidence.home), "")


def _same_title(part: str, page: str) -> bool:
    plain, whole = fold(part), fold(page)
    return bool(plain) and (
        plain == whole or (len(plain) > 8 and (plain in whole or whole in plain))
    )


def split_title(title: str) -> list[str]:
    """The parts of a `<title>` between separators, in order."""
    return [part.strip() for part in _SEPARATOR.split(title) if part and part.strip()]


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Letters and digits only, lower case, accents and Arabic marks taken off."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


_NOT_A_NAME = frozenset(fold(name) for name in _GENERIC.split())


def words_of(text: str) -> set[str]:
    """The folded words of a text."""
    return {fold(word) for word in re.findall(r"\w+", text)} - {""}


def host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _names_host(text: str, host: str) -> bool:
    """Whether a name and a label of the host are one, in one, or one the other's initials."""
    plain = fold(text)
    if len(plain) < 2:
        return False
    if plain == fold(host):
        return True
    words = [fold(word) for word in re.findall(r"\w+", text)]
    initials = "".join(word[:1] for word in words)
    words = words if len(words) <= 5 else []
    for label in host.split(".")[:-1] or [host]:
        name = fold(label)
        if len(name) < 3 or name in _NOT_A_NAME:
            if name == plain and len(name) > 1:
                return True
            continue
        if name in plain or (len(plain) >= 4 and plain in name) or name == initials:
            return True
        if any(len(word) >= 5 and word in name and len(word) >= 0.6 * len(name) for word in words):
            return True
    return False


def _is_name(text: str) -> bool:
    return fold(text) in _NOT_A_NAME


def _home_links(root: Element, host: str) -> list[str]:
    """What links to the home page are called, by text, title or image; generic words left out."""
    found: dict[str, None] = {}
    roots = {
        "/",
        "./",
        "",
        f"//{host}",
        f"//www.{host}",
        f"http://{host}",
        f"https://{host}",
        f"http://www.{host}",
        f"https://www.{host}",
    }
    for anchor in root.iter("a"):
        href = (anchor.get("href") or "#").strip().lower()
        if href in roots or (len(href) > 8 and href.rstrip("/") in roots):
            for name in (_LOGO.sub("", n).strip(" -|:.") for n in _anchor_names(anchor)):
                if 1 < len(name) <= 60 and not _is_name(name) and not _ADDRESS.search(name):
                    found.setdefault(name)
    return list(found)[:5]


def _anchor_names(anchor: Element) -> Iterable[str]:
    yield squeeze(inner_text(anchor))
    yield squeeze(anchor.get("title") or "")
    yield squeeze(anchor.get("aria-label") or "")
    for image in anchor.iter("img"):
        yield squeeze(image.get("alt") or "")
