"""Work on all cores: results in order, and one line where a worker process ends early."""

from __future__ import annotations

import os

import pytest

from reducepp.errors import ReduceppError
from reducepp.parallel import map_in_order


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
