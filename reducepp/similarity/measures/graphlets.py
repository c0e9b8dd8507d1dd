"""Graphlet sampling kernel of two graphs of words, without their labels."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import MissingExtraError, UsageError
from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.measures.feature_sets import cosines
from reducepp.similarity.word_graph import WINDOW, adjacency
from reducepp.types import Array, Integers

SAMPLES = 3 * 5617
"""Three times what GraKeL draws for five nodes when asked to sample at delta = epsilon = 0.05:
2 (19 lg 2 + lg 20) / 0.05² = 5,617. What differs between the two is then mostly its noise.
Without its option `sampling` GraKeL counts all connected graphlets instead."""

BACKENDS = ("numpy", "grakel")

Floats = NDArray[np.float32]
Nodes = NDArray[np.int32]


def graphlets(
    contents: Contents,
    *,
    window: int = WINDOW,
    size: int = 5,
    samples: int = SAMPLES,
    seed: int = 0,
    backend: str = "numpy",
) -> Array:
    """Cosine of the two graphs' counts of sampled graphlets of 3 to `size` nodes, in [0, 1].

    Node sets are drawn uniformly, as GraKeL's GraphletSampling does; edges count as undirected.
    NaN for a page without words. A page's counts depend on its own graph and the seed alone.
    """
    if not 3 <= size <= 5:
        raise UsageError(f"size = {size}: graphlets have 3 to 5 nodes")
    if backend not in BACKENDS:
        raise UsageError(f"backend = {backend!r}: use one of {', '.join(BACKENDS)}")
    pairs, texts = contents.pairs, contents.texts()
    if backend == "grakel":
        matrices = [adjacency(text, window=window) for text in texts.one_by_one()]
        found = pairs.select(_grakel_kernel(matrices, size=size, samples=samples, seed=seed))
    else:
        found = cosines(pairs, _counts(contents, window, size, samples, seed))
    return pairs.blank(found, texts.lengths == 0)


@made_once
def _counts(contents: Contents, window: int, size: int, samples: int, seed: int) -> Array:
    """Pages × classes of graphlets."""
    matrices = (adjacency(text, window=window) for text in contents.texts().one_by_one())
    rows = [graphlet_counts(m, size=size, samples=samples, seed=seed) for m in matrices]
    return np.array(rows) if rows else np.zeros((0, 1))


def graphlet_counts(
    matrix: NDArray[np.bool_], *, size: int = 5, samples: int = SAMPLES, seed: int = 0
) -> Array:
    """How many of the sampled node sets fall into each isomorphism class, sizes in turn."""
    nodes = len(matrix)
    smallest, largest = min(3, nodes), min(size, nodes)
    classes = {k: _classes(k) for k in range(1, 6)}
    starts = np.cumsum([0, *(int(c.max()) + 1 for c in classes.values())])
    counts = np.zeros(starts[-1])
    if nodes == 0:
        return counts
    flat = matrix.view(np.uint8).ravel()
    sizes = range(smallest, largest + 1)
    for k, draws in zip(sizes, _draws(samples, smallest, largest, seed), strict=True):
        codes = _codes(flat, nodes, _distinct_nodes(draws, nodes))
        found = np.bincount(classes[k][codes])
        counts[starts[k - 1] : starts[k - 1] + len(found)] = found
    return counts


@cache
def _draws(samples: int, smallest: int, largest: int, seed: int) -> tuple[Floats, ...]:
    """Uniform numbers in [0, 1): k rows for the samples of k nodes, as many samples of each size.

    GraKeL draws the size as well; even shares are what it draws on average, with less noise.
    """
    random = np.random.default_rng(seed)
    sizes = range(smallest, largest + 1)
    shares = [(samples + i) // len(sizes) for i in range(len(sizes))]
    return tuple(
        random.random((k, share), dtype=np.float32) for k, share in zip(sizes, shares, strict=True)
    )


def _distinct_nodes(draws: Floats, nodes: int) -> list[Nodes]:
    """k different nodes per sample: the j-th draw picks among those that are left."""
    picked: list[Nodes] = []
    ordered: list[Nodes] = []
    for j, row in enumerate(draws):
        pick = np.minimum((row * np.float32(nodes - j)).astype(np.int32), nodes - j - 1)
        for earlier in ordered:
            pick += pick >= earlier
        picked.append(pick)
        ordered = _inserted(ordered, pick)
    return picked


def _inserted(ordered: list[Nodes], pick: Nodes) -> list[Nodes]:
    """Rows in rising order in every column, with one more row sorted in."""
    result = []
    for row in ordered:
        result.append(np.minimum(row, pick))
        pick = np.maximum(row, pick)
    return [*result, pick]


def _codes(flat: NDArray[np.uint8], nodes: int, picked: list[Nodes]) -> NDArray[np.int32]:
    """Adjacency bits of each sampled node set as one number."""
    codes = np.zeros(len(picked[0]), dtype=np.int32)
    starts = [pick * np.int32(nodes) for pick in picked]
    for bit, (i, j) in enumerate(combinations(range(len(picked)), 2)):
        codes += flat.take(starts[i] + picked[j]).astype(np.int32) << bit
    return codes


@cache
def _classes(k: int) -> Integers:
    """Isomorphism class of each of the 2^(k(k-1)/2) graphs on k nodes.

    Two codes are one class when some renumbering of the nodes makes them equal; the smallest
    code over all renumberings names the class.
    """
    pairs = list(combinations(range(k), 2))
    codes = np.arange(2 ** len(pairs))
    smallest = codes.copy()
    for order in permutations(range(k)):
        moved = np.zeros_like(codes)
        for bit, (i, j) in enumerate(pairs):
            target = pairs.index((min(order[i], order[j]), max(order[i], order[j])))
            moved |= (codes >> bit & 1) << target
        np.minimum(smallest, moved, out=smallest)
    return np.unique(smallest, return_inverse=True)[1].astype(np.int64)


def _grakel_kernel(
    matrices: list[NDArray[np.bool_]], *, size: int, samples: int, seed: int
) -> Array:
    try:
        from grakel import Graph
        from grakel.kernels import GraphletSampling
    except ImportError:
        raise MissingExtraError("the graphlet backend 'grakel'", "grakel") from None
    kernel = GraphletSampling(
        k=size, normalize=True, random_state=seed, sampling={"n_samples": samples}
    )
    whole = np.zeros((len(matrices), len(matrices)))
    real = [i for i, matrix in enumerate(matrices) if len(matrix)]
    if real:
        graphs = [Graph(matrices[i].astype(int)) for i in real]
        whole[np.ix_(real, real)] = kernel.fit_transform(graphs)
    return np.clip(whole, 0.0, 1.0)
