"""No page is in both halves, whatever the folds are made of."""

import numpy as np
import pytest

from reducepp.errors import LabelsError
from reducepp.labelled.signals import make_folds
from tests.weights.made import made_pairs


@pytest.mark.parametrize(("queries", "by"), [(1, "page group"), (2, "page group"), (6, "query")])
@pytest.mark.parametrize("seed", [0, 1])
def test_no_page_is_in_both_halves(queries: int, by: str, seed: int) -> None:
    pairs = made_pairs(queries=queries)
    folds = make_folds(pairs, seed=seed)
    assert folds.by == by
    tested = np.zeros(len(pairs), dtype=bool)
    for train, test in folds.halves(pairs):
        seen = {*pairs.first[train], *pairs.second[train]}
        assert not seen & {*pairs.first[test], *pairs.second[test]}
        assert pairs.duplicate[test].any()
        assert not (tested & test).any()
        tested |= test
    assert tested[pairs.duplicate].all()
    assert tested.all() == (by == "query")


def test_queries_stay_whole() -> None:
    pairs = made_pairs(queries=12)
    folds = make_folds(pairs)
    assert folds.count == 10
    fold_of_pair = folds.of_page[pairs.first]
    assert all(len(set(fold_of_pair[pairs.query == q])) == 1 for q in range(12))


def test_another_seed_deals_otherwise() -> None:
    pairs = made_pairs(queries=1, groups=20)
    assert make_folds(pairs, seed=0).of_page.tolist() != make_folds(pairs, seed=1).of_page.tolist()
    assert make_folds(pairs, seed=1).of_page.tolist() == make_folds(pairs, seed=1).of_page.tolist()


def test_duplicates_of_one_page_only_cannot_be_checked() -> None:
    pairs = made_pairs(queries=1, groups=4)
    one = pairs.take(~pairs.duplicate | (pairs.first == 0))
    with pytest.raises(LabelsError, match="one page group only"):
        make_folds(one)
