"""The eight scores against scikit-learn; the other clusterings can disagree."""

import math

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics
from sklearn.cluster import AgglomerativeClustering

from reducepp.clustering.tree import build_tree
from reducepp.errors import UsageError
from reducepp.evaluation.agreement import AGAINST, SCORES, OtherClustering, agreement, same_clusters
from reducepp.types import Array

ORACLES = {
    "rand": metrics.rand_score,
    "adjusted_rand": metrics.adjusted_rand_score,
    "ami": metrics.adjusted_mutual_info_score,
    "nmi": metrics.normalized_mutual_info_score,
    "fowlkes_mallows": metrics.fowlkes_mallows_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v_measure": metrics.v_measure_score,
}


def random_scores(n: int, seed: int, decimals: int = 12) -> Array:
    values = np.random.default_rng(seed).random((n, n))
    scores = ((values + values.T) / 2).round(decimals)
    np.fill_diagonal(scores, 1.0)
    return scores


def test_every_score_has_an_oracle() -> None:
    assert set(ORACLES) == set(SCORES)


@pytest.mark.parametrize("seed", range(30))
def test_same_as_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 40))
    mine = random.integers(0, random.integers(1, n + 1), n)
    theirs = random.integers(0, random.integers(1, n + 1), n)
    if same_clusters(mine, theirs):
        theirs = np.append(theirs[:-1], 99) if len(set(theirs)) == 1 else np.zeros(n, dtype=int)
    found = agreement(mine, theirs)
    for name, oracle in ORACLES.items():
        assert getattr(found, name) == pytest.approx(oracle(theirs, mine), abs=1e-9), name


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([0, 0, 0], [0, 1, 2]),
        ([0, 1, 2], [0, 0, 0]),
        ([0, 0], [0, 1]),
        ([0, 0, 1, 1], [0, 1, 0, 1]),
        ([0, 0, 1, 2], [0, 0, 1, 1]),
    ],
)
def test_degenerate_pairs(mine: list[int], theirs: list[int]) -> None:
    found = agreement(np.array(mine), np.array(theirs))
    for name, oracle in ORACLES.items():
        assert getattr(found, name) == pytest.approx(oracle(theirs, mine), abs=1e-9), name


@pytest.mark.parametrize("labels", [[0, 0], [0, 1], [3, 3, 1], [0, 1, 2], [0, 0, 0]])
def test_the_same_clusters_under_other_names_score_one(labels: list[int]) -> None:
    mine = np.array(labels)
    found = agreement(mine, 7 - mine)
    assert [getattr(found, name) for name in SCORES] == [1.0] * 8


@pytest.mark.parametrize("labels", [[], [0]])
def test_not_defined_below_two_pages(labels: list[int]) -> None:
    found = agreement(np.array(labels, dtype=int), np.array(labels, dtype=int))
    assert all(math.isnan(getattr(found, name)) for name in SCORES)
    assert "nothing can differ" in found.reason
    assert len(OtherClustering(np.ones((len(labels), len(labels)))).labels_at(0.5)) == len(labels)


def components(scores: Array, threshold: float) -> NDArray[np.int64]:
    graph = nx.from_numpy_array(np.triu(scores >= threshold, 1))
    labels = np.zeros(len(scores), dtype=np.int64)
    for number, members in enumerate(nx.connected_components(graph)):
        labels[list(members)] = number
    return labels


@pytest.mark.parametrize("decimals", [1, 2, 12, 17])
@pytest.mark.parametrize("seed", range(6))
def test_single_linkage_is_connected_components_at_every_score(seed: int, decimals: int) -> None:
    """Few decimals make ties, and every threshold is itself a score: an edge stands at >= t."""
    scores = random_scores(14, seed, decimals)
    opinion, tree = OtherClustering(scores), build_tree([str(i) for i in range(14)], scores)
    for threshold in np.unique(scores).tolist():
        expected = components(scores, threshold)
        assert same_clusters(opinion.labels_at(threshold), expected)
        assert same_clusters(tree.labels_at(threshold), expected)


def test_just_below_a_tie_nothing_merges() -> None:
    just_below = float(np.nextafter(0.7, 0))
    scores = np.array([[1, 0.7, 0.1], [0.7, 1, just_below], [0.1, just_below, 1]])
    assert OtherClustering(scores).labels_at(0.7).tolist() in ([0, 0, 1], [1, 1, 0])


def test_it_is_scikit_learns_own_clustering_between_ties() -> None:
    scores = random_scores(25, 4)
    opinion = OtherClustering(scores)
    for threshold in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        how = {"n_clusters": None, "metric": "precomputed", "linkage": "single"}
        model = AgglomerativeClustering(distance_threshold=1 - threshold, **how)
        assert same_clusters(opinion.labels_at(threshold), model.fit(1 - scores).labels_)


@pytest.mark.parametrize("linkage", ["average", "complete"])
def test_other_linkages_agree_with_our_tree(linkage: str) -> None:
    scores = random_scores(20, 8)
    tree = build_tree([str(i) for i in range(20)], scores, linkage=linkage)
    opinion = OtherClustering(scores, method=linkage)
    for threshold in np.linspace(0.05, 0.95, 19):
        assert same_clusters(opinion.labels_at(threshold), tree.labels_at(threshold))


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(
            lambda labels: np.append(labels[:-1], labels.max() + 1), id="one page torn off"
        ),
        pytest.param(lambda labels: np.where(labels == 1, 0, labels), id="two clusters as one"),
        pytest.param(lambda labels: np.roll(labels, 1), id="every page moved on"),
    ],
)
def test_a_broken_clustering_falls_below_one(broken) -> None:  # type: ignore[no-untyped-def]
    scores = np.full((9, 9), 0.1)
    for first in (0, 3, 6):
        scores[first : first + 3, first : first + 3] = 0.9
    np.fill_diagonal(scores, 1.0)
    labels = build_tree([str(i) for i in range(9)], scores).labels_at(0.5)
    opinion = OtherClustering(scores).labels_at(0.5)
    assert agreement(labels, opinion).adjusted_rand == 1.0
    found = agreement(broken(labels), opinion)
    for name in ("rand", "adjusted_rand", "ami", "nmi", "fowlkes_mallows", "v_measure"):
        assert getattr(found, name) < 1, name
    assert min(found.homogeneity, found.completeness) < 1


@pytest.mark.parametrize("method", AGAINST)
def test_every_method_gives_a_partition_and_some_disagree(method: str) -> None:
    scores = random_scores(30, 3)
    other = OtherClustering(scores, method=method)
    labels = build_tree([str(i) for i in range(30)], scores).labels_at(0.8)
    found = other.labels_at(0.8, int(labels.max()) + 1)
    assert sorted(set(found.tolist())) == list(range(int(found.max()) + 1))
    assert (agreement(labels, found).adjusted_rand == 1.0) == (method == "single")


def test_ward_is_cut_at_the_same_number_of_clusters() -> None:
    other = OtherClustering(random_scores(20, 1), method="ward")
    assert [len(set(other.labels_at(0.5, k).tolist())) for k in (1, 7, 20)] == [1, 7, 20]


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="single, average, complete, ward, hdbscan, affinity"):
        OtherClustering(np.ones((2, 2)), method="kmeans")
