"""Tokens to graphs of words: one node a distinct word, edges between words near each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.contents import Contents, made_once
from reducepp.text.preparation import Texts
from reducepp.types import Integers

LARGEST = 4096
"""Distinct words of a page that become nodes of its adjacency matrix; later ones are left out."""

WINDOW = 4
"""Words in the sliding window: each word points to the three that follow it in its sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordGraphs:
    """Directed edges of n graphs of words in one row, every occurrence counted.

    Edge i of page `pages[i]` leads from word `sources[i]` to word `targets[i]`.
    """

    count: int
    pages: Integers
    sources: Integers
    targets: Integers


def word_graphs(texts: Texts, *, window: int = WINDOW) -> WordGraphs:
    """Slide a window over each sentence; an edge from each word to the words after it inside."""
    pages, sources, targets = [], [], []
    sentences, of_page = texts.sentences, texts.pages
    for step in range(1, window):
        inside = sentences[step:] == sentences[:-step]
        pages.append(of_page[step:][inside])
        sources.append(texts.words[:-step][inside])
        targets.append(texts.words[step:][inside])
    empty = np.zeros(0, dtype=np.int64)
    return WordGraphs(
        count=texts.count,
        pages=np.concatenate([empty, *pages]),
        sources=np.concatenate([empty, *sources]),
        targets=np.concatenate([empty, *targets]),
    )


@made_once
def graphs_of(contents: Contents, window: int) -> WordGraphs:
    """The graphs of words of a content type."""
    return word_graphs(contents.texts(), window=window)


def adjacency(text: Texts, *, window: int = WINDOW) -> NDArray[np.bool_]:
    """Undirected adjacency of the graph of one text, nodes in order of first occurrence, no loops.

    It depends on this text's words alone, whatever pages stand beside it.
    """
    graph = word_graphs(text, window=window)
    distinct, first = np.unique(text.words, return_index=True)
    node = np.empty(len(distinct), dtype=np.int64)
    node[np.argsort(first)] = np.arange(len(distinct))
    a = node[np.searchsorted(distinct, graph.sources)]
    b = node[np.searchsorted(distinct, graph.targets)]
    inside = (a < LARGEST) & (b < LARGEST)
    a, b = a[inside], b[inside]
    size = min(len(distinct), LARGEST)
    matrix = np.zeros((size, size), dtype=bool)
    matrix[a, b] = True
    matrix[b, a] = True
    np.fill_diagonal(matrix, False)
    return matrix
