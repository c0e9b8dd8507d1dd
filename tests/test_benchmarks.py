"""The benchmarks can be named, and options reach the one that was."""

import re
import threading
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import corpus
from benchmarks.__main__ import names, run
from benchmarks.corpus_sources import CorpusPage


def test_every_benchmark_has_a_main() -> None:
    assert {"kernel", "labelled", "posts", "speed"} <= set(names())
    assert all(callable(import_module(f"benchmarks.{name}").main) for name in names())


def test_an_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kernels"]) == 2
    assert "no benchmark 'kernels'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--lists", "5"], ["clicks", "kernel", "--lists", "5"]])
def test_options_need_one_benchmark(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "need one benchmark" in capsys.readouterr().err


def test_options_reach_the_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clicks", "--lists", "300"]) == 0
    assert "300" in capsys.readouterr().out


def test_a_folder_of_pages_with_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prose = "The ferry left the quay at noon and came back after dark, with nets and no fish. " * 6
    for name, kind, gold in (
        ("one", "source", ("expected.html", f"<p>{prose}</p>")),
        ("two", "page", ("expected.json", f'{{"body": "{prose}"}}')),
        ("three", "page", ("notes.md", "no text")),
        (
            "four",
            "page",
            ("expected.json", '{"title": "Quay", "with": ["at noon"], "without": ["dark"]}'),
        ),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{kind}.html").write_text(f"<h1>Ferry</h1><p>{prose}</p>", encoding="utf-8")
        (folder / gold[0]).write_text(gold[1], encoding="utf-8")
    assert run(["extraction", "--gold", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "pages with a true text (2)" in out
    assert re.search(r"reducepp +1\.000", out)
    assert re.search(r"page title on 1 pages.*\n +reducepp +0\.000", out)
    assert re.search(r"reducepp +wanted 1\.000 .* unwanted 0\.000 .* precision 0\.500", out)


def test_excerpts_of_another_projects_tests(tmp_path: Path) -> None:
    from benchmarks.gold import read_gold

    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "quay.html").write_text("<p>The quay is shut.</p>", encoding="utf-8")
    (tmp_path / "realworld_tests.py").write_text(
        "MOCK_PAGES = {'http://bay.example/q': 'quay.html'}\n"
        "def test_extract():\n"
        "    result = load_mock_page('http://bay.example/q', True)\n"
        "    assert 'is shut' in result and 'Imprint' not in result\n",
        encoding="utf-8",
    )
    (page,) = read_gold(tmp_path)
    assert page.url == "http://bay.example/q"
    assert (page.wanted, page.unwanted) == (("is shut",), ("Imprint",))


def test_a_folder_without_texts_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no pages with a text"):
        run(["extraction", "--gold", str(tmp_path)])


def test_the_shuffle_is_counted() -> None:
    import numpy as np

    from benchmarks.shuffle import common_keys, fullest

    keys = [np.array(keys) for keys in ([1, 2], [2, 3, 4], [2, 4])]
    assert common_keys(keys) == pytest.approx((1 + 1 + 2) / 3)
    skewed = np.array([0.3, *[0.001] * 700])
    assert fullest(skewed, 10**6, 10**6, 10) > 9, "one machine has the block of 30 %"
    assert fullest(skewed, 10**6, 1000, 10) < 1.5


def test_a_method_that_fails_ends_its_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import scale

    monkeypatch.setitem(scale.METHODS, "absent", lambda pages: import_module("no_such_package"))
    threads = threading.active_count()
    with pytest.raises(ModuleNotFoundError):
        scale.measure("absent", "30 % copies", 3)
    assert threading.active_count() == threads, "a thread that goes on keeps the process alive"


def test_labels_of_the_corpus_follow_from_keys_and_give_way_to_the_text() -> None:
    ferry, market = (f"<p>{word} one two three four five six seven" for word in ("ferry", "market"))
    pages = [
        CorpusPage("a", "first", ferry),
        CorpusPage("a", "second", ferry + " eight"),
        CorpusPage("b", "first", "<p>nets were dried on the long quay at noon"),
        CorpusPage("b", "second", "<p>another text that is new in this release"),
        CorpusPage("c", "first", market),
        CorpusPage("c", "second", "<p>nothing of this stands anywhere else here", original=False),
        CorpusPage("c", "third", "<p>nor does any of that which follows it", original=False),
    ]
    by_key = {(a, b): label for a, b, label in corpus._labels(pages, "")}
    assert [pair for pair, label in by_key.items() if label] == [(0, 1), (2, 3), (4, 5), (4, 6)]
    assert (5, 6) not in by_key
    by_text = {(a, b): label for a, b, label in corpus._labels(pages, "all")}
    assert [pair for pair, label in by_text.items() if label] == [(0, 1)]
    assert {(0, 4), (1, 4), (2, 3)}.isdisjoint(by_text)
    assert by_text[0, 2] == 0
