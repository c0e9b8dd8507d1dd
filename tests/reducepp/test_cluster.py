"""Data sets in parts: on this machine, and on a real Dask scheduler with two worker processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from reducepp.cli import main
from reducepp.cluster import find_parts
from reducepp.io.records import page_to_dict
from tests.reducepp.similarity.test_candidates import make_pages

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


def reduce_locally(parts: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    files = sorted(map(str, parts.glob("*.parquet")))
    assert main(["reduce", *files, "--format", "jsonl", "--jobs", "1"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {reduction["query"]: reduction for reduction in found}


class Cluster:
    """A scheduler and two workers, each a process of its own; `stop` names one to end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.file = folder / "scheduler.json"
        self.start()

    def start(self) -> None:
        self.file.unlink(missing_ok=True)
        local = ["--host", "127.0.0.1", "--no-dashboard"]
        where = ["--scheduler-file", str(self.file)]
        self._spawn("scheduler", "dask_scheduler", *where, *local, "--port", "0")
        wait_for(self.file.exists)
        self.address = json.loads(self.file.read_text())["address"]
        for name in ("one", "two"):
            options = ["--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder)]
            self._spawn(name, "dask_worker", *where, *local, *options)

    def _spawn(self, name: str, module: str, *words: str) -> None:
        words = (sys.executable, "-m", f"distributed.cli.{module}", *words)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(words, stdout=log, stderr=log)

    def stop(self, *names: str) -> None:
        for name in names:
            self.processes[name].kill()
            self.processes.pop(name).wait()


def wait_for(ready: Callable[[], object]) -> None:
    limit = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    (tmp_path / "dask").mkdir()
    started = Cluster(tmp_path / "dask")
    yield started
    started.stop(*list(started.processes))


def command(cluster: Cluster, parts: Path, out: Path) -> list[str]:
    words = [sys.executable, "-m", "reducepp", "reduce", str(parts), "--parts", str(out)]
    return [*words, "--cluster", cluster.address]


def test_parts_on_this_machine_resume_and_refuse_other_options(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    wanted = reduce_locally(parts, capsys)
    assert main(["reduce", str(parts), "--parts", str(out), "--jobs", "1"]) == 0
    assert read_results(out) == wanted
    (out / "part-3.parquet").unlink()
    before = (out / "part-1.parquet").stat().st_mtime_ns
    assert main(["reduce", str(parts), "--parts", str(out), "--jobs", "1"]) == 0
    assert "1 parts done (30 pages), 4 were done before" in capsys.readouterr().err
    assert (out / "part-1.parquet").stat().st_mtime_ns == before
    assert read_results(out) == wanted
    assert main(["reduce", str(parts), "--parts", str(out), "--threshold", "0.6"]) == 2
    assert main(["reduce", str(parts), "--parts", str(parts)]) == 2
    assert main(["reduce", str(parts), "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert find_parts([str(parts)])[0].name == "skewed.parquet"


def test_sweep_in_parts_has_the_rows_of_sweep(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--step", "0.2", "--profile", "default", "--jobs", "1"]
    files = sorted(map(str, parts.glob("part-[01].parquet")))
    assert main(["sweep", *files, "--parts", str(tmp_path / "out"), *words]) == 0
    capsys.readouterr()
    assert main(["sweep", *files, "--format", "json", *words]) == 0
    wanted = json.loads(capsys.readouterr().out)["rows"]
    found = pyarrow.parquet.read_table(tmp_path / "out").to_pylist()
    assert [{k: row[k] for k in found[0]} for row in wanted] == found


@pytest.mark.slow
def test_a_cluster_with_a_lost_worker_and_a_damaged_part(
    cluster: Cluster, parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = reduce_locally(parts, capsys)
    (parts / "damaged.parquet").write_bytes(b"PAR1 and nothing of it PAR1")
    out = tmp_path / "out"
    running = subprocess.Popen(command(cluster, parts, out), stderr=subprocess.PIPE, text=True)
    wait_for(lambda: list(out.glob("*.parquet")))
    cluster.stop("one")
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 1, errors
    assert "damaged.parquet" in errors
    assert "1 of 6 parts failed" in errors
    assert read_results(out) == wanted
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_scheduler_that_is_lost_and_started_again(
    cluster: Cluster, parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted, out = reduce_locally(parts, capsys), tmp_path / "out"
    running = subprocess.Popen(command(cluster, parts, out), stderr=subprocess.PIPE, text=True)
    wait_for(lambda: list(out.glob("*.parquet")))
    cluster.stop("scheduler", "one", "two")
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 1, errors
    assert "run it again" in errors
    cluster.start()
    again = subprocess.run(
        command(cluster, parts, out), capture_output=True, text=True, timeout=120, check=False
    )
    assert again.returncode == 0, again.stderr
    assert " 0 were done before" not in again.stderr
    assert read_results(out) == wanted
