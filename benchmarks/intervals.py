"""How often do intervals of B-cubed and adjusted Rand hold the truth? On made clusters.

    python -m benchmarks intervals

A made result set has true groups of mostly one or two pages; a tenth of the groups is found merged
into another, a tenth of the pages found apart. The truth is the mean score over many such sets, and
an interval that says 95 % should hold it in 95 of 100 sets. Beside drawing components, as `reducepp
evaluate` does: drawing pages, whose copies then count as pages of the same cluster.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reducepp.labelled.intervals import intervals
from reducepp.labelled.scoring import CLUSTER_SCORES, find_components, score_clusters
from reducepp.types import Array

Integers = NDArray[np.int64]
Clusters = tuple[Integers, Integers]
Draw = Callable[[Clusters, np.random.Generator, int], Array]
SIZES = (12, 20, 60, 150)


def made_clusters(
    random: np.random.Generator, *, groups: int, split: float, merge: float
) -> tuple[Integers, Integers]:
    """True groups of mostly one or two pages; some are found merged, some pages found apart."""
    truth = np.repeat(np.arange(groups), np.minimum(random.geometric(0.6, groups), 12))
    merged = np.arange(groups)
    for group in range(1, groups):
        if random.random() < merge:
            merged[group] = merged[random.integers(0, group)]
    found = merged[truth]
    alone = random.random(len(truth)) < split
    found[alone] = groups + np.arange(np.count_nonzero(alone))
    return truth, found


def made_sets(*, components: int, sets: int, truths: int) -> tuple[Array, list[Clusters]]:
    """The true scores of sets with about so many components, and some such sets."""
    random = np.random.default_rng(5)

    def make() -> Clusters:
        return made_clusters(random, groups=round(components * 1.1), split=0.1, merge=0.1)

    sums = np.array([_components(make()).sum(axis=0) for _ in range(truths)])
    return score_clusters(sums).mean(axis=1), [make() for _ in range(sets)]


def _components(clusters: Clusters) -> Array:
    return find_components(*clusters, np.zeros(len(clusters[0]), dtype=np.int64)).sums


def draw_components(clusters: Clusters, random: np.random.Generator, samples: int) -> Array:
    """The scores of resamples of components."""
    sums = _components(clusters)
    count = len(sums)
    return score_clusters(random.multinomial(count, np.full(count, 1 / count), samples) @ sums)


def draw_copies(clusters: Clusters, random: np.random.Generator, samples: int) -> Array:
    """The scores of resamples of pages: a page drawn twice is in its cluster twice."""
    true, found = (labels[:, None] == labels for labels in clusters)
    n = len(true)
    counts = random.multinomial(n, np.full(n, 1 / n), samples)
    both, in_true, in_found = (np.maximum(counts @ t, 1) for t in (true & found, true, found))
    parts = [np.ones(both.shape), both / in_found, both / in_true]
    parts += [(size - 1) / 2 for size in (both, in_true, in_found)]
    return score_clusters(np.stack([(counts * part).sum(axis=1) for part in parts], axis=1))


def coverage(truth: Array, sets: Sequence[Clusters], draw: Draw, *, samples: int) -> Array:
    """Share of the sets whose interval holds the truth, for each score."""
    random = np.random.default_rng(6)
    held = np.zeros(len(truth))
    for clusters in sets:
        ends = intervals(lambda values: values, [draw(clusters, random, samples)])
        held += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return held / len(sets)


def main() -> None:
    """Print the coverage of each score for each number of components."""
    print(f"{'components':>10}  {'drawn':<10}" + "".join(f"{name:>19}" for name in CLUSTER_SCORES))
    for components in SIZES:
        truth, sets = made_sets(components=components, sets=300, truths=1000)
        for name, draw in (("components", draw_components), ("pages", draw_copies)):
            held = coverage(truth, sets, draw, samples=300)
            print(f"{components:>10}  {name:<10}" + "".join(f"{share:>19.0%}" for share in held))
