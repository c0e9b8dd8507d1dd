"""Google: rendered, mobile and script-free result pages since 2017.

Class names change several times a year, so a hit is told by its structure first: a link
that holds a heading (or a heading that holds a link) in the results column, with a target
outside the search itself. What lies inside one of `NOT_ORGANIC` is an ad, a related question,
news, a video or product card, or a site link. A featured answer is not a hit; where its address
also stands among the results, it counts there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import islice, takewhile
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import MAX_HITS, Ask, Engine, Found, Reading, keep_once
from reducepp.scraping.search.google_blocks import MAX_TITLES, Places
from reducepp.scraping.search.google_links import unwrap
from reducepp.scraping.search.google_messages import CONSENT, NO_RESULTS, TRAFFIC
from reducepp.scraping.search.markup import Sign, read_rest
from reducepp.scraping.search.result_tree import ancestors, text_of

TITLES = (
    "h3, a.C8nzq [role='heading'], a.cz3goc [role='heading'], .KJDcUb a [role='heading'], "
    "a.C8nzq .v0nnCb, a._Olt ._ees, a.fuLhoc span.CVA68e",
    ".vt6azd [role='heading'][aria-level='3'], .Ww4FFb [role='heading'][aria-level='3']",
    "[role='heading'], div.BNeawe.vvjwJb, div.MBeuO, [data-snc] [role='link'], "
    "a[data-ved]:not([class]) div[style*='line-clamp']",
)
"""Titles of results; the first line that finds any wins. Desktop, phones of 2017 to 2022 and
text browsers; later phones; what is left, such as script-free pages of 2019."""
FEW = 3
"""Fewer titles than this of one kind may be strays among those of another."""
FAR = 15
"""A description stands no more parents away from its title than this."""
PHONE_LINKS = "a.UBFage[href], a[role='presentation'][href], a[href^='/url?']"
"""Links of later phones stand beside their titles."""

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
    ".JTuIPc:not(a) .pIpgAc",
    "._H1m:not(._ees)",
    ".BNeawe.s3v9rd.AP7Wnd",
    ".ilUpNd.H66NU",
    ".FrIlee .fYyStc",
    ".FrIlee",
    ".kCrYT:not(:first-child)",
)

SIGNS = (
    Sign(
        outcome="empty",
        selector=(
            "#topstuff .card-section ul li, #topstuff .mnr-c ul li, "
            "#botstuff .mnr-c p[role='heading'] ~ ul li"
        ),
        words=NO_RESULTS,
    ),
    Sign(
        outcome="blocked",
        reason="captcha",
        selector=(
            "#captcha-form, form[action*='CaptchaRedirect'], form[action*='/sorry/'], "
            "img[src*='/sorry/image'], a[href*='/sorry/index'], a[href*='google.com/sorry/'], "
            "meta[http-equiv='refresh' i][content*='/sorry/']"
        ),
        words=TRAFFIC,
        source=("<title>Sorry...</title>",),
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
        words=("having trouble accessing google search",),
        source=("/httpservice/retry/enablejs", "knitsail", "SG_SS"),
        unless="#rso, #search",
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=("error 403 (forbidden)", "error 429 (too many", "error 503 (service"),
    ),
    Sign(outcome="error", reason="the service refused the request", source=("!!1</title>",)),
)


def address(ask: Ask) -> str:
    """Ten results a page; `hl` sets the language of the page and of the results."""
    parameters = {"q": ask.query, "num": "10", "start": str((ask.page - 1) * 10)}
    if ask.language:
        parameters |= {"hl": ask.language, "lr": f"lang_{ask.language}"}
    return f"{ask.base}/search?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The hits of a result page; all kinds of pages are told by the same structure."""
    tree = parse_for_css(text)
    if found := tuple(_results(tree)):
        return Reading(found=found, outcome="results")
    return read_rest(tree, text, SIGNS, unwrap)


def _results(tree: LexborHTMLParser) -> list[Found]:
    """Hits by the titles of the first kind that gives some, a stray heading apart."""
    body = tree.body
    if body is None:
        return []
    places = Places(tree)
    first, *others = (_titles(body.css(kind)[:MAX_TITLES], places) for kind in TITLES)
    second, last = (places.without_boxes(found) for found in others)
    if len(first) < FEW and len(second) > len(first):
        first = second
    return _described(first or last, tree)


def _titles(nodes: list[LexborNode], places: Places) -> list[tuple[LexborNode, Found]]:
    """The titles of hits, each address once."""
    results = ((title, _result(title, places)) for title in nodes)
    found = [(title, one) for title, one in results if one is not None]
    kept = {id(one) for one in keep_once((one for _, one in found), apart=True)}
    return [(title, one) for title, one in found if id(one) in kept][:MAX_HITS]


def _described(titles: list[tuple[LexborNode, Found]], tree: LexborHTMLParser) -> list[Found]:
    """Descriptions from the smallest part of the page around a title that has one, as long as
    no title of another hit lies in it."""
    uses = Counter(part.mem_id for title, _ in titles for part in ancestors(title))
    texts = _descriptions(tree) if titles else {}
    found = []
    for title, one in titles:
        near = (part.mem_id for part in islice(ancestors(title), FAR))
        alone = takewhile(lambda part: uses[part] == 1, near)
        nodes = (node for part in alone for node in texts.get(part, ()))
        snippet = next((text for node in nodes if (text := text_of(node))), "")
        found.append(replace(one, snippet=snippet))
    return found


def _descriptions(tree: LexborHTMLParser) -> dict[int, list[LexborNode]]:
    """For parts of a page their first descriptions, the surest kinds before the others."""
    found: defaultdict[int, list[LexborNode]] = defaultdict(list)
    for selector in SNIPPETS:
        for node in tree.css(selector)[:MAX_TITLES]:
            for part in islice(ancestors(node), FAR):
                if len(found[part.mem_id]) < FEW:
                    found[part.mem_id].append(node)
    return found


def _result(title: LexborNode, places: Places) -> Found | None:
    link = _link_of(title, places.results)
    url = unwrap(link.attributes.get("href") or "") if link is not None else ""
    heading = text_of(title)
    if link is None or not url or not heading or not places.is_organic(title, link):
        return None
    return Found(url=url, title=heading)


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


ENGINE = Engine(
    name="google",
    base="https://www.google.com",
    address=address,
    read=read,
    marks=(
        'content="/images/branding/googleg/',
        "- Google Search</title>",
        "google.com/sorry",
        "<title>https://www.google.",
        "!!1</title>",
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
