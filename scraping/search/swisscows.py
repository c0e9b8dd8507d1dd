"""Swisscows: pages saved after its script has built them."""

from __future__ import annotations

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, is_within, parameter

NOT_ORGANIC = (
    ".a11t, .item-ads, .ads, .item--ad, .item--images, .item--videos, .item--news, "
    ".widget-images, .widget-videos, aside"
)
OWN = ("swisscows.com", "swisscows.ch", "teleguard.com")
LAYOUTS = (
    ResultLayout(
        result="article.item-web, article.item--web, .web-results article, .web-results .item",
        link=("h2 a[href]", "a.site[href]", "a[href]:has(h2)", "a[href]"),
        title=("h2", ".title", "h3"),
        snippet=(".description", "p.description", "p"),
        skip=NOT_ORGANIC,
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="empty",
        selector=".no-results, .results-empty",
        phrases=("no results found", "did not match any", "keine ergebnisse"),
    ),
    PageRule(
        outcome="blocked",
        reason="block (the page asks for JavaScript)",
        selector=".web-results .skeleton, .skeleton.fade-pulse",
        phrases=("please enable it to continue", "doesn't work properly without javascript"),
    ),
)


def unwrap(href: str) -> str:
    """Links go straight to their targets; Swisscows' own searches are left out."""
    url = absolute("https://swisscows.com/", href)
    return "" if is_within(url, *OWN) and parameter(url, "query") else url


ENGINE = Engine(
    name="swisscows",
    base="https://swisscows.com",
    path="/en/web?query={query}&region=iv&offset={offset}",
    language_path="/{language}/web?query={query}&region={language}-{LANGUAGE}&offset={offset}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=("swisscows.com", "Swisscows</title>", "- Swisscows</title>"),
    hosts=("swisscows.com", "swisscows.ch"),
)
