"""Agreement of people who labelled the same pairs, by hand and against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score

from reducepp.labelled.reading import PairLabel
from reducepp.labelled.scoring import rater_rows


def label(pair: int, grade: float, rater: str = "") -> PairLabel:
    return PairLabel(a=f"a{pair}", b=f"b{pair}", grade=grade, rater=rater)


def test_kappa_and_f_are_scikit_learns() -> None:
    random = np.random.default_rng(0)
    first = random.random(60) < 0.4
    second = first ^ (random.random(60) < 0.2)
    labels = [label(i, v, "ann") for i, v in enumerate(first)]
    labels += [label(i, v, "ben") for i, v in enumerate(second)]
    (row,) = rater_rows(labels)
    assert (row["rater"], row["against"], row["pairs"]) == ("ann", "ben", 60)
    assert row["agreement"] == pytest.approx((first == second).mean())
    assert row["kappa"] == pytest.approx(cohen_kappa_score(first, second))
    assert row["F"] == pytest.approx(f1_score(second, first))


def test_without_names_the_order_of_labels_counts_and_undecided_ones_do_not() -> None:
    (row,) = rater_rows([label(1, 1), label(1, 0), label(2, 0), label(3, 0.5), label(3, 1)])
    assert (row["rater"], row["against"], row["pairs"], row["agreement"]) == ("1", "2", 1, 0.0)


def test_pairs_labelled_once_have_no_rater_to_compare() -> None:
    assert rater_rows([label(1, 1), label(2, 0)]) == []
