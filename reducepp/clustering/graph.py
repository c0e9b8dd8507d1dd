"""The similarity graph of a page set, for networkx and for programs that read GraphML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from reducepp.clustering.tree import Scores
from reducepp.errors import MissingExtraError
from reducepp.io.escaping import escape_controls
from reducepp.similarity.pair_matrix import links_at
from reducepp.types import Cluster, Page

if TYPE_CHECKING:
    import networkx as nx


def similarity_graph(pages: Sequence[Page], scores: Scores, threshold: float) -> nx.Graph[str]:
    """Pages as nodes, with an edge and its score for each pair at the threshold or above.

    Its connected components are the clusters of single linkage before facts split them: pages kept
    apart by facts have an edge and other clusters.
    """
    try:
        import networkx as nx
    except ImportError:
        raise MissingExtraError("the similarity graph", "evaluate") from None
    graph: nx.Graph[str] = nx.Graph()
    for page in pages:
        name, title, url = map(escape_controls, (page.id, page.page_title, page.url))
        graph.add_node(name, rank=page.rank, title=title, url=url)  # XML has no such characters
    ids = list(graph)
    first, second = links_at(scores, threshold)
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        graph.add_edge(ids[i], ids[j], score=float(scores[i, j]))
    return graph


def as_graphml(graph: nx.Graph[str]) -> str:
    """The graph as GraphML, which Gephi, yEd and Cytoscape read."""
    import networkx as nx

    return "\n".join(nx.generate_graphml(graph)) + "\n"


GRAPHML_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="query" for="graph" attr.name="query" attr.type="string" />
  <key id="d0" for="node" attr.name="rank" attr.type="long" />
  <key id="d1" for="node" attr.name="title" attr.type="string" />
  <key id="d2" for="node" attr.name="url" attr.type="string" />
  <key id="d3" for="node" attr.name="kept" attr.type="string" />
  <key id="d4" for="edge" attr.name="score" attr.type="double" />
"""
GRAPHML_TAIL = "</graphml>\n"


def graph_element(graph: nx.Graph[str], query: str, clusters: Iterable[Cluster]) -> str:
    """One graph of a GraphML file that holds several, between GRAPHML_HEAD and GRAPHML_TAIL.

    `kept` of a node is its representative; it is empty for a page that is cut.
    """
    kept = {escape_controls(page): one.kept for one in clusters for page in one.members}
    for name, node in graph.nodes.items():
        node["kept"] = escape_controls(kept.get(name, ""))
    text = as_graphml(graph)
    start, end = text.index("  <graph "), text.index("</graphml>")
    first, rest = text[start:end].split(">", 1)
    name = escape(escape_controls(query))
    return f'{first}>\n    <desc>{name}</desc>\n    <data key="query">{name}</data>{rest}'
