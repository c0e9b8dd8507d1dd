"""Data sets in parts: on this machine, and on a real Dask scheduler with two worker processes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from reducepp.cli import main
from reducepp.cli.parts import report_parts
from reducepp.cluster.part_runs import Done, find_parts
from reducepp.demo.web_server import Sites
from reducepp.inputs import read_queries
from reducepp.io.records import page_to_dict
from tests.programs import Cli
from tests.reducepp.cluster.conftest import Cluster
from tests.reducepp.similarity.test_candidates import make_pages
from tests.scraping import web
from tests.scraping.runs import Steady
from tests.waiting import wait_until

PARTS = 4


def write_part(path: Path, number: int, queries: int = 2, pages: int = 15) -> None:
    rows = [
        {**page_to_dict(page, filled=True), "query": f"q{number}-{query}"}
        for query in range(queries)
        for page in make_pages(10 * number + query, pages)
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(PARTS):
        write_part(folder / f"part-{number}.parquet", number)
    write_part(folder / "skewed.parquet", 50, queries=6)
    return folder


def read_results(folder: Path) -> dict[str, dict[str, Any]]:
    table = pyarrow.parquet.read_table(folder)
    return {row["query"]: json.loads(row["reduction"]) for row in table.to_pylist()}


def reduce_locally(parts: Path, cli: Cli) -> dict[str, dict[str, Any]]:
    files = sorted(map(str, parts.glob("*.parquet")))
    printed = cli("reduce", *files, "--format", "jsonl", "--jobs", "1").out
    found = map(json.loads, printed.splitlines())
    return {reduction["query"]: reduction for reduction in found}


def test_without_pyarrow_the_run_ends_at_once(
    parts: Path, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not once per part, each after its work."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    said = cli("reduce", parts, "--parts", tmp_path / "out", status=1).err
    install = "pip install 'reducepp[tables]'"
    assert said == f"reducepp reduce: --parts needs an optional package: {install}\n"


def test_a_cluster_without_workers_says_that_it_waits(
    parts: Path, tmp_path: Path, cluster: Cluster
) -> None:
    from distributed import Client

    cluster.stop("one", "two")
    with Client(cluster.address, set_as_default=False) as client:
        wait_until(lambda: not client.nthreads())
    with cluster.reduce(parts, tmp_path / "out") as run:
        assert run.stderr is not None
        assert (
            "no worker yet, waiting for one; start it with: dask worker tcp"
            in run.stderr.readline()
        )
        run.kill()


def test_parts_on_this_machine_resume_and_refuse_other_options(
    parts: Path, tmp_path: Path, cli: Cli
) -> None:
    out = tmp_path / "out"
    wanted, words = reduce_locally(parts, cli), ("reduce", parts, "--parts", out)
    cli(*words, "--jobs", "1")
    assert read_results(out) == wanted
    (out / "part-3.parquet").unlink()
    before = (out / "part-1.parquet").stat().st_mtime_ns
    said = cli(*words, "--jobs", "1").err
    assert "1 part done (30 pages), 4 were done before" in said
    assert (out / "part-1.parquet").stat().st_mtime_ns == before
    assert read_results(out) == wanted
    cli(*words, "--threshold", "0.6", status=2)
    cli("reduce", parts, "--parts", parts, status=2)
    refused = cli(*words, "--format", "json", status=2).err
    assert refused.endswith("--format json: not with --parts, which writes Parquet files\n")
    cli("reduce", parts, "--cluster", "tcp://127.0.0.1:1", status=2)
    assert find_parts([str(parts)], out)[0].name == "skewed.parquet"


def test_sweep_in_parts_has_the_rows_of_sweep(parts: Path, tmp_path: Path, cli: Cli) -> None:
    words = ["--step", "0.2", "--profile", "default", "--jobs", "1"]
    files = sorted(map(str, parts.glob("part-[01].parquet")))
    cli("sweep", *files, "--parts", tmp_path / "out", *words)
    wanted = json.loads(cli("sweep", *files, "--format", "json", *words).out)["rows"]
    found = pyarrow.parquet.read_table(tmp_path / "out").to_pylist()
    assert [{k: row[k] for k in found[0]} for row in wanted] == found
    for more, said in ((("--format", "md"), "--format md"), (("--out", "rows.csv"), "--out")):
        words = ["sweep", *files, "--parts", tmp_path / "other", *more]
        assert f"{said}: not with --parts" in cli(*words, status=2).err


@pytest.mark.slow
def test_a_cluster_with_a_lost_worker_and_a_damaged_part(
    cluster: Cluster, parts: Path, tmp_path: Path, cli: Cli
) -> None:
    wanted = reduce_locally(parts, cli)
    (parts / "damaged.parquet").write_bytes(b"PAR1 and nothing of it PAR1")
    out = tmp_path / "out"
    running = cluster.reduce(parts, out)
    wait_until(lambda: list(out.glob("*.parquet")))
    cluster.stop("one")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 1, errors
    assert "damaged.parquet" in errors
    assert "1 of 6 parts failed" in errors
    assert read_results(out) == wanted
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_scheduler_that_is_lost_and_started_again(
    cluster: Cluster, parts: Path, tmp_path: Path, cli: Cli
) -> None:
    wanted, out = reduce_locally(parts, cli), tmp_path / "out"
    running = cluster.reduce(parts, out)
    wait_until(lambda: list(out.glob("*.parquet")))
    cluster.stop("scheduler", "one", "two")
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 1, errors
    assert "run it again" in errors
    cluster.start()
    again = cluster.reduce(parts, out)
    _, errors = again.communicate(timeout=300)
    assert again.returncode == 0, errors
    assert " 0 were done before" not in errors
    assert read_results(out) == wanted


HTML = "<title>{0} storms</title><h1>{0} storms</h1><p>" + "A storm came over the coast. " * 20


def write_html(folder: Path) -> list[str]:
    """Two parts with whole pages, one of which cannot be split."""
    folder.mkdir()
    for part in "ab":
        html = [HTML.format(f"{part} {n}") for n in range(3)] + [""]
        lines = [{"url": f"https://{part}{n}.example/", "html": h} for n, h in enumerate(html)]
        (folder / f"{part}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (folder / "damaged.jsonl").write_text("no JSON", "utf-8")
    return [str(folder), "--parts", str(folder.parent / "split")]


def test_split_in_parts_has_the_pages_of_split(tmp_path: Path, cli: Cli) -> None:
    words = write_html(tmp_path / "html")
    assert "damaged.jsonl" in cli("split", *words, "--jobs", "1", status=1).err
    for part in "ab":
        (split,) = read_queries(str(tmp_path / "split" / f"{part}.jsonl.parquet"))
        (whole,) = read_queries(str(tmp_path / "html" / f"{part}.jsonl"), jobs=1)
        assert list(map(page_to_dict, split.pages)) == list(map(page_to_dict, whole.pages))
        assert [one.reason for one in whole.failures] == ["page is empty"]
        assert [one.reason for one in split.failures] == ["row 4: page is empty"]
    cli("split", words[0], "--cluster", "tcp://127.0.0.1:1", status=2)


def collect_words(folder: Path, sites: Sites) -> list[str]:
    (folder / "lists").mkdir()
    (folder / "lists" / "first.csv").write_text(f"query,language\n{web.QUERY},en\n", "utf-8")
    second = pyarrow.Table.from_pylist([{"query": web.QUERY}])
    pyarrow.parquet.write_table(second, folder / "lists" / "second.parquet")
    return [
        *("collect", "--queries", str(folder / "lists"), "--parts", str(folder / "pages")),
        *("--engine", "searxng", "--engine-url", "http://search.example", "--render", "never"),
        *("--connect-to", f"*=127.0.0.1:{sites.port}", "--delay", "0.02", "--retries", "0"),
        *("--timeout", "60", "--max-bytes", "300000"),
    ]


def test_collect_in_parts_has_a_store_per_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Sites(Steady()) as sites:
        words = collect_words(tmp_path, sites)
        assert main(words) == 0
        asked = len(sites.requests)
        (tmp_path / "pages" / "first.csv.parquet").unlink()
        assert main(words) == 0
        assert len(sites.requests) == asked, "what its store holds is not fetched again"
    assert "1 were done before" in capsys.readouterr().err
    first, second = (
        read_queries(str(tmp_path / "pages" / name))
        for name in ("first.csv.parquet", "second.parquet")
    )
    stored = read_queries(str(tmp_path / "pages" / "_stores" / "second.parquet.sqlite"))
    assert [page.url for page in first[0].pages] == [page.url for page in stored[0].pages]
    bodies = [
        (split.body, page.body)
        for split, page in zip(second[0].pages, stored[0].pages, strict=True)
    ]
    assert [split for split, body in bodies if body] == [body for _, body in bodies if body]
    assert main(["collect", "whales", "--parts", str(tmp_path / "x"), "--engine", "bing"]) == 2


@pytest.mark.slow
def test_split_and_collect_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    there = ["--cluster", cluster.address]
    assert main(["split", *write_html(tmp_path / "html"), *there]) == 1
    assert {path.name for path in (tmp_path / "split").glob("*.parquet")} == {
        "a.jsonl.parquet",
        "b.jsonl.parquet",
    }
    with Sites(Steady()) as sites:
        assert main([*collect_words(tmp_path, sites), *there]) == 0
    pages = pyarrow.parquet.read_table(tmp_path / "pages").to_pylist()
    assert {page["query"] for page in pages if not page["error"]} == {web.QUERY}


def test_progress_counts_pages_and_names_parts_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    parts = [Done(part=f"/in/part-{n}.jsonl", pages=1000) for n in range(3)]
    assert report_parts(iter(parts), "reduce", 5) == 0
    shown = capsys.readouterr().err
    assert "reduce: 0 pages" in shown
    assert "3 parts done (3000 pages), 2 were done before" in shown


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("run is no text", "has results of other options"),
        ("run is a folder", "cannot write: Is a directory"),
        ("folder is a file", "cannot write: "),
        ("result is damaged", "part.jsonl.parquet: damaged; delete it and run again"),
        ("two parts of one result", "two parts have the result part.jsonl.parquet"),
    ],
)
def test_what_stands_in_the_way_of_the_parts_is_named(
    trouble: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts, out = tmp_path / "parts", tmp_path / "out"
    parts.mkdir()
    (parts / "part.jsonl").write_text(json.dumps({"body": "storm at sea"}), "utf-8")
    if trouble == "folder is a file":
        out.write_text("mine", "utf-8")
    else:
        out.mkdir()
    if trouble == "run is no text":
        (out / "_run.json").write_bytes(b"\xff\xfe")
    elif trouble == "run is a folder":
        (out / "_run.json").mkdir()
    elif trouble == "result is damaged":
        (out / "part.jsonl.parquet").write_bytes(b"mine")
    elif trouble == "two parts of one result":
        write_part(parts / "part.jsonl.parquet", 1, queries=1, pages=2)
    assert main(["reduce", str(parts), "--parts", str(out)]) in (1, 2)
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
