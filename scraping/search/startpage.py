"""Startpage: `.result` since 2023, `.w-gl__result` before, `.search-item` in 2018."""

from __future__ import annotations

import re

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import is_within, path_of

NOT_ORGANIC = (
    "#gcsa-top, #gcsa-bottom, #sponsored, .w-gl--sponsored, [class*='sponsored'], .a-gl, .a-bg, "
    "#adBlock, .sx-ad, .qi-container, .sx-kp, .widget, .carousel, #sidebar"
)
OWN_PATHS = re.compile(r"search|/av/|/proxy|/sp/cl")
"""Searches, pages seen through its proxy, and counted clicks."""
OWN = ("startpage.com", "startmail.com", "ixquick.com")
LAYOUTS = (
    ResultLayout(
        result=".w-gl .result, .w-gl__result, div.result",
        link=(
            "a.result-title[href]",
            "a.w-gl__result-title[href]",
            "a.result-link[href]",
            "a[data-testid='gl-title-link']",
            "h2 a[href]",
            "h3 a[href]",
        ),
        title=("h2.wgl-title", "a.w-gl__result-title h3", "a.result-title", "h2", "h3"),
        snippet=("p.description", ".description", "p.w-gl__description", ".w-gl__description", "p"),
        skip=NOT_ORGANIC,
    ),
    ResultLayout(
        result=".search-item, li.search-result, .search-result",
        link=(".search-item__title a[href]", "h3 a[href]", "a.clk[href]"),
        title=(".search-item__title", "h3"),
        snippet=(".search-item__body", ".desc", "p"),
        skip=NOT_ORGANIC,
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector="form[action*='captcha'], #captcha, .component--captcha, img[src*='captcha']",
        phrases=("startpage captcha", "enter the characters", "to protect our users from abuse"),
        source=("/sp/captcha", "/do/captcha"),
    ),
    PageRule(
        outcome="empty",
        selector=".no-results, .mainline-no-results, #no-results, .w-gl--no-results",
        phrases=(
            "there are no results for this search",
            "no web results",
            "did not match any",
            "no results found",
            "keine ergebnisse",
        ),
    ),
)


def unwrap(href: str) -> str:
    """Links go straight to their targets; ads and searches of its own are left out."""
    if path_of(href) == "/aclk":
        return ""
    return "" if is_within(href, *OWN) and OWN_PATHS.search(path_of(href)) else href


ENGINE = Engine(
    name="startpage",
    base="https://www.startpage.com",
    path="/sp/search?query={query}&cat=web&page={page}",
    language_parameters="&language={language}&lui={language}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=(
        "Startpage Search Results",
        "startpage.com",
        "w-gl__result",
        "wgl-title",
        "Startpage",
    ),
    hosts=("startpage.com", "eu.startpage.com", "us.startpage.com"),
)
