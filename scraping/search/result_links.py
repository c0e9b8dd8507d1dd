"""Targets of result links: parts of a URL, then what each engine wraps around its targets.

An invalid URL gives "", never an error. `unwrap_ENGINE` gives the target of a result link, "" for
ads and for the engine's own searches.
"""

import base64
import binascii
import re
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from reducepp.text.urls import host_of

BING_SEARCHES = ("/search", "/images/search", "/videos/search", "/news/search")
BING_OWN_PATHS = (
    *("/aclick", "/aclk", "/videos/riverview", "/shop/topics", "/copilotsearch"),
    *BING_SEARCHES,
)
"""Ads, and searches of Bing's own."""
ECOSIA_OWN_PATHS = ("/search", "/images", "/videos", "/news", "/chat", "/ai-search")
STARTPAGE_OWN_PATHS = re.compile(r"search|/av/|/proxy|/sp/cl")
"""Searches, pages seen through its proxy, and counted clicks."""
YANDEX_OWN_PATHS = (
    *("/search", "/images", "/video", "/news", "/maps", "/yandsearch", "/collections", "/sprav"),
)


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


def unwrap_bing(href: str) -> str:
    """The target of a result link; empty for ads and for Bing's own searches."""
    url = absolute("https://www.bing.com/", href)
    if not is_within(url, "bing.com"):
        return url
    path = path_of(url)
    if path.startswith("/ck/"):
        target = _decode_bing(parameter(url, "u"))
        return url if target is None else target
    if path in ("/alink/link", "/newtabredir"):
        return parameter(url, "url") or url
    return "" if path.startswith(BING_OWN_PATHS) else url


def _decode_bing(value: str) -> str | None:
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
    hidden = is_within(target, "bing.com") and path_of(target).startswith(("/ck/", *BING_OWN_PATHS))
    return "" if hidden else target


def unwrap_bing_result(href: str) -> str:
    """As `unwrap_bing`; yet whole addresses of Bing's searches stay, for they can be results."""
    search = is_within(href, "bing.com") and path_of(href).startswith(BING_SEARCHES)
    return href if search else unwrap_bing(href)


def unwrap_brave(href: str) -> str:
    """Links go straight to their targets; Brave's own searches are left out."""
    url = absolute("https://search.brave.com/", href)
    own = is_within(url, "search.brave.com") and path_of(url).strip("/")
    return "" if own or (is_within(url, "brave.com") and path_of(url) == "/a/redirect") else url


def unwrap_ecosia(href: str) -> str:
    """The target of a result link; Ecosia's own searches are left out."""
    url = unwrap_bing(href) if "bing.com/" in href else href
    own = is_within(url, "ecosia.org") and path_of(url).startswith(ECOSIA_OWN_PATHS)
    return "" if own else url


def unwrap_mojeek(href: str) -> str:
    """Links go straight to their targets."""
    url = absolute("https://www.mojeek.com/", href)
    return (
        ""
        if is_within(url, "mojeek.com", "mojeek.co.uk") and path_of(url).startswith("/search")
        else url
    )


def unwrap_qwant(href: str) -> str:
    """The target of a result link; `/redirect/TOKEN/TARGET` holds it in its path."""
    url = absolute("https://www.qwant.com/", href)
    if not is_within(url, "qwant.com"):
        return url
    if path_of(url).startswith("/redirect/"):
        return unquote(path_of(url).split("/", 3)[-1])
    return "" if parameter(url, "q") or path_of(url).startswith("/search") else url


def unwrap_startpage(href: str) -> str:
    """Links go straight to their targets; ads and searches of its own are left out."""
    if path_of(href) == "/aclk":
        return ""
    return (
        ""
        if is_within(href, "startpage.com", "startmail.com", "ixquick.com")
        and STARTPAGE_OWN_PATHS.search(path_of(href))
        else href
    )


def unwrap_swisscows(href: str) -> str:
    """Links go straight to their targets; Swisscows' own searches are left out."""
    url = absolute("https://swisscows.com/", href)
    return (
        ""
        if is_within(url, "swisscows.com", "swisscows.ch", "teleguard.com")
        and parameter(url, "query")
        else url
    )


def unwrap_yahoo(href: str) -> str:
    """The target of a result link; empty for ads and for Yahoo's own searches."""
    url = path_after(href, "/RU=") or href
    if is_within(url, "yahoo.co.jp") and "/*-" in url:
        url = unquote(url.split("/*-", 1)[1])
    if is_within(url, "bing.com") and path_of(url).startswith(("/aclick", "/aclk")):
        return ""
    own = is_within(url, "search.yahoo.com", "search.yahoo.co.jp") and path_of(url).strip("/")
    return "" if own else url


def unwrap_yandex(href: str) -> str:
    """The target of a result link; empty for ads and for Yandex's own searches."""
    url = absolute("https://yandex.com/", href)
    host = host_of(url)
    if "yandex." not in host and host != "ya.ru":
        return url
    if host.startswith(("yabs.", "an.")):
        return ""
    if path_of(url).startswith(("/clck/", "/redir", "/count/")):
        return parameter(url, "url")
    root = host.removeprefix("www.").split(".")[0] in ("yandex", "ya")
    return "" if root and path_of(url).startswith(YANDEX_OWN_PATHS) else url
