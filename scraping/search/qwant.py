"""Qwant: pages saved from the one built by script, and the lite version."""

from __future__ import annotations

from urllib.parse import unquote

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, is_within, parameter, path_of

NOT_ORGANIC = (
    "[data-testid='adResult'], [data-testid*='ads'], .result--ad, .result--ext, .ads, "
    "[data-testid='newsCarousel'], [data-testid='videoCarousel'], "
    "[data-testid='imageCarousel'], aside"
)
OWN = ("qwant.com", "qwantjunior.com")
LAYOUTS = (
    ResultLayout(
        result="[data-testid='webResult'], [data-testid='sectionWeb'] article",
        link=(
            "h2 a[href]",
            "a[class*='title'][href]",
            "a[href]:has(h2)",
            "a.external[href]",
            "a[href]",
        ),
        title=("h2", "[class*='title']", "h3"),
        snippet=(
            *("[class*='desc' i]", "[class*='snippet' i]", "h2 + div", "h2 + p", "h2 ~ div"),
            *("p", "a ~ div"),
        ),
        skip=NOT_ORGANIC,
    ),
    ResultLayout(
        result="section > article, .result--web, .result",
        link=("h2 a[href]", "a.result--web--link[href]", "a.title[href]", "a[href]"),
        title=("h2", ".result__title", ".result--web--title", ".title"),
        snippet=("p.desc", ".result__desc", ".desc", "p"),
        skip=NOT_ORGANIC,
        ad_labels=".tooltip",
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="block",
        phrases=(
            "not yet available in your country",
            "is not available in your country",
            "unusual activity",
            "(http 403)",
            "(http 429)",
        ),
    ),
    PageRule(
        outcome="blocked",
        reason="captcha",
        source=("captcha-delivery.com",),
        phrases=("solve the captcha",),
    ),
    PageRule(
        outcome="empty",
        selector=(
            "[data-testid='noResults'], .results__empty, .no-result, [data-testid='no-result']"
        ),
        phrases=(
            "no results found",
            "aucun résultat",
            "there are no results",
            "we didn't find any",
        ),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; `/redirect/TOKEN/TARGET` holds it in its path."""
    url = absolute("https://www.qwant.com/", href)
    if not is_within(url, "qwant.com"):
        return url
    if path_of(url).startswith("/redirect/"):
        return unquote(path_of(url).split("/", 3)[-1])
    return "" if parameter(url, "q") or path_of(url).startswith("/search") else url


ENGINE = Engine(
    name="qwant",
    base="https://lite.qwant.com",
    path="/?q={query}&p={page}&t=web",
    language_parameters="&l={language}&locale={language}_{LANGUAGE}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=("- Qwant</title>", "Qwant Lite", "qwant.com", "Qwant"),
    hosts=("qwant.com", "lite.qwant.com"),
)
