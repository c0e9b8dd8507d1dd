"""Qwant: pages saved from the one built by script, and the lite version."""

from __future__ import annotations

from urllib.parse import unquote, urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.markup import Layout, Sign, read_page
from reducepp.scraping.search.result_links import absolute, is_within, parameter, path_of

NOT_ORGANIC = (
    "[data-testid='adResult'], [data-testid*='ads'], .result--ad, .result--ext, .ads, "
    "[data-testid='newsCarousel'], [data-testid='videoCarousel'], "
    "[data-testid='imageCarousel'], aside"
)
OWN = ("qwant.com", "qwantjunior.com")
LAYOUTS = (
    Layout(
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
    Layout(
        result="section > article, .result--web, .result",
        link=("h2 a[href]", "a.result--web--link[href]", "a.title[href]", "a[href]"),
        title=("h2", ".result__title", ".result--web--title", ".title"),
        snippet=("p.desc", ".result__desc", ".desc", "p"),
        skip=NOT_ORGANIC,
        labels=".tooltip",
    ),
)
SIGNS = (
    Sign(
        outcome="blocked",
        reason="block",
        words=(
            "not yet available in your country",
            "is not available in your country",
            "unusual activity",
            "(http 403)",
            "(http 429)",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="captcha",
        source=("captcha-delivery.com",),
        words=("solve the captcha",),
    ),
    Sign(
        outcome="empty",
        selector=(
            "[data-testid='noResults'], .results__empty, .no-result, [data-testid='no-result']"
        ),
        words=("no results found", "aucun résultat", "there are no results", "we didn't find any"),
    ),
)


def address(ask: Ask) -> str:
    """The lite version: ten results a page, no script needed."""
    parameters = {"q": ask.query, "p": str(ask.page), "t": "web"}
    if ask.language:
        parameters |= {"l": ask.language, "locale": f"{ask.language}_{ask.language.upper()}"}
    return f"{ask.base}/?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """The target of a result link; `/redirect/TOKEN/TARGET` holds it in its path."""
    url = absolute("https://www.qwant.com/", href)
    if not is_within(url, "qwant.com"):
        return url
    if path_of(url).startswith("/redirect/"):
        return unquote(path_of(url).split("/", 3)[-1])
    return "" if parameter(url, "q") or path_of(url).startswith("/search") else url


def read(text: str) -> Reading:
    """The hits of a result page."""
    return read_page(text, LAYOUTS, SIGNS, unwrap, own=OWN)


ENGINE = Engine(
    name="qwant",
    base="https://lite.qwant.com",
    address=address,
    read=read,
    marks=("- Qwant</title>", "Qwant Lite", "qwant.com", "Qwant"),
    hosts=("qwant.com", "lite.qwant.com"),
)
