"""One set in parts: the same result as on one machine, through every stage that can fail."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from reducepp.api import ReduceOptions, find_profile, reduce_pages
from reducepp.cli import main
from reducepp.cluster.one_set import deal, load_set
from reducepp.comparison import rank_pages
from reducepp.io.readers import assign_ids
from reducepp.io.records import page_to_dict
from reducepp.io.writers import reduction_to_dict
from reducepp.similarity.candidates import CANDIDATES, candidate_pairs
from reducepp.similarity.inverted_index import Block
from reducepp.similarity.pairs import concatenate
from reducepp.types import Page
from tests.reducepp.cluster.conftest import Cluster
from tests.reducepp.similarity.test_candidates import make_pages
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
    settled = assign_ids(replace(page, query="", rank=0) for page in found)
    return [page for page in settled if isinstance(page, Page)]


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
    assert main([*command, *words]) == 0
    monkeypatch.setattr("reducepp.comparison.MAX_DENSE_PAGES", 0)
    options = {words[0].removeprefix("--"): words[1]} if words else {}
    assert in_parts(out) == on_one_machine(pages, **options)


def test_a_stopped_run_goes_on_and_other_options_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = write_pages(tmp_path / "in")
    out = tmp_path / "out"
    command = ["reduce", str(tmp_path / "in"), "--parts", str(out), "--one-set", "--jobs", "1"]
    (tmp_path / "in" / "bad.parquet").write_bytes(b"PAR1 and nothing of it PAR1")
    assert main(command) == 1
    assert "bad.parquet" in capsys.readouterr().err
    assert len(list((out / "_pages").glob("*.parquet"))) == PARTS
    (tmp_path / "in" / "bad.parquet").unlink()
    assert main(command) == 2, "another set needs another folder"
    (out / "_run.json").unlink()
    assert main(command) == 0
    block = next(out.glob("*.parquet"))
    block.unlink()
    (out / "_pairs" / block.name).unlink()
    capsys.readouterr()
    assert main(command) == 0
    assert "2 parts done" in capsys.readouterr().err
    assert in_parts(out) == on_one_machine(pages)
    (out / "_pairs" / block.name).write_bytes(b"nothing")
    block.unlink()
    assert main(command) == 1
    assert f"_pairs/{block.name}: damaged" in capsys.readouterr().err
    assert main([*command, "--target-n", "5"]) == 2
    assert main(["reduce", str(tmp_path / "in"), "--one-set"]) == 2


@pytest.mark.parametrize("method", CANDIDATES)
@pytest.mark.parametrize("profile", ["default", "snippets"])
def test_blocks_find_all_candidates_together(profile: str, method: str) -> None:
    chosen = find_profile(profile)
    page_set = rank_pages(make_pages(7, 60), chosen)
    whole = candidate_pairs(page_set, chosen, 0.6, method)
    blocks = [
        candidate_pairs(page_set, chosen, 0.6, method, block=Block(number=k, of=5))
        for k in range(5)
    ]
    assert whole is not None
    found = concatenate([block for block in blocks if block is not None])
    assert set(zip(*map(list, found), strict=True)) == set(zip(*map(list, whole), strict=True))
    sizes = [len(block[0]) for block in blocks if block is not None]
    assert max(sizes) < len(whole[0])


def test_components_stay_whole_and_the_largest_is_alone() -> None:
    components = np.array([0] * 30 + list(range(1, 71)))
    blocks = deal(components, 4)
    assert len(set(blocks[:30])) == 1
    assert not set(blocks[:30]) & set(blocks[30:])
    assert sorted(np.bincount(blocks)) == [23, 23, 24, 30]


def test_a_process_holds_one_set_and_notices_new_files(tmp_path: Path) -> None:
    write_pages(tmp_path / "in")
    out = tmp_path / "out"
    assert main(["split", str(tmp_path / "in"), "--parts", str(out), "--jobs", "1"]) == 0
    files = tuple(map(str, sorted(out.glob("*.parquet"))))
    first = load_set(files, ReduceOptions())
    assert load_set(files, ReduceOptions()) is first
    assert load_set(files[:2], ReduceOptions()).pages != first.pages
    assert load_set(files, ReduceOptions()) is not first


@pytest.mark.slow
def test_a_skewed_set_on_a_cluster_with_a_lost_worker(cluster: Cluster, tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "in", copies=PARTS * PAGES * 3 // 7)
    out = tmp_path / "out"
    words = cluster.command(tmp_path / "in", out, "--one-set")
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: list((out / "_pairs").glob("*.parquet")))
    cluster.stop("one")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors
    assert in_parts(out) == on_one_machine(pages)
    assert not [path for path in out.glob("**/.*") if path.is_file()]


@pytest.mark.slow
def test_a_set_whose_scheduler_is_lost_and_started_again(cluster: Cluster, tmp_path: Path) -> None:
    pages, out = write_pages(tmp_path / "in"), tmp_path / "out"
    words = cluster.command(tmp_path / "in", out, "--one-set")
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: list((out / "_pairs").glob("*.parquet")))
    cluster.stop("scheduler", "one", "two")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 1, errors
    assert "run it again" in errors
    cluster.start()
    words = cluster.command(tmp_path / "in", out, "--one-set")
    again = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert again.returncode == 0, again.stderr
    assert in_parts(out) == on_one_machine(pages)
