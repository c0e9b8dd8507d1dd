"""The store and Table I."""

import csv
from pathlib import Path

import pytest

from reducepp.errors import InputError
from reducepp.scraping.store.dataset import table_one
from reducepp.scraping.store.packing import pack, unpack
from reducepp.scraping.store.store import MAX_RANK, Query, Store
from reducepp.types import Failure, SearchHit
from tests.programs import Cli
from tests.scraping.stores import QUERIES, TEXTS, fill, read_store


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    return fill(tmp_path / "pages.sqlite")


def test_a_store_gives_back_what_it_was_given(filled: Path) -> None:
    lights, phares = read_store(filled)
    assert (lights.query, phares.query) == QUERIES
    assert [page.rank for page in phares.pages] == [1, 2, 3]
    assert [f.reason for f in phares.failures] == ["status 404"]
    shared = [page for page in (*lights.pages, *phares.pages) if "s3" in page.url]
    assert [(page.query, page.rank, page.domain) for page in shared] == [
        ("lights", 3, "history"),
        ("phares", 1, "science"),
    ]
    assert shared[0].page_title.startswith("Title 3")
    assert shared[0].language == "en"
    with Store(filled, mode="read") as store:
        raw = store.raw(SearchHit(url="http://s2.example/p?a=1&b=é"))
        assert "night" in raw.rendered
        assert b"evening" in raw.fetched
        with pytest.raises(InputError, match="it may only be read"):
            store.add_query(Query(query="x"))


def test_a_step_is_whole_or_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        good_then_bad = (Query(query="x"), Query(query=None))  # type: ignore[arg-type]
        with pytest.raises(InputError, match="NOT NULL"), store.transaction():
            list(map(store.add_query, good_then_bad))
        assert store.queries() == ()


def test_bodies_are_packed() -> None:
    data = TEXTS["en"].encode() * 20
    assert unpack(pack(data)) == data
    assert len(pack(data)) < len(data) / 10
    assert unpack(pack(b"")) == b""
    import zlib

    assert unpack(b"z" + zlib.compress(data)) == data


def test_no_file_drives_out_the_hits_of_another(tmp_path: Path) -> None:
    def hit(name: str, rank: int = 0) -> SearchHit:
        return SearchHit(query="q", engine="e", rank=rank, url=f"http://{name}.example/")

    with Store(tmp_path / "s.sqlite") as store, store.transaction():
        store.add_search("q", "e", 1, "results", [hit("a"), hit("b"), hit("c"), hit("a")], "now")
        for put in (hit("b", 1), hit("d", 10**30), hit("e", 10**30)):
            store.put_hit(put)
        store.add_search("q", "e", 2, "results", [hit("f"), hit("b")], "now")
        found = [(one.url[7:8], one.rank) for one in store.engine_hits("q", "e")]
    assert found == [
        ("b", 1),
        ("c", 3),
        ("a", 4),
        ("e", MAX_RANK),
        ("d", MAX_RANK + 1),
        ("f", MAX_RANK + 2),
    ]


def test_failures_are_those_of_the_given_addresses(filled: Path) -> None:
    with Store(filled) as store:
        store.add_failure(Failure(url="http://'\"%_é.example/", stage="fetch", reason="x"))
        (every, other) = store.failures()
        assert store.failures([other.url]) == (other,)
        assert store.failures([every.url, "http://none.example/"]) == (every,)
        assert store.failures([]) == ()


def test_table_one(filled: Path, cli: Cli) -> None:
    table = table_one(filled)
    assert [sum(table[f"{name}_by_language"].values()) for name in ("queries", "records")] == [2, 6]
    assert table["records_by_language"] == {"en": 3, "fr": 3}
    assert table["queries_by_domain"] == {"history": 1, "science": 1}
    out = cli("dataset", filled).out
    assert "2 queries, 6 records\n\nQueries / Language\n  en        1\n" in out
    rows = list(csv.reader(cli("dataset", filled, "--format", "csv").out.splitlines()))
    assert ["records", "domain", "science", "3"] in rows
    assert ["failures", "reason", "status 404", "1"] in rows
