"""No private address is reached, however it is written."""

import asyncio
import ipaddress
import socket
import threading

import pytest

from reducepp.errors import FetchError, GuardError, UsageError
from reducepp.scraping.fetch.guard import (
    AddressGuard,
    TransientError,
    is_public,
    parse_connect_to,
    parse_hosts,
)

PRIVATE = [
    *("127.0.0.1", "127.255.0.9", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1"),
    *("fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::7f00:1"),
    *("2002:7f00:1::", "192.0.0.192", "192.0.2.1", "198.18.0.1", "168.63.129.16"),
    *("64:ff9b:1::7f00:1", "fec0::1", "3fff::1", "5f00::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(GuardError, match="not a public address"):
        AddressGuard().check_url(f"http://{host}/")


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "64:ff9b::5db8:d70e"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)"),
        *("data:text/html,hello", "//example.org/", "http://", "http://[::1"),
        *("http://example.org:99999/", "chrome://version"),
    ],
)
def test_only_web_addresses_pass(url: str) -> None:
    with pytest.raises(GuardError):
        AddressGuard().check_url(url)


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f000001", "2130706433", "LOCALHOST."])
def test_names_are_checked_after_resolution(host: str) -> None:
    with pytest.raises(GuardError, match="not a public address"):
        asyncio.run(AddressGuard().resolve(host, 80))


def test_what_the_user_allows_passes() -> None:
    for guard in (
        AddressGuard(allow_private=True),
        AddressGuard(allow_hosts=frozenset({"localhost:80"})),
    ):
        target = asyncio.run(guard.resolve("localhost", 80))
        assert "127.0.0.1" in target[0] or "::1" in target[0]
    assert AddressGuard(allow_hosts=frozenset({"127.0.0.1:8080"})).check_url(
        "http://127.0.0.1:8080/x"
    ) == ("127.0.0.1", 8080)
    with pytest.raises(GuardError):
        AddressGuard(allow_hosts=frozenset({"localhost:80"})).check_url("http://10.0.0.1/")


def test_connect_to_stands_in_for_a_host() -> None:
    guard = AddressGuard(connect_to=parse_connect_to(["news.example=127.0.0.1:8081", "*=[::1]:9"]))
    assert asyncio.run(guard.resolve("News.example", 80))[0] == ("127.0.0.1",)
    assert asyncio.run(guard.resolve("other.example", 443))[1] == 9
    with pytest.raises(GuardError):
        guard.check_url("http://10.0.0.1/")
    with pytest.raises(UsageError, match="HOST=ADDRESS:PORT"):
        parse_connect_to(["news.example"])


def test_a_name_that_does_not_resolve_is_a_fetch_error() -> None:
    with pytest.raises(FetchError, match="does not resolve"):
        asyncio.run(AddressGuard().resolve("a" * 64 + ".invalid", 80))


def test_names_whose_servers_are_silent_keep_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silence = threading.Event()

    def look_up(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        if host.startswith("silent"):
            silence.wait(60)
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 80))]

    async def run() -> tuple[str, ...]:
        waiting = [
            asyncio.create_task(AddressGuard().resolve(f"silent{n}.example", 80)) for n in range(50)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            found = (await AddressGuard().resolve("good.example", 80))[0]
        silence.set()
        for task in waiting:
            with pytest.raises(TransientError, match="does not resolve"):
                await task
        return found

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert asyncio.run(run()) == ("93.184.215.14",)


@pytest.mark.parametrize("word", ["", "[::1", "a.example/x", "user@a.example", "a:99999", ":80"])
def test_what_is_no_host_opens_nothing(word: str) -> None:
    with pytest.raises(UsageError, match="takes HOST or HOST:PORT"):
        parse_hosts([word])
