"""B-cubed and adjusted Rand from pieces: worked by hand, against slow twins, honest intervals."""

import math
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.intervals import coverage, draw_components, draw_copies, made_clusters, made_sets
from reducepp.labelled.scoring import find_components, score_clusters

Integers = NDArray[np.int64]


def score(truth: list[int], found: list[int]) -> list[float]:
    sums = find_components(np.array(truth), np.array(found), np.zeros(len(truth), int)).sums
    return score_clusters(sums.sum(axis=0)[None])[:, 0].tolist()  # type: ignore[no-any-return]


def test_worked_by_hand() -> None:
    # Truth abc de, found ab cde. Precision 1 1 1/3 2/3 2/3, recall 2/3 2/3 1/3 1 1.
    precision, recall, f1, rand = score([0, 0, 0, 1, 1], [5, 5, 6, 6, 6])
    assert precision == pytest.approx(11 / 15)
    assert recall == pytest.approx(11 / 15)
    assert f1 == pytest.approx(11 / 15)
    # Pairs together: ab and de in both, 4 true, 4 found, of 10: (2 - 1.6) / (4 - 1.6).
    assert rand == pytest.approx(0.4 / 2.4)


def test_pieces_worked_by_hand() -> None:
    # ab | c | de by the truth, a | bc | de as found: b links a to c, d and e stand apart.
    pieces = find_components(
        np.array([0, 0, 1, 2, 2]), np.array([3, 4, 4, 9, 9]), np.array([0, 0, 0, 7, 7])
    )
    assert pieces.query.tolist() == [0, 7]
    np.testing.assert_allclose(pieces.sums, [[3, 2, 2, 0, 1, 1], [2, 2, 2, 1, 1, 1]])
    again = find_components(np.array([0, 0, 1]), np.array([3, 4, 5]), np.array([2, 2, 2]))
    np.testing.assert_allclose(again.by_query(), [[3, 3, 2, 0, 1, 0]])


@pytest.mark.parametrize(
    ("truth", "found", "expected"),
    [
        ([1, 2], [4, 3], [1, 1, 1, 1]),
        ([0, 0, 0], [1, 1, 1], [1, 1, 1, 1]),
        ([0, 1, 2], [0, 0, 0], [1 / 3, 1, 1 / 2, 0]),
        ([0, 0, 0], [0, 1, 2], [1, 1 / 3, 1 / 2, 0]),
        ([5], [5], [1, 1, 1, math.nan]),
    ],
)
def test_the_edges(truth: list[int], found: list[int], expected: list[float]) -> None:
    np.testing.assert_allclose(score(truth, found), expected)


def test_no_pages_no_scores() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    pieces = find_components(nothing, nothing, nothing)
    assert pieces.sums.shape == (0, 6)
    assert np.isnan(score_clusters(pieces.sums.sum(axis=0)[None])).all()


def slowly(truth: list[int], found: list[int]) -> list[float]:
    """The four scores by their definitions, page by page."""
    pages = range(len(truth))
    mine = [{j for j in pages if found[j] == found[i]} for i in pages]
    right = [{j for j in pages if truth[j] == truth[i]} for i in pages]
    precision = sum(len(a & b) / len(a) for a, b in zip(mine, right, strict=True)) / len(truth)
    recall = sum(len(a & b) / len(b) for a, b in zip(mine, right, strict=True)) / len(truth)
    f1 = 2 * precision * recall / (precision + recall)
    return [precision, recall, f1, float(adjusted_rand_score(truth, found))]


def pieces_slowly(truth: list[int], found: list[int]) -> list[list[int]]:
    """Pages joined wherever two share a true or a found cluster."""
    groups = [{i} for i in range(len(truth))]
    for i, j in combinations(range(len(truth)), 2):
        if truth[i] == truth[j] or found[i] == found[j]:
            one = next(g for g in groups if i in g)
            other = next(g for g in groups if j in g)
            if one is not other:
                groups.remove(other)
                one |= other
    return sorted(sorted(group) for group in groups)


@pytest.mark.parametrize("seed", range(12))
def test_a_resample_is_the_same_as_copying_its_pieces(seed: int) -> None:
    """Copies of a piece are other pages in other clusters."""
    random = np.random.default_rng(seed)
    truth, found = made_clusters(random, groups=int(random.integers(1, 14)), split=0.2, merge=0.3)
    pieces = find_components(truth, found, np.zeros(len(truth), int))
    groups = pieces_slowly(truth.tolist(), found.tolist())
    assert pieces.sums[:, 0].tolist() == [len(group) for group in groups]
    counts = random.integers(0, 4, len(groups))
    counts[0] += 1
    drawn = [group for group, count in zip(groups, counts, strict=True) for _ in range(count)]
    places = [(copy, page) for copy, group in enumerate(drawn) for page in group]
    copied = slowly(
        [1000 * copy + int(truth[page]) for copy, page in places],
        [1000 * copy + int(found[page]) for copy, page in places],
    )
    weighted = score_clusters((counts @ pieces.sums)[None])[:, 0]
    if len(places) == 1:
        copied[3] = math.nan
    np.testing.assert_allclose(weighted, copied, atol=1e-12)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """And drawing pages with their copies would not: what is drawn matters."""
    truth, sets = made_sets(components=60, sets=150, truths=1000)
    by_pieces = coverage(truth, sets, draw_components, samples=200)
    assert (by_pieces > 0.84).all(), by_pieces
    assert (by_pieces < 1).all(), "an interval that always covers says nothing"
    by_copies = coverage(truth, sets[:60], draw_copies, samples=200)
    assert (by_copies[2:] < 0.8).all(), by_copies
