"""The graphlet kernel beside GraKeL's on the same graphs: how close, how much faster.

python -m benchmarks kernel
python -m benchmarks kernel --texts      # graphs of texts: ours, GraKeL sampled, GraKeL exact
python -m benchmarks kernel --directed   # directed and undirected labelled edges on news pages
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import SETS, find_set, has_labelled_data
from benchmarks.processes import timed
from reducepp.demo import read_pages_html
from reducepp.inputs import as_pages
from reducepp.labelled.scoring import average_precision, count_all, rank_pairs
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures.edges import edges
from reducepp.similarity.measures.graphlets import graphlet_counts
from reducepp.similarity.word_graph import WINDOW, adjacency, graphs_of
from reducepp.text.preparation import prepare
from reducepp.types import Array

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


DRAWS = {"delta": 0.05, "epsilon": 0.05, "a": -1}
"""Confidence and error of GraKeL's sampling: 5,617 samples of five nodes."""
TEXTS, TEXT_WORDS = 8, 60
"""Texts of the demo, and their first words, of `--texts`: GraKeL takes seconds for each."""
REFERENCE = 1_000_000
"""Samples that the others are compared with."""


def main(argv: Sequence[str] = ()) -> None:
    """Print one of three comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", action="store_true", help="exact and sampled, on texts")
    parser.add_argument("--directed", action="store_true", help="directions of labelled edges")
    args = parser.parse_args(argv)
    chosen = compare_texts if args.texts else compare_directions if args.directed else compare_speed
    chosen()


def _cosines(counts: Array) -> Array:
    lengths = np.linalg.norm(counts, axis=1)
    cosines: Array = counts @ counts.T / np.outer(lengths, lengths)
    return cosines


def _grakel(matrices: Sequence[NDArray[np.bool_]], **options: Any) -> Array:
    from grakel import Graph
    from grakel.kernels import GraphletSampling

    kernel = GraphletSampling(normalize=True, random_state=0, **options)
    found: Array = kernel.fit_transform([Graph(m.astype(int)) for m in matrices])
    return found


def compare_texts() -> None:
    """Largest difference of any pair's kernel value from a million samples, and time."""
    query = read_pages_html()[0]
    rows = [{"url": p.url, "html": p.html.decode("utf-8", "replace")} for p in query.pages]
    found = [page.body.split()[:TEXT_WORDS] for page in as_pages(rows)[0]]
    cut = [" ".join(words) for words in found if len(words) == TEXT_WORDS][:TEXTS]
    matrices = list(map(adjacency, prepare(cut, [""] * len(cut)).one_by_one()))

    def ours(**options: Any) -> Array:
        return _cosines(np.array([graphlet_counts(m, **options) for m in matrices]))

    reference, small = ours(samples=REFERENCE), ours(size=3, samples=REFERENCE)
    runs: dict[str, tuple[Callable[[], Array], Array]] = {
        "ours, 16,851 samples": (ours, reference),
        "ours, 16,851 samples, another seed": (lambda: ours(seed=1), reference),
        "GraKeL, 5,617 samples": (lambda: _grakel(matrices, k=5, sampling=DRAWS), reference),
        "GraKeL's default, all connected of 3": (lambda: _grakel(matrices, k=3), small),
    }
    for name, (run, against) in runs.items():
        found, seconds = timed(run)
        apart = np.abs(found - against).max()
        upper = np.triu_indices(len(matrices), 1)
        alike = np.corrcoef(found[upper], against[upper])[0, 1]
        print(f"{name:<38} {apart:.4f}, correlation {alike:.2f}, {seconds:.1f} s", flush=True)


def compare_directions() -> None:
    """Average precision, best F, and the negatives' median of the share of common edges."""
    if not has_labelled_data():
        return
    for name in SETS:
        pairs = find_set(name)
        for directed in (True, False):
            found = [_edge_shares(PageSet(pages), directed=directed) for pages in pairs.pages]
            values = np.array([found[q][i, j] for q, i, j in pairs.places()])
            every = count_all(rank_pairs(np.nan_to_num(values), pairs.duplicate))
            median = np.nanmedian(values[~pairs.duplicate])
            print(f"{name} {'directed' if directed else 'undirected':<11} "
                  f"AP {average_precision(every)[0]:.3f}, best F {np.nanmax(every.f1):.3f}, "
                  f"median of negatives {median:.3f}", flush=True)  # fmt: skip


def _edge_shares(page_set: PageSet, *, directed: bool) -> Array:
    contents = page_set.contents("body")
    graphs = graphs_of(contents, WINDOW)
    if not directed:
        ends = np.sort(np.stack([graphs.sources, graphs.targets]), axis=0)
        undirected = replace(graphs, sources=ends[0], targets=ends[1])
        page_set.shared["body", graphs_of, WINDOW] = undirected
    return edges(contents, against="smaller")


def compare_speed() -> None:
    """Print the ratio of times and the largest difference of kernel values."""
    matrices = [word_like_graph(seed) for seed in range(GRAPHS)]
    theirs, seconds = timed(lambda: _grakel(matrices[:SAMPLED], k=5, sampling=DRAWS))
    grakel = seconds / SAMPLED
    graphlet_counts(matrices[0])  # the table of classes is made once
    ours, seconds = timed(lambda: _cosines(np.array([graphlet_counts(m) for m in matrices])))
    own = seconds / GRAPHS
    apart = np.abs(ours[:SAMPLED, :SAMPLED] - theirs).max()
    print(f"graphs of {NODES} nodes: GraKeL {grakel * 1e3:.0f} ms a graph, here {own * 1e3:.2f} ms")
    print(f"ratio {grakel / own:.0f}, largest difference {apart:.4f}")
    print(f"kernel values from {theirs.min():.2f} to 1")
