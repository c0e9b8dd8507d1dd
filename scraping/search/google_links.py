"""Target URLs of Google's result links: redirects, AMP copies and translations unwrapped."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from reducepp.scraping.search.result_links import (
    absolute,
    is_web_address,
    parameter,
    path_of,
)
from reducepp.text.urls import host_of

GOOGLE = re.compile(r"(?:^|\.)(?:google(?:\.[a-z]{2,3}){1,2}|googleadservices\.com)$")
REDIRECTS = ("/url", "/interstitial")
SEALED = "/goto"
"""A redirect whose target is encrypted: only the redirect itself can be followed."""
OWN_PATHS = re.compile(
    r"/(?:search$|aclk|imgres|setprefs|sorry\b|searchbyimage|save$"
    r"|maps/(?:search|place|dir)\b|travel/search|shopping/product|localservices/)"
)
"""A result may lead to other pages of Google; links without a host never are results."""
COUNTED = ("ved", "sxsrf", "sca_esv")
"""Parameters that count clicks inside a result page; addresses of results never have them."""
OWN_HOSTS = ("webcache.", "consent.")
ASIDE = {"maps.": "/maps", "scholar.": "/scholar"}
TRANSLATED = ".translate.goog"
COPIED = re.compile(r"^/[a-z]/(s/)?(.+)")
"""Path of a copy at cdn.ampproject.org: kind of copy, whether https, the page."""
TWITTER_BOX = ("twcamp%5eserp", "twcamp^serp")
"""In the links of the box of an account's latest posts."""


def unwrap(href: str) -> str:
    """The target of a result link; empty where it leads to the search itself."""
    if href.strip()[:1] in ("", "#") or any(mark in href.lower() for mark in TWITTER_BOX):
        return ""
    url = absolute("https://www.google.com/", href)
    target = _target(url)
    if target == url and href.startswith("/") and not href.startswith(("//", SEALED)):
        return ""
    return target if is_web_address(target) and not is_own_address(target) else ""


def _target(url: str) -> str:
    host, path = host_of(url), path_of(url)
    if host.endswith(TRANSLATED):
        return _untranslated(url)
    if host.endswith(".cdn.ampproject.org"):
        return _original(url)
    if not GOOGLE.search(host):
        return url
    if path in REDIRECTS:
        return _first_address(url, "q", "url", "u")
    if host.startswith("translate.") and path == "/translate":
        return _first_address(url, "u")
    if path.startswith("/amp/"):
        rest = path.removeprefix("/amp/")
        return f"https://{rest[2:]}" if rest.startswith("s/") else f"http://{rest}"
    return url


def _first_address(url: str, *names: str) -> str:
    targets = (parameter(url, name) for name in names)
    return next((target for target in targets if is_web_address(target)), "")


def _original(url: str) -> str:
    """The page behind a copy for phones."""
    copied = COPIED.match(path_of(url))
    return f"http{'s' if copied[1] else ''}://{copied[2]}" if copied else url


def _untranslated(url: str) -> str:
    """The page behind a translated one: in its host, dots are dashes and dashes are doubled."""
    parts = urlsplit(url)
    name = host_of(url).removesuffix(TRANSLATED).replace("--", "\0")
    host = name.replace("-", ".").replace("\0", "-")
    kept = [pair for pair in parse_qsl(parts.query, True) if not pair[0].startswith("_x_tr_")]
    return urlunsplit((parts.scheme, host, parts.path, urlencode(kept), parts.fragment))


def is_own_address(url: str) -> bool:
    """Whether the address is a service of the result page: further searches, ads, maps."""
    host, path = host_of(url), path_of(url)
    if not GOOGLE.search(host):
        return False
    if "adservices" in host or host.startswith(OWN_HOSTS) or parameter(url, *COUNTED):
        return True
    if any(host.startswith(start) and path == own for start, own in ASIDE.items()):
        return True
    return host.startswith(("www.", "google.")) and bool(OWN_PATHS.match(path))
