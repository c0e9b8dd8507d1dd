"""Addresses: one spelling for one page, and the registered domain."""

import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from reducepp.errors import MissingExtraError

_TRACKING = re.compile(
    r"(?:utm_\w+|at_(?:medium|campaign|custom\d|recipient\w*|link\w*)|xtor|fbclid|gclid|gclsrc"
    r"|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid"
    r"|_ga|_gl|_hsenc|_hsmi|__hs\w+|hsctatracking|mkt_tok|oly_\w+_id|vero_(?:id|conv)|wickedid"
    r"|s_cid|ref_src|ref_url|cmpid|ito|ns_(?:campaign|mchannel|source|linkname)|wt\.mc_id"
    r"|spm|scm|srsltid|pk_(?:campaign|kwd)|mtm_\w+|piwik_\w+|guccounter|guce_\w+|echobox)",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"v?\d{1,4}(?:\.\w{1,9}){1,3}|v\d{1,4}|latest|stable|current|main|master|devel?"
)
_FLAT = frozenset(("com", "org", "net", "info", "edu", "gov"))
"""Domains that have no public suffixes of their own below them, so that no list is needed."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_release(part: str) -> bool:
    """Whether a folder of a path names a release of what follows it ("3.11", "v2", "stable")."""
    return _RELEASE.fullmatch(part) is not None


def canonical_url(url: str, base: str = "") -> str:
    """The address in one spelling, or "" where it is no web address.

    Absolute, without fragment and tracking parameters, host in lower case, no default port;
    the path stays as it is, but an empty one becomes "/".
    """
    try:
        parts = urlsplit(urljoin(base, url.strip()) if base else url.strip())
        host = _host_and_port(parts)
    except ValueError:
        return ""
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    kept = (p for p in parts.query.split("&") if not _TRACKING.fullmatch(p.partition("=")[0]))
    query = "&".join(filter(None, kept)) if parts.query else ""
    return f"{parts.scheme}://{host}{parts.path or '/'}{'?' + query if query else ''}"


def parseable_url(url: str) -> str:
    """The address as given; "" where it is malformed."""
    try:
        urlsplit(url)
    except ValueError:
        return ""
    return url


def host_of(url: str) -> str:
    """The host of an address in lower case; "" where the address is malformed or has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _host_and_port(parts: SplitResult) -> str:
    """Host in lower case with its port where that is not the scheme's own; login left out."""
    host, port = parts.hostname or "", parts.port
    if ":" in host:
        host = f"[{host}]"
    return host if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


_START_PAGE = re.compile(r"/(?:index|default|home)(?:\.\w{3,5})?/?$|(?<!/)/++$", re.IGNORECASE)
_VARIANT_HOSTS = frozenset(("www", "m", "mobile", "amp", "touch"))
_VARIANT_PATH = re.compile(r"/(?:amp|print)(?=/|$)|\.amp(?=\.html?$|$)", re.IGNORECASE)
_VARIANT_PARAMETER = re.compile(
    r"(?:amp|print|printable|mobile)(?:=(?:1|true|y|yes|amp)?)?"
    r"|(?:output|outputtype|view|format|type)=(?:amp|print|mobile)",
    re.IGNORECASE,
)


def address_key(url: str) -> str:
    """The canonical key of a page: equal for all addresses of it; "" where it is no web address.

    The canonical address in lower case, without scheme, percent-encoding, punycode, the name of a
    start page and the slash at its end, and with its parameters in order; `www.`, mobile, AMP and
    print variants are the page itself. A fragment that a script reads as a path (`#/`, `#!`) stays.
    """
    canonical = canonical_url(url)
    if not canonical:
        return ""
    fragment = url.strip().partition("#")[2]
    address, _, query = canonical.partition("://")[2].partition("?")
    host, _, path = address.partition("/")
    key = _plain_name(host) + _START_PAGE.sub("", _VARIANT_PATH.sub("", f"/{path}"))
    parts = [part for part in query.split("&") if not _VARIANT_PARAMETER.fullmatch(part)]
    key += f"?{'&'.join(sorted(parts))}" if query and parts else ""
    key += f"#{fragment}" if fragment[:1] in ("/", "!") else ""
    return (unquote(key) if "%" in key else key).lower()


def _plain_name(host: str) -> str:
    """A host without the labels of its variants; the registered name stays whole."""
    labels = [*map(_decode_label, host.split("."))]
    return ".".join([*(x for x in labels[:-2] if x not in _VARIANT_HOSTS), *labels[-2:]])


def site_name(url: str) -> str:
    """The registered name without its suffix, so that country domains are one site; "" for none.

    Under no public suffix (`www.intranet.example`) the first label that names no variant.
    """
    domain = _plain_name(registered_domain(url)) if url else ""
    name, _, suffix = domain.partition(".")
    return domain if suffix.rpartition(".")[2].isdigit() else name


def registered_domain(url: str) -> str:
    """The registered domain of the host (`example.co.uk`); the host where none is."""
    try:
        host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    return _registered(host.rstrip("."))


@lru_cache(maxsize=4096)
def _registered(host: str) -> str:
    labels = host.split(".")
    if len(labels) >= 2 and labels[-1] in _FLAT and all(labels):
        return ".".join(labels[-2:])
    known, names = _public_suffixes(), [*map(_decode_label, labels)]
    for size in range(len(labels), 0, -1):
        suffix = ".".join(names[-size:])
        above = suffix.partition(".")[2]
        if f"!{suffix}" in known:
            return ".".join(labels[-size:])
        if suffix in known or (f"*.{above}" in known and above):
            return ".".join(labels[-size - 1 :])
    return host


def _decode_label(label: str) -> str:
    """A label as it is read: `xn--p1ai` is `рф`; as it is where it cannot be decoded."""
    try:
        return label.encode().decode("idna") if label.startswith("xn--") else label
    except UnicodeError:
        return label


@cache
def _public_suffixes() -> frozenset[str]:
    """Rules of the list of public suffixes that tldextract carries, without its private part.

    Read from its file: tldextract itself imports an HTTP client, which takes longer than all of
    our imports.
    """
    found = find_spec("tldextract")
    if found is None or not found.submodule_search_locations:
        raise MissingExtraError("the list of public suffixes", "all")
    path = Path(found.submodule_search_locations[0]) / ".tld_set_snapshot"
    public = path.read_text("utf-8").partition("// ===BEGIN PRIVATE DOMAINS===")[0]
    return frozenset(map(str.rstrip, public.splitlines()))  # comments begin as no name does
