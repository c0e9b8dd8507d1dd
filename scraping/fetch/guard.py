"""Protects against server-side request forgery: only public addresses, unless the user allows more.

A name is resolved here, all its addresses are checked, and the connection is made to a checked
address, so that a name that resolves differently later (DNS rebinding) gains nothing.
"""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from reducepp.errors import FetchError, GuardError, UsageError, errors_as

Result = TypeVar("Result")
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "192.0.0.0/24", "192.88.99.0/24"),
            *("64:ff9b:1::/48", "100::/64", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10"),
            # Answers from inside Azure only, with the keys of the machine that asks.
            "168.63.129.16/32",
        ),
    )
)
"""Networks that are not the open internet, in addition to those that `ipaddress` knows."""
_SCHEMES = {"http": 80, "https": 443}


class TransientError(FetchError):
    """A failure that may pass: worth a retry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressGuard:
    """The addresses that may be connected to; by default, public ones only."""

    allow_private: bool = False
    allow_hosts: frozenset[str] = frozenset()
    """``host:port`` of names or addresses that may be private."""
    connect_to: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Host, or ``*`` for every name but localhost, to the address and port used instead."""

    def check_url(self, url: str) -> tuple[str, int]:
        """Host and port of an allowed http or https URL; GuardError for any other."""
        with errors_as(GuardError, f"not a web address: {url[:200]!r}", ValueError):
            parts = urlsplit(url)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        if parts.scheme not in _SCHEMES or not host:
            raise GuardError(f"not a web address: {url[:200]!r}; http and https are fetched")
        port = port or _SCHEMES[parts.scheme]
        literal = _literal(host)
        if literal is not None and self._replacement(host) is None:
            self.check_address(host, literal, port)
        return host, port

    def check_address(self, host: str, address: IPAddress, port: int) -> None:
        """GuardError where `address`, which `host` resolved to, may not be connected to."""
        named = {f"{host}:{port}", f"{address}:{port}"}
        if self.allow_private or not named.isdisjoint(self.allow_hosts):
            return
        if not is_public(address):
            raise GuardError(
                f"not a public address: {host} is {address}; "
                "--allow-host (search), --allow-page-host (pages) or --allow-private permit it"
            )

    async def resolve(self, host: str, port: int) -> tuple[tuple[str, ...], int]:
        """The checked addresses of a host, tried in this order, and the port.

        GuardError if any one of them may not be reached.
        """
        host = host.rstrip(".").lower()
        replacement = self._replacement(host)
        if replacement is not None:
            return (replacement[0],), replacement[1]
        try:
            found = await _look_up(host, port)
        except (OSError, UnicodeError) as error:
            passes = getattr(error, "errno", None) == socket.EAI_AGAIN
            kind = TransientError if passes else FetchError
            raise kind(f"name does not resolve: {host[:100]} ({error})") from None
        addresses = tuple(dict.fromkeys(address.split("%")[0] for address in found))
        for address in addresses:
            self.check_address(host, ipaddress.ip_address(address), port)
        return addresses, port

    async def connect(
        self,
        host: str,
        port: int,
        opener: Callable[[str, int, float | None], Awaitable[Result]],
        seconds: float | None,
    ) -> Result:
        """`opener(address, port, seconds)` for the first checked address of a host that answers."""
        (*first, last), port = await self.resolve(host, port)
        for address in first:
            with suppress(Exception):
                return await opener(address, port, 5.0)
        return await opener(last, port, seconds)

    def _replacement(self, host: str) -> tuple[str, int] | None:
        is_local = _literal(host) or host == "localhost" or host.endswith(".localhost")
        return self.connect_to.get(host) or (None if is_local else self.connect_to.get("*"))


async def _look_up(host: str, port: int) -> list[str]:
    """All addresses of a name, resolved in a thread of its own.

    A name server that does not answer blocks its thread for long. In the event loop's thread pool
    a few such names would block all others.
    """
    answer: Future[list[str]] = Future()
    answer.set_running_or_notify_cancel()  # whoever waits may be cancelled, the thread goes on

    def look_up() -> None:
        try:
            known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.set_result([str(info[4][0]) for info in known])
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    return await asyncio.wrap_future(answer)


def is_public(address: IPAddress) -> bool:
    """Whether an address belongs to the open internet, also one embedded in an IPv6 address."""
    if isinstance(address, ipaddress.IPv6Address):  # mapped, 6to4, Teredo or NAT64
        teredo = address.teredo
        inner = address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _literal(host: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def parse_hosts(words: list[str], service_urls: Iterable[str] = ()) -> frozenset[str]:
    """``HOST[:PORT]`` options as `AddressGuard.allow_hosts`.

    Without a port: 80, 443, and the ports of those service URLs that have this host.
    """
    found: set[str] = set()
    for word in words:
        bare_ipv6 = word.count(":") > 1 and "[" not in word
        try:
            parts = urlsplit(f"//[{word}]" if bare_ipv6 else f"//{word}")
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            host, port = "", None
        if not host or "/" in word or "@" in word:
            raise UsageError(f"--allow-host takes HOST or HOST:PORT, not {word!r}")
        services = (urlsplit(url) for url in service_urls)
        ports = {80, 443} | {s.port for s in services if s.hostname == host and s.port}
        found |= {f"{host}:{number}" for number in ({port} if port else ports)}
    return frozenset(found)


def parse_connect_to(words: list[str]) -> dict[str, tuple[str, int]]:
    """``HOST=ADDRESS:PORT`` options, ``*`` for every name, as `AddressGuard.connect_to`."""
    found: dict[str, tuple[str, int]] = {}
    for word in words:
        host, equals, target = word.partition("=")
        address, _, port = target.rpartition(":")
        if not (equals and host and address and port.isdecimal() and int(port[:6]) < 65536):
            raise UsageError(f"--connect-to takes HOST=ADDRESS:PORT, not {word!r}")
        found[host.lower()] = (address.strip("[]"), int(port))
    return found
