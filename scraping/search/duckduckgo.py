"""DuckDuckGo: the html and lite versions, and pages saved from the one built by script."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Engine, Result, unique_results
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import (
    absolute,
    is_web_address,
    is_within,
    parameter,
    path_of,
)
from reducepp.scraping.search.result_tree import ancestors, first_text, text_of

LAYOUTS = (
    ResultLayout(
        result=(
            "article[data-testid='result'], article[data-nrn='result'], "
            "li[data-layout='organic'], [data-testid='web-vertical'] li > article"
        ),
        link=("a[data-testid='result-title-a']", "h2 a[href]"),
        title=("a[data-testid='result-title-a']", "h2"),
        snippet=("[data-result='snippet']", "[data-testid='result-snippet']", "h2 ~ div"),
        skip=(
            "[data-testid='ad'], li[data-layout]:not([data-layout='organic']), "
            ".js-carousel-module-items"
        ),
    ),
    ResultLayout(
        result=".result, .web-result, .result__body",
        link=("a.result__a", ".result__title a[href]", "h2 a[href]"),
        title=("a.result__a", ".result__title", "h2"),
        snippet=(".result__snippet", ".result__body .snippet"),
        skip=".result--ad, #ads, .js-results-ads, .result--sep, .result--more, .module",
        ad_labels=".badge--ad",
    ),
)
NOISE = ".result__check"
DATE = ".result__date"
"""Stands before a description with nothing between."""
OWN = ("duckduckgo.com", "duck.ai", "duck.com", "spreadprivacy.com", "donttrack.us")
LITE_LINK = "a.result-link, td.result-link a[href]"
LITE_SPONSORED = "result-sponsored"
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector=(
            ".anomaly-modal__modal, .anomaly-modal, #challenge-form, form[action*='anomaly.js']"
        ),
        phrases=("bots use duckduckgo too", "complete the following challenge"),
        source=("anomaly.js",),
    ),
    PageRule(
        outcome="blocked",
        reason="block",
        phrases=("if this error persists", "if this persists, please", "error-lite@duckduckgo.com"),
        source=("error-lite@duckduckgo.com", "error-lite+", "Error getting results"),
    ),
    PageRule(
        outcome="empty",
        selector=(
            ".no-results, .result--no-result, [data-testid='no-results-message'], "
            ".no-results-message"
        ),
        phrases=("no results.", "no more results.", "no results found for"),
    ),
    PageRule(
        outcome="blocked",
        reason="block (the page asks for JavaScript)",
        phrases=("redirected to the non-javascript site", "this page requires javascript"),
        source=("DDG.deep.initialize(", "DDG.duckbar"),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; empty for ads and for searches of its own."""
    url = absolute("https://duckduckgo.com/", href)
    if not is_within(url, "duckduckgo.com"):
        return "" if is_ad(url) else url
    if path_of(url).rstrip("/") == "/l":
        target = absolute("https://duckduckgo.com/", parameter(url, "uddg", "u"))
        return "" if is_ad(target) else target
    own = path_of(url).startswith(("/y.js", "/html", "/lite", "/m.js")) or parameter(url, "q")
    return "" if own or href.startswith("#") else url


def is_ad(url: str) -> bool:
    """Whether an address counts a click for the engine or for the seller of its ads."""
    if is_within(url, "duckduckgo.com"):
        return path_of(url).startswith(("/y.js", "/m.js"))
    return is_within(url, "bing.com") and path_of(url).startswith(("/aclick", "/aclk"))


def separate_dates(tree: LexborHTMLParser) -> None:
    """Inserts a space between a date and the snippet that follows it."""
    for node in tree.css(DATE):
        node.insert_after(" ")


def find_lite(tree: LexborHTMLParser) -> tuple[Result, ...]:
    """The results of the lite version."""
    return unique_results(_read_lite(tree))


def _read_lite(tree: LexborHTMLParser) -> Iterator[Result]:
    """The lite version is one table: a row with the link, then one with the description."""
    for link in tree.css(LITE_LINK):
        row = next((node for node in ancestors(link) if node.tag == "tr"), None)
        url = unwrap(link.attributes.get("href") or "")
        if row is None or not is_web_address(url):
            continue
        if LITE_SPONSORED not in (row.attributes.get("class") or ""):
            yield Result(url=url, title=text_of(link), snippet=_lite_snippet(row))


def _lite_snippet(row: LexborNode) -> str:
    following = row.next
    while following is not None and not (following.tag == "tr" and following.css_first(LITE_LINK)):
        if following.tag == "tr" and (text := first_text(following, (".result-snippet",))):
            return text
        following = following.next
    return ""


ENGINE = Engine(
    name="duckduckgo",
    base="https://html.duckduckgo.com",
    path="/html/?q={query}",
    next_page_parameters="&s={offset}&dc={first}",
    language_parameters="&kl={language}-{language}",
    parse_text=HtmlParser(
        layouts=LAYOUTS,
        rules=PAGE_RULES,
        unwrap=unwrap,
        noise=NOISE,
        own=OWN,
        prepare=separate_dates,
        find=find_lite,
    ),
    fingerprints=(
        "at DuckDuckGo</title>",
        "DuckDuckGo</title>",
        "duckduckgo.com/l/?",
        'title="DuckDuckGo',
        "duckduckgo.com/assets",
        "DDG.page",
        "result__a",
        "result__snippet",
        "DuckDuckGo",
        "duckduckgo.com/dist/",
        "anomaly.js",
        "error-lite",
    ),
    hosts=("duckduckgo.com", "html.duckduckgo.com", "lite.duckduckgo.com"),
    results_per_page=30,
)
