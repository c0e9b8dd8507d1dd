"""The similarity graph of a page set, for networkx and for programs that read GraphML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reducepp.clustering.tree import Scores
from reducepp.errors import MissingExtraError
from reducepp.similarity.pair_matrix import PairMatrix
from reducepp.types import Page

if TYPE_CHECKING:
    import networkx as nx


def similarity_graph(pages: Sequence[Page], scores: Scores, threshold: float) -> nx.Graph[str]:
    """Pages as nodes, with an edge and its score for each pair at the threshold or above.

    Its connected components are the clusters of single linkage.
    """
    try:
        import networkx as nx
    except ImportError:
        raise MissingExtraError("the similarity graph", "evaluate") from None
    graph: nx.Graph[str] = nx.Graph()
    for page in pages:
        graph.add_node(page.id, rank=page.rank, title=page.page_title, url=page.url)
    if isinstance(scores, PairMatrix):
        first, second, _ = scores.links(threshold)
    else:
        first, second = np.nonzero(np.triu(scores >= threshold, 1))
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        graph.add_edge(pages[i].id, pages[j].id, score=float(scores[i, j]))
    return graph


def as_graphml(graph: nx.Graph[str]) -> str:
    """The graph as GraphML, which Gephi, yEd and Cytoscape read."""
    import networkx as nx

    return "\n".join(nx.generate_graphml(graph)) + "\n"
