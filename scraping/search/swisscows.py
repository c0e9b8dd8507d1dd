"""Swisscows: pages saved after its script has built them."""

from __future__ import annotations

from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.markup import Layout, Sign, read_page
from reducepp.scraping.search.result_links import absolute, is_within, parameter

NOT_ORGANIC = (
    ".a11t, .item-ads, .ads, .item--ad, .item--images, .item--videos, .item--news, "
    ".widget-images, .widget-videos, aside"
)
OWN = ("swisscows.com", "swisscows.ch", "teleguard.com")
LAYOUTS = (
    Layout(
        result="article.item-web, article.item--web, .web-results article, .web-results .item",
        link=("h2 a[href]", "a.site[href]", "a[href]:has(h2)", "a[href]"),
        title=("h2", ".title", "h3"),
        snippet=(".description", "p.description", "p"),
        skip=NOT_ORGANIC,
    ),
)
SIGNS = (
    Sign(
        outcome="empty",
        selector=".no-results, .results-empty",
        words=("no results found", "did not match any", "keine ergebnisse"),
    ),
    Sign(
        outcome="blocked",
        reason="block (the page asks for JavaScript)",
        selector=".web-results .skeleton, .skeleton.fade-pulse",
        words=("please enable it to continue", "doesn't work properly without javascript"),
    ),
)


def address(ask: Ask) -> str:
    """Ten results a page, built by script: needs a browser."""
    region = f"{ask.language}-{ask.language.upper()}" if ask.language else "iv"
    parameters = {"query": ask.query, "region": region, "offset": str((ask.page - 1) * 10)}
    return f"{ask.base}/{ask.language or 'en'}/web?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """Links go straight to their targets; Swisscows' own searches are left out."""
    url = absolute("https://swisscows.com/", href)
    return "" if is_within(url, *OWN) and parameter(url, "query") else url


def read(text: str) -> Reading:
    """The hits of a result page."""
    return read_page(text, LAYOUTS, SIGNS, unwrap, own=OWN)


ENGINE = Engine(
    name="swisscows",
    base="https://swisscows.com",
    address=address,
    read=read,
    marks=("swisscows.com", "Swisscows</title>", "- Swisscows</title>"),
    hosts=("swisscows.com", "swisscows.ch"),
)
