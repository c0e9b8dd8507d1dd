"""Ecosia: test ids since 2022, `.result` cards before."""

from __future__ import annotations

from reducepp.scraping.search.bing import unwrap as unwrap_bing
from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import is_within, path_of

NOT_ORGANIC = (
    "[data-test-id='mainline-result-ad'], [data-test-id^='ad-'], [id^='ad-'], .card-ad, "
    ".result-ad, .ad, .mainline__ad, .sidebar, .entity-card, .entity-wrapper, .news-card, "
    ".video-card, .image-carousel, .news-result, .video-result, .image-result, "
    "[data-test-id*='carousel'], "
    "[data-test-id='related-searches'], [data-test-id*='questions']"
)
OWN = ("ecosia.org",)
OWN_PATHS = ("/search", "/images", "/videos", "/news", "/chat", "/ai-search")
TITLES = (
    "[data-test-id='result-title']",
    ".result__title",
    ".result-title__heading",
    "a.result-title",
    ".result-title",
    "h2",
)
SNIPPETS = (
    "[data-test-id='web-result-description']",
    "[data-test-id='result-description']",
    ".web-result__description",
    ".result__description",
    ".result-snippet",
    ".result__snippet",
    "p",
)
LAYOUTS = (
    ResultLayout(
        result="[data-test-id='organic-result'], [data-test-id='mainline-result-web']",
        link=(
            "a[data-test-id='result-link']",
            ".result__title a[href]",
            "a.result__link[href]",
            "h2 a[href]",
            "a[href]",
        ),
        title=TITLES,
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
    ResultLayout(
        result=".mainline .result, .results .result, .result.js-result, .result.card-web, .result",
        link=(
            "a.js-result-title[href]",
            "a.result-title[href]",
            "a.result__link[href]",
            "a.js-result-url[href]",
            "h2 a[href]",
            "a[href]",
        ),
        title=TITLES,
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="empty",
        selector="[data-test-id='no-results'], .empty-result, .no-results, .mainline__no-results",
        phrases=(
            "unfortunately we didn’t find any results",
            "we didn't find any results",
            "no results found",
            "did not match any",
            "keine ergebnisse",
        ),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; Ecosia's own searches are left out."""
    url = unwrap_bing(href) if "bing.com/" in href else href
    own = is_within(url, *OWN) and path_of(url).startswith(OWN_PATHS)
    return "" if own else url


ENGINE = Engine(
    name="ecosia",
    base="https://www.ecosia.org",
    path="/search?q={query}&p={page_index}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=(
        "- Ecosia - Web</title>",
        "- Ecosia</title>",
        "ecosia.org",
        "cdn-static.ecosia.org",
        "organic-result",
    ),
    hosts=("ecosia.org",),
)
