"""URLs of result links, resolved and split; an invalid URL gives "", never an error."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from reducepp.text.urls import host_of


def absolute(base: str, href: str) -> str:
    """A link resolved against `base`; unchanged where it is absolute, "" where invalid."""
    href = href.strip()
    try:
        parts = urlsplit(href)
        whole = parts.scheme.lower() in ("http", "https") and parts.netloc
        return href if whole else urljoin(base, href)
    except ValueError:
        return ""


def is_web_address(url: str) -> bool:
    """Whether this is an absolute http or https address with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)


def parameter(url: str, *names: str) -> str:
    """The first of these query parameters that is there, decoded; else empty."""
    try:
        values = parse_qs(urlsplit(url).query)
    except ValueError:
        return ""
    return next((values[name][0] for name in names if values.get(name)), "")


def is_within(url: str, *domains: str) -> bool:
    """Whether the address is of one of these domains or of a host below one."""
    host = host_of(url)
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def path_of(url: str) -> str:
    """Path of an address; empty where it cannot be read."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def path_after(url: str, mark: str) -> str:
    """The path segment after a marker such as ``/RU=``, decoded; else empty."""
    match = re.search(re.escape(mark) + r"([^/?&#]+)", url)
    return unquote(match[1]) if match else ""
