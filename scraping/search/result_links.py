"""Targets of result links: parts of a URL, and the rules by which an engine's links are unwrapped.

An invalid URL gives "", never an error.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urljoin, urlsplit, urlunsplit

from reducepp.text.urls import host_of

TRANSLATED = ".translate.goog"


def absolute(base: str, href: str) -> str:
    """A link resolved against `base`; unchanged where it is absolute, "" where invalid."""
    href = href.strip()
    try:
        return href if is_web_address(href) else urljoin(base, href)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Links that lead to the engine itself: with a target they are unwrapped, else they are ads or
    further searches and no results."""

    hosts: tuple[str, ...]
    """Patterns of the host with a dot before it; ``*.a.example`` is a domain and all below it.
    Where a rule names none, `link_hosts` of its file."""
    relative: bool = False
    """The rule is for links that are written without a host."""
    path: str = ""
    """Regular expression for the start of path and query; a group `target` holds the target."""
    parameters: tuple[str, ...] = ()
    """The rule is for links with one of these query parameters."""
    target: tuple[str, ...] = ()
    """Query parameters of which the first with an address or a path holds the target."""
    scheme: str = ""
    """Put before the target of `path`, which has none."""
    stays: bool = False
    """Such a link is a result where it is written as a whole address."""

    def match(self, url: str) -> re.Match[str] | None:
        """The match of path and query; None where the rule is not for this link."""
        host = f".{host_of(url)}"
        if not any(fnmatchcase(host, pattern) for pattern in self.hosts):
            return None
        if self.parameters and not parameter(url, *self.parameters):
            return None
        parts = urlsplit(url)
        return re.match(self.path, f"{parts.path}?{parts.query}" if parts.query else parts.path)

    def target_of(self, url: str, found: re.Match[str]) -> str | None:
        """The target of a link, "" where it names none; None for a rule that unwraps nothing."""
        if "target" in found.re.groupindex:
            target = found["target"]
            return self.scheme + target if self.scheme else unquote(target)
        values = (_decode_target(parameter(url, name)) for name in self.target)
        targets = (value for value in values if is_web_address(value) or value[:1] == "/")
        return next(targets, "") if self.target else None


def unwrap_link(href: str, base: str, rules: Iterable[LinkRule]) -> str:
    """The target of a result link; empty for ads and for the engine's own searches.

    The rules apply one after another, each to the target that those before it found. A redirect
    that does not name its target stays: it can be followed.
    """
    url = "" if href.strip()[:1] in ("", "#") else _untranslated(absolute(base, href))
    is_whole = is_web_address(absolute("http:", href))
    for rule in rules:
        if not is_web_address(url) or (found := rule.match(url)) is None:
            continue
        if rule.stays:
            if is_web_address(href):
                return href
        elif not (rule.relative and is_whole):
            target = rule.target_of(url, found)
            if target is None:
                return ""
            url = absolute(base, target) if target else url
    return url if is_web_address(url) else ""


def _untranslated(url: str) -> str:
    """The page that Google translated: in its host, dots are dashes and dashes are doubled."""
    host = host_of(url)
    if not host.endswith(TRANSLATED):
        return url
    parts = urlsplit(url)
    name = host.removesuffix(TRANSLATED).replace("--", "\0").replace("-", ".").replace("\0", "-")
    kept = [pair for pair in parse_qsl(parts.query, True) if not pair[0].startswith("_x_tr_")]
    return urlunsplit((parts.scheme, name, parts.path, urlencode(kept), parts.fragment))


def _decode_target(value: str) -> str:
    """An address, plain or as Bing has it: `a1`, then URL-safe base64 without padding."""
    if not value.startswith(("a1", "aHR0")):
        return value
    code = value.removeprefix("a1").rstrip("=")
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
