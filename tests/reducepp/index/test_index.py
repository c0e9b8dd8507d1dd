"""The index of pages: the same answers in any order of adding, those of a run from scratch."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reducepp.api import ReduceOptions, find_profile, reduce_pages
from reducepp.comparison import compare_pages
from reducepp.errors import InputError, UsageError
from reducepp.evidence.page_facts import PageFacts
from reducepp.index import Index
from reducepp.index.database import Database
from reducepp.io.writers import reduction_to_dict
from reducepp.types import Integers, Page
from tests.programs import Cli
from tests.reducepp.similarity.test_candidates import make_pages

WORDS = [f"{a}{b}{c}" for a in "bdfgkprst" for b in "aeiou" for c in "klmnrstv"]


def long_pages(seed: int) -> list[Page]:
    """Pages of 200 to 2,500 words, half of them copies with changes, on a few sites."""
    rng = np.random.default_rng(seed)
    pages: list[Page] = []
    for i in range(16):
        words = [f"{a}{b}" for a, b in rng.choice(WORDS, size=(int(rng.integers(200, 2500)), 2))]
        if pages and rng.random() < 0.6:
            copied = pages[int(rng.integers(len(pages)))].body.split()
            words = copied[: int(len(copied) * rng.uniform(0.3, 1))] + words[:100]
        url = f"https://site{rng.integers(30)}.example/{i}"
        pages.append(Page(id=f"p{i}", rank=i + 1, url=url, body=" ".join(words)))
    return pages


def state_pages(seed: int) -> list[Page]:
    """The same pages as states of one program, under one address or with a query each."""
    query = "?id={}" if seed % 2 else ""
    url = "https://book.example/edit.php" + query
    return [replace(p, url=url.format(p.id), page_title=f"Entry {p.id}") for p in long_pages(seed)]


def scratch(page: Page, pages: list[Page]) -> dict[str, float]:
    """Scores of 0.35 and more of a page with others that agree, in a run of all of them."""
    found = compare_pages([page, *pages], find_profile("default"))
    ids, facts = [p.id for p in found.pages], PageFacts(found.pages)
    place = ids.index(page.id)
    return {
        ids[i]: float(found.scores[place, i])
        for i in range(len(ids))
        if i != place and found.scores[place, i] >= 0.35 and not facts.contradict(place, i)
    }


def no_copy_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """No copies with scattered changes are counted as one document."""

    def no_groups(runs: Any, sites: Integers) -> Integers:
        return np.full(runs.shape[0], -1, dtype=np.int64)

    for module in ("similarity.documents", "index.site_documents"):
        monkeypatch.setattr(f"reducepp.{module}.copy_groups", no_groups)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [make_pages, long_pages, state_pages])
def test_answers_are_those_of_a_run_from_scratch(
    make: Any, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_copy_groups(monkeypatch)
    monkeypatch.setattr("reducepp.index.MATCHES", 100)
    pages = make(seed)
    expected = [(page, scratch(page, pages[4:])) for page in pages[:4]]
    for frequent in (2, 256):
        monkeypatch.setattr("reducepp.index.known_pages.MIN_FREQUENT", frequent)
        with Index(tmp_path / f"{frequent}.idx") as index:
            index.add(pages[4:])
            for (page, scores), threshold in product(expected, (0.5, 0.35)):
                answer = index.query(page, threshold=threshold)
                found = {match.id: match.score for match in answer.matches}
                reached = {name: score for name, score in scores.items() if score >= threshold}
                assert found == pytest.approx(reached, abs=1e-11)


def test_texts_without_address_are_compared_as_those_of_different_sites(tmp_path: Path) -> None:
    answers = []
    for url in ("", "https://{}.example/"):
        pages = [replace(page, url=url.format(page.id)) for page in long_pages(1)]
        with Index(tmp_path / f"{bool(url)}.idx") as index:
            index.add(pages[4:])
            answers.append([[m.score for m in index.query(p).matches] for p in pages[:4]])
    assert answers[0] == answers[1]
    assert any(answers[0])


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_adding_changes_anything(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.index.census.SAMPLE", 12)
    monkeypatch.setattr("reducepp.index.known_pages.SITE_SAMPLE", 3)
    pages, rng = make_pages(seed, 50), np.random.default_rng(seed)
    answers, reductions = [], []
    for run in range(3):
        order = rng.permutation(np.arange(10, 50)).tolist()
        cuts = sorted(rng.integers(0, 40, size=run * 3).tolist())
        with Index(tmp_path / f"{run}.idx") as index:
            for start, end in zip([0, *cuts], [*cuts, 40], strict=True):
                index.add([pages[i] for i in order[start:end]])
            answers.append([index.query(page).matches for page in pages[:10]])
            reductions.append(reduction_to_dict(index.reduce()))
    assert answers[1:] == answers[:1] * 2
    assert any(answers[0])
    assert reductions[1:] == reductions[:1] * 2
    ranked = [replace(page, rank=i + 1) for i, page in enumerate(pages[10:])]
    assert reductions[0] == reduction_to_dict(reduce_pages(ranked, ReduceOptions()))


def test_another_text_under_a_known_address_is_new_and_remembered(tmp_path: Path) -> None:
    texts = ("The council will repair the old lighthouse. ", "Beat eggs, sugar and honey. ")
    url = "https://a.example/today"
    first, later = (Page(id=url, url=url, page_title="Today", body=text * 20) for text in texts)
    with Index(tmp_path / "seen.idx") as index:
        index.add([first])
        for added in (1, 0, 0):
            found = index.reduce_unseen([first, later], ReduceOptions())
            assert (found.kept, len(found.seen)) == ((url,) * added, 2 - added)
            assert index.remember(found) == added
        assert index.remember(index.reduce()) == 0


def test_pages_are_added_once_and_stay(tmp_path: Path) -> None:
    pages = make_pages(3)
    with Index(tmp_path / "seen.idx") as index:
        assert index.add(pages, shown_at="2026-01-02") == len(pages)
        assert index.add(pages[:5]) == 0
        assert index.add([*pages[:5], replace(pages[0], id="new")]) == 1
        with Index(tmp_path / "seen.idx", create=False) as other:
            assert other.add([replace(pages[1], id="another")]) == 1
        assert len(index) == len(pages) + 2
        (match,) = index.query(replace(pages[9], id="x")).matches[:1]
        assert (match.shown_at, match.score) == ("2026-01-02", 1.0)
        with pytest.raises(UsageError, match=r"from 0\.3 to 1"):
            index.query(pages[0], threshold=0.1)


def test_a_question_sees_the_index_as_it_is_at_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = make_pages(3)
    with Index(tmp_path / "seen.idx") as index, Index(tmp_path / "seen.idx") as other:
        other.add(pages[:30])
        before = index.query(replace(pages[9], id="x"))
        look_up = Database.postings

        def add_meanwhile(self: Database, *given: Any) -> Any:
            monkeypatch.setattr(Database, "postings", look_up)
            other.add(replace(page, id=f"again {page.id}") for page in pages)
            return look_up(self, *given)

        monkeypatch.setattr(Database, "postings", add_meanwhile)
        assert index.query(replace(pages[9], id="x")) == before
        assert index.query(replace(pages[9], id="x")) != before


def test_an_empty_index_and_an_empty_page(tmp_path: Path) -> None:
    with Index(tmp_path / "seen.idx") as index:
        assert index.query(Page(id="a", body="Rain in Spain")).is_new
        assert index.add([]) == 0
        index.add([Page(id="a"), Page(id="b", body="☂ 12"), Page(id="c", body="Rain in Spain")])
        assert index.query(Page(id="d")).is_new
        assert [m.id for m in index.query(Page(id="d", body="☂12")).matches] == ["b"]
        assert index.reduce().after == 3


def test_an_index_is_no_input_and_says_so(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "seen.idx"
    with Index(path) as index:
        index.add([Page(id="a", body="Rain in Spain")])
    for words in (("reduce", path), ("index", "add", tmp_path / "other.idx", path)):
        assert "seen.idx: this is an index of pages" in cli(*words, status=1).err


def test_an_index_that_may_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder without write permission, which root does not know."""
    path, connect = tmp_path / "seen.idx", Database._connect
    with Index(path) as index:
        index.add([Page(id="a", body="Rain in Spain")])

    def refuse_writing(database: Database, immutable: bool) -> sqlite3.Connection:
        if not immutable:
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return connect(database, immutable)

    monkeypatch.setattr(Database, "_connect", refuse_writing)
    with Index(path, create=False) as index:
        assert [m.id for m in index.query(Page(id="b", body="Rain in Spain")).matches] == ["a"]
    with pytest.raises(InputError, match="it may only be read"):
        Index(path)


@pytest.mark.parametrize("kind", ["text", "other database", "newer"])
def test_a_file_that_is_no_index_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "seen.idx"
    if kind == "text":
        path.write_text("not a database at all, but long enough to look like one" * 99)
    else:
        Index(path).close() if kind == "newer" else None
        database = sqlite3.connect(path)
        database.execute("PRAGMA user_version = 9")
        database.execute("CREATE TABLE more (a)")
        database.commit()
        database.close()
    with pytest.raises(InputError, match=r"seen.idx: .*(not an index|version 9)"):
        Index(path)
    with pytest.raises(InputError, match="no such file"):
        Index(tmp_path / "none.idx", create=False)
    with pytest.raises(InputError, match="cannot write: there is no folder"):
        Index(tmp_path / "nowhere" / "seen.idx")


ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x, x, x FROM r"


@pytest.mark.parametrize(
    ("kind", "statements"),
    [
        ("view", f"DROP TABLE postings; CREATE VIEW postings (run, closed_at, pages) AS {ENDLESS}"),
        ("trigger", f"CREATE TRIGGER t AFTER INSERT ON pages BEGIN {ENDLESS}; END"),
        ("table", "CREATE TABLE more (a, b AS (hex(zeroblob(1000000))))"),
    ],
)
def test_an_index_from_elsewhere_runs_nothing(tmp_path: Path, kind: str, statements: str) -> None:
    path = tmp_path / "pages.index"
    with Index(path) as index:
        index.add(long_pages(1)[:3])
    with sqlite3.connect(path) as database:
        database.executescript(statements)
    database.close()
    with pytest.raises(InputError, match=f"not an index of pages: it holds the {kind} "):
        Index(path)


def add_slowly(path: Path, ready: Any) -> None:
    """Begin to add pages and never end."""
    index = Index(path)
    index.add(make_pages(1)[:10])
    with index._database.transaction():
        index._database.add(10, [])
        index._database.rows("DELETE FROM postings")
        ready.set()
        signal.pause()


def test_a_writer_that_is_killed_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = multiprocessing.get_context("spawn")
    ready, path = context.Event(), tmp_path / "seen.idx"
    process = context.Process(target=add_slowly, args=(path, ready))
    process.start()
    assert ready.wait(60)
    monkeypatch.setattr("reducepp.io.sqlite_file.WAIT_SECONDS", 0.1)
    pages = make_pages(1)
    with Index(path, create=False) as index:
        assert len(index) == 10, "others read what was there before"
        with pytest.raises(InputError, match="another process is adding"):
            index.add(pages)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        assert index.add(pages) == 30
    with Index(path, create=False) as index, Index(tmp_path / "whole.idx") as whole:
        whole.add(pages)
        asked = [replace(page, id="asked") for page in pages]
        assert [index.query(p) for p in asked] == [whole.query(p) for p in asked]


def test_the_commands(tmp_path: Path, cli: Cli) -> None:
    story = "The council voted on Monday to repair the old lighthouse, dark since the great storm."
    monday = [{"url": "https://a.example/1", "title": "Lighthouse", "body": story, "query": "q"}]
    tuesday = [
        {"url": "https://b.example/2", "title": "Lighthouse", "body": f"{story} More."},
        {"url": "https://c.example/3", "title": "Walks", "body": "A walk on the cliffs at dawn."},
    ]
    files = {"monday": monday, "tuesday": tuesday}
    for name, rows in files.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    index, new = str(tmp_path / "seen.idx"), str(tmp_path / "tuesday")
    at = ["--shown-at", "2026-11-16"]
    assert "1 added, 0 known, 1 in all" in cli("index", "add", index, tmp_path / "monday", *at).err
    first, second = map(json.loads, cli("index", "query", index, new).out.splitlines())
    assert (first["new"], second["new"]) == (False, True)
    assert first["matches"][0]["url"] == "https://a.example/1"
    (reduction,) = json.loads(
        cli("reduce", new, "--seen", index, "--format", "json", "--remember").out
    )["reductions"]
    assert (reduction["before"], reduction["after"]) == (2, 1)
    shown = reduction["seen"][0]["shown"]
    assert (shown["query"], shown["shown_at"]) == ("q", "2026-11-16")
    for form, says in (
        ("table", "shown on 2026-11-16 for"),
        ("md", "Seen: "),
        ("csv", ",seen,collapse\n"),
    ):
        assert says in cli("reduce", new, "--seen", index, "--format", form).out
    assert json.loads(cli("index", "reduce", index, "--format", "jsonl").out)["before"] == 2
    cli("reduce", new, "--remember", status=2)
    cli("index", "query", "none.idx", new, status=1)
