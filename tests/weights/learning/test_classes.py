"""Classes of pairs learned from labels: what separates them is found, noise is not."""

import numpy as np
import pytest

from reducepp.labelled.signals import PairSignals
from reducepp.weights.learning.regression import Confusion, held_out_classes


def made_pairs(noise: bool) -> tuple[PairSignals, list[str]]:
    """Ninety pairs in thirty queries: three classes along two signals, or no relation at all."""
    random = np.random.default_rng(3)
    number = np.arange(90)
    kinds = number % 3
    values = random.uniform(0, 0.2, (90, 2))
    if not noise:
        values += np.array([[0.8, 0.1], [0.1, 0.8], [0.1, 0.1]])[kinds]
    pairs = PairSignals(
        by_signal={"x": values[:, 0], "y": values[:, 1]}, duplicate=kinds < 2, first=2 * number,
        second=2 * number + 1, query=number // 3, group=np.arange(180),
    )  # fmt: skip
    return pairs, [("exact", "weak", "none")[k] for k in kinds]


def test_separate_classes_are_learned() -> None:
    found = held_out_classes(*made_pairs(noise=False), ("none", "weak", "exact", "content"))
    assert found.names == ("none", "weak", "exact")
    assert found.counts.tolist() == [[30, 0, 0], [0, 30, 0], [0, 0, 30]]
    assert found.figures()[-1] == {"class": "weighted", "pairs": 90, "P": 1.0, "R": 1.0, "F": 1.0}


def test_noise_is_not() -> None:
    found = held_out_classes(*made_pairs(noise=True), ("none", "weak", "exact"))
    assert found.figures()[-1]["F"] < 0.6


def test_figures_worked_by_hand() -> None:
    counts = np.array([[3, 1], [2, 4]])
    first, second, weighted = Confusion(names=("a", "b"), counts=counts).figures()
    assert (first["P"], first["R"], first["F"]) == (0.6, 0.75, pytest.approx(2 / 3))
    assert (second["P"], second["R"]) == (0.8, pytest.approx(2 / 3))
    assert weighted["R"] == pytest.approx(0.7)
