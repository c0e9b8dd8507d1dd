"""Yahoo: `div.algo`, links wrapped in `RU=`; also Yahoo Japan's cards."""

from __future__ import annotations

from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
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
    ResultLayout(
        result="div.algo-sr, div.algo, div.dd.algo, div.relsrch",
        link=(".compTitle h3 a[href]", "h3 a[href]", ".compTitle > a[href]", "a[href]:has(h3)"),
        title=("h3.title", "h3"),
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
        ad_labels=AD_LABELS,
    ),
    ResultLayout(
        result=".sw-Card.Algo, .Algo, #web li",
        link=(".sw-Card__title a[href]", "h3 a[href]", "a[href]:has(h3)"),
        title=("h3",),
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="consent",
        selector="form.consent-form, form[action*='consent'], .consent-overlay, #consent-page",
        phrases=(
            "yahoo is part of the yahoo family of brands",
            "yahoo fait partie de la famille",
            "yahoo ist teil der yahoo",
        ),
        source=("consent.yahoo.com", "guce.yahoo.com"),
    ),
    PageRule(
        outcome="empty",
        selector=".no-results, .zrp, #noresult",
        phrases=(
            "we did not find results for",
            "we did not find any results",
            "no results found",
            "に一致するウェブページは見つかりませんでした",
        ),
    ),
    PageRule(
        outcome="blocked",
        reason="block",
        phrases=("error 999", "request denied", "unable to process request"),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; empty for ads and for Yahoo's own searches."""
    url = path_after(href, "/RU=") or href
    if is_within(url, "yahoo.co.jp") and "/*-" in url:
        url = unquote(url.split("/*-", 1)[1])
    if is_within(url, "bing.com") and path_of(url).startswith(("/aclick", "/aclk")):
        return ""
    own = is_within(url, "search.yahoo.com", "search.yahoo.co.jp") and path_of(url).strip("/")
    return "" if own else url


def drop_breadcrumbs(tree: LexborHTMLParser) -> None:
    """Removes site and path from the links of titles."""
    for node in tree.css(BREADCRUMBS):
        heading = node.parent
        if heading is not None and len(heading.text().strip()) > len(node.text().strip()):
            node.decompose()


ENGINE = Engine(
    name="yahoo",
    base="https://search.yahoo.com",
    path="/search?p={query}&b={first}&pz=7",
    language_parameters="&vl=lang_{language}&fl=1",
    parse_text=HtmlParser(
        layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN, prepare=drop_breadcrumbs
    ),
    fingerprints=(
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
