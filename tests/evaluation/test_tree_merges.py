"""Walking down the tree gives, at every threshold, what working each clustering out anew gives.

scikit-learn itself works from inner products and is right to about seven digits (a page alone is
some 1e-8 away from its own centre); `validity`, which takes differences, to ten and more.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from reducepp.api import find_profile
from reducepp.clustering.tree import LINKAGES, build_tree
from reducepp.evaluation.incremental_validity import RunningValidity
from reducepp.evaluation.sweep import sweep, threshold_range
from reducepp.evaluation.tree_merges import Groups
from reducepp.evaluation.validity import INDICES, VECTORS, distances_of, validity, why_undefined
from reducepp.pipeline import compare_pages
from reducepp.types import Array
from tests.evaluation.made import comparison_of, pages_of, random_pages, symmetric


def random_scores(n: int, seed: int, decimals: int = 2) -> Array:
    """Ties, copies, near copies and chains: pages near each other on a line score high."""
    random = np.random.default_rng(seed)
    places = np.sort(random.random(n).round(decimals))
    near = 1 - np.abs(places[:, None] - places)
    noise = np.triu(random.random((n, n)), 1)
    scores: Array = np.where(near == 1, 1.0, near * (0.9 + 0.1 * (noise + noise.T)))
    scores = scores.round(12)
    np.fill_diagonal(scores, 1.0)
    return scores


def by_scikit_learn(scores: Array, labels: Array, vectors: Array) -> list[float]:
    distances = distances_of(scores)
    return [
        float(metrics.silhouette_score(distances, labels, metric="precomputed")),
        float(metrics.davies_bouldin_score(vectors, labels)),
        float(metrics.calinski_harabasz_score(vectors, labels)),
    ]


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("vectors", list(VECTORS))
@pytest.mark.parametrize(("n", "seed"), [(3, 0), (5, 1), (12, 2), (40, 3)])
def test_scikit_learn_agrees_after_every_merge(
    n: int, seed: int, vectors: str, linkage: str
) -> None:
    scores = random_scores(n, seed)
    points = VECTORS[vectors](distances_of(scores))
    tree = build_tree([str(i) for i in range(n)], scores, linkage=linkage)
    groups, running = Groups(tree, scores), RunningValidity(scores, points)
    compared = 0
    for count in range(n):
        found = running.after(groups, groups.merge_to(count))
        _, labels = np.unique(groups.names, return_inverse=True)
        assert len(groups.alive) == n - count
        assert found.reason == why_undefined(n, n - count)
        if not found.reason:
            compared += 1
            values = [getattr(found, name) for name in INDICES]
            assert values == pytest.approx(
                by_scikit_learn(scores, labels, points), rel=1e-6, abs=1e-7
            )
            slow = validity(distances_of(scores), labels, points)
            assert values == pytest.approx([getattr(slow, name) for name in INDICES], rel=1e-9)
    assert compared == n - 2


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_scikit_learn_agrees_at_every_threshold_of_a_sweep(profile: str) -> None:
    tree_alone = replace(find_profile(profile), check_representative=False, check_facts=False)
    comparison = compare_pages(random_pages(60, words=80), tree_alone)
    distances = distances_of(comparison.scores)
    defined = 0
    for row in sweep(comparison, threshold_range(0.01, 1, 0.01)):
        labels = comparison.tree.labels_at(row.threshold)
        if not row.reason:
            defined += 1
            expected = by_scikit_learn(comparison.scores, labels, distances)
            assert [getattr(row, name) for name in INDICES] == pytest.approx(
                expected, rel=1e-6, abs=1e-7
            )
    assert defined > 15


def test_pages_that_differ_by_next_to_nothing_lose_no_digits() -> None:
    """Products alone would leave nothing of distances this small."""
    scores = random_scores(30, 7)
    for page in (4, 9, 14):
        scores[page, page + 1] = scores[page + 1, page] = 1 - 1e-9
        for other in set(range(30)) - {page, page + 1}:
            scores[page + 1, other] = scores[other, page + 1] = scores[page, other] - 1e-9
    distances = distances_of(scores)
    tree = build_tree([str(i) for i in range(30)], scores)
    groups, running = Groups(tree, scores), RunningValidity(scores, distances)
    for count in range(30):
        found = running.after(groups, groups.merge_to(count))
        _, labels = np.unique(groups.names, return_inverse=True)
        slow = validity(distances, labels, distances)
        for name in INDICES:
            expected = getattr(slow, name)
            assert getattr(found, name) == pytest.approx(expected, rel=1e-7, nan_ok=True), name


@pytest.mark.parametrize("score", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 6])
def test_all_alike_or_all_apart(n: int, score: float) -> None:
    comparison = comparison_of(symmetric(n, {}, other=score), pages_of(["Bees."] * n))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = sweep(comparison, [0.0, 0.4, 0.41, 1.0])
    expected = [1 if score >= t or not n else n for t in (0.0, 0.4, 0.41, 1.0)]
    assert [row.clusters for row in rows] == (expected if n else [0] * 4)
    assert all(row.reason and math.isnan(row.davies_bouldin) for row in rows)


def test_steps_of_any_width_end_the_same() -> None:
    scores = random_scores(50, 11)
    tree = build_tree([str(i) for i in range(50)], scores)
    ends = []
    for stops in (range(41), (0, 7, 8, 30, 40), (40,)):
        groups, running = Groups(tree, scores), RunningValidity(scores, distances_of(scores))
        for count in stops:
            last = running.after(groups, groups.merge_to(count))
        ends.append([getattr(last, name) for name in INDICES])
        assert groups.merge_to(40).joined == []
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)
    assert ends[0] == pytest.approx(ends[2], rel=1e-12)


@pytest.mark.parametrize("order", [1, -1])
def test_thresholds_in_any_order_give_the_same_rows(order: int) -> None:
    comparison = compare_pages(random_pages(20, words=60), find_profile("default"))
    thresholds = threshold_range(0.1, 0.9, 0.1)
    rows = sweep(comparison, [0.5, *thresholds[::order], 0.5])
    again = {row.threshold: row for row in sweep(comparison, thresholds)}
    assert [row.threshold for row in rows] == [0.5, *thresholds[::order], 0.5]
    for row in rows:
        assert repr(row) == repr(again[row.threshold])


def test_weakest_links_are_those_of_the_members() -> None:
    scores = random_scores(40, 5)
    groups = Groups(build_tree([str(i) for i in range(40)], scores), scores)
    for count in (0, 3, 20, 39):
        groups.merge_to(count)
        for name in groups.alive.tolist():
            members = groups.members[name]
            assert groups.weakest[name] == scores[np.ix_(members, members)].min()
            assert (groups.names[members] == name).all()


def test_a_sweep_shows_a_broken_tree() -> None:
    """Merges of the wrong pages, some within one cluster: the second opinion disagrees."""
    profile = find_profile("default", linkage="single")
    profile = replace(profile, check_representative=False, check_facts=False)
    comparison = compare_pages(random_pages(30, words=80), profile)
    tree = comparison.tree
    assert all(row.rand == 1 for row in sweep(comparison, threshold_range(0.05, 0.95, 0.05)))
    for first in (np.roll(tree.first, 1), np.append(tree.second[1:], 0)):
        broken = replace(comparison, tree=replace(tree, first=first))
        rows = sweep(broken, threshold_range(0.05, 0.95, 0.05))
        assert min(row.adjusted_rand for row in rows) < 0.9
