"""Fetching from real servers on loopback: redirects, encodings, bounds, guard."""

import asyncio
import gzip
import itertools
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import brotli
import pytest
import zstandard

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.errors import FetchError, GuardError
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.fetch.guard import AddressGuard, TransientError
from reducepp.scraping.fetch.http import Fetcher, FetchLimits, FetchResponse
from reducepp.scraping.fetch.politeness import user_agent
from tests.machine_units import units_of

PAGE = "<html><body>" + "Le café est à côté. " * 50 + "</body></html>"
BOMB = gzip.compress(b"a" * 50_000_000)
QUICK = FetchLimits(timeout=30.0, max_bytes=100_000, retries=0, backoff=0.05)
HASTY = replace(QUICK, timeout=2.0)


def encoded(name: str) -> bytes:
    data = PAGE.encode()
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }
    return packers[name](data)


SENT: list[bytes] = []
"""What a slow page has sent so far."""


def drip() -> Iterator[bytes]:
    for _ in range(200):
        SENT.append(b"<p>still here</p>")
        yield SENT[-1]
        time.sleep(0.1)


def endless() -> Iterator[bytes]:
    return itertools.repeat(b"<p>more and more and more</p>" * 100)


def answer(request: Request) -> Reply | None:
    path = request.url.split("/", 3)[3]
    if path.startswith("hop"):
        number = int(path[3:])
        where = f"/hop{number - 1}" if number else "http://end.example/page"
        return Reply(status=302, headers={"Location": where})
    if path.startswith("packed/"):
        name = path.split("/")[1]
        return Reply(body=encoded(name), headers={"Content-Encoding": name})
    fixed = {
        "page": Reply(body=PAGE.encode()),
        "bomb": Reply(body=BOMB, headers={"Content-Encoding": "gzip"}),
        "endless": Reply(body=endless()),
        "drip": Reply(body=drip()),
        "picture": Reply(body=b"GIF89a", content_type="image/gif"),
        "inside": Reply(status=302, headers={"Location": "http://127.0.0.1:9/"}),
        "local": Reply(status=302, headers={"Location": "file:///etc/passwd"}),
        "broken": Reply(status=302, headers={"Location": "http://[::1/"}),
        "odd": Reply(status=302, headers={"Location": "http://exa mple.org/\x01"}),
        "loop": Reply(status=302, headers={"Location": "/loop"}),
        "cookie": Reply(status=302, headers={"Location": "/wall", "Set-Cookie": "ok=1; Path=/"}),
    }
    if path == "wall":
        return Reply(body=request.headers.get("Cookie", "none").encode())
    if path.startswith("keyed"):
        where = f"http://{path[6:]}/key"
        return Reply(status=302, headers={"Location": where})
    if path == "key":
        return Reply(body=request.headers.get("X-Key", "none").encode())
    return fixed.get(path)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with Sites(answer) as running:
        yield running


def get(sites: Sites, url: str, limits: FetchLimits = QUICK, **headers: str) -> FetchResponse:
    def accepts(kind: str) -> bool:
        return not kind.startswith("image/")

    async def run() -> FetchResponse:
        guard = AddressGuard(connect_to=sites.connect_to)
        async with Fetcher(guard, limits, user_agent=user_agent("0")) as fetcher:
            return await fetcher.get(url, accepts=accepts, headers=headers)

    return asyncio.run(run())


def test_redirects_are_followed(sites: Sites) -> None:
    before = len(sites.requests)
    found = get(sites, "http://start.example/hop3#top")
    assert (found.url, found.status) == ("http://end.example/page", 200)
    assert len(sites.requests) == before + 5
    assert found.body.decode() == PAGE
    assert "reducepp/0" in sites.requests[-1].headers["User-Agent"]


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_encodings_are_undone(sites: Sites, name: str) -> None:
    assert get(sites, f"http://a.example/packed/{name}").body.decode() == PAGE
    with pytest.raises(FetchError, match="too large"):
        decode_body(encoded(name), name, 100)
    assert decode_body(encoded(name), name, len(PAGE.encode())) == PAGE.encode()
    with pytest.raises(FetchError, match="broken body"):
        decode_body(b"no such thing", name, 100)


def test_two_encodings_and_an_unknown_one() -> None:
    assert decode_body(brotli.compress(gzip.compress(b"x")), "gzip, br", 100) == b"x"
    assert decode_body(gzip.compress(b"a") + gzip.compress(b"b"), "gzip", 10) == b"ab"
    assert decode_body(b"x", "utf-8", 10) == b"x", "as browsers do"
    assert decode_body(b"", "br", 10) == b""
    with pytest.raises(FetchError, match="more than three"):
        decode_body(b"x", "gzip, gzip, gzip, gzip", 10)


def test_what_is_cut_is_not_refused() -> None:
    assert decode_body(encoded("gzip"), "gzip", 100, cut=True) == PAGE.encode()[:100]
    assert decode_body(b"abc", "", 2, cut=True) == b"ab"


def test_very_many_gzip_members_are_no_way_to_keep_us_busy() -> None:
    member = gzip.compress(b"")

    def decode() -> None:
        with pytest.raises(FetchError, match="more than 256 members"):
            decode_body(member * (8_000_000 // len(member)), "gzip", 8_000_000)

    assert units_of(decode) < 60


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("bomb", "too large"),
        ("endless", "too large"),
        ("drip", "too slow"),
        ("picture", "content type"),
        ("hop11", "too many redirects"),
        ("loop", "too many redirects"),
    ],
)
def test_bounds_hold(sites: Sites, path: str, reason: str) -> None:
    with pytest.raises(FetchError, match=reason):
        get(sites, f"http://a.example/{path}", HASTY if path == "drip" else QUICK)
    assert len(SENT) < 150, "the fetch of a page that drips ends before the page does"


@pytest.mark.parametrize("path", ["inside", "local"])
def test_every_redirect_is_guarded(sites: Sites, path: str) -> None:
    with pytest.raises(GuardError):
        get(sites, f"http://a.example/{path}")


@pytest.mark.parametrize("path", ["broken", "odd"])
def test_addresses_that_are_none_are_named(sites: Sites, path: str) -> None:
    with pytest.raises(FetchError, match="not a web address"):
        get(sites, f"http://a.example/{path}")
    with pytest.raises(FetchError, match="not a web address"):
        get(sites, "http://a.example/\x00" if path == "odd" else "http://[nonsense]/")
    with pytest.raises(FetchError, match="not a web address"):
        get(sites, "http://[half/#part")


def test_an_answer_keeps_any_status_and_cookies_last_one_fetch(sites: Sites) -> None:
    assert get(sites, "http://a.example/nothing").status == 404
    assert get(sites, "http://a.example/cookie").body == b"ok=1"
    assert get(sites, "http://a.example/wall").body == b"none"


def test_a_key_is_sent_to_its_own_service_only(sites: Sites) -> None:
    def key_at(target: str) -> bytes:
        return get(sites, f"http://api.example/keyed/{target}", **{"X-Key": "secret"}).body

    assert key_at("api.example") == key_at("API.example:80") == b"secret"
    assert key_at("api.example:81") == key_at("other.example") == b"none"


def test_a_dead_server_is_worth_another_attempt() -> None:
    async def run() -> None:
        guard = AddressGuard(connect_to={"*": ("127.0.0.1", 1)})
        async with Fetcher(guard, QUICK, user_agent="x") as fetcher:
            await fetcher.get("http://a.example/")

    with pytest.raises(TransientError, match="connection failed"):
        asyncio.run(run())


def test_where_the_first_address_refuses_the_next_is_tried(
    sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(self: AddressGuard, host: str, port: int) -> tuple[tuple[str, ...], int]:
        return ("127.0.0.2", "127.0.0.1"), sites.port

    monkeypatch.setattr(AddressGuard, "resolve", resolve)
    assert get(sites, "http://two.example/page").body.decode() == PAGE
