"""The carried pages are what the manifest and docs/demo.md say they are."""

import re
from importlib.resources import files
from itertools import combinations
from urllib.parse import urlsplit

import pytest

from reducepp.demo import (
    DemoPage,
    DemoQuery,
    label_rows,
    load_manifest,
    read_pages_html,
    true_pairs,
)
from tests.reducepp.demo.pagetext import decode, shared_of_longer, shingles, visible_text

QUERIES = read_pages_html()
KINDS = {
    *("original", "mirror", "printer", "syndicated", "edited", "excerpt", "login wall"),
    *("translation", "same subject", "encyclopaedia", "forum", "shop", "questions", "government"),
    *("app shell", "little text", "broken"),
}
ALONE = KINDS - {"original", "mirror", "printer", "syndicated", "edited", "encyclopaedia"}
RESERVED = (".example", ".test")
each_query = pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.language))


def test_manifest_names_every_file_once() -> None:
    folder = files("reducepp.demo") / "pages"
    on_disk = {
        f"{query.name}/{page.name}" for query in folder.iterdir() for page in query.iterdir()
    }
    named = [page.file for query in load_manifest() for page in query.pages]
    assert sorted(named) == sorted(on_disk)


def test_manifest_alone_reads_no_page() -> None:
    assert all(page.html == b"" for query in load_manifest() for page in query.pages)


def test_total_size() -> None:
    assert 300_000 <= sum(len(page.html) for query in QUERIES for page in query.pages) <= 1_200_000


@each_query
def test_ranks_addresses_and_kinds(query: DemoQuery) -> None:
    assert len(query.pages) >= 20
    assert [page.rank for page in query.pages] == list(range(1, len(query.pages) + 1))
    assert len({page.url for page in query.pages}) == len(query.pages)
    assert {page.kind for page in query.pages} >= KINDS


@each_query
def test_groups_follow_kinds(query: DemoQuery) -> None:
    groups = [page.group for page in query.pages]
    for page in query.pages:
        alone = groups.count(page.group) == 1
        assert alone == (page.kind in ALONE or page.kind in {"recipe", "documentation"}), page.file


@each_query
def test_duplicates_are_spread_through_the_ranking(query: DemoQuery) -> None:
    largest = max({page.group for page in query.pages}, key=[p.group for p in query.pages].count)
    ranks = [page.rank for page in query.pages if page.group == largest]
    assert max(ranks) - min(ranks) >= 10


@each_query
def test_hosts_are_reserved(query: DemoQuery) -> None:
    addresses = [page.url for page in query.pages]
    for page in query.pages:
        addresses += re.findall(
            r"(?:href|src)\s*=\s*[\"']?((?:https?:)?//[^\s\"'>]+)", decode(page)
        )
    hosts = {str(urlsplit(address).hostname) for address in addresses}
    assert len({str(urlsplit(page.url).hostname) for page in query.pages}) >= 18
    assert [host for host in hosts if not host.endswith(RESERVED)] == []


@each_query
def test_duplicates_share_most_of_their_text_and_others_do_not(query: DemoQuery) -> None:
    texts = {page.url: shingles(page) for page in query.pages}
    for a, b in combinations(query.pages, 2):
        shared = shared_of_longer(texts[a.url], texts[b.url])
        if a.group == b.group:
            assert shared >= 0.55, (a.file, b.file, shared)
        else:
            assert shared <= 0.3, (a.file, b.file, shared)


@each_query
def test_labels(query: DemoQuery) -> None:
    rows = list(label_rows(query))
    n = len(query.pages)
    assert len(rows) == n * (n - 1) // 2
    pairs = true_pairs(query)
    assert sum(row[3] for row in rows) == len(pairs) >= 10
    page = {page.url: page for page in query.pages}
    assert all(page[a].group == page[b].group and page[a].rank < page[b].rank for a, b in pairs)


def test_arabic_pages_run_right_to_left_in_arabic() -> None:
    (query,) = (query for query in QUERIES if query.language == "ar")
    for page in query.pages:
        if page.kind in {"translation", "broken"}:
            continue
        letters = [letter for letter in visible_text(page) if letter.isalpha()]
        arabic = sum("\u0600" <= letter <= "\u06ff" for letter in letters)
        assert re.search(r"<html[^>]*\bdir=[\"']?rtl", decode(page), re.I), page.file
        assert arabic / len(letters) > 0.9, page.file


def test_the_three_languages_are_there() -> None:
    assert [query.language for query in QUERIES] == ["en", "fr", "ar"]


@each_query
def test_broken_page_has_no_readable_text(query: DemoQuery) -> None:
    (broken,) = (page for page in query.pages if page.kind == "broken")
    assert readable_words(broken, query.language) < 20


def readable_words(page: DemoPage, language: str) -> int:
    letters = r"[\u0621-\u064a]{3,}" if language == "ar" else r"\b[A-Za-zÀ-ÿ]{4,}\b"
    return len(re.findall(letters, visible_text(page)))
