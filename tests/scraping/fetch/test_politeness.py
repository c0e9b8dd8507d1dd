"""Politeness towards real servers on loopback: rate limit, retries, robots.txt."""

import asyncio
import gc
import itertools

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.errors import FetchError
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.http import Fetcher, FetchLimits, FetchResponse
from reducepp.scraping.fetch.politeness import PoliteFetcher, retry_after_seconds

RULES = b"User-agent: *\nDisallow: /private\n"
ROBOTS = {
    "rules": Reply(body=RULES + b"User-agent: reducepp\nDisallow: /secret\n"),
    "broken": Reply(status=500),
    "busyrobots": Reply(status=429),
    "huge": Reply(body=RULES + b"# a line of a very long file\n" * 400_000),
    "marked": Reply(body=b"\xef\xbb\xbf" + RULES),
    "moved": Reply(status=301, headers={"Location": "http://marked.example/robots.txt"}),
    "inside": Reply(status=302, headers={"Location": "http://127.0.0.1:1/robots.txt"}),
    "named": Reply(body=b"User-agent: otherbot\nDisallow: /\n"),
}


class Busy:
    """A host with rules that answers 503 or 429 twice before it answers well."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, request: Request) -> Reply | None:
        if request.url.endswith("/robots.txt"):
            return ROBOTS.get(request.url.split("/")[2].partition(".")[0])
        if request.url.endswith("/leads"):
            return Reply(status=301, headers={"Location": "http://rules.example/secret"})
        if request.url.endswith("/odd"):
            return Reply(status=503, headers={"Retry-After": "\xb2"})
        if request.url.endswith("/busy"):
            self.asked += 1
            if self.asked < 3:
                return Reply(status=[503, 429][self.asked - 1], headers={"Retry-After": "1"})
        return Reply(body=b"fine")


def politely(
    urls: list[str], *, delay: float = 0.0, retries: int = 2, agent: str = "reducepp/0"
) -> tuple[list[FetchResponse | BaseException], Sites]:
    async def run(sites: Sites) -> list[FetchResponse | BaseException]:
        limits = FetchLimits(timeout=30.0, retries=retries, backoff=0.05)
        guard = AddressGuard(connect_to=sites.connect_to)
        async with Fetcher(guard, limits, user_agent=agent) as fetcher:
            polite = PoliteFetcher(fetcher, delay=delay)
            return await asyncio.gather(*map(polite.get, urls), return_exceptions=True)

    with Sites(Busy()) as sites:
        return asyncio.run(run(sites)), sites


def test_a_busy_host_is_retried_when_it_said() -> None:
    (found,), sites = politely(["http://a.example/busy"])
    assert (found.status, found.body) == (200, b"fine")
    times = [request.at for request in sites.requests if request.url.endswith("/busy")]
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
    assert isinstance(found[2], FetchResponse), "the group for our own name is the one that counts"
    assert "robots.txt unreachable: status 500" in str(found[3])
    asked = [request.url for request in sites.requests]
    assert asked.count("http://rules.example/robots.txt") == 1
    assert not any("/secret" in url for url in asked)


def test_one_host_waits_while_others_go_on() -> None:
    urls = [f"http://{host}.example/{n}" for host in "ab" for n in range(3)]
    _, sites = politely(urls, delay=0.5)
    for host in "ab":
        times = [request.at for request in sites.requests if f"http://{host}." in request.url]
        assert len(times) == 4
        assert all(later - earlier >= 0.49 for earlier, later in itertools.pairwise(times))
    both = sorted(request.at for request in sites.requests)
    assert both[-1] - both[0] < 2.7, "two hosts take no longer than one"


def test_retry_after_in_both_forms() -> None:
    assert retry_after_seconds("7") == 7.0
    assert retry_after_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert retry_after_seconds("Wed, 21 Oct 2099 07:28:00 GMT") > 1e9
    assert retry_after_seconds("soon") == retry_after_seconds("") == 0.0


@pytest.mark.parametrize("host", ["huge", "marked", "moved"])
def test_rules_count_however_they_are_served(host: str) -> None:
    found, _ = politely([f"http://{host}.example/private", f"http://{host}.example/open"])
    assert str(found[0]) == "robots.txt forbids it"
    assert isinstance(found[1], FetchResponse)


def test_a_site_without_rules_that_can_be_had_is_open_but_a_busy_one_is_not() -> None:
    found, _ = politely(
        ["http://inside.example/a", "http://busyrobots.example/a", "http://none.example/a"],
        retries=0,
    )
    assert isinstance(found[0], FetchResponse)
    assert "robots.txt unreachable: status 429" in str(found[1])
    assert isinstance(found[2], FetchResponse)


def test_the_rules_of_few_sites_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reducepp.scraping.fetch.politeness.MAX_KNOWN_SITES", 2)
    urls = [f"http://rules.example/{n}" for n in ("open", "secret")]
    found, sites = politely([urls[0], *(f"http://{n}.example/a" for n in "abc"), urls[1]])
    assert str(found[-1]) == "robots.txt forbids it"
    assert all(isinstance(one, FetchResponse) for one in found[:-1])
    asked = [request.url for request in sites.requests]
    assert asked.count("http://rules.example/robots.txt") == 2


def test_rules_for_the_name_we_were_given_count_as_well() -> None:
    found, _ = politely(["http://named.example/a"], agent="otherbot/1.0")
    assert str(found[0]) == "robots.txt forbids it"
    found, _ = politely(["http://named.example/a"])
    assert isinstance(found[0], FetchResponse)


def test_one_host_however_it_is_written_is_fetched_in_turn() -> None:
    spellings = ("a.example/1", "A.example:80/2", "me@a.example/3", "a.example./4")
    _, sites = politely([f"http://{spelling}" for spelling in spellings], delay=0.2)
    times = [request.at for request in sites.requests]
    assert len(times) == 7, "four pages, and robots.txt as it is with a dot, with a port, plain"
    assert all(later - earlier >= 0.19 for earlier, later in itertools.pairwise(times))


def test_a_retry_after_that_is_none_is_passed_over() -> None:
    (found,), _ = politely(["http://a.example/odd"])
    assert found.status == 503
    for value in ("\xb2", "9" * 5000, "Wed, 21 Oct 99999999999 07:28:00 GMT", "-1"):
        assert retry_after_seconds(value) in (0.0, float("inf"))


def test_rules_that_fail_when_nobody_waits_any_more_are_not_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        failed = asyncio.Event()

        async def load(self: PoliteFetcher, origin: str) -> str:
            await failed.wait()
            raise FetchError("connection failed")

        monkeypatch.setattr(PoliteFetcher, "_load_robots", load)
        async with Fetcher(AddressGuard(), FetchLimits(), user_agent="reducepp/0") as fetcher:
            waiting = asyncio.create_task(PoliteFetcher(fetcher).check_robots("http://a.example/"))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            failed.set()
            await asyncio.sleep(0)

    asyncio.run(run())
    gc.collect()
    assert caplog.text == ""
