"""Reading: every form, bad lines as failures with their place, ids and ranks where absent."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from reducepp.data import Failure, Page
from reducepp.errors import InputError
from reducepp.files import read_pages
from reducepp.records import Document

ROWS: list[dict[str, Any]] = [
    {"url": "https://a.example/", "page_title": "A", "body": "one", "subtitles": ["x", "y"]},
    {"url": "https://b.example/", "title": "B", "text": "two", "urls": ["https://c.example/"]},
]


def write_jsonl(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_jsonl_gives_ids_ranks_and_other_peoples_names(tmp_path: Path) -> None:
    first, second = read_pages(write_jsonl(tmp_path / "p.jsonl", ROWS))
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert (first.id, first.rank, first.subtitles) == ("https://a.example/", 1, ("x", "y"))
    assert (second.rank, second.page_title, second.body) == (2, "B", "two")
    assert second.links == ("https://c.example/",)


def test_a_bad_line_is_a_failure_with_its_number_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    bad = ["{broken", "", "[1]", "[" * 100_000, '{"body": ["no"]}', "{}"]
    path.write_text("\n".join([json.dumps(ROWS[0]), *bad, json.dumps(ROWS[1])]))
    found = list(read_pages(str(path)))
    assert [type(f) for f in found] == [Page, *[Failure] * 5, Page]
    reasons = [f.reason for f in found if isinstance(f, Failure)]
    assert [reason.split(":")[0] for reason in reasons] == [f"line {n}" for n in (2, 4, 5, 6, 7)]


def test_html_lines_are_documents_with_their_known_fields(tmp_path: Path) -> None:
    row = {"id": "7", "url": "https://a.example/", "html": "<p>x</p>", "query": "q", "rank": 3}
    (found,) = read_pages(write_jsonl(tmp_path / "p.jsonl", [row]))
    assert isinstance(found, Document)
    assert (found.page.id, found.page.query, found.page.rank) == ("7", "q", 3)
    kept = found.with_parts(Page(id="", body="x", site_title="S"))
    assert (kept.id, kept.rank, kept.body, kept.site_title) == ("7", 3, "x", "S")


def test_ranks_count_within_a_query_and_repeated_addresses_get_ids_of_their_own(
    tmp_path: Path,
) -> None:
    rows = [{"url": "u", "query": q, "body": "x"} for q in ("one", "two", "one")]
    found = [p for p in read_pages(write_jsonl(tmp_path / "p.jsonl", rows)) if isinstance(p, Page)]
    assert [(p.query, p.id, p.rank) for p in found] == [
        ("one", "u", 1),
        ("two", "u", 1),
        ("one", "u#2", 2),
    ]


def test_table_one_of_the_paper_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    columns = ["Language", "Domain", "Query", "URL", "Body Text", "Website Title", "Page Title"]
    columns += ["List of Subtitles", "List of URLs"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerow(["en", "science", "q", "u", "b", "W", "P", "['s', 't']", '["https://l/"]'])
        writer.writerow(["ar", "history", "ق", "v", "نص", "م", "ص", "s|t", ""])
        writer.writerow(["too", "many", *["x"] * 9])
    first, second, third = read_pages(str(path))
    assert isinstance(first, Page)
    assert first.domain == "science"
    assert (first.site_title, first.page_title) == ("W", "P")
    assert (first.subtitles, first.links) == (("s", "t"), ("https://l/",))
    assert isinstance(second, Page)
    assert (second.query, second.subtitles, second.links) == ("ق", ("s", "t"), ())
    assert isinstance(third, Failure)
    assert third.reason.startswith("line 4")


def test_parquet_and_gzip(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "t.parquet")
    found = [p for p in read_pages(str(tmp_path / "t.parquet")) if isinstance(p, Page)]
    assert [p.page_title for p in found] == ["A", ""]
    assert found[0].subtitles == ("x", "y")
    plain = Path(write_jsonl(tmp_path / "p.jsonl", ROWS)).read_bytes()
    (tmp_path / "p.jsonl.gz").write_bytes(gzip.compress(plain))
    assert list(read_pages(str(tmp_path / "p.jsonl.gz"))) == list(
        read_pages(str(tmp_path / "p.jsonl"))
    )
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(plain)[:-20])
    with pytest.raises(InputError, match="gzip"):
        list(read_pages(str(tmp_path / "bad.jsonl.gz")))


ANSWERS: dict[str, Any] = {
    "searxng": {"query": "q", "results": [{"url": "u", "title": "t", "content": "s"}]},
    "google": {
        "kind": "customsearch#search",
        "queries": {"request": [{"searchTerms": "q"}]},
        "items": [{"link": "u", "title": "t", "snippet": "s"}],
    },
    "brave": {
        "query": {"original": "q"},
        "web": {"results": [{"url": "u", "title": "t", "description": "s"}]},
    },
    "serpapi": {
        "search_parameters": {"q": "q"},
        "organic_results": [{"position": 1, "link": "u", "title": "t", "snippet": "s"}],
    },
    "bing": {
        "queryContext": {"originalQuery": "q"},
        "webPages": {"value": [{"url": "u", "name": "t", "snippet": "s"}]},
    },
}


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_answers_of_search_services(tmp_path: Path, name: str) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(ANSWERS[name]))
    (found,) = read_pages(str(path))
    assert isinstance(found, Page)
    assert (found.query, found.url, found.page_title) == ("q", "u", "t")
    assert (found.snippet, found.body) == ("s", "s")


def test_a_folder_of_pages_in_natural_order(tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    for name in ("page10.html", "page9.html", "note.md"):
        (tmp_path / "q" / name).write_text("<p>x</p>")
    found = [d for d in read_pages(str(tmp_path)) if isinstance(d, Document)]
    assert [(d.page.id, d.page.query) for d in found] == [
        ("q/page9.html", "q"),
        ("q/page10.html", "q"),
    ]


def test_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_pages(str(tmp_path / "none.jsonl")))
    with pytest.raises(InputError, match="no page files"):
        list(read_pages(str(tmp_path)))
