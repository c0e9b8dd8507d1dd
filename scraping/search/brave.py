"""Brave Search: `div.snippet[data-type=web]` and its forerunners."""

from __future__ import annotations

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, is_within, path_of

NOT_ORGANIC = (
    "#search-ad, [data-type='ad'], .snippet-ad, #infobox, #faq, #discussions, #news-carousel, "
    "#video-carousel, .carousel, .infobox, #side-right, .rh-sidebar, .llm-snippet, #llm-snippet, "
    "#summarizer, #locations, #related-queries, [id^='video-cluster'], [id^='news-cluster'], "
    "[id^='discussions'], .faq-item, [data-type='news'], [data-type='videos'], [data-type='images']"
)
OWN = ("brave.com",)
TITLES = (
    ".search-snippet-title",
    ".snippet-title",
    ".heading-serpresult .title",
    ".result-header .title",
    ".title",
    ".heading-serpresult",
)
SNIPPETS = (
    ".snippet-description",
    ".generic-snippet .content",
    ".generic-snippet",
    ".snippet-content",
    ".description",
    ".inline-qa-answer",
    ".video-snippet-description",
)
LINKS = (
    "a.result-header[href]",
    "a.heading-serpresult[href]",
    "a.h[href]",
    ".result-content > a[href]",
    "a[href]",
)
LAYOUTS = (
    ResultLayout(
        result="div.snippet[data-type='web']",
        link=LINKS,
        title=TITLES,
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
    ResultLayout(
        result="div.snippet.fdb", link=LINKS, title=TITLES, snippet=SNIPPETS, skip=NOT_ORGANIC
    ),
    ResultLayout(
        result="#results .snippet",
        link=LINKS[:-1],
        title=TITLES,
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector="#pow-captcha, .pow-captcha, [class*='captcha']",
        phrases=(
            "captcha - brave search",
            "confirm you're a human",
            "confirm you’re a human",
            "schedule a captcha for you",
        ),
        source=('page:"/captcha"',),
    ),
    PageRule(
        outcome="empty",
        selector="#fallback-noresult, .noresults, .no-results, #no-results",
        phrases=("not many great matches", "no results found", "did not match any documents"),
    ),
)


def unwrap(href: str) -> str:
    """Links go straight to their targets; Brave's own searches are left out."""
    url = absolute("https://search.brave.com/", href)
    own = is_within(url, "search.brave.com") and path_of(url).strip("/")
    return "" if own or (is_within(url, "brave.com") and path_of(url) == "/a/redirect") else url


ENGINE = Engine(
    name="brave",
    base="https://search.brave.com",
    path="/search?q={query}&source=web",
    next_page_parameters="&offset={page_index}",
    language_parameters="&lang={language}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=(
        "- Brave Search</title>",
        "search.brave.com",
        "cdn.search.brave.com",
        "Brave Search",
    ),
    hosts=("search.brave.com",),
    results_per_page=20,
)
