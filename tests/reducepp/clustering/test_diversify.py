"""Algorithm 2: a walk down the ranking drops what duplicates a kept page, and nothing chains."""

from __future__ import annotations

import numpy as np

from reducepp.api import reduce
from reducepp.clustering.representatives import diversify
from reducepp.clustering.tree import build_tree
from reducepp.comparison import Comparison
from reducepp.pipeline import Cut, cut
from reducepp.types import Page, Profile, Similarities

CHAIN = np.array(
    [[1.0, 0.9, 0.1, 0.2], [0.9, 1.0, 0.9, 0.2], [0.1, 0.9, 1.0, 0.6], [0.2, 0.2, 0.6, 1.0]]
)
"""0 and 1, 1 and 2, 2 and 3 are alike: single linkage makes one cluster of all."""


def compared(scores: np.ndarray) -> Comparison:
    ids = tuple(f"p{i}" for i in range(len(scores)))
    return Comparison(
        pages=tuple(Page(id=i, rank=n + 1, body=f"text {n}") for n, i in enumerate(ids)),
        profile=Profile(name="made", signals=(), threshold=0.5),
        similarities=Similarities(ids=ids, by_signal={}),
        scores=scores,
        tree=build_tree(ids, scores),
    )


def test_the_walk_drops_only_for_pages_that_are_shown() -> None:
    assert diversify(CHAIN, 0.5) == ((0, 1), (2, 3))
    assert diversify(CHAIN, 0.7) == ((0, 1), (2,), (3,))
    assert diversify(np.zeros((0, 0)), 0.5) == ()


def test_the_walk_as_a_keeper() -> None:
    found = cut(compared(CHAIN), Cut(threshold=0.5, keep="walk"))
    assert found.kept == ("p0", "p2")
    assert [(d.id, d.kept, d.score, len(d.chain)) for d in found.dropped] == [
        ("p1", "p0", 0.9, 1),
        ("p3", "p2", 0.6, 1),
    ]
    assert [c.weakest_link for c in found.clusters] == [0.9, 0.6]
    assert not any(cluster.chained for cluster in found.clusters)
    assert (found.keep, found.linkage, found.warnings) == ("walk", "walk", ())
    assert cut(compared(CHAIN), Cut(threshold=0.5)).after == 1


def test_the_walk_agrees_with_algorithm_2_as_printed() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        half = np.triu(rng.random((12, 12)), 1)
        scores = half + half.T + np.eye(12)
        ranking, i = list(range(12)), 0
        while i < len(ranking):
            j = i + 1
            while j < len(ranking):
                if scores[ranking[i], ranking[j]] >= 0.8:
                    ranking.pop(j)
                else:
                    j += 1
            i += 1
        assert [group[0] for group in diversify(scores, 0.8)] == ranking


def test_the_walk_to_a_number_of_results_cuts_the_others() -> None:
    found = reduce([{"body": "a"}, {"body": "b"}], keep="walk", target_n=1)
    assert (found.kept, found.dropped, found.cut) == (("page-1",), (), ("page-2",))
