"""The graphlet kernel beside GraKeL's on the same graphs: how close, how much faster.

python -m benchmarks kernel
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.measures.graphlets import graphlet_counts

GRAPHS = 100
NODES = 500
SAMPLED = 10
"""Graphs that GraKeL is run on; it takes about a second for each."""


def word_like_graph(seed: int) -> NDArray[np.bool_]:
    """A graph of 500 nodes as a text of a thousand words gives: few hubs, many leaves.

    The window grows with the seed from 3 to 12 words, so that the graphs are not all alike.
    """
    random = np.random.default_rng(seed)
    words = np.minimum(random.zipf(1.15 + 0.02 * (seed % 20), 2 * NODES) - 1, NODES - 1)
    words[:NODES] = random.permutation(NODES)
    matrix = np.zeros((NODES, NODES), dtype=bool)
    for step in range(1, 3 + seed % 10):
        matrix[words[:-step], words[step:]] = True
    matrix |= matrix.T
    np.fill_diagonal(matrix, False)
    return matrix


def main() -> None:
    """Print the ratio of times and the largest difference of kernel values."""
    from grakel import Graph
    from grakel.kernels import GraphletSampling

    matrices = [word_like_graph(seed) for seed in range(GRAPHS)]
    kernel = GraphletSampling(
        k=5, normalize=True, random_state=0, sampling={"delta": 0.05, "epsilon": 0.05, "a": -1}
    )
    start = time.perf_counter()
    theirs = kernel.fit_transform([Graph(m.astype(int)) for m in matrices[:SAMPLED]])
    grakel = (time.perf_counter() - start) / SAMPLED
    graphlet_counts(matrices[0])  # the table of classes is made once
    start = time.perf_counter()
    counts = np.array([graphlet_counts(matrix) for matrix in matrices])
    lengths = np.linalg.norm(counts, axis=1)
    ours = counts @ counts.T / np.outer(lengths, lengths)
    own = (time.perf_counter() - start) / GRAPHS
    apart = np.abs(ours[:SAMPLED, :SAMPLED] - theirs).max()
    print(f"graphs of {NODES} nodes: GraKeL {grakel * 1e3:.0f} ms a graph, here {own * 1e3:.2f} ms")
    print(f"ratio {grakel / own:.0f}, largest difference {apart:.4f}")
    print(f"kernel values from {theirs.min():.2f} to 1")


if __name__ == "__main__":
    main()
