"""Fetching from real servers on loopback: redirects, encodings, bounds, guard, manners."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import time
import zlib
from collections.abc import Callable, Iterator

import brotli
import pytest
import zstandard

from reducepp.cli.sites import Reply, Sites, Visit
from reducepp.errors import FetchError, GuardError
from scraping.decode import decode_body
from scraping.guard import Guard
from scraping.http import Answer, Fetcher, Limits, TransientError
from scraping.polite import PoliteFetcher, retry_after_seconds, user_agent

PAGE = "<html><body>" + "Le café est à côté. " * 50 + "</body></html>"
BOMB = gzip.compress(b"a" * 50_000_000)
QUICK = Limits(timeout=2.0, max_bytes=100_000, retries=0, back_off=0.05)


def encoded(name: str) -> bytes:
    data = PAGE.encode()
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }
    return packers[name](data)


def drip() -> Iterator[bytes]:
    for _ in range(200):
        yield b"<p>still here</p>"
        time.sleep(0.1)


def endless() -> Iterator[bytes]:
    return itertools.repeat(b"<p>more and more and more</p>" * 100)


def answer(visit: Visit) -> Reply | None:
    path = visit.url.split("/", 3)[3]
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
        return Reply(body=visit.headers.get("Cookie", "none").encode())
    return fixed.get(path)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with Sites(answer) as running:
        yield running


def get(sites: Sites, url: str, limits: Limits = QUICK) -> Answer:
    async def run() -> Answer:
        guard = Guard(connect_to=sites.connect_to)
        async with Fetcher(guard, limits, user_agent=user_agent("0")) as fetcher:
            return await fetcher.get(url, accepts=lambda kind: not kind.startswith("image/"))

    return asyncio.run(run())


def test_redirects_are_followed_and_remembered(sites: Sites) -> None:
    found = get(sites, "http://start.example/hop3#top")
    assert (found.url, found.status, len(found.hops)) == ("http://end.example/page", 200, 4)
    assert found.body.decode() == PAGE
    assert "reducepp/0" in sites.visits[-1].headers["User-Agent"]


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
    with pytest.raises(FetchError, match="content encoding"):
        decode_body(b"x", "rot13", 10)


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
    started = time.monotonic()
    with pytest.raises(FetchError, match=reason):
        get(sites, f"http://a.example/{path}")
    assert time.monotonic() - started < 6


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


def test_an_answer_keeps_any_status_and_cookies_last_one_fetch(sites: Sites) -> None:
    assert get(sites, "http://a.example/nothing").status == 404
    assert get(sites, "http://a.example/cookie").body == b"ok=1"
    assert get(sites, "http://a.example/wall").body == b"none"


def test_a_dead_server_is_worth_another_attempt() -> None:
    async def run() -> None:
        guard = Guard(connect_to={"*": ("127.0.0.1", 1)})
        async with Fetcher(guard, QUICK, user_agent="x") as fetcher:
            await fetcher.get("http://a.example/")

    with pytest.raises(TransientError, match="connection failed"):
        asyncio.run(run())


class Busy:
    """A host with rules that answers 503 or 429 twice before it answers well."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, visit: Visit) -> Reply | None:
        if visit.url == "http://rules.example/robots.txt":
            text = b"User-agent: *\nDisallow: /private\nUser-agent: reducepp\nDisallow: /secret\n"
            return Reply(body=text, content_type="text/plain")
        if visit.url == "http://broken.example/robots.txt":
            return Reply(status=500)
        if visit.url.endswith("/robots.txt"):
            return None
        if visit.url.endswith("/leads"):
            return Reply(status=301, headers={"Location": "http://rules.example/secret"})
        if visit.url.endswith("/busy"):
            self.asked += 1
            if self.asked < 3:
                return Reply(status=[503, 429][self.asked - 1], headers={"Retry-After": "1"})
        return Reply(body=b"fine")


def politely(
    urls: list[str], *, delay: float = 0.0, retries: int = 2
) -> tuple[list[Answer | BaseException], Sites]:
    async def run(sites: Sites) -> list[Answer | BaseException]:
        limits = Limits(timeout=2.0, retries=retries, back_off=0.05)
        guard = Guard(connect_to=sites.connect_to)
        async with Fetcher(guard, limits, user_agent="x") as fetcher:
            polite = PoliteFetcher(fetcher, delay=delay)
            return await asyncio.gather(*map(polite.get, urls), return_exceptions=True)

    with Sites(Busy()) as sites:
        return asyncio.run(run(sites)), sites


def test_a_busy_host_is_asked_again_when_it_said() -> None:
    (found,), sites = politely(["http://a.example/busy"])
    assert isinstance(found, Answer)
    assert (found.status, found.body) == (200, b"fine")
    times = [visit.at for visit in sites.visits if visit.url.endswith("/busy")]
    assert len(times) == 3
    assert all(later - earlier >= 0.95 for earlier, later in itertools.pairwise(times))


def test_robots_are_obeyed_on_every_hop() -> None:
    found, sites = politely(
        [
            "http://rules.example/secret/x",
            "http://other.example/leads",
            "http://rules.example/private",
            "http://broken.example/page",
        ],
        retries=0,
    )
    assert [str(one) for one in (found[0], found[1])] == ["robots.txt forbids it"] * 2
    assert isinstance(found[2], Answer), "the group for our own name is the one that counts"
    assert "robots.txt unreachable: status 500" in str(found[3])
    asked = [visit.url for visit in sites.visits]
    assert asked.count("http://rules.example/robots.txt") == 1
    assert not any("/secret" in url for url in asked)


def test_one_host_waits_while_others_go_on() -> None:
    urls = [f"http://{host}.example/{n}" for host in "ab" for n in range(3)]
    _, sites = politely(urls, delay=0.5)
    for host in "ab":
        times = [visit.at for visit in sites.visits if f"http://{host}." in visit.url]
        assert len(times) == 4
        assert all(later - earlier >= 0.49 for earlier, later in itertools.pairwise(times))
    both = sorted(visit.at for visit in sites.visits)
    assert both[-1] - both[0] < 2.7, "two hosts take no longer than one"


def test_retry_after_in_both_forms() -> None:
    assert retry_after_seconds("7") == 7.0
    assert retry_after_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert retry_after_seconds("Wed, 21 Oct 2099 07:28:00 GMT") > 1e9
    assert retry_after_seconds("soon") == retry_after_seconds("") == 0.0
