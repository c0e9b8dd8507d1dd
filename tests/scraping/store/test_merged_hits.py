"""Several engines for one query: one hit an address."""

import pytest

from reducepp.scraping.store.merged_hits import hit_key, merge_hits
from reducepp.types import SearchHit


def hit(engine: str, rank: int, url: str, title: str = "", snippet: str = "") -> SearchHit:
    return SearchHit(query="tide", engine=engine, rank=rank, url=url, title=title, snippet=snippet)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.tides.example/", "https://tides.example"),
        ("https://tides.example/a/", "https://TIDES.example:443/a#top"),
        ("https://tides.example/a?utm_source=x&b=2&a=1", "https://tides.example/a?a=1&b=2"),
        ("https://tides.example/a?fbclid=1&wbraid=2", "https://tides.example/a"),
        ("https://tides.example/mar%C3%A9e?q=%D8%A8+x", "https://tides.example/marée?q=ب%20x"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://me:you@tides.example./a", "http://tides.example:80/a"),
        ("http://[2001:DB8::1]:80/a", "https://[2001:db8::1]/a"),
    ],
)
def test_addresses_of_one_page_have_one_form(one: str, other: str) -> None:
    assert hit_key(one) == hit_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://tides.example/a", "https://tides.example/A"),
        ("https://tides.example/a?id=1", "https://tides.example/a?id=2"),
        ("https://tides.example:8080/", "https://tides.example/"),
        ("https://en.tides.example/", "https://fr.tides.example/"),
        ("ftp://tides.example/", "https://tides.example/"),
        ("https://tides.example/#/north", "https://tides.example/#/south"),
        ("https://tides.example/#!north", "https://tides.example/"),
        ("https://tides.example/index.html", "https://tides.example/"),
        ("https://tides.example/home", "https://tides.example/"),
        ("https://tides.example/a%2Fb", "https://tides.example/a/b"),
        ("https://tides.example/%C7%E1", "https://tides.example/%C7%E2"),
        ("https://tides.example/?a=1%26b=2", "https://tides.example/?a=1&b=2"),
        ("http://[2001:db8::1]/a", "http://[2001:db8::2]/a"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]/a"),
    ],
)
def test_addresses_of_two_pages_stay_apart(one: str, other: str) -> None:
    assert hit_key(one) != hit_key(other)


def test_an_address_that_cannot_be_read_is_its_own_form() -> None:
    assert hit_key(" https://[broken ") == "https://[broken"


def test_merged_hits_keep_the_best_rank_and_every_source() -> None:
    google = [hit("google", 1, "https://a.example/"), hit("google", 2, "https://b.example/", "B")]
    bing = [
        hit("bing", 1, "http://www.b.example", "", "Of b"),
        hit("bing", 3, "https://c.example/"),
    ]
    merged = merge_hits([google, bing])
    assert [(h.rank, h.url, h.engine, h.sources) for h in merged] == [
        (1, "https://a.example/", "google", ("google",)),
        (2, "http://www.b.example", "bing", ("bing", "google")),
        (3, "https://c.example/", "bing", ("bing",)),
    ]
    assert (merged[1].title, merged[1].snippet) == ("B", "Of b")


def test_ties_go_to_the_engine_named_first() -> None:
    lists = [[hit("x", 1, "https://a.example/")], [hit("y", 1, "https://b.example/")]]
    assert [h.engine for h in merge_hits(lists)] == ["x", "y"]
    assert [h.engine for h in merge_hits(lists[::-1])] == ["y", "x"]


def test_one_engine_keeps_its_ranks() -> None:
    hits = [hit("x", 2, "https://a.example/"), hit("x", 5, "https://a.example"), hit("x", 9, "b")]
    merged = merge_hits([hits, []])
    assert [(h.rank, h.url) for h in merged] == [(2, "https://a.example/"), (9, "b")]


def test_nothing_merges_into_nothing() -> None:
    assert merge_hits([]) == ()
    assert merge_hits([[], []]) == ()
