"""Pages with their bodies on disk are the pages that they were."""

import json
import pickle
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.api import ReduceOptions, reduce_pages
from reducepp.inputs import read_queries, stream_queries
from reducepp.io import stored_pages
from reducepp.io.stored_pages import PageStore, StoredPage, TextsOfPages, loaded
from reducepp.io.writers import reduction_to_dict
from reducepp.types import Page

BODIES = ("The council repairs the old lighthouse.", "", "ساعة\nreçu 🙂", "half \ud83d a pair")


@pytest.fixture
def all_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_pages, "MAX_CHARS_IN_MEMORY", 0)


@pytest.mark.usefixtures("all_on_disk")
def test_a_body_is_read_back_whole() -> None:
    pages = [Page(id=str(i), body=body, rank=i) for i, body in enumerate(BODIES)]
    store = PageStore()
    kept = [store.keep(page) for page in pages]
    assert [isinstance(page, StoredPage) for page in kept] == [True, False, True, True]
    assert [page.body for page in kept] == list(BODIES)
    assert [loaded(page) for page in kept] == pages
    assert list(TextsOfPages(kept, lambda page: page.body)) == list(BODIES)


@pytest.mark.usefixtures("all_on_disk")
def test_copies_and_pickles_have_their_body() -> None:
    page = PageStore().keep(Page(id="a", body="a text", page_title="T"))
    assert replace(page, rank=3).body == "a text"
    again = pickle.loads(pickle.dumps(page))
    assert (again.body, again.page_title) == ("a text", "T")


def test_the_first_bodies_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_pages, "MAX_CHARS_IN_MEMORY", 10)
    store = PageStore()
    kept = [store.keep(Page(id=str(i), body="four")) for i in range(4)]
    assert [type(page) for page in kept] == [Page, Page, StoredPage, StoredPage]


def test_without_room_on_disk_bodies_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored_pages, "MAX_CHARS_IN_MEMORY", 0)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    assert type(PageStore().keep(Page(id="a", body="text"))) is Page


@pytest.mark.parametrize("read", [read_queries, lambda path: list(stream_queries(path))])
def test_reductions_are_same(read: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"Line {i} of a text about {word}s." for i in range(8) for word in ("ship", "tree")]
    bodies = ["\n".join(lines[i % 3 :]) for i in range(9)] + ["another text altogether", "short"]
    path = tmp_path / "pages.jsonl"
    rows = [{"id": str(i), "query": "q", "body": body} for i, body in enumerate(bodies)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    def found() -> dict[str, object]:
        (group,) = read(str(path))  # type: ignore[operator]
        return reduction_to_dict(reduce_pages(group.pages, ReduceOptions()))

    in_memory = found()
    monkeypatch.setattr(stored_pages, "MAX_CHARS_IN_MEMORY", 0)
    assert found() == in_memory
