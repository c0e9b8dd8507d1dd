"""The SearXNG plugin against a stand-in of its interface (searx_standin.py says how true)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.reducepp.plugins import searx_standin as searx
from tests.reducepp.plugins.samples import RESULTS

MODULE = "reducepp.plugins.searxng"
HIDDEN = "2 similar hidden: mirror.example, www.herald.example"


@pytest.fixture(autouse=True)
def _searx(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, module in searx.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    searx.SETTINGS.clear()
    yield
    sys.modules.pop(MODULE, None)


def run(*answers: list[Any], query: str = "rooftop bees") -> searx.Search:
    storage = searx.PluginStorage()
    storage.load_settings({f"{MODULE}.SXNGPlugin": {"active": True}})
    storage.init(app=None)
    search = searx.Search(query)
    for number, results in enumerate(answers):
        search.result_container.extend(f"engine{number}", results)
    storage.post_search(request=None, search=search)
    return search


def made(kind: Any = searx.MainResult, **more: Any) -> list[Any]:
    return [kind(url=r["url"], title=r["title"], content=r["snippet"], **more) for r in RESULTS]


def urls(search: searx.Search) -> list[str]:
    return [result.url for result in search.result_container.get_ordered_results()]


@pytest.mark.parametrize("kind", [searx.MainResult, searx.LegacyResult])
def test_copies_go_and_the_kept_one_says_how_many(kind: Any) -> None:
    search = run(made(kind))
    assert urls(search) == [RESULTS[i]["url"] for i in (0, 1, 3)]
    assert search.result_container.get_ordered_results()[0].metadata == HIDDEN


def test_other_metadata_stays() -> None:
    search = run(made(metadata="12 pages"))
    notes = [r.metadata for r in search.result_container.get_ordered_results()]
    assert notes == [f"12 pages | {HIDDEN}", "12 pages", "12 pages"]


def test_the_copy_that_searxng_ranks_best_stays() -> None:
    copy = made()[2]
    search = run(made()[:3], [copy])
    assert urls(search)[0] == RESULTS[2]["url"]
    assert RESULTS[0]["url"] not in urls(search)


def test_images_and_videos_are_left_alone() -> None:
    assert len(urls(run(made(template="images.html", img_src="https://i.example/1.png")))) == 5


def test_demote_puts_copies_last() -> None:
    searx.SETTINGS["reducepp"] = {"mode": "demote"}
    assert urls(run(made())) == [RESULTS[i]["url"] for i in (0, 1, 3, 2, 4)]


def test_settings_are_read_and_wrong_ones_leave_the_plugin_off(
    caplog: pytest.LogCaptureFixture,
) -> None:
    searx.SETTINGS["reducepp"] = {"min_score": 1.0}
    assert len(urls(run(made()))) == 4  # two spellings of one address score 1
    searx.SETTINGS["reducepp"] = {"min_score": 7}
    with caplog.at_level(logging.ERROR):
        assert len(urls(run(made()))) == 5
    assert "min_score 7" in caplog.text


def test_no_results() -> None:
    assert urls(run()) == []


def test_without_searxng_the_import_says_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "searx", None)
    with pytest.raises(ImportError, match="runs inside SearXNG"):
        __import__(MODULE)
