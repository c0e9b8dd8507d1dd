"""One set in parts: the same result as on one machine, through every stage that can fail."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from reducepp.api import ReduceOptions, find_profile, reduce_pages
from reducepp.cli import main
from reducepp.cluster.counted_pages import read_counted
from reducepp.cluster.one_set import reduce_set
from reducepp.cluster.part_runs import Workers, read_all
from reducepp.cluster.set_cuts import deal
from reducepp.comparison import rank_pages
from reducepp.io.readers import assign_ids
from reducepp.io.records import page_to_dict
from reducepp.io.writers import reduction_to_dict
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import copies_on_sites, documents_of
from reducepp.similarity.pairs import PairList
from reducepp.similarity.score_matrix import score_listed
from reducepp.types import Page
from tests.programs import Cli
from tests.reducepp.cluster.conftest import Cluster
from tests.reducepp.similarity.test_candidates import WORDS, make_pages
from tests.waiting import wait_until

PARTS, PAGES = 3, 30


def write_pages(folder: Path, *, copies: int = 0) -> list[Page]:
    """The pages of three parts, the first with as many copies of one page."""
    folder.mkdir()
    found = []
    for part in range(PARTS):
        pages = [replace(page, id=f"{part}-{page.id}") for page in make_pages(part, PAGES)]
        copy = max(pages, key=lambda page: len(page.body))
        pages += [
            replace(copy, id=f"copy-{n}", url=f"https://copy{n}.example/{part}")
            for n in range(copies * (not part))
        ]
        rows = [page_to_dict(page) for page in pages]
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / f"{part}.parquet")
        found += pages
    unique = assign_ids(replace(page, query="", rank=0) for page in found)
    return [page for page in unique if isinstance(page, Page)]


def as_sets(clusters: list[Any], dropped: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return {one["kept"]: one for one in clusters}, {one["id"]: one for one in dropped}


def on_one_machine(pages: list[Page], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found = reduction_to_dict(reduce_pages(pages, ReduceOptions(**options)))
    return as_sets(found["clusters"], found["dropped"])


def in_parts(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    rows = pyarrow.parquet.read_table(folder).to_pylist()
    clusters = [json.loads(row["cluster"]) for row in rows if row["cluster"]]
    dropped = [json.loads(row["dropped"]) for row in rows if row["dropped"]]
    assert len(clusters) + len(dropped) == len(rows)
    assert all(row["kept"] == row["id"] for row in rows if row["cluster"])
    return as_sets(clusters, dropped)


@pytest.mark.parametrize("words", [[], ["--profile", "paper"], ["--candidates", "lsh"]])
def test_a_set_in_parts_is_reduced_as_on_one_machine(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = write_pages(tmp_path / "in", copies=3)
    out = tmp_path / "out"
    command = ["reduce", str(tmp_path / "in"), "--parts", str(out), "--one-set", "--jobs", "1"]
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    assert main([*command, *words]) == 0
    options = {words[0].removeprefix("--"): words[1]} if words else {}
    assert in_parts(out) == on_one_machine(pages, **options)
    assert (out / "_census").exists() == (not words), "the default profile needs no whole set"


def site_pages(seed: int, count: int) -> list[Page]:
    """Pages of a few sites with revised copies, common names, states of programs and results."""
    rng, pages = np.random.default_rng(seed), list[Page]()
    for i in range(count):
        words = rng.choice(WORDS, size=int(rng.choice([0, 6, 25, 39, 90, 300]))).tolist()
        if pages and rng.random() < 0.6:
            words = pages[int(rng.integers(max(0, i - 15), i))].body.split()
            for place in rng.integers(max(len(words), 1), size=int(rng.integers(6))):
                words[place : place + 1] = rng.choice(WORDS, size=1).tolist()
        body = " ".join(words) if rng.random() > 0.03 else "123 — ☂"
        name = f"{rng.choice(['page', 'story'])}-{rng.integers(count // 3)}"
        url = f"https://site{rng.choice([0, 0, 0, 1, 1, 2, 3, 4])}.example/{name}"
        url += str(rng.choice(["", "", "", "?q=1", "?q=2", "#s"]))
        title = " ".join(rng.choice(WORDS[:20], size=int(rng.choice([0, 0, 1, 2, 3]))))
        more = [{}, {}, {}, {"snippet": body}, {"visible": f"menu {body}"}][int(rng.integers(5))]
        known = str(rng.choice(["", "", "", "", "home", "error"]))
        page = Page(id=f"p{i}", url=url, page_title=title, body=body, content_class=known, **more)
        pages.append(page)
    return pages


def run_set(pages: list[Page], folder: Path, **options: Any) -> Path:
    """The folder of the results of pages in two parts."""
    (folder / "in").mkdir(parents=True)
    parts = [folder / "in" / name for name in ("a.parquet", "b.parquet")]
    for part, some in zip(parts, (pages[: len(pages) // 3], pages[len(pages) // 3 :]), strict=True):
        rows = [page_to_dict(page) for page in some]
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), part)
    chosen = ReduceOptions(profile=find_profile("default"), **options)
    done = list(reduce_set(parts, folder / "out", chosen, Workers(jobs=1)))
    assert not [one.error for one in done if one.error]
    return folder / "out"


@pytest.mark.parametrize(
    ("blocks", "count", "options"),
    [
        (1, 70, {}),
        (3, 100, {}),
        (5, 130, {}),
        (3, 100, {"threshold": 0.3}),
        (4, 100, {"linkage": "average"}),
        (3, 100, {"keep": "medoid"}),
    ],
)
def test_any_set_is_reduced_as_on_one_machine(
    blocks: int,
    count: int,
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    monkeypatch.setattr("reducepp.cluster.one_set.LEAST_BLOCKS", blocks)
    pages = site_pages(blocks + 10 * len(options), count)
    out = run_set(pages, tmp_path, **options)
    ranked = [replace(page, rank=place) for place, page in enumerate(pages, 1)]
    assert in_parts(out) == on_one_machine(ranked, **options)


def test_pages_of_two_blocks_score_as_in_the_whole_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.cluster.one_set.LEAST_BLOCKS", 4)
    pages, profile = site_pages(5, 120), find_profile("default")
    out = run_set(pages, tmp_path)
    blocks = sorted((out / "_blocks").iterdir())[1:4:2]
    some = read_counted(partial(read_all, blocks))
    of_set = np.array([*range(30, 60), *range(90, 120)])
    assert len(some.pages) == len(of_set)
    first, second = np.triu_indices(len(of_set), 1)
    found, scores = score_listed(some, profile, PairList(len(of_set), first, second))
    whole = PageSet(pages, prepare=profile.prepare)
    pairs = PairList(len(pages), of_set[first], of_set[second])
    wanted, all_scores = score_listed(whole, profile, pairs)
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)
    np.testing.assert_array_equal(scores, all_scores)
    copies = pyarrow.parquet.read_table(out / "_copies")
    assert len(copies) == np.count_nonzero(copies_on_sites(whole) >= 0) > 0
    names = rank_pages(pages, profile)
    census = pyarrow.parquet.read_table(out / "_census")
    assert len(set(census["document"].to_pylist())) == len(set(documents_of(names).tolist()))


def test_a_stopped_run_goes_on_and_other_options_are_refused(tmp_path: Path, cli: Cli) -> None:
    pages = write_pages(tmp_path / "in")
    out = tmp_path / "out"
    command = ["reduce", tmp_path / "in", "--parts", out, "--one-set", "--jobs", "1"]
    (tmp_path / "in" / "bad.parquet").write_bytes(b"PAR1 and nothing of it PAR1")
    assert "bad.parquet" in cli(*command, status=1).err
    assert len(list((out / "_pages").glob("*.parquet"))) == PARTS
    (tmp_path / "in" / "bad.parquet").unlink()
    cli(*command, status=2)  # another set needs another folder
    (out / "_run.json").unlink()
    cli(*command)
    block, tile = next(out.glob("*.parquet")), next((out / "_pairs").glob("*.parquet"))
    block.unlink()
    tile.unlink()
    assert "2 parts done" in cli(*command).err
    assert in_parts(out) == on_one_machine(pages)
    tile.write_bytes(b"nothing")
    block.unlink()
    assert f"_pairs/{tile.name}: damaged" in cli(*command, status=1).err
    dealt = out / "_dealt" / block.name
    dealt.write_bytes(dealt.read_bytes()[:-100])
    tile.unlink()
    assert f"_dealt/{block.name}: damaged" in cli(*command, status=1).err
    cli(*command, "--target-n", "5", status=2)
    cli("reduce", tmp_path / "in", "--one-set", status=2)


def test_components_stay_whole_and_the_largest_is_alone() -> None:
    components = np.array([0] * 30 + list(range(1, 71)))
    blocks = deal(components, 4)
    assert len(set(blocks[:30])) == 1
    assert not set(blocks[:30]) & set(blocks[30:])
    assert sorted(np.bincount(blocks)) == [23, 23, 24, 30]


@pytest.mark.slow
def test_a_skewed_set_on_a_cluster_with_a_lost_worker(cluster: Cluster, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "in", copies=PARTS * PAGES * 3 // 7)
    out = tmp_path / "out"
    running = cluster.reduce(tmp_path / "in", out, "--one-set")
    wait_until(lambda: list((out / "_pairs").glob("*.parquet")))
    cluster.stop("one")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors
    assert in_parts(out) == on_one_machine(pages)
    assert not [path for path in out.glob("**/.*") if path.is_file()]


@pytest.mark.slow
def test_a_set_whose_scheduler_is_lost_and_started_again(cluster: Cluster, tmp_path: Path) -> None:
    pages, out = write_pages(tmp_path / "in"), tmp_path / "out"
    running = cluster.reduce(tmp_path / "in", out, "--one-set")
    wait_until(lambda: list((out / "_pairs").glob("*.parquet")))
    cluster.stop("scheduler", "one", "two")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 1, errors
    assert "run it again" in errors
    cluster.start()
    again = cluster.reduce(tmp_path / "in", out, "--one-set")
    _, errors = again.communicate(timeout=300)
    assert again.returncode == 0, errors
    assert in_parts(out) == on_one_machine(pages)
