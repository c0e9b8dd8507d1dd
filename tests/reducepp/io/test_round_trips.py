"""What is written is read back equal: pages in every form, own rows, profiles, packed bodies."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducepp.io.own_rows import read_own_rows
from reducepp.io.readers import read_bytes
from reducepp.io.records import dict_to_page, page_to_dict, page_to_record, read_record
from reducepp.scraping.store.exchange import export_store, import_file
from reducepp.scraping.store.packing import (
    pack,
    pack_many,
    read_page,
    unpack,
    unpack_many,
    write_page,
)
from reducepp.scraping.store.store import Store
from reducepp.types import Page
from reducepp.weights.profile import (
    dump_profile,
    dump_profile_json,
    load_profile,
    parse_profile,
    profile_names,
)

letters = st.characters(exclude_categories=("Cs", "Cc"))
texts = st.text(letters, max_size=40)
lines = st.text(letters, min_size=1, max_size=20).map(str.strip).filter(bool)
pages = st.builds(
    Page,
    id=lines,
    url=st.sampled_from(["https://a.example/", "http://b.example/x?y=é"]),
    rank=st.integers(1, 10**6),
    page_title=texts,
    site_title=texts,
    subtitles=st.lists(lines, max_size=3, unique=True).map(tuple),
    links=st.lists(lines, max_size=3, unique=True).map(tuple),
    body=lines,
    snippet=texts,
    author=texts,
)


@given(pages)
def test_a_page_as_record_and_as_line(page: Page) -> None:
    assert dict_to_page(page_to_dict(page, filled=True)) == page
    assert read_page(write_page(page), page.url).body == page.body
    line = json.dumps(page_to_dict(page, filled=True), ensure_ascii=False)
    (read,) = read_bytes(line.encode() + b"\n", name="x.jsonl")
    assert read == page
    shown = read_record(page_to_record(page))
    assert isinstance(shown, Page)
    assert replace(shown, snippet=page.snippet) == page


@given(st.lists(pages, min_size=1, max_size=4))
def test_pages_as_a_table(found: list[Page]) -> None:
    fields = ("id", "url", "rank", "page_title", "subtitles", "links", "body", "author")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(fields)
    for page in found:
        cells = (getattr(page, name) for name in fields)
        writer.writerow([json.dumps(c) if isinstance(c, tuple) else c for c in cells])
    read = list(read_bytes(text.getvalue().encode(), name="x.csv"))
    assert read == [replace(page, site_title="", snippet="") for page in found]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@settings(max_examples=10)
@given(found=st.lists(pages, min_size=1, max_size=4, unique_by=lambda page: page.id))
def test_a_store_and_its_export(
    form: str, found: list[Page], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("store")
    given_pages = [
        replace(page, url=f"https://{i}.example/", query="q", rank=i)
        for i, page in enumerate(found, 1)
    ]
    source = folder / "in.jsonl"
    source.write_text(
        "".join(json.dumps(page_to_dict(page, filled=True)) + "\n" for page in given_pages)
    )
    with Store(folder / "a.sqlite") as store:
        assert import_file(store, source) == len(found)
        export_store(store, folder / f"out.{form}")
    read = list(read_bytes((folder / f"out.{form}").read_bytes(), name=f"x.{form}"))
    assert [(p.url, p.body, p.page_title, p.links) for p in read if isinstance(p, Page)] == [
        (p.url, p.body, p.page_title, p.links) for p in given_pages
    ]


@settings(max_examples=60)
@given(
    cells=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
        min_size=2,
        max_size=6,
    ),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
def test_rows_that_are_all_kept_are_the_same_bytes(
    cells: list[str], encoding: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["url", "body"])
    writer.writerows([f"https://{i}.example/", cell] for i, cell in enumerate(cells))
    data = text.getvalue().encode(encoding, "replace")
    _check_unchanged(tmp_path_factory.mktemp("rows") / "x.csv", data)


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9)), min_size=1, max_size=4))
def test_lines_that_are_all_kept_are_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, str]]
) -> None:
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    _check_unchanged(tmp_path_factory.mktemp("rows") / "x.jsonl", data)


def _check_unchanged(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    rows = read_own_rows(str(path), form=path.suffix[1:])
    assert rows.write(range(len(rows.records)), None) == data


@given(st.binary(max_size=300), st.lists(st.binary(max_size=50), max_size=4))
def test_packed_bodies(body: bytes, parts: list[bytes]) -> None:
    assert unpack(pack(body)) == body
    assert unpack_many(pack_many(parts)) == tuple(parts)


@pytest.mark.parametrize("name", profile_names())
def test_profiles_as_toml_and_json(name: str) -> None:
    profile = load_profile(name)
    assert parse_profile(dump_profile(profile), where=name, name=name) == profile
    assert parse_profile(dump_profile_json(profile), where=name, name=name) == profile
