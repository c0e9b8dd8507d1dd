"""Yahoo: `div.algo`, links wrapped in `RU=`; also Yahoo Japan's cards."""

from __future__ import annotations

from urllib.parse import unquote, urlencode

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.markup import Layout, Sign, read_layout, read_rest
from reducepp.scraping.search.result_links import is_within, path_after, path_of

NOT_ORGANIC = (
    ".ads, .searchCenterTopAds, .searchCenterBottomAds, .searchRightTopAds, .sys_gemini, "
    "#right, .AlgoAd, [data-bk-ad], .sw-Card--ad, .sys_news_auto, .tn-carousel, .itm, .exp"
)
AD_LABELS = "a[data-matarget='ad'], .ad-label"
OWN = ("yahoo.com", "yahoo.co.jp", "yimg.com")
BREADCRUMBS = (
    "h3.title a > span, h3.title a > div, .compTitle a > div, .compTitle h3 a > span.d-ib, "
    ".compTitle > a > span"
)
"""Site and path that newer pages put inside the title's link."""
SNIPPETS = (
    ".compText p",
    ".compText",
    "p.lh-16",
    ".lh-16",
    ".sw-Card__summary",
    ".sw-Card__floatContainer",
    "p",
)
LAYOUTS = (
    Layout(
        result="div.algo-sr, div.algo, div.dd.algo, div.relsrch",
        link=(".compTitle h3 a[href]", "h3 a[href]", ".compTitle > a[href]", "a[href]:has(h3)"),
        title=("h3.title", "h3"),
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
        labels=AD_LABELS,
    ),
    Layout(
        result=".sw-Card.Algo, .Algo, #web li",
        link=(".sw-Card__title a[href]", "h3 a[href]", "a[href]:has(h3)"),
        title=("h3",),
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
)
SIGNS = (
    Sign(
        outcome="blocked",
        reason="consent",
        selector="form.consent-form, form[action*='consent'], .consent-overlay, #consent-page",
        words=(
            "yahoo is part of the yahoo family of brands",
            "yahoo fait partie de la famille",
            "yahoo ist teil der yahoo",
        ),
        source=("consent.yahoo.com", "guce.yahoo.com"),
    ),
    Sign(
        outcome="empty",
        selector=".no-results, .zrp, #noresult",
        words=(
            "we did not find results for",
            "we did not find any results",
            "no results found",
            "に一致するウェブページは見つかりませんでした",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=("error 999", "request denied", "unable to process request"),
    ),
)


def address(ask: Ask) -> str:
    """Seven to ten results a page; `b` is the rank of the page's first."""
    parameters = {"p": ask.query, "b": str((ask.page - 1) * 7 + 1), "pz": "7"}
    if ask.language:
        parameters |= {"vl": f"lang_{ask.language}", "fl": "1"}
    return f"{ask.base}/search?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """The target of a result link; empty for ads and for Yahoo's own searches."""
    url = path_after(href, "/RU=") or href
    if is_within(url, "yahoo.co.jp") and "/*-" in url:
        url = unquote(url.split("/*-", 1)[1])
    if is_within(url, "bing.com") and path_of(url).startswith(("/aclick", "/aclk")):
        return ""
    own = is_within(url, "search.yahoo.com", "search.yahoo.co.jp") and path_of(url).strip("/")
    return "" if own else url


def read(text: str) -> Reading:
    """The hits of a result page."""
    tree = parse_for_css(text)
    for node in tree.css(BREADCRUMBS):
        heading = node.parent
        if heading is not None and len(heading.text().strip()) > len(node.text().strip()):
            node.decompose()
    for layout in LAYOUTS:
        if found := read_layout(tree, layout, unwrap):
            return Reading(found=found, outcome="results")
    return read_rest(tree, text, SIGNS, unwrap, OWN)


ENGINE = Engine(
    name="yahoo",
    base="https://search.yahoo.com",
    address=address,
    read=read,
    marks=(
        "r.search.yahoo.com",
        "Yahoo Search Results</title>",
        "search.yahoo.com",
        "s.yimg.com",
        "consent.yahoo.com",
        "search.yahoo.co.jp",
        "searchCenterMiddle",
    ),
    hosts=("search.yahoo.com", "search.yahoo.co.jp", "consent.yahoo.com"),
    results_per_page=7,
)
