"""Reading: every form, bad lines as failures with their place, ids and ranks where absent."""

import csv
import gzip
import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reducepp.errors import InputError, UsageError
from reducepp.inputs import read_queries
from reducepp.io import readers
from reducepp.io.columns import Columns
from reducepp.io.readers import assign_ids, read_pages, read_source
from reducepp.io.records import Document, read_record
from reducepp.scraping.store.exchange import export_store, import_file
from reducepp.scraping.store.store import Store
from reducepp.types import Failure, Page
from tests.programs import run_reducepp

ROWS: list[dict[str, Any]] = [
    {"url": "https://a.example/", "page_title": "A", "body": "one", "subtitles": ["x", "y"]},
    {"url": "https://b.example/", "title": "B", "text": "two", "urls": ["https://c.example/"]},
]


def write_jsonl(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_jsonl_gives_ids_ranks_and_other_peoples_names(tmp_path: Path) -> None:
    first, second = read_pages(write_jsonl(tmp_path / "p.jsonl", ROWS))
    assert isinstance(second, Page)
    assert (first.id, first.rank, first.subtitles) == ("https://a.example/", 1, ("x", "y"))
    assert (second.rank, second.page_title, second.body) == (2, "B", "two")
    assert second.links == ("https://c.example/",)


def test_empty_markup_is_a_failure_as_when_it_is_split(tmp_path: Path) -> None:
    rows = [{"url": "https://a.example/", "html": html} for html in ("", "  ")]
    rows.append(ROWS[0] | {"html": ""})
    (query,) = read_queries([write_jsonl(tmp_path / "p.jsonl", rows)])
    assert [failure.reason for failure in query.failures] == ["page is empty"] * 2
    assert [page.body for page in query.pages] == ["one"]


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
    assert (found.page.id, found.page.query, found.page.rank) == ("7", "q", 3)
    kept = found.with_parts(Page(id="", body="x", site_title="S"))
    assert (kept.id, kept.rank, kept.body, kept.site_title) == ("7", 3, "x", "S")


def test_ranks_count_within_query_and_repeated_addresses_get_ids_of_own(tmp_path: Path) -> None:
    rows = [{"url": "u", "query": q, "body": "x"} for q in ("one", "two", "one")]
    found = [p for p in read_pages(write_jsonl(tmp_path / "p.jsonl", rows)) if isinstance(p, Page)]
    expected = [("one", "u", 1), ("two", "u", 1), ("one", "u#2", 2)]
    assert [(p.query, p.id, p.rank) for p in found] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a", "a", "a#2", "a"], ["a", "a#2", "a#2#2", "a#3"]),
        (["a#2", "a", "a", "a"], ["a#2", "a", "a#3", "a#4"]),
    ],
)
def test_a_repeated_id_does_not_become_that_of_another_page(
    given: list[str], expected: list[str]
) -> None:
    found = assign_ids(Page(id=name, body="x") for name in given)
    assert [page.id for page in found if isinstance(page, Page)] == expected


@pytest.mark.parametrize("rank", [-3, 0, "first", None, float("nan"), float("inf")])
def test_what_is_no_rank_is_the_place_in_the_list(rank: object, tmp_path: Path) -> None:
    rows = [{"title": "A"}, {"title": "B", "rank": rank}]
    found = [p for p in read_pages(write_jsonl(tmp_path / "p.jsonl", rows)) if isinstance(p, Page)]
    assert [page.rank for page in found] == [1, 2]


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
    assert first.domain == "science"
    assert (first.site_title, first.page_title) == ("W", "P")
    assert (first.subtitles, first.links) == (("s", "t"), ("https://l/",))
    assert (second.query, second.subtitles, second.links) == ("ق", ("s", "t"), ())
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
    one, other = (list(read_pages(str(tmp_path / name))) for name in ("p.jsonl", "p.jsonl.gz"))
    assert one == other
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(plain)[:-20])
    with pytest.raises(InputError, match="gzip"):
        list(read_pages(str(tmp_path / "bad.jsonl.gz")))


def test_a_folder_of_pages_in_natural_order(tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    for name in ("page10.html", "page9.html", "note.md"):
        (tmp_path / "q" / name).write_text("<p>x</p>")
    found = [d for d in read_pages(str(tmp_path)) if isinstance(d, Document)]
    assert [d.page.id for d in found] == ["q/page9.html", "q/page10.html"]
    assert [d.page.query for d in found] == ["q", "q"]


def test_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_pages(str(tmp_path / "none.jsonl")))
    with pytest.raises(InputError, match="no page files"):
        list(read_pages(str(tmp_path)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("semicolons.csv", b"title;url;text\nA;http://a;one\nB;http://b;two\n"),
        ("tabs.tsv", b"title\turl\ttext\nA\thttp://a\tone\nB\thttp://b\ttwo\n"),
        ("wide.csv", "title,url,text\r\nA,http://a,one\r\nB,http://b,two\r\n".encode("utf-16")),
        (
            "wide.txt",
            "title\turl\ttext\r\nA\thttp://a\tone\r\nB\thttp://b\ttwo\r\n".encode("utf-16"),
        ),
        ("named.csv", b'sep=;\r\n"title";"text"\r\nA;one, two, three\r\nB;two\r\n'),
        ("more.csv", b"title,text\nA,one,\nB,two,,\n"),
        ("gaps.csv", b"\n\ntitle,text\n\n , \nA,one\nB,two\n"),
        ("wide.jsonl", '{"title": "A"}\n{"title": "B"}\n'.encode("utf-16")),
        ("wide.json", '[{"title": "A"},\n {"title": "B"}]'.encode("utf-16")),
        ("lines.json", b'{"title": "A", "url": "http://a"}\n{"title": "B", "url": "http://b"}\n'),
        ("table.txt", b"title,url\nA,http://a\nB,http://b\n"),
        ("packed", gzip.compress(b'{"title": "A", "id": "a"}\n{"title": "B", "id": "b"}', mtime=0)),
    ],
)
def test_files_that_are_not_quite_what_name_says(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    pages = [p for p in read_pages(str(tmp_path / name)) if isinstance(p, Page)]
    assert [page.page_title for page in pages] == ["A", "B"]


def test_a_table_of_a_western_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("url,text\nhttp://a,café – été\n".encode("cp1252"))
    (page,) = read_pages(str(tmp_path / "a.csv"))
    assert page.body == "café – été"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"Titel,Adresse\nA,http://a\n", "no column with text .* among Titel, Adresse"),
        ("a.bin", b"\x00\x01\x02" * 50, "binary data in no known format"),
        ("a.dat", b"WARC/1.0\r\n", "this is a warc: say so with --input-format warc"),
        ("a.dat", b"SQLite format 3\0", "this is a store: say so with --input-format store"),
    ],
)
def test_what_cannot_be_read_says_what_it_is(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=says):
        list(read_pages(str(tmp_path / name)))


def test_a_text_file_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Rain in Spain, mostly.")
    (document,) = read_pages(str(tmp_path / "a.txt"))
    assert document.content_type == "text/plain"


def test_several_inputs_are_one(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.html").write_text(f"<h1>{name}</h1><p>Rain in Spain falls.</p>")
    (tmp_path / "c.jsonl").write_text('{"id": "c", "body": "Rain."}\n')
    names = [str(tmp_path / name) for name in ("a.html", "b.html", "c.jsonl", "c.jsonl")]
    (group,) = read_queries(names)
    assert [page.rank for page in group.pages] == [1, 2, 3, 4]
    assert [page.id for page in group.pages] == [*names[:2], "c", "c#2"]


@pytest.mark.parametrize(
    ("form", "options"), [("warc", ["--input-format", "warc"]), ("parquet", []), ("jsonl.gz", [])]
)
def test_every_form_comes_through_standard_input(
    tmp_path: Path, form: str, options: list[str]
) -> None:
    lines = tmp_path / "p.jsonl"
    record = {"url": "http://a.example/", "query": "q", "html": "<h1>Rain</h1><p>In Spain.</p>"}
    lines.write_text(json.dumps(record) + "\n")
    made = tmp_path / f"p.{form}"
    if form == "jsonl.gz":
        made.write_bytes(gzip.compress(lines.read_bytes()))
    else:
        with Store(str(tmp_path / "p.sqlite")) as store:
            import_file(store, lines)
            export_store(store, made)
    done = run_reducepp("reduce", "-", "--format", "csv", *options, input=made.read_bytes())
    assert done.returncode == 0, done.stderr
    assert b"Rain" in done.stdout


@pytest.mark.parametrize("sources", [1, 2])
def test_a_page_that_cannot_be_split_fails_under_own_query(sources: int, tmp_path: Path) -> None:
    records = [
        {"query": "a", "url": "https://a.example/1", "body": "The keeper counted ships."},
        {"query": "b", "url": "https://b.example/1", "html": "<p> </p>"},
        {"query": "a", "url": "https://a.example/2", "html": "<p> </p>"},
        "no record",
    ]
    paths = [tmp_path / f"{n}.jsonl" for n in range(sources)]
    for path in paths:
        path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    a, b = read_queries([str(path) for path in paths])
    assert (a.query, len(a.pages), b.query, b.pages) == ("a", sources, "b", [])
    assert {failure.url.partition("#")[0] for failure in b.failures} == {"https://b.example/1"}
    assert (len(a.failures), len(b.failures)) == (2 * sources, sources)


def test_columns_of_other_names_and_which_were_used(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Headline,url,score\nRoof bees,https://a.example,0.5\n", "utf-8")
    columns = Columns(names={"title": "Headline"})
    (page,) = read_source(str(path), columns=columns)
    assert page.page_title == "Roof bees"
    assert columns.describe() == "columns used: Headline, url; ignored: score"
    with pytest.raises(InputError, match="no column with text is known among Headline, score"):
        list(read_source(str(path)))
    with pytest.raises(UsageError, match="field 'colour'"):
        Columns(names={"colour": "x"})


@pytest.mark.parametrize("cell", ["[" + "0," * 400_000 + "0]", "['" + "\\'" * 300_000])
def test_a_huge_list_in_a_cell_costs_no_more_than_its_size(cell: str) -> None:
    tracemalloc.start()
    page = read_record({"url": "https://a.example", "links": cell, "rank": 10**400})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert page.rank == 0
    assert peak < 120 * len(cell)


def test_a_line_without_end_costs_no_more_than_the_longest_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.io.csv_parquet.MAX_LINE_BYTES", 10_000)
    path = tmp_path / "a.csv"
    path.write_text(f"title,text\nA,one\nB,{'x' * 5_000_000}\n", "utf-8")
    tracemalloc.start()
    page, failed = read_pages(str(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(page, Page)
    assert isinstance(failed, Failure)
    assert failed.reason == "line 2: not CSV: line longer than 0 MiB"
    assert peak < 1_000_000


def docx() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return data.getvalue()


def test_documents_are_recognised_wherever_they_lie(tmp_path: Path) -> None:
    files = {"a.pdf": b"%PDF-1.4", "b.docx": docx(), "c": docx()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("a.pdf", files["a.pdf"])
        archive.writestr("b.docx", files["b.docx"])
    found = [read for name in (*files, "d.zip") for read in read_pages(str(tmp_path / name))]
    kinds = [read.content_type[-12:] for read in found if isinstance(read, Document)]
    assert kinds == ["lication/pdf", "gml.document", "gml.document", "lication/pdf", "gml.document"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", b'{"text": "' + b"x" * 150 + b'"}\n{"text": "y"}\n', "line 1: longer than"),
        ("a.zip", {"a.txt": b"y", "b.txt": b"x" * 150}, "unpacks to too much"),
        ("folder", {"a.txt": b"y", "b.txt": b"x" * 150}, "over 0 MiB"),
    ],
)
def test_what_is_too_large_is_a_failure_and_the_rest_is_read(
    name: str,
    content: bytes | dict[str, bytes],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readers, "MAX_LINE_BYTES", 100)
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif name == "folder":
        path.mkdir()
        for member, text in content.items():
            (path / member).write_bytes(text)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, text in content.items():
                archive.writestr(member, text)
    found = list(read_pages(str(path)))
    assert [says in read.reason for read in found if isinstance(read, Failure)] == [True]
    assert any(not isinstance(read, Failure) for read in found)


def test_files_that_are_too_large_as_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "MAX_ZIP_BYTES", 50)
    monkeypatch.setattr(readers, "MAX_JSON_BYTES", 50)
    (tmp_path / "a.zip").write_bytes(docx())
    (tmp_path / "a.json").write_text(json.dumps([{"text": "x" * 60}]), "utf-8")
    with pytest.raises(InputError, match=r"a\.zip: over 0 MiB"):
        list(read_pages(str(tmp_path / "a.zip")))
    with pytest.raises(InputError, match=r"a\.json: JSON of over 0 MiB; use one page per line"):
        list(read_pages(str(tmp_path / "a.json")))
