"""The sweep: worked by hand, the same as cutting at each threshold, cheap, never an exception."""

import math
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.errors import UsageError
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.sweep import (
    COLUMNS,
    WHOLE_SET,
    SweepOptions,
    SweepRow,
    sweep,
    sweep_pages,
    threshold_range,
    whole_set,
)
from reducepp.evaluation.validity import INDICES, distances_of
from reducepp.evidence.page_facts import PageFacts
from reducepp.pipeline import Cut, cut
from reducepp.types import Array, Page, Profile
from tests.evaluation.made import comparison_of, pages_of, random_pages, symmetric


def test_columns_are_the_contract() -> None:
    assert ",".join(COLUMNS) == (
        "query,threshold,pages,clusters,reduction,information_kept,silhouette,davies_bouldin,"
        "calinski_harabasz,rand,adjusted_rand,ami,nmi,fowlkes_mallows,homogeneity,completeness,"
        "v_measure,largest,chained"
    )


def test_thresholds_do_not_drift() -> None:
    found = threshold_range(0.3, 0.99, 0.01)
    assert len(found) == 70
    assert [str(t) for t in found[:3]] == ["0.3", "0.31", "0.32"]
    assert str(found[-1]) == "0.99"
    assert threshold_range(0, 1, 0.25) == [0, 0.25, 0.5, 0.75, 1]
    assert threshold_range(0.5, 0.5, 0.1) == [0.5]
    assert threshold_range(0.5, 0.69, 0.1) == [0.5, 0.6]


@pytest.mark.parametrize(
    "bad", [(0.9, 0.3, 0.1), (-0.1, 1, 0.1), (0, 1.1, 0.1), (0, 1, 0), (0, 1, 1e-9)]
)
def test_thresholds_out_of_range(bad: tuple[float, float, float]) -> None:
    with pytest.raises(UsageError):
        threshold_range(*bad)


@pytest.fixture
def worked() -> list[SweepRow]:
    """a and b are copies, c is like b alone, d stands apart: a chain a-b-c at 0.6."""
    scores = symmetric(4, {(0, 1): 0.9, (1, 2): 0.6, (0, 2): 0.5}, other=0.1)
    pages = pages_of(["Bees live in town.", "Bees live in town.", "Wasps do not.", "It rains."])
    return sweep(comparison_of(scores, pages), [0.1, 0.5, 0.6, 0.61, 0.9, 0.95])


def test_counts_worked_by_hand(worked: list[SweepRow]) -> None:
    assert [row.clusters for row in worked] == [1, 2, 2, 3, 3, 4]
    assert [row.reduction for row in worked] == [0.75, 0.5, 0.5, 0.25, 0.25, 0.0]
    assert [row.largest for row in worked] == [4, 3, 3, 2, 2, 1]
    # At 0.5 a and c are linked themselves; at 0.6 only through b.
    assert [row.chained for row in worked] == [0, 0, 1, 0, 0, 0]


def test_information_worked_by_hand(worked: list[SweepRow]) -> None:
    # Weights: bees 4 words held by two of four, wasps 3 words and rain 2 words held by one.
    bees, wasps, rain = 4 * math.log2(3), 3 * math.log2(5), 2 * math.log2(5)
    total = bees + wasps + rain
    expected = [bees, bees + rain, bees + rain, total, total, total]
    assert [row.information_kept for row in worked] == pytest.approx([e / total for e in expected])


def test_defined_where_it_is_and_with_a_reason_where_not(worked: list[SweepRow]) -> None:
    assert [bool(row.reason) for row in worked] == [True, False, False, False, False, True]
    assert "one cluster" in worked[0].reason
    assert "its own" in worked[-1].reason
    for row in worked:
        assert all(math.isnan(getattr(row, name)) == bool(row.reason) for name in INDICES)
        assert all(getattr(row, name) == 1.0 for name in SCORES)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_pages_are_rows_too(count: int) -> None:
    comparison = compare_pages(pages_of(["Bees live in town."] * count), find_profile("default"))
    rows = sweep(comparison, [0.3, 0.9])
    assert [row.pages for row in rows] == [count, count]
    assert [row.clusters for row in rows] == [min(count, 1)] * 2
    assert all("not defined" in row.reason for row in rows)
    assert all(math.isnan(row.information_kept) == (count == 0) for row in rows)


@pytest.mark.parametrize("keep", ["rank", "longest", "walk"])
def test_same_as_cutting_at_each_threshold(keep: str) -> None:
    comparison = compare_pages(random_pages(25, words=60), find_profile("default"))
    held = cover(comparison.pages)
    places = {page.id: i for i, page in enumerate(comparison.pages)}
    for row in sweep(comparison, threshold_range(0.05, 0.95, 0.05), how=SweepOptions(keep=keep)):
        reduction = cut(comparison, Cut(threshold=row.threshold, keep=keep, explain=False))
        assert row.clusters == reduction.after
        assert row.reduction == pytest.approx(reduction.reduction)
        assert row.largest == max(len(cluster.members) for cluster in reduction.clusters)
        if keep != "walk":
            assert row.chained == sum(cluster.chained for cluster in reduction.clusters)
        assert row.information_kept == held.kept_by(places[i] for i in reduction.kept)


def test_embedding_is_another_choice_and_others_are_named() -> None:
    comparison = compare_pages(random_pages(12, words=60), find_profile("default"))
    rows, embedded = (
        sweep(comparison, [0.4], how=SweepOptions(vectors=v))[0] for v in ("rows", "embedding")
    )
    assert rows.silhouette == embedded.silhouette
    assert rows.davies_bouldin != embedded.davies_bouldin
    with pytest.raises(UsageError, match="use one of rows, embedding"):
        sweep(comparison, [0.4], how=SweepOptions(vectors="magic"))


def test_the_whole_set() -> None:
    pages = pages_of(["Bees live in town.", "Bees live in town.", "Wasps do not."])
    one = sweep(comparison_of(symmetric(3, {(0, 1): 0.9}), pages), [0.5, 0.95])
    two = sweep(comparison_of(symmetric(1, {}), [Page(id="x", query="r")]), [0.5, 0.95])
    found = whole_set([*one, *two])
    assert [(row.query, row.threshold) for row in found] == [(WHOLE_SET, 0.5), (WHOLE_SET, 0.95)]
    assert (found[0].pages, found[0].clusters, found[0].reduction) == (4, 3, 0.25)
    assert found[0].silhouette == one[0].silhouette  # the second query has none
    assert found[0].information_kept == 1.0  # nor any text
    assert found[1].reason == "not defined for any query"


def _tree_profile() -> Profile:
    """The default profile without checks of each cluster: one tree holds every threshold."""
    default = find_profile("default")
    return replace(default, linkage="single", check_representative=False, check_facts=False)


@pytest.mark.parametrize("count", [100, 300])
def test_a_sweep_costs_less_than_the_similarities(count: int) -> None:
    """`python -m benchmarks sweep` measures it on real pages, and on 1,000."""
    pages, profile = random_pages(count, words=600), _tree_profile()
    thresholds = threshold_range(0.3, 0.99, 0.01)

    sweep_pages(pages, profile, thresholds)  # what is imported on first use is not counted
    similarities = fastest(lambda: compare_pages(pages, profile))
    both = fastest(lambda: sweep_pages(pages, profile, thresholds))
    assert both - similarities < 5 * similarities  # 70 times for one cut after the other


def test_comparing_and_sweeping_at_once_is_the_same() -> None:
    pages, profile = random_pages(9, words=50), find_profile("default")
    comparison, rows = sweep_pages(pages, profile, [0.3, 0.6])
    alone = compare_pages(pages, profile)
    np.testing.assert_array_equal(comparison.scores, alone.scores)
    assert repr(rows) == repr(sweep(alone, [0.3, 0.6]))


def fastest(work) -> float:  # type: ignore[no-untyped-def]
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_arguments_stay_as_they_were() -> None:
    comparison = compare_pages(random_pages(8, words=40), find_profile("default"))
    before = comparison.scores.copy()
    sweep(comparison, [0.2, 0.8], how=SweepOptions(vectors="embedding"))
    np.testing.assert_array_equal(comparison.scores, before)


def by_scikit_learn(scores: Array, labels: Array, vectors: Array) -> list[float]:
    distances = distances_of(scores)
    return [
        float(metrics.silhouette_score(distances, labels, metric="precomputed")),
        float(metrics.davies_bouldin_score(vectors, labels)),
        float(metrics.calinski_harabasz_score(vectors, labels)),
    ]


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


@pytest.mark.parametrize("order", [1, -1])
def test_thresholds_in_any_order_give_the_same_rows(order: int) -> None:
    comparison = compare_pages(random_pages(20, words=60), find_profile("default"))
    thresholds = threshold_range(0.1, 0.9, 0.1)
    rows = sweep(comparison, [0.5, *thresholds[::order], 0.5])
    again = {row.threshold: row for row in sweep(comparison, thresholds)}
    assert [row.threshold for row in rows] == [0.5, *thresholds[::order], 0.5]
    for row in rows:
        assert repr(row) == repr(again[row.threshold])


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


def test_a_sweep_explains_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("texts of dropped pages were read to explain them")

    monkeypatch.setattr(PageFacts, "read_ahead", refuse)
    monkeypatch.setattr(PageFacts, "explain", refuse)
    rows = sweep(compare_pages(random_pages(30), find_profile("default")), [0.9, 0.1, 0.5])
    assert [row.threshold for row in rows] == [0.9, 0.1, 0.5]
