"""A short run of `make fuzz`, and every input that found a mistake once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutations import MAX_BYTES, mutate
from tests.fuzz.targets import TARGETS, try_input

ROOT = Path(__file__).parents[2]
FINDS = sorted((Path(__file__).parent / "finds").glob("*.bin"))
RUNS = 25


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_inputs_raise_nothing_unexpected(name: str) -> None:
    target = TARGETS[name]
    seeds = list(target.seeds())
    assert seeds
    random = Random(7)
    for _ in range(RUNS):
        try_input(target, mutate(random.choice(seeds), random, target.words, seeds))


@pytest.mark.parametrize("path", FINDS, ids=lambda path: path.stem)
def test_what_found_a_mistake_finds_it_no_more(path: Path) -> None:
    name = path.stem.rpartition("-")[0].replace("-", " ")
    try_input(TARGETS[name], path.read_bytes())


def test_mutations_are_bounded_repeatable_and_change_something() -> None:
    for name in ("docx", "clicks", "csv"):
        seeds = list(TARGETS[name].seeds())
        made = [mutate(seeds[-1], Random(i), TARGETS[name].words, seeds) for i in range(40)]
        assert made == [mutate(seeds[-1], Random(i), TARGETS[name].words, seeds) for i in range(40)]
        assert len(set(made)) > 20
        assert all(len(data) < 2 * MAX_BYTES for data in made)


def test_the_driver_keeps_a_find_and_goes_on(tmp_path: Path) -> None:
    broken = (
        "import sys; from tests.fuzz import targets, __main__ as driver\n"
        "targets.TARGETS['robots'] = targets.Target(seeds=lambda: [b'x'], run=lambda data: 1 / 0)\n"
        "driver._fuzz_by_mutation('robots', 30, 1, __import__('pathlib').Path(sys.argv[1]))\n"
    )
    subprocess.run([sys.executable, "-c", broken, str(tmp_path)], cwd=ROOT, check=True)
    assert len(list(tmp_path.glob("robots-*.bin"))) == 1
    assert "ZeroDivisionError" in next(tmp_path.glob("robots-*.txt")).read_text()
