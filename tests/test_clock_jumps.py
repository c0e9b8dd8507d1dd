"""A wall clock that jumps by years back and forth changes the stored times and nothing else."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reducepp import Index
from reducepp.cli import main
from reducepp.demo.web_server import Sites
from reducepp.scraping.store.store import Store
from tests.clock_jumps import jumping_clock, needs_faketime
from tests.reducepp.service.running import running
from tests.scraping.runs import Steady, arguments, dump

pytestmark = needs_faketime

TEXT = "The council voted on Monday to repair the old lighthouse, dark since the storm of 1987."
PAGES = [{"id": str(i), "title": f"Page {i % 2}", "body": f"{TEXT} {i % 2}"} for i in range(4)]


@pytest.fixture
def jumping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Programs that are started now have such a clock."""
    with jumping_clock(tmp_path) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield


@pytest.mark.usefixtures("jumping")
def test_a_run_stores_the_same(tmp_path: Path) -> None:
    calm, jumped = tmp_path / "calm.sqlite", tmp_path / "jumped.sqlite"
    more = ("--render", "never", "--jobs", "3")
    with Sites(Steady()) as sites:
        assert main(arguments(sites, calm, *more)) == 0
    with Sites(Steady()) as sites:
        command = [sys.executable, "-m", "reducepp", *arguments(sites, jumped, *more)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert dump(jumped) == dump(calm)
    with Store(jumped, mode="read") as store:
        years = {row[0][:4] for row in store.rows("SELECT fetched_at FROM raw")}
    assert len(years) > 1, "the clock did jump"


@pytest.mark.usefixtures("jumping")
def test_the_service_and_its_index_answer_the_same(tmp_path: Path) -> None:
    index = tmp_path / "i.index"
    lines = "".join(json.dumps(page) + "\n" for page in PAGES)
    command = [sys.executable, "-m", "reducepp", "index", "add", str(index), "-"]
    subprocess.run(command, input=lines.encode(), check=True, stderr=subprocess.DEVNULL)
    with running("--index", str(index)) as service:
        reduced = [service.post("reduce", {"pages": PAGES}).json() for _ in range(3)]
        seen = [service.post("seen", {"pages": PAGES[:1]}).json() for _ in range(3)]
    with Index(index) as calm:
        assert len(calm) == len(PAGES)
    assert reduced == reduced[:1] * 3
    assert len(reduced[0]["dropped"]) == 3
    assert seen == seen[:1] * 3
