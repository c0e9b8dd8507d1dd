"""Mojeek: plain lists, plain links."""

from __future__ import annotations

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, is_within, path_of

OWN = ("mojeek.com", "mojeek.co.uk")
LAYOUTS = (
    ResultLayout(
        result="ul.results-standard > li, ul.results > li, .results-extended > li",
        link=("h2 > a[href]", "a.title[href]", "a.ob[href]", "a[href]"),
        title=("h2", "a.title"),
        snippet=("p.s", ".s", "p"),
        skip=".ad, .ads, .news-result, .infobox, .clust-more",
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="block",
        phrases=(
            "automated queries",
            "network appears to be sending",
            "403 - forbidden",
            "403 forbidden",
            "sorry, your network",
        ),
    ),
    PageRule(
        outcome="empty",
        selector=".no-results",
        phrases=("no pages found matching", "no results found", "did not match any"),
    ),
)


def unwrap(href: str) -> str:
    """Links go straight to their targets."""
    url = absolute("https://www.mojeek.com/", href)
    return "" if is_within(url, *OWN) and path_of(url).startswith("/search") else url


ENGINE = Engine(
    name="mojeek",
    base="https://www.mojeek.com",
    path="/search?q={query}&s={first}",
    language_parameters="&lb={language}&lbb=100",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=("- Mojeek Search</title>", "results-standard", "mojeek.com", "mojeek.co.uk"),
    hosts=("mojeek.com", "mojeek.co.uk", "mojeek.fr", "mojeek.de"),
)
