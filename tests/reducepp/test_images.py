"""Images matched by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from reducepp.contents import PageSet
from reducepp.data import Page
from reducepp.measures.images import images

SAME, NEAR, FAR = "0000000000000000", "000000000000000f", "ffffffffffffffff"


def similarity(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    pages = (Page(id="l", images=left), Page(id="r", images=right))
    return float(images(PageSet(pages).contents("images"))[0, 1])


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((SAME,), (SAME,), 1.0),
        ((SAME,), (NEAR,), 1 - 4 / 32),
        ((SAME,), (FAR,), 0.0),
        ((SAME, FAR), (FAR, SAME), 1.0),
        ((SAME,), (SAME, FAR), 0.5),
        ((SAME, NEAR), (SAME, SAME), (1 + 28 / 32) / 2),
        ((SAME, "no hash"), (SAME,), 1.0),
    ],
)
def test_by_hand(left: tuple[str, ...], right: tuple[str, ...], expected: float) -> None:
    assert similarity(left, right) == pytest.approx(expected)


def test_no_images_is_nan() -> None:
    assert np.isnan(similarity((), (SAME,)))


def test_agrees_with_trying_every_matching() -> None:
    random = np.random.default_rng(0)
    left = tuple(f"{int(n):016x}" for n in random.integers(0, 2**63, 4))
    right = tuple(f"{int(n):016x}" for n in random.integers(0, 2**63, 4))

    def alike(a: str, b: str) -> float:
        return max(0.0, 1 - (int(a, 16) ^ int(b, 16)).bit_count() / 32)

    best = max(sum(map(alike, left, order)) for order in permutations(right)) / 4
    assert similarity(left, right) == pytest.approx(best)
