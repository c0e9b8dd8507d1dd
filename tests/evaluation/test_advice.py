"""Advice on thresholds: each rule on rows where the answer can be seen."""

import math

import numpy as np
import pytest

from reducepp.errors import UsageError
from reducepp.evaluation.advice import by_labels, by_validity, elbow, to_inform, to_keep
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.sweep import SweepRow
from reducepp.evaluation.validity import INDICES
from reducepp.labelled.intervals import PairSources
from reducepp.labelled.scoring import rank_pairs


def row(threshold: float, **values: float) -> SweepRow:
    nothing = dict.fromkeys((*INDICES, *SCORES, "information_kept"), math.nan)
    numbers = {"pages": 10, "clusters": 5, "reduction": 0.5, "largest": 3, "chained": 0}
    return SweepRow(query="q", threshold=threshold, **{**nothing, **numbers, **values})  # type: ignore[arg-type]


def rows(silhouette: list[float], davies: list[float], calinski: list[float]) -> list[SweepRow]:
    return [
        row(round(0.5 + i / 10, 1), silhouette=s, davies_bouldin=d, calinski_harabasz=c)
        for i, (s, d, c) in enumerate(zip(silhouette, davies, calinski, strict=True))
    ]


def test_all_three_good_at_one_threshold() -> None:
    found = by_validity(rows([0.1, 0.5, 0.42, 0.2], [0.9, 0.3, 0.2, 0.1], [1, 2, 50, 3]))
    assert found.threshold == 0.7
    # Silhouette (0.42 - 0.1) / 0.4, Davies-Bouldin (0.9 - 0.2) / 0.8, and the peak itself.
    assert "silhouette 0.420 is 80% of the way" in found.reason
    assert "0.200 88% of the way to its lowest (0.100)" in found.reason
    assert "at 100% of its sharpest elbow" in found.reason


def test_one_bad_index_rules_a_threshold_out() -> None:
    found = by_validity(rows([1.0, 0.6, 0.0], [0.0, 0.4, 1.0], [0, 10, 4]))
    assert found.threshold == 0.6  # at 0.5 two are perfect, but the curve has no elbow there


def test_an_elbow_is_farthest_from_the_line_between_the_ends() -> None:
    far = elbow(np.array([0, 1, 2, 3, 4.0]), np.array([0, 1, 2, 20, 40.0]))
    assert far.argmax() == 2
    assert far[0] == far[-1] == 0
    np.testing.assert_array_equal(elbow(np.arange(4.0), np.arange(4.0)), 0)


def test_indices_defined_nowhere() -> None:
    found = by_validity([row(0.5), row(0.6)])
    assert math.isnan(found.threshold)
    assert "too few" in found.reason
    assert math.isnan(by_validity([]).threshold)


def test_one_clustering_is_nothing_to_choose_between() -> None:
    found = by_validity(rows([0.3, 0.3, 0.3], [0.0, 0.0, 0.0], [1, 1, 1]))
    assert math.isnan(found.threshold)
    assert "no advice: from 0.5 to 0.7 the clusters are the same" in found.reason


def test_no_threshold_wins_by_being_at_the_worst_of_an_index() -> None:
    found = by_validity(rows([0.5, 0.5, 0.4], [0.2, 0.2, 0.1], [1, 1, 9]))
    assert math.isnan(found.threshold)
    assert "one of the three indices is at its worst" in found.reason


def test_an_index_that_stays_the_same_is_at_its_best() -> None:
    found = by_validity(rows([0.1, 0.4, 0.2], [0.2, 0.2, 0.2], [0, 10, 4]))
    assert found.threshold == 0.6
    assert "100% of the way to its lowest (0.200)" in found.reason


def test_keep_a_number_of_results() -> None:
    sweep = [row(0.3, clusters=2), row(0.5, clusters=4), row(0.7, clusters=9)]
    assert to_keep(sweep, 5).threshold == 0.5
    assert to_keep(sweep, 9).threshold == 0.7
    assert to_keep(sweep, 2).threshold == 0.3
    none = to_keep(sweep, 1)
    assert math.isnan(none.threshold)
    assert none.reason == "even at 0.3 2 results stay; --from looks lower"
    with pytest.raises(UsageError, match="at least one"):
        to_keep(sweep, 0)


def test_keep_a_share_of_the_information() -> None:
    sweep = [
        row(0.3, information_kept=0.96),  # a lucky dip does not count
        row(0.5, information_kept=0.90),
        row(0.7, information_kept=0.95),
        row(0.9, information_kept=1.0),
    ]
    assert to_inform(sweep, 0.95).threshold == 0.7
    assert to_inform(sweep, 0.9).threshold == 0.3
    assert "with 95.0% of the information" in to_inform(sweep, 0.95).reason
    assert math.isnan(to_inform([row(0.5)], 0.9).threshold)
    with pytest.raises(UsageError, match="above 0"):
        to_inform(sweep, 95)


def test_labels_give_a_threshold_with_an_interval() -> None:
    random = np.random.default_rng(5)
    first, second = np.triu_indices(30, 1)
    duplicate = random.random(len(first)) < 0.2
    scores = np.clip(np.where(duplicate, 0.7, 0.4) + random.normal(0, 0.1, len(first)), 0, 1)
    pairs = PairSources(query=np.zeros(len(first), dtype=int), first=first, second=second)
    ranking = rank_pairs(scores, duplicate)
    best, precise = by_labels(ranking, pairs), by_labels(ranking, pairs, precision=0.98)
    assert best.low <= best.threshold <= best.high
    assert 0.5 < best.threshold < 0.65 < precise.threshold
    assert (best.rule, precise.rule) == ("best F", "recall at precision 0.98")
    assert f"on {len(first)} labelled pairs" in best.reason


def test_labels_that_cannot_advise() -> None:
    pairs = PairSources(query=np.zeros(2, int), first=np.zeros(2, int), second=np.arange(1, 3))
    none = by_labels(rank_pairs(np.array([0.9, 0.8]), np.array([False, False])), pairs)
    assert math.isnan(none.threshold)
    assert none.reason == "no labelled duplicates"
    never = rank_pairs(np.array([0.9, 0.8]), np.array([False, True]))
    assert by_labels(never, pairs, precision=0.9).reason == "never that precise"
