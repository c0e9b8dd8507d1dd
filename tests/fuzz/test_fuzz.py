"""A short run of `make fuzz`, and every input that found a mistake once."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutations import MAX_BYTES, mutate
from tests.fuzz.targets import TARGETS, try_input

ROOT = Path(__file__).parents[2]
FINDS = Path(__file__).parent / "finds"
MESSAGES = {
    "clicks-a4edaf7df87d": "clicks.gz: Error -3 while decompressing data",
    "csv-1cf523afe312": "x.csv: damaged UTF-16",
    "csv-987d579c6cf1": "x.csv: damaged UTF-16",
    "docx-c3baa1c1b263": "_rels/.rels lies before the start",
    "index-places": "x.index: the index is damaged",
    "index-rows": "x.index: the index is damaged",
    "index-runs": "",
    "labels-a4edaf7df87d": "labels: cannot be read: Error -3 while decompressing data",
    "labels-dc7f20034494": "a number from 0 is needed",
    "result-pages-b853920b247a": "",
}
"""What each input that found a mistake is refused with; "" where it is read."""
RUNS = 25


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_inputs_raise_nothing_unexpected(name: str) -> None:
    target = TARGETS[name]
    seeds = list(target.seeds())
    assert try_input(target, seeds[0]) == ""
    random = Random(7)
    for _ in range(RUNS):
        said = try_input(target, mutate(random.choice(seeds), random, target.words, seeds))
        assert "Traceback" not in said


@pytest.mark.parametrize("name", sorted(path.stem for path in FINDS.glob("*.bin")))
def test_what_found_a_mistake_is_refused_with_its_message(name: str) -> None:
    target = TARGETS[name.rpartition("-")[0].replace("-", " ")]
    said = try_input(target, (FINDS / f"{name}.bin").read_bytes())
    assert MESSAGES[name] in said
    assert bool(said) == bool(MESSAGES[name])


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
