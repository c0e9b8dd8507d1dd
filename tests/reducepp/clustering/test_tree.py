"""The tree holds the clusters of every threshold; others' algorithms are the judges."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

from reducepp.clustering.tree import LINKAGES, build_tree, describe_cluster, tree_path
from reducepp.errors import UsageError


def random_scores(seed: int, n: int, values: int) -> np.ndarray:
    """Symmetric scores with many ties: `values` different ones."""
    upper = np.triu(np.random.default_rng(seed).integers(0, values + 1, (n, n)) / values, 1)
    return upper + upper.T + np.eye(n)


def names(n: int) -> list[str]:
    return [f"p{i}" for i in range(n)]


@pytest.mark.parametrize("seed", range(12))
def test_connected_components_at_every_score(seed: int) -> None:
    n = 3 + 5 * seed
    scores = random_scores(seed, n, values=4 + seed)
    tree = build_tree(names(n), scores)
    for threshold in [*np.unique(scores), 0.0, 1.0]:
        graph = networkx.from_numpy_array(np.triu(scores >= threshold, 1))
        expected = sorted(tuple(sorted(c)) for c in networkx.connected_components(graph))
        assert sorted(tree.clusters_at(float(threshold))) == expected


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("seed", range(6))
def test_agglomerative_clustering_at_every_merge(seed: int, linkage: str) -> None:
    n = 6 + 7 * seed
    upper = np.triu(np.random.default_rng(seed).random((n, n)).round(6), 1)
    scores = upper + upper.T + np.eye(n)
    tree = build_tree(names(n), scores, linkage=linkage)
    for threshold in tree.thresholds:
        other = AgglomerativeClustering(
            n_clusters=None,
            metric="precomputed",
            linkage=linkage,
            distance_threshold=1 - threshold + 1e-9,
        ).fit(1 - scores)
        ours = tree.labels_at(threshold)
        pairs = {(a, b) for a, b in zip(ours.tolist(), other.labels_.tolist(), strict=True)}
        assert len(pairs) == len(set(ours.tolist())) == other.n_clusters_


def test_ties_at_single_linkage_agree_with_agglomerative_clustering() -> None:
    for seed in range(8):
        scores = random_scores(seed, 20, values=5)
        tree = build_tree(names(20), scores)
        for threshold in tree.thresholds:
            other = AgglomerativeClustering(
                n_clusters=None,
                metric="precomputed",
                linkage="single",
                distance_threshold=1 - threshold + 1e-9,
            ).fit(1 - scores)
            assert len(tree.clusters_at(threshold)) == other.n_clusters_


def test_no_page_one_page_two_pages() -> None:
    assert build_tree([], np.zeros((0, 0))).clusters_at(0.5) == ()
    for linkage in LINKAGES:
        assert build_tree(["a"], np.ones((1, 1)), linkage=linkage).clusters_at(0.5) == ((0,),)
        two = build_tree(["a", "b"], np.array([[1, 0.5], [0.5, 1]]), linkage=linkage)
        assert two.clusters_at(0.5) == ((0, 1),)
        assert two.clusters_at(0.5000001) == ((0,), (1,))


def chain_scores() -> np.ndarray:
    """a-b 0.9, b-c 0.8, a-c 0.1, d apart."""
    scores = np.eye(4)
    for i, j, score in ((0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.1)):
        scores[i, j] = scores[j, i] = score
    return scores


def test_a_chain_is_flagged_and_its_path_found() -> None:
    tree = build_tree(["a", "b", "c", "d"], chain_scores())
    cluster = describe_cluster(tree, chain_scores(), (0, 1, 2), kept=0, threshold=0.7)
    assert cluster.chained
    assert cluster.weakest_link == 0.8
    assert cluster.least_similar is not None
    assert (cluster.least_similar.a, cluster.least_similar.b) == ("a", "c")
    assert tree_path(tree, 0, 2, threshold=0.7) == [0, 1, 2]
    assert tree_path(tree, 0, 3, threshold=0.7) == []


def test_links_to_pages_that_facts_keep_apart_are_none_of_a_cluster() -> None:
    scores = np.array([[1.0, 0.9, 0.3], [0.9, 1.0, 0.8], [0.3, 0.8, 1.0]])
    tree = build_tree(["a", "b", "c"], scores)
    assert describe_cluster(tree, scores, (0, 1), kept=0, threshold=0.7).weakest_link == 0.9
    through = describe_cluster(tree, scores, (0, 2), kept=0, threshold=0.7)
    assert np.isnan(through.weakest_link)
    assert through.chained


def test_complete_linkage_does_not_chain() -> None:
    tree = build_tree(["a", "b", "c", "d"], chain_scores(), linkage="complete")
    assert tree.clusters_at(0.7) == ((0, 1), (2,), (3,))


def test_unknown_linkage() -> None:
    with pytest.raises(UsageError, match="single, average, complete"):
        build_tree(["a"], np.ones((1, 1)), linkage="ward")


@pytest.mark.parametrize(
    ("linkage", "heights"),
    [
        ("single", [1, 0.8, 0.6]),
        ("average", [1, 0.8, (2 * 0.6 + 0.4) / 3]),
        ("complete", [1, 0.8, 0.4]),
    ],
)
def test_pages_that_score_one_are_joined_with_their_best_scores(
    linkage: str, heights: list[float]
) -> None:
    scores = np.array([[1, 1, 0.2, 0.8], [1, 1, 0.6, 0.1], [0.2, 0.6, 1, 0.4], [0.8, 0.1, 0.4, 1]])
    tree = build_tree(["a", "b", "c", "d"], scores, linkage=linkage, join=True)
    assert tree.scores == pytest.approx(heights)
    assert tree.clusters_at(0.7) == ((0, 1, 3), (2,))


def test_equal_scores_merge_in_the_order_of_pages() -> None:
    scores = np.eye(4)
    for a, b, score in ((0, 3, 0.9), (1, 2, 0.9), (0, 1, 0.5)):
        scores[a, b] = scores[b, a] = score
    tree = build_tree("abcd", scores)
    merges = list(zip(tree.first.tolist(), tree.second.tolist(), strict=True))
    assert merges[:2] == [(0, 3), (1, 2)]
    mirrored = build_tree("abcd", scores[::-1, ::-1])
    merges = list(zip(mirrored.first.tolist(), mirrored.second.tolist(), strict=True))
    assert merges[:2] == [(0, 3), (1, 2)]
