"""Links of a page: absolute, canonical, each once, in reading order."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urljoin

from reducepp.text.urls import canonical_url

MAX_LINKS = 2_000
MAX_LENGTH = 8_000
"""Characters of an address; servers refuse longer ones, and joining them takes its time."""
_NO_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:", "sms:")


def base_address(url: str, base: str) -> str:
    """The address that relative links start from: the page's own, changed by a web `<base>`."""
    try:
        found = urljoin(url, base) if len(base) <= MAX_LENGTH else url
    except ValueError:
        return url
    return found if found.startswith(("http:", "https:")) else url


def canonical_links(addresses: Iterable[str], base: str) -> list[str]:
    """Canonical web addresses of the links, each once, in order; at most `MAX_LINKS`."""
    found: dict[str, None] = {}
    for href in dict.fromkeys(addresses):
        if not href.strip() or len(href) > MAX_LENGTH or href.startswith(_NO_PAGES):
            continue
        address = canonical_url(href, base)
        if address:
            found.setdefault(address)
            if len(found) >= MAX_LINKS:
                break
    return list(found)
