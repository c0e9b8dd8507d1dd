"""Figures of scored pairs against scikit-learn and hand-worked numbers; weights are copies."""

import math

import numpy as np
import pytest
from sklearn import metrics

from reducepp.labelled.scoring import (
    average_precision,
    best_threshold,
    count_all,
    count_at,
    rank_pairs,
)

SCORES = np.array([0.9, 0.8, 0.8, 0.4, 0.1])
TRUE = np.array([True, True, False, True, False])


def test_worked_by_hand() -> None:
    found = count_at(rank_pairs(SCORES, TRUE), np.array([0.95, 0.9, 0.8, 0.5, 0.0]))
    np.testing.assert_allclose(found.precision[0], [np.nan, 1, 2 / 3, 2 / 3, 3 / 5])
    np.testing.assert_allclose(found.recall[0], [0, 1 / 3, 2 / 3, 2 / 3, 1])
    np.testing.assert_allclose(found.f1[0], [0, 1 / 2, 2 / 3, 2 / 3, 3 / 4])
    # Recall gained 1/3 at precision 1, 1/3 at 2/3 (a tie), 1/3 at 3/4.
    every = count_all(rank_pairs(SCORES, TRUE))
    assert average_precision(every)[0] == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


@pytest.mark.parametrize("seed", range(20))
def test_same_as_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.random(60).round(int(random.integers(1, 4)))
    duplicate = random.random(60) < 0.3
    weights = random.integers(0, 4, 60).astype(float)
    ranking = rank_pairs(scores, duplicate)
    every = count_all(ranking, weights[None])
    assert average_precision(every)[0] == pytest.approx(
        metrics.average_precision_score(duplicate, scores, sample_weight=weights)
    )
    found = count_at(ranking, np.array([0.4]), weights[None])
    oracle = metrics.precision_recall_fscore_support(
        duplicate, scores >= 0.4, average="binary", sample_weight=weights, zero_division=np.nan
    )
    figures = (found.precision[0, 0], found.recall[0, 0], found.f1[0, 0])
    assert figures == pytest.approx(oracle[:3])


def test_a_weight_of_two_is_the_pair_twice() -> None:
    weights = np.array([2.0, 1, 0, 1, 3])
    copies = np.repeat(np.arange(5), weights.astype(int))
    once = average_precision(count_all(rank_pairs(SCORES, TRUE), weights[None]))
    again = average_precision(count_all(rank_pairs(SCORES[copies], TRUE[copies])))
    assert once == pytest.approx(again)


@pytest.mark.parametrize("duplicate", [[], [False, False]])
def test_without_a_duplicate_nothing_but_precision_is_defined(duplicate: list[bool]) -> None:
    ranking = rank_pairs(np.linspace(1, 0, len(duplicate)), np.array(duplicate, dtype=bool))
    found = count_at(ranking, np.array([0.5]))
    assert math.isnan(found.recall[0, 0])
    assert math.isnan(found.f1[0, 0])
    assert math.isnan(average_precision(count_all(ranking))[0])
    assert math.isnan(best_threshold(ranking))


def test_best_threshold_lies_between_two_scores() -> None:
    ranking = rank_pairs(SCORES, TRUE)
    assert best_threshold(ranking) == 0.25  # F 3/4 wins, between 0.4 and 0.1
    assert best_threshold(ranking, precision=0.99) == 0.85  # recall 1/3, between 0.9 and 0.8
    close = rank_pairs(np.array([0.5, 0.5 - 1e-9]), np.array([True, False]))
    assert 0.5 - 1e-9 < best_threshold(close) <= 0.5


def test_a_precision_never_reached_has_no_threshold() -> None:
    ranking = rank_pairs(np.array([0.9, 0.8]), np.array([False, True]))
    assert math.isnan(best_threshold(ranking, precision=0.9))
