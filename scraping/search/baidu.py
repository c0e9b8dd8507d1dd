"""Baidu: `.c-container`; its links cannot be unwrapped, so the `mu` attribute is used."""

import json
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Result, unique_results
from reducepp.scraping.search.result_links import (
    absolute,
    is_web_address,
    is_within,
    path_of,
)
from reducepp.scraping.search.result_tree import (
    ancestors,
    first_text,
    ids_of,
    is_inside,
    text_of,
)
from reducepp.text.urls import host_of

RESULTS = "#content_left > .c-container, .c-container, .result, .c-result"
LINKS = ("h3 a[href]", ".c-title a[href]", "a.c-blocka[href]", "a[href]:has(h3)", "article a[href]")
SNIPPETS = (
    "[class*='content-right']",
    ".c-abstract",
    ".c-span-last [class*='summary']",
    "[class*='summary-text']",
    ".c-line-clamp2, .c-line-clamp3, [class*='cos-line-clamp']",
    ".c-span-last",
    ".c-gap-top-small",
)
NOT_ORGANIC = (
    ".ec_ad, .ec_tuiguang_container, [data-tuiguang], .EC_result, .ec_wise_ad, #content_right, "
    "[tpl='rs'], #rs, .c-recommend, [tpl*='recommend'], [tpl*='video'], [tpl*='news'], "
    "[tpl*='image'], [tpl*='img'], [tpl*='music'], [tpl*='baikan'], [tpl^='ai_'], [tpl*='aichat'], "
    "[tpl*='people'], [tpl*='realtime'], [tpl*='hot_']"
)
URL_ATTRIBUTES = ("data-feedback", "data-tools", "data-url")
"""Attributes inside a result that name the page, or Baidu's link to it."""
OWN_PATHS = ("/s", "/sf", "/sf/vsearch", "/baidu.php")
AD_LABELS = ".ec_tuiguang_container, [data-tuiguang], .ec-tuiguang"


def unwrap(href: str) -> str:
    """An absolute address; Baidu's own searches are left out."""
    url = absolute("https://www.baidu.com/", href)
    own = is_within(url, "baidu.com") and path_of(url) in OWN_PATHS
    nowhere = host_of(url).startswith("nourl.") or host_of(url).endswith("lightapp.baidu.com")
    return "" if own or nowhere else url


def find_results(tree: LexborHTMLParser) -> tuple[Result, ...]:
    """Outermost result elements that are not ads."""
    return unique_results(_results(tree))


def _results(tree: LexborHTMLParser) -> Iterator[Result]:
    excluded = ids_of(tree.css(NOT_ORGANIC))
    results = tree.css(RESULTS)
    known = ids_of(results)
    for result in results:
        if any(parent.mem_id in known for parent in ancestors(result)):
            continue
        link = next((node for css in LINKS if (node := result.css_first(css)) is not None), None)
        if link is None or is_inside(result, excluded) or result.css_first(AD_LABELS):
            continue
        url = target_url(result, link)
        title = first_text(result, ("h3",)) or text_of(link)
        if is_web_address(url) and title:
            yield Result(url=url, title=title, snippet=first_text(result, SNIPPETS))


def target_url(result: LexborNode, link: LexborNode) -> str:
    """The page itself where an attribute names it, else Baidu's link to it."""
    within = [
        url
        for name in URL_ATTRIBUTES
        for node in result.css(f"[{name}]")
        for url in _urls_in(node.attributes.get(name) or "")
    ]
    named = [
        result.attributes.get("mu") or "",
        *_urls_in(result.attributes.get("data-log") or ""),
        *(url for url in within if not is_within(url, "baidu.com")),
        *within,
    ]
    return unwrap(next((url for url in named if url), link.attributes.get("href") or ""))


def _urls_in(value: str) -> tuple[str, ...]:
    """Addresses under `mu` or `url` of an attribute written as JSON, often with single quotes."""
    if value.startswith(("http://", "https://")):
        return (value,)
    try:
        data = json.loads(value)
        return tuple(str(data[name]) for name in ("mu", "url") if data.get(name))
    except (ValueError, AttributeError):
        match = re.search(r"""['"](?:mu|url)['"]\s*:\s*['"]([^'"]+)""", value)
        return (match[1],) if match else ()
