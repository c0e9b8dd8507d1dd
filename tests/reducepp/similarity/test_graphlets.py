"""The graphlet kernel against GraKeL on the same graphs, and its own promises."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from reducepp.errors import UsageError
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures.graphlets import _classes, graphlet_counts, graphlets
from reducepp.types import Page


def random_graph(seed: int, nodes: int, density: float) -> np.ndarray:
    """A graph where that share of the pairs is linked."""
    graph = networkx.gnp_random_graph(nodes, density, seed=seed)
    return np.asarray(networkx.to_numpy_array(graph), dtype=bool)


def kernel(matrices: list[np.ndarray]) -> np.ndarray:
    counts = np.array([graphlet_counts(matrix) for matrix in matrices])
    lengths = np.linalg.norm(counts, axis=1)
    return counts @ counts.T / np.outer(lengths, lengths)


@pytest.mark.slow
def test_agreement_with_grakel_within_two_hundredths() -> None:
    grakel = pytest.importorskip("grakel")
    matrices = [random_graph(s, 60, 0.05 + 0.2 * s) for s in range(4)]
    theirs = grakel.GraphletSampling(
        k=5, normalize=True, random_state=1, sampling={"delta": 0.05, "epsilon": 0.05, "a": -1}
    ).fit_transform([grakel.Graph(matrix.astype(int)) for matrix in matrices])
    assert np.ptp(theirs) > 0.1  # the graphs are not all alike, so agreement says something
    np.testing.assert_allclose(kernel(matrices), theirs, atol=0.02)


def test_classes_are_the_isomorphism_classes() -> None:
    assert [int(_classes(k).max()) + 1 for k in range(1, 6)] == [1, 2, 4, 11, 34]
    codes = _classes(4)
    graphs = [networkx.Graph() for _ in codes]
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    for code, graph in enumerate(graphs):
        graph.add_nodes_from(range(4))
        graph.add_edges_from(pair for bit, pair in enumerate(pairs) if code >> bit & 1)
    for a in range(0, 64, 3):
        for b in range(64):
            assert (codes[a] == codes[b]) == networkx.is_isomorphic(graphs[a], graphs[b])


def test_counts_add_up_to_the_samples_at_every_size() -> None:
    for nodes in (1, 2, 3, 4, 5, 9):
        matrix = np.ones((nodes, nodes), dtype=bool) ^ np.eye(nodes, dtype=bool)
        counts = graphlet_counts(matrix, samples=500)
        assert counts.sum() == 500
        assert np.count_nonzero(counts) == max(1, min(nodes, 5) - 2)  # only complete graphs


def test_sampled_shares_meet_the_exact_ones() -> None:
    """All 4-node sets of a small graph, counted one by one."""
    matrix = random_graph(3, 12, 0.3)
    graph = networkx.from_numpy_array(matrix)
    counts = graphlet_counts(matrix, size=4, samples=200_000)
    three = counts[3:7] / counts[3:7].sum()
    from itertools import combinations

    edges = [graph.subgraph(c).number_of_edges() for c in combinations(range(12), 3)]
    exact = np.bincount(edges, minlength=4) / len(edges)
    np.testing.assert_allclose(sorted(three), sorted(exact), atol=0.01)


def test_a_page_scores_the_same_whatever_stands_beside_it() -> None:
    pages = [
        Page(id=str(i), body=f"word{'x' * i} and more of the same " * (i + 1)) for i in range(4)
    ]
    whole = graphlets(PageSet(pages).contents("body"))
    part = graphlets(PageSet([pages[3], pages[1]]).contents("body"))
    assert part[0, 1] == whole[1, 3]


def test_grakel_is_selectable_and_a_wrong_option_is_refused() -> None:
    pytest.importorskip("grakel")
    contents = PageSet(
        [
            Page(id="a", body="one two three four five six"),
            Page(id="b", body="a b c a d a e"),
            Page(id="c"),
        ]
    ).contents("body")
    ours, theirs = (
        graphlets(contents, samples=4000),
        graphlets(contents, samples=4000, backend="grakel"),
    )
    np.testing.assert_allclose(ours, theirs, atol=0.03)
    with pytest.raises(UsageError, match="numpy, grakel"):
        graphlets(contents, backend="igraph")
    with pytest.raises(UsageError, match="3 to 5"):
        graphlets(contents, size=6)


def test_the_seed_is_zero_unless_stated() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    pages = [
        Page(id=str(k), body=" ".join(letters[n**k % 23] + letters[n % 19] for n in range(200)))
        for k in (2, 3)
    ]
    contents = PageSet(pages).contents("body")
    assert (graphlets(contents) == graphlets(contents, seed=0)).all()
    assert (graphlets(contents) != graphlets(contents, seed=1)).any()
