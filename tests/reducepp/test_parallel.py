"""Work on all cores: results in order, and one line where a worker process ends early."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reducepp.errors import ReduceppError
from reducepp.parallel import map_in_order
from tests.waiting import wait_until


def square(number: int) -> int:
    return number * number


def end_at_five(number: int) -> int:
    if number == 5:
        os._exit(1)
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_keep_the_order_of_the_items(jobs: int) -> None:
    assert list(map_in_order(square, range(30), jobs=jobs)) == [n * n for n in range(30)]


def test_a_worker_that_ends_early_is_one_error() -> None:
    with pytest.raises(ReduceppError, match="a worker process ended early"):
        list(map_in_order(end_at_five, range(30), jobs=2))


def test_an_end_does_not_wait_for_what_the_workers_are_at(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom reducepp.parallel import map_in_order\n"
        "def work(name):\n    Path(name).touch()\n    time.sleep(3_600)\n"
        "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "list(map_in_order(work, sys.argv[1:], jobs=2))\n"
    )
    names = [str(tmp_path / name) for name in "abcd"]
    with subprocess.Popen([sys.executable, "-c", program, *names]) as running:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        running.terminate()
        assert running.wait(timeout=60) == 143
