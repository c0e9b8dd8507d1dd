"""Baidu's links cannot be unwrapped; attributes of a result name the page itself."""

import json
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from reducepp.scraping.search.result_links import is_within

URL_ATTRIBUTES = ("data-feedback", "data-tools", "data-url")
"""Attributes inside a result that name the page, or Baidu's link to it."""


def named_urls(result: LexborNode) -> Iterator[str]:
    """Addresses of the page that attributes name, then Baidu's links to it."""
    yield result.attributes.get("mu") or ""
    yield from _urls_in(result.attributes.get("data-log") or "")
    within = [
        url
        for name in URL_ATTRIBUTES
        for node in result.css(f"[{name}]")
        for url in _urls_in(node.attributes.get(name) or "")
    ]
    yield from sorted(within, key=lambda url: is_within(url, "baidu.com"))


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
