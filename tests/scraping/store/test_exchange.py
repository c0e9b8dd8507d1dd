"""A store out to other forms and in again: JSONL, Parquet, CSV in Table I's columns."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reducepp.errors import InputError, UsageError
from reducepp.io.readers import read_pages
from reducepp.sandbox import map_sandboxed
from reducepp.scraping.store.dataset import read_store_pages, table_one
from reducepp.scraping.store.exchange import COLUMNS, export_store, import_file
from reducepp.scraping.store.store import Store
from reducepp.types import Page, SearchHit
from tests.programs import Cli
from tests.scraping.stores import HTML, TEXTS


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_out_and_in_again(filled: Path, tmp_path: Path, form: str) -> None:
    out, copy = tmp_path / f"pages.{form}", tmp_path / "copy.sqlite"
    with Store(filled) as store, store.transaction():
        late = SearchHit(query="lights", engine="bing", rank=9, url="http://s4.example/p?a=1&b=é")
        store.put_hit(late)
    assert [page.rank for page in read_store_pages(filled)][:4] == [1, 2, 3, 9]
    with Store(filled, mode="read") as store:
        assert export_store(store, out) == 7
    with Store(copy) as store:
        assert import_file(store, out) == 7
    assert _plain(list(read_store_pages(copy))) == _plain(list(read_store_pages(filled)))
    assert table_one(copy)["records_by_domain"] == table_one(filled)["records_by_domain"]
    assert not list(tmp_path.glob(".*"))


def test_files_with_the_same_ranks_do_not_drive_one_another_out(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for name in ("one", "two"):
        source = tmp_path / f"{name}.jsonl"
        lines = [
            {"url": f"http://{name}{n}.example/", "query": "q", "rank": rank, "body": "text " * 30}
            for n, rank in enumerate((1, 2, 2, 7, 1))
        ]
        source.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        for _ in range(2):  # a second time changes nothing
            with Store(path) as store:
                assert import_file(store, source) == 5
    pages = list(read_store_pages(path))
    assert len({page.url for page in pages}) == len(pages) == 10
    assert [page.url[7:11] for page in pages[:4]] == ["one0", "two0", "one4", "two4"]


def _plain(pages: list[Page]) -> list[str]:
    return [repr(page) for page in pages]


def test_csv_has_the_columns_of_table_one(filled: Path, tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "pages.csv"
    assert "visible text of 6 pages" in cli("dataset", filled, "--export", out).err
    assert "visible" not in cli("dataset", filled, "--export", tmp_path / "pages.jsonl").err
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["Language"] for row in rows] == ["en"] * 3 + ["fr"] * 3
    assert json.loads(rows[0]["List of Subtitles"])
    read = [page for page in read_pages(str(out)) if isinstance(page, Page)]
    original = list(read_store_pages(filled))
    for field in ("query", "url", "body", "site_title", "page_title", "subtitles", "links"):
        assert [getattr(p, field) for p in read] == [getattr(p, field) for p in original]


def test_whole_pages_come_in_with_their_bytes(tmp_path: Path) -> None:
    source, path = tmp_path / "pages.jsonl", tmp_path / "s.sqlite"
    html = HTML.format(lang="fr", title="Phare", n=1, text=TEXTS["fr"])
    lines = [{"url": "http://a.example/", "html": html, "query": "q"}, {"url": "", "html": ""}]
    source.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with Store(path) as store:
        assert import_file(store, source) == 1
        raw = store.raw(SearchHit(url="http://a.example/"))
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


def test_documents_of_a_file_are_split_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers start once, not per page; of two records of one address the later one stands."""
    calls: list[int] = []

    def count_calls(work: Any, items: list[Any], **options: Any) -> Iterator[Any]:
        calls.append(len(items))
        return map_sandboxed(work, items, **options)

    monkeypatch.setattr("reducepp.scraping.store.dataset.map_sandboxed", count_calls)
    rows = [{"url": f"https://{n}.example/", "html": f"<title>{n}</title><p>x"} for n in range(5)]
    rows += [{"url": "https://0.example/", "title": "Later"}]
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with Store(tmp_path / "store") as store:
        import_file(store, source)
    assert calls == [4]
    titles = {page.url: page.page_title for page in read_store_pages(tmp_path / "store")}
    assert (titles["https://0.example/"], titles["https://4.example/"]) == ("Later", "4")
