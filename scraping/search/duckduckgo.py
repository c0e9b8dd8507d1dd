"""DuckDuckGo: targets of its links, and the results of its lite version, a single table."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Result, unique_results
from reducepp.scraping.search.result_links import (
    absolute,
    is_web_address,
    is_within,
    parameter,
    path_of,
)
from reducepp.scraping.search.result_tree import ancestors, first_text, text_of

LITE_LINK = "a.result-link, td.result-link a[href]"
LITE_SPONSORED = "result-sponsored"


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
