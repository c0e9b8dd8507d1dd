"""Mojeek: plain lists, plain links."""

from __future__ import annotations

from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.markup import Layout, Sign, read_page
from reducepp.scraping.search.result_links import absolute, is_within, path_of

OWN = ("mojeek.com", "mojeek.co.uk")
LAYOUTS = (
    Layout(
        result="ul.results-standard > li, ul.results > li, .results-extended > li",
        link=("h2 > a[href]", "a.title[href]", "a.ob[href]", "a[href]"),
        title=("h2", "a.title"),
        snippet=("p.s", ".s", "p"),
        skip=".ad, .ads, .news-result, .infobox, .clust-more",
    ),
)
SIGNS = (
    Sign(
        outcome="blocked",
        reason="block",
        words=(
            "automated queries",
            "network appears to be sending",
            "403 - forbidden",
            "403 forbidden",
            "sorry, your network",
        ),
    ),
    Sign(
        outcome="empty",
        selector=".no-results",
        words=("no pages found matching", "no results found", "did not match any"),
    ),
)


def address(ask: Ask) -> str:
    """Ten results a page; `s` is the rank of the page's first."""
    parameters = {"q": ask.query, "s": str((ask.page - 1) * 10 + 1)}
    if ask.language:
        parameters |= {"lb": ask.language, "lbb": "100"}
    return f"{ask.base}/search?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """Links go straight to their targets."""
    url = absolute("https://www.mojeek.com/", href)
    return "" if is_within(url, *OWN) and path_of(url).startswith("/search") else url


def read(text: str) -> Reading:
    """The hits of a result page."""
    return read_page(text, LAYOUTS, SIGNS, unwrap, own=OWN)


ENGINE = Engine(
    name="mojeek",
    base="https://www.mojeek.com",
    address=address,
    read=read,
    marks=("- Mojeek Search</title>", "results-standard", "mojeek.com", "mojeek.co.uk"),
    hosts=("mojeek.com", "mojeek.co.uk", "mojeek.fr", "mojeek.de"),
)
