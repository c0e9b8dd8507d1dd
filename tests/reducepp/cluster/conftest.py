"""A Dask scheduler and two workers on loopback, each a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_until


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
        found = wait_until(lambda: self.file.exists() and self.file.read_text())
        self.address = json.loads(found)["address"]
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

    def reduce(self, parts: Path, out: Path, *more: str) -> subprocess.Popen[str]:
        """The command that reduces parts on this cluster, which soon gives up a lost scheduler."""
        words = [sys.executable, "-m", "reducepp", "reduce", str(parts), "--parts", str(out)]
        words += ["--cluster", self.address, *more]
        patience = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s"}
        return subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=os.environ | patience)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    (tmp_path / "dask").mkdir()
    started = Cluster(tmp_path / "dask")
    yield started
    started.stop(*list(started.processes))
