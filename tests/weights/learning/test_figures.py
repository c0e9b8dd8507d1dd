"""Precision, recall, F, thresholds and average precision, by hand and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reducepp.weights.learning.figures import (
    average_precision,
    choose_threshold,
    count_figures,
    figures,
)

DUPLICATE = np.array([True, True, False, True, False, False])
SCORES = np.array([0.9, 0.8, 0.7, 0.6, 0.2, 0.1])


def test_counts_by_hand() -> None:
    """Called: the first three, two of them rightly, of three: P = 2/3, R = 2/3."""
    assert count_figures(SCORES >= 0.7, DUPLICATE, np.ones(6)) == pytest.approx(
        (2 / 3, 2 / 3, 2 / 3)
    )
    weight = np.where(DUPLICATE, 1.0, 2.0)  # the wrong one counts twice: 2 of 4 called
    assert count_figures(SCORES >= 0.7, DUPLICATE, weight)[:2] == pytest.approx((0.5, 2 / 3))
    precision, recall, f = count_figures(SCORES > 1, DUPLICATE, np.ones(6))
    assert math.isnan(precision)
    assert (recall, f) == (0.0, 0.0)


def test_threshold_for_f_and_for_precision() -> None:
    """All three duplicates and one other: F = 6/7, best; half way from 0.6 to 0.2."""
    assert choose_threshold(SCORES, DUPLICATE) == 0.4
    assert choose_threshold(SCORES, DUPLICATE, precision=0.95) == 0.75
    assert choose_threshold(SCORES, DUPLICATE, precision=0.7) == 0.4
    assert choose_threshold(1 - SCORES, DUPLICATE, precision=0.99) == 0.05  # 3 of 6 at best


def test_equal_scores_are_never_parted() -> None:
    scores = np.array([0.5, 0.5, 0.5, 0.1])
    assert choose_threshold(scores, np.array([True, False, False, False])) == 0.3


def test_average_precision_is_scikit_learn_s() -> None:
    from sklearn.metrics import average_precision_score

    random = np.random.default_rng(0)
    for _ in range(20):
        scores, duplicate = random.integers(0, 9, 50) / 9, random.random(50) < 0.3
        found = average_precision(scores, duplicate)
        assert found == pytest.approx(average_precision_score(duplicate, scores))


def test_intervals_hold_the_value_and_shrink_with_more_groups() -> None:
    random = np.random.default_rng(0)
    wide = []
    for groups in (10, 200):
        units = np.repeat(np.arange(groups), 4)
        duplicate = random.random(groups * 4) < 0.5
        said = duplicate ^ (random.random(groups * 4) < 0.2)
        f = figures(said, duplicate, (units, units)).f
        assert f.low < f.value < f.high
        wide.append(f.high - f.low)
    assert wide[1] < wide[0] / 2


def test_intervals_are_the_same_each_time_and_print() -> None:
    units = (np.arange(6), np.arange(6) + 1)
    first = figures(SCORES >= 0.7, DUPLICATE, units)
    assert first == figures(SCORES >= 0.7, DUPLICATE, units)
    assert str(first.recall).startswith("0.667 [")
