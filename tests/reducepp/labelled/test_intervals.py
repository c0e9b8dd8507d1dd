"""Resampling draws pages or queries; intervals hold the figure and are wider for fewer draws."""

import numpy as np
import pytest
from numpy.typing import NDArray

from reducepp.errors import UsageError
from reducepp.labelled.intervals import (
    PairSources,
    choose_unit,
    draw_counts,
    draw_weights,
    estimate_figures,
    intervals,
)
from reducepp.types import Array


def all_pairs(pages: int, query: int = 0) -> PairSources:
    first, second = np.triu_indices(pages, 1)
    return PairSources(query=np.full(len(first), query), first=first, second=second)


def test_a_pair_counts_as_often_as_its_two_pages_meet() -> None:
    pairs = all_pairs(6)
    weights = np.vstack(list(draw_weights(pairs, samples=50, unit="page")))
    assert weights.shape == (50, 15)
    place = {pair: k for k, pair in enumerate(zip(pairs.first, pairs.second, strict=True))}
    for row in weights:  # c0 c1 · c2 c3 = c0 c2 · c1 c3, and six draws make at most 15 pairs
        assert row[place[0, 1]] * row[place[2, 3]] == row[place[0, 2]] * row[place[1, 3]]
        assert row.sum() <= 15
    assert (weights[:, pairs.first == 0] == 0).all(axis=1).any()  # page 0 not drawn at all


def test_queries_are_drawn_whole() -> None:
    pairs = PairSources(
        query=np.array([0, 0, 1, 2, 2]), first=np.arange(5), second=np.arange(5, 10)
    )
    for row in np.vstack(list(draw_weights(pairs, samples=40, unit="query"))):
        assert row[0] == row[1]
        assert row[3] == row[4]
        assert row[[0, 2, 3]].sum() == 3


def test_the_unit_follows_the_number_of_queries() -> None:
    many = PairSources(query=np.arange(20), first=np.arange(20), second=np.arange(20, 40))
    assert choose_unit(many) == "query"
    assert choose_unit(all_pairs(9)) == "page"
    assert choose_unit(many, "page") == "page"
    with pytest.raises(UsageError, match="auto, query, page"):
        choose_unit(many, "pair")


def test_the_same_seed_gives_the_same_draws() -> None:
    one, again, other = (
        np.vstack(list(draw_weights(all_pairs(8), samples=10, seed=s))) for s in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def mean_of(values: Array):  # type: ignore[no-untyped-def]
    return lambda weights: (weights @ values / weights.sum(axis=1))[None]


def test_pages_give_wider_intervals_than_pairs_would() -> None:
    """A figure that hangs on a page: drawing pairs would not see that they move together."""
    pairs = all_pairs(12)
    values = (pairs.first < 2).astype(float)
    low, high = intervals(mean_of(values), draw_weights(pairs, samples=1000, unit="page"))[0]
    naive = 1.96 * values.std() / np.sqrt(len(values))
    assert low < values.mean() < high
    assert high - low > 2 * naive


def test_an_interval_of_queries_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(0)
    hits = 0
    for _ in range(60):
        values = random.normal(0.5, 0.1, 40)
        pairs = PairSources(query=np.arange(40), first=np.arange(40), second=np.arange(40, 80))
        low, high = intervals(mean_of(values), draw_weights(pairs, samples=200))[0]
        hits += bool(low <= 0.5 <= high)
    assert 50 <= hits <= 60


def test_a_figure_seldom_defined_has_no_interval() -> None:
    drawn = np.array([[0.5] * 9 + [np.nan] * 11, [0.5] * 10 + [np.nan] * 10])
    ends = intervals(lambda _: drawn, draw_counts(12, samples=20))
    np.testing.assert_array_equal(ends, [[np.nan, np.nan], [0.5, 0.5]])


def test_units_are_drawn_with_replacement_in_parts_that_fit_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reducepp.labelled.intervals._MAX_CELLS", 50)
    parts = list(draw_counts(12, samples=30, seed=3))
    assert [len(part) for part in parts] == [4] * 7 + [2]
    counts = np.vstack(parts)
    assert (counts.sum(axis=1) == 12).all()
    assert (counts == 0).any(axis=1).all()
    assert counts.max() > 2


def groups_of(first: NDArray[np.int64], second: NDArray[np.int64]) -> PairSources:
    return PairSources(query=np.zeros(len(first), dtype=np.int64), first=first, second=second)


def test_figures_by_hand_and_with_weights() -> None:
    """Predicted: three pairs, two of them duplicates, of three: P = R = 2/3."""
    duplicate = np.array([True, True, False, True, False, False])
    predicted = np.array([True, True, True, False, False, False])
    sources = groups_of(np.arange(6), np.arange(6) + 1)
    found = estimate_figures(predicted, duplicate, sources)
    assert (found.precision.value, found.recall.value) == pytest.approx((2 / 3, 2 / 3))
    assert str(found.recall).startswith("0.667 [")
    assert found == estimate_figures(predicted, duplicate, sources)
    weight = np.where(duplicate, 1.0, 2.0)  # the wrong one counts twice: 2 of 4 predicted
    assert estimate_figures(predicted, duplicate, sources, weight=weight).precision.value == 0.5
    none = estimate_figures(np.zeros(6, dtype=bool), duplicate, sources)
    assert np.isnan(none.precision.value)
    assert (none.recall.value, none.f1.value) == (0.0, 0.0)


def test_intervals_of_figures_hold_the_value_and_shrink_with_more_groups() -> None:
    random = np.random.default_rng(0)
    widths = []
    for groups in (10, 200):
        units = np.repeat(np.arange(groups), 4)
        duplicate = random.random(groups * 4) < 0.5
        predicted = duplicate ^ (random.random(groups * 4) < 0.2)
        f1 = estimate_figures(predicted, duplicate, groups_of(units, units)).f1
        assert f1.low < f1.value < f1.high
        widths.append(f1.high - f1.low)
    assert widths[1] < widths[0] / 2


def test_few_labels_without_an_error_are_no_certainty() -> None:
    """24 pairs, all predicted rightly: Wilson's bound, 12 / (12 + 1.96²) for 12 duplicates."""
    duplicate = np.arange(24) % 2 == 0
    numbers = np.arange(24)
    sources = PairSources(query=np.zeros(24, dtype=np.int64), first=numbers, second=numbers + 24)
    found = estimate_figures(duplicate.copy(), duplicate, sources)
    assert found.recall.value == found.recall.high == 1
    assert found.recall.low == pytest.approx(12 / (12 + 1.959964**2))
    assert str(found.precision) == "1.000 [0.758, 1.000]"
