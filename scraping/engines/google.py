"""Google: rendered, mobile and script-free result pages since 2017.

Class names change several times a year, so a hit is told by its structure first: a link
that holds a heading (or a heading that holds a link) in the results column, with a target
outside the search itself. What lies inside one of `NOT_ORGANIC` is an ad, a related question,
news, a video or product card, a featured answer or a site link. A featured answer is not a hit;
where its address also stands among the results, it counts there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scraping.engines.engine import Ask, Engine, Found, Reading
from scraping.engines.google_words import CONSENT, NO_RESULTS, TRAFFIC
from scraping.engines.links import absolute, host_of, is_web_address, parameter, path_of
from scraping.engines.markup import Sign, read_rest
from scraping.engines.tree import ancestors, first_text, ids_of, lies_in, parse_html, text_of

TITLES = (
    "h3, a.C8nzq [role='heading'], a.cz3goc [role='heading'], .KJDcUb a [role='heading'], "
    "a.C8nzq .v0nnCb, a._Olt ._ees, a.fuLhoc span.CVA68e",
    ".vt6azd [role='heading'][aria-level='3'], .Ww4FFb [role='heading'][aria-level='3']",
    "[role='heading'], div.BNeawe.vvjwJb, div.MBeuO",
)
"""Titles of results; the first line that finds any wins. Desktop, phones of 2017 to 2022 and
text browsers; later phones; what is left, such as script-free pages of 2019."""
PHONE_LINKS = "a.UBFage[href], a[role='presentation'][href]"
"""Links of later phones stand beside their titles."""

NOT_ORGANIC = (
    # ads
    "#tads, #tadsb, #bottomads, #tvcap, #atvcap, [data-text-ad], .uEierd, .ads-ad, .ad_cclk",
    ".commercial-unit-desktop-top, .commercial-unit-desktop-rhs, .commercial-unit-mobile-top",
    ".cu-container, .pla-unit, [data-pla]",
    # related questions
    "[data-q], [data-initq], .related-question-pair, .cUnQKe, .Wt5Tfe, [jsname='Cpkphb']",
    "[jsname='yEVEwb'], g-accordion, g-accordion-expander, .yStFkb, .xpc, .duf-h, details",
    # news, videos, pictures, places, products in a row or a box of their own
    "g-scrolling-carousel, g-inner-card, g-section-with-header, g-expandable-content",
    ".VibNM, .RzdJxc, .mLmaBd, .sHEJob, #imagebox_bigimages, #iur, .isv-r, .lu_map_section",
    ".g.obcontainer, .VkpGBb, .rllt__details, .X7NTVe, .idg8be, a.BVG0Nb, h3:has(.deIvCb)",
    # beside, above and below the results
    "#rhs, #rhs_block, .M8OgIe, #bres, #brs, #foot, #footcnt, #extrares, #sfooter, header, footer",
    "[role='complementary'], [role='contentinfo'], [role='navigation'], [role='dialog']",
    # links to parts of a result's site, and its menu
    "table.nrgt, table.jmjoTe, .mslg, .sld, .usJj9c, .HiHjCd, .osl, .action-menu, .St3GK",
    "[jsname='m7irxf']",
)
"""Nothing inside one of these is a hit."""

CARDS = (
    "block-component, .c2xzTb, .ifM9O, .xpdopen, .g-blk, [data-attrid^='wa:/'], "
    "[data-attrid='FeaturedSnippet']"
)
"""Featured answers; the panel that fills a whole page (`PANEL`) may lie in one, with its hits."""
PANEL = ".kp-wholepage, [id^='kp-wp-tab'], #rso, #search"

RESULTS = (
    ".tF2Cxc, .rc, .N54PNb, .Ww4FFb, .g, .mnr-c, .Gx5Zad, .ZINbbc, .MjjYud, .srg > div, .ezO2md, "
    ".xpd, .hlcw0c, .A6K0A, .b8lM7"
)
"""One result, from the innermost outwards."""

SNIPPETS = (
    ".VwiC3b",
    "[data-sncf]",
    ".lEBKkf",
    ".aCOpRe",
    ".IsZvec",
    "span.st",
    ".st",
    ".s",
    ".ITZIwc",
    ".MUxGbd.yDYNvb",
    ".JTuIPc:not(a) > .MUxGbd",
    "._H1m",
    ".BNeawe.s3v9rd.AP7Wnd",
    ".FrIlee .fYyStc",
    ".FrIlee",
    ".kCrYT:not(:first-child)",
)

SIGNS = (
    Sign(
        outcome="blocked",
        reason="captcha",
        selector=(
            "#captcha-form, form[action*='CaptchaRedirect'], form[action*='/sorry/'], "
            "img[src*='/sorry/image']"
        ),
        words=TRAFFIC,
        source=("google.com/sorry/", "/sorry/index", "<title>Sorry...</title>"),
    ),
    Sign(
        outcome="empty",
        selector="#topstuff .card-section ul li, #topstuff .mnr-c ul li",
        words=NO_RESULTS,
    ),
    Sign(
        outcome="blocked",
        reason="consent",
        selector=(
            "form[action*='consent.google'], form[action*='consent.youtube'], "
            "a[href*='consent.google.'][href*='/d?'], input[name='bl'][value*='identityfrontend']"
        ),
        words=CONSENT,
        source=("https://consent.google.",),
        unless="#rso",
    ),
    Sign(
        outcome="blocked",
        reason="block (the page asks for JavaScript)",
        source=("/httpservice/retry/enablejs", "knitsail", "SG_SS"),
        unless="#rso, #search, #main",
    ),
)

OWN_PATHS = re.compile(
    r"/(?:search|aclk|imgres|setprefs|preferences|advanced_search|sorry|searchbyimage|save"
    r"|maps/(?:search|place|dir)|travel/(?:search|hotels/)|shopping/product)\b"
)
OWN_HOSTS = ("webcache.", "consent.", "accounts.")
GOOGLE = re.compile(r"(?:^|\.)(?:google(?:\.[a-z]{2,3}){1,2}|googleadservices\.com)$")


def address(ask: Ask) -> str:
    """Ten results a page; `hl` sets the language of the page and of the results."""
    parameters = {"q": ask.query, "num": "10", "start": str((ask.page - 1) * 10)}
    if ask.language:
        parameters |= {"hl": ask.language, "lr": f"lang_{ask.language}"}
    return f"{ask.base}/search?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """The target of a result link; empty where it leads to the search itself."""
    url = absolute("https://www.google.com/", href)
    path = path_of(url)
    if GOOGLE.search(host_of(url)):
        if path in ("/url", "/interstitial"):
            targets = (parameter(url, name) for name in ("q", "url", "u"))
            url = next((target for target in targets if is_web_address(target)), "")
        elif path.startswith("/amp/"):
            secure, rest = path.startswith("/amp/s/"), path.removeprefix("/amp/")
            url = f"https://{rest.removeprefix('s/')}" if secure else f"http://{rest}"
    return url if is_web_address(url) and not is_own_address(url) else ""


def is_own_address(url: str) -> bool:
    """Whether the address is a service of the result page: further searches, ads, maps."""
    host, path = host_of(url), path_of(url)
    if not GOOGLE.search(host):
        return False
    if "adservices" in host or host.startswith(OWN_HOSTS):
        return True
    aside = {"maps.": "/maps", "translate.": "/translate", "scholar.": "/scholar"}
    if any(host.startswith(start) and path == own for start, own in aside.items()):
        return True
    return host.startswith(("www.", "google.")) and bool(OWN_PATHS.match(path))


def read(text: str) -> Reading:
    """The hits of a result page; all kinds of pages are told by the same structure."""
    tree = parse_html(text)
    if found := tuple(_unique(_results(tree))):
        return Reading(found=found, outcome="results")
    return read_rest(tree, text, SIGNS, unwrap)


def _unique(found: Iterator[Found]) -> list[Found]:
    taken: dict[str, Found] = {}
    for one in found:
        taken.setdefault(one.url, one)
    return list(taken.values())


def _results(tree: LexborHTMLParser) -> Iterator[Found]:
    body = tree.body
    if body is None:
        return
    places = _Places(tree)
    for titles in TITLES:
        found = [one for title in body.css(titles) if (one := _result(title, places)) is not None]
        if found:
            yield from found
            return


class _Places:
    """Which nodes of a page are results, and which are anything else."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.excluded = ids_of(tree.css(", ".join(NOT_ORGANIC)))
        self.cards = ids_of(tree.css(CARDS))
        self.panels = ids_of(tree.css(PANEL))
        self.results = ids_of(tree.css(RESULTS))

    def is_organic(self, node: LexborNode) -> bool:
        """Whether the node lies outside of everything that is not a result."""
        if lies_in(node, self.excluded):
            return False
        for parent in ancestors(node):
            if parent.mem_id in self.panels:
                return True
            if parent.mem_id in self.cards:
                return False
        return True


def _result(title: LexborNode, places: _Places) -> Found | None:
    link = _link_of(title, places.results) if places.is_organic(title) else None
    url = unwrap(link.attributes.get("href") or "") if link is not None else ""
    heading = text_of(title)
    if not url or not heading:
        return None
    return Found(url=url, title=heading, snippet=_snippet(title, places.results))


def _link_of(title: LexborNode, results: set[int]) -> LexborNode | None:
    """The link around a title, else the first inside it, else the one of its result."""
    around = next((node for node in ancestors(title) if node.tag == "a"), None)
    if around is not None:
        return around
    inside = title.css_first("a[href]")
    if inside is not None or title.tag == "h3":
        return inside
    result = next((node for node in ancestors(title) if node.mem_id in results), None)
    return result.css_first(PHONE_LINKS) if result is not None else None


def _snippet(title: LexborNode, containers: set[int]) -> str:
    """The description in the smallest container around the title that has one."""
    for node in ancestors(title):
        if node.mem_id in containers and (text := first_text(node, SNIPPETS)):
            return text
    return ""


ENGINE = Engine(
    name="google",
    base="https://www.google.com",
    address=address,
    read=read,
    marks=(
        'content="/images/branding/googleg/',
        "- Google Search</title>",
        "google.com/sorry",
        "consent.google.",
        "window.google",
        "google.kEI",
        "/httpservice/retry/enablejs",
        'id="rso"',
        "gstatic.com",
        "BNeawe",
    ),
    hosts=("google.", "consent.google.", "ipv4.google."),
)
