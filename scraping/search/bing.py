"""Bing: `li.b_algo` since before 2017; links wrapped in `ck/a` since 2022; `b_wpt_bl` in 2026."""

from __future__ import annotations

import base64
import binascii

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, is_within, parameter, path_of

NOT_ORGANIC = ".b_ad, .b_adTop, .b_adBottom, .b_adLastChild, .sb_add, .ad_sc, #b_context, .b_rrsr"
NOISE = ".algoSlug_icon"
OWN = ("bing.com", "microsoft.com", "msn.com")
SEARCHES = ("/search", "/images/search", "/videos/search", "/news/search")
OWN_PATHS = (
    *("/aclick", "/aclk", "/videos/riverview", "/shop/topics", "/copilotsearch"),
    *SEARCHES,
)
"""Ads, and searches of Bing's own."""
SNIPPETS = (
    ".b_caption p",
    "p.b_lineclamp2, p.b_lineclamp3, p.b_lineclamp4",
    ".b_snippet",
    ".b_caption .b_paractl",
    ".b_caption .b_dList",
    ".b_caption",
    ".b_imgcap_altitle p",
    "p",
)
LINKS = ("h2 > a[href]", "h2 a[href]", ".b_algoheader > a[href]", "a[href]:has(h2)")
LABELS = ".b_adSlug, .sb_add"
LAYOUTS = tuple(
    ResultLayout(
        result=result,
        link=LINKS,
        title=("h2",),
        snippet=SNIPPETS,
        skip=NOT_ORGANIC,
        ad_labels=LABELS,
    )
    for result in ("li.b_algo, #b_topw .b_wpt_bl", "div.b_algo")
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector=(
            "#turnstile, .captcha, .captcha_header, #b_captcha, "
            "iframe[src*='challenges.cloudflare']"
        ),
        phrases=("please solve the challenge below", "solve this puzzle", "one last step"),
        source=("/turing/captcha", "/challenge/verify"),
    ),
    PageRule(
        outcome="empty",
        selector="#b_results > li.b_no, li.b_no, #no_results",
        phrases=("there are no results for", "no results found for"),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; empty for ads and for Bing's own searches."""
    url = absolute("https://www.bing.com/", href)
    if not is_within(url, "bing.com"):
        return url
    path = path_of(url)
    if path.startswith("/ck/"):
        target = unwrap_encoded(parameter(url, "u"))
        return url if target is None else target
    if path in ("/alink/link", "/newtabredir"):
        return parameter(url, "url") or url
    return "" if path.startswith(OWN_PATHS) else url


def unwrap_encoded(value: str) -> str | None:
    """`a1` and the address in URL-safe base64 without padding; None where it is not that."""
    if value.startswith(("http://", "https://")):
        return value
    if not value.startswith(("a1", "aHR0")):
        return None
    code = value.removeprefix("a1").rstrip("=")
    try:
        url = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    if not url.startswith(("http://", "https://", "/")):
        return None
    target = absolute("https://www.bing.com/", url)
    hidden = is_within(target, "bing.com") and path_of(target).startswith(("/ck/", *OWN_PATHS))
    return "" if hidden else target


def unwrap_result(href: str) -> str:
    """As `unwrap`; yet whole addresses of Bing's searches stay, for they can be results."""
    search = is_within(href, "bing.com") and path_of(href).startswith(SEARCHES)
    return href if search else unwrap(href)


ENGINE = Engine(
    name="bing",
    base="https://www.bing.com",
    path="/search?q={query}&count=10&first={first}",
    language_parameters="&setlang={language}",
    parse_text=HtmlParser(
        layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap_result, noise=NOISE, own=OWN
    ),
    fingerprints=(
        'id="b_results"',
        'id="b_content"',
        "b_algo",
        "//www.bing.com/search",
        "- Bing</title>",
        "- Search</title>",
        "_G={Region",
        "/rp/",
    ),
    hosts=("bing.com", "cn.bing.com"),
)
