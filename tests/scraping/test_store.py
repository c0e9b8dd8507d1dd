"""The store, its exchange forms, and Table I."""

from __future__ import annotations

import csv
import gzip
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.data import Failure, Page, RawPage, SearchHit
from reducepp.errors import InputError, UsageError
from reducepp.files import read_pages
from scraping.dataset import read_store, read_store_pages, table_one
from scraping.exchange import COLUMNS, export_store, import_file
from scraping.packing import pack, unpack
from scraping.split import split_page
from scraping.store import Query, Store

HTML = (
    "<html lang='{lang}'><head><title>{title} - Site {n}</title></head><body><h1>{title}</h1>"
    "<p>{text}</p><h2>More about number {n}</h2><p>{text}</p>"
    "<a href='http://x.example/{n}'>a link</a></body></html>"
)
TEXTS = {
    "en": "The keeper of the light wrote the weather into the book every evening of the year. " * 4,
    "fr": "Le gardien du phare notait chaque soir le temps dans son grand registre relié. " * 4,
}
QUERIES = (
    Query(query="lights", language="en", domain="history"),
    Query(query="phares", language="fr", domain="science"),
)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Two queries, five pages, one of them found by both queries, one failure."""
    path = tmp_path / "pages.sqlite"
    with Store(path) as store, store.step():
        for query in QUERIES:
            store.add_query(query)
        for query, numbers in ((QUERIES[0], (1, 2, 3)), (QUERIES[1], (3, 4, 5, 6))):
            hits = [
                SearchHit(url=f"http://s{n}.example/p?a=1&b=é", title=f"T{n}", snippet=f"S{n}")
                for n in numbers
            ]
            store.add_search(query.query, "bing", 1, outcome="results", hits=hits, at="now")
        for n in range(1, 6):
            hit = SearchHit(url=f"http://s{n}.example/p?a=1&b=é")
            language = "en" if n < 4 else "fr"
            html = HTML.format(lang=language, title=f"Title {n}", n=n, text=TEXTS[language])
            raw = RawPage(
                hit=hit,
                final_url=hit.url + "&z",
                status=200,
                content_type="text/html; charset=utf-8",
                fetched=html.encode(),
                rendered=html.replace("evening", "night") if n == 2 else "",
                fetched_at="2026-01-02T03:04:05+00:00",
            )
            store.add_raw(hit.url, raw)
            store.add_page(hit.url, split_page(raw))
        gone = Failure(url="http://s6.example/p?a=1&b=é", stage="fetch", reason="status 404")
        store.add_failure(gone, "now")
    return path


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
        assert raw is not None
        assert "night" in raw.rendered
        assert b"evening" in raw.fetched
        with pytest.raises(InputError, match="readonly"):
            store.add_query(Query(query="x"))


def test_a_step_is_whole_or_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        good_then_bad = (Query(query="x"), Query(query=None))  # type: ignore[arg-type]
        with pytest.raises(sqlite3.IntegrityError), store.step():
            list(map(store.add_query, good_then_bad))
        assert store.queries() == ()


def test_bodies_are_packed() -> None:
    data = TEXTS["en"].encode() * 20
    assert unpack(pack(data)) == data
    assert len(pack(data)) < len(data) / 10
    assert unpack(pack(b"")) == b""
    import zlib

    assert unpack(b"z" + zlib.compress(data)) == data


def test_table_one(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = table_one(filled)
    assert (table.queries, table.records) == (2, 6)
    assert table.records_by_language == {"en": 3, "fr": 3}
    assert table.queries_by_domain == {"history": 1, "science": 1}
    assert main(["dataset", str(filled)]) == 0
    assert "2 queries, 6 records\n\nQueries / Language\n  en        1\n" in capsys.readouterr().out
    assert main(["dataset", str(filled), "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert ["records", "domain", "science", "3"] in rows
    assert ["failures", "reason", "status 404", "1"] in rows


@pytest.mark.parametrize("form", ["jsonl", "parquet", "warc", "warc.gz"])
def test_out_and_in_again(filled: Path, tmp_path: Path, form: str) -> None:
    out, copy = tmp_path / f"pages.{form}", tmp_path / "copy.sqlite"
    with Store(filled, mode="read") as store:
        assert export_store(store, out) == (5 if "warc" in form else 6)
    with Store(copy) as store:
        assert import_file(store, out) == (5 if "warc" in form else 6)
    before, after = list(read_store_pages(filled)), list(read_store_pages(copy))
    assert _plain(after) == _plain(before)
    assert table_one(copy).records_by_domain == table_one(filled).records_by_domain
    assert not list(tmp_path.glob(".*"))
    if "warc" in form:
        with Store(filled, mode="read") as old, Store(copy, mode="read") as new:
            for page in before:
                hit = SearchHit(url=page.url)
                was, now = old.raw(hit), new.raw(hit)
                assert was is not None
                assert now is not None
                date = now.fetched_at.replace("Z", "+00:00")
                assert replace(now, fetched_at=date) == was


def _plain(pages: list[Page]) -> list[str]:
    return [repr(page) for page in pages]


def test_csv_has_the_columns_of_table_one(filled: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages.csv"
    assert main(["dataset", str(filled), "--export", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["Language"] for row in rows] == ["en"] * 3 + ["fr"] * 3
    assert json.loads(rows[0]["List of Subtitles"])
    read = [page for page in read_pages(str(out)) if isinstance(page, Page)]
    original = list(read_store_pages(filled))
    for field in ("query", "url", "body", "site_title", "page_title", "subtitles", "links"):
        assert [getattr(p, field) for p in read] == [getattr(p, field) for p in original]


def test_a_foreign_warc_comes_in(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    html = HTML.format(lang="en", title="Foreign", n=1, text=TEXTS["en"]).encode()
    packed = gzip.compress(html)
    answers = [
        ("http://a.example/", "200 OK", "text/html", html, ""),
        ("http://b.example/", "200 OK", "text/html", packed, "Content-Encoding: gzip\r\n"),
        ("http://c.example/", "404 Not Found", "text/html", html, ""),
        ("http://d.example/", "200 OK", "image/png", b"x", ""),
    ]
    with path.open("wb") as stream:
        for url, status, kind, body, more in answers:
            head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}\r\n".encode()
            record = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                f"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:{url[7]}>\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(head + body)}\r\n\r\n"
            )
            stream.write(gzip.compress(record.encode() + head + body + b"\r\n\r\n"))
    store = tmp_path / "s.sqlite"
    assert main(["dataset", str(store), "--import", str(path)]) == 0
    pages = list(read_store_pages(store))
    assert [page.url for page in pages] == ["http://a.example/", "http://b.example/"]
    assert all("weather into the book" in page.body for page in pages)


def test_whole_pages_come_in_with_their_bytes(tmp_path: Path) -> None:
    source, path = tmp_path / "pages.jsonl", tmp_path / "s.sqlite"
    html = HTML.format(lang="fr", title="Phare", n=1, text=TEXTS["fr"])
    lines = [{"url": "http://a.example/", "html": html, "query": "q"}, {"url": "", "html": ""}]
    source.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with Store(path) as store:
        assert import_file(store, source) == 1
        raw = store.raw(SearchHit(url="http://a.example/"))
        assert raw is not None
        assert raw.fetched.decode() == html
    (page,) = read_store_pages(path)
    assert (page.query, page.language) == ("q", "fr")


def test_unknown_forms_and_broken_files(tmp_path: Path, filled: Path) -> None:
    (tmp_path / "bad.warc").write_bytes(b"nonsense" * 50)
    with Store(filled) as store:
        with pytest.raises(UsageError, match="must end in one of"):
            export_store(store, tmp_path / "pages.xlsx")
        with pytest.raises(InputError, match="WARC"):
            import_file(store, tmp_path / "bad.warc")
        with pytest.raises(InputError, match="no such file"):
            import_file(store, tmp_path / "missing.jsonl")


def test_a_store_and_a_warc_can_be_reduced(
    filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warc = tmp_path / "pages.warc.gz"
    assert main(["dataset", str(filled), "--export", str(warc)]) == 0
    capsys.readouterr()
    found = []
    for source in (filled, warc):
        assert main(["reduce", str(source), "--format", "json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["reductions"])
    for lights, phares in found:
        assert (lights["query"], lights["before"]) == ("lights", 3)
        assert (phares["query"], phares["before"]) == ("phares", 3)
    assert [one["clusters"] for one in found[0]] == [one["clusters"] for one in found[1]]
    assert found[0][1]["failures"][0]["reason"] == "status 404"
