"""The similarity graph: its components are our clusters, and GraphML keeps it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

from reducepp.cli import main
from reducepp.clustering.graph import as_graphml, similarity_graph
from reducepp.clustering.tree import build_tree
from reducepp.types import Page


@pytest.mark.parametrize("seed", range(5))
def test_components_are_the_clusters_of_the_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random((25, 25)), 1)  # full of ties
    scores = np.maximum(scores, scores.T)
    np.fill_diagonal(scores, 1.0)
    pages = [Page(id=f"p{i}", rank=i + 1) for i in range(25)]
    tree = build_tree([page.id for page in pages], scores)
    for threshold in (0.7, 0.9, 1.0):
        graph = similarity_graph(pages, scores, threshold)
        components = {frozenset(part) for part in nx.connected_components(graph)}
        groups = tree.clusters_at(threshold)
        assert components == {frozenset(pages[i].id for i in group) for group in groups}


def test_graphml_keeps_pages_and_scores() -> None:
    pages = [Page(id="a", rank=1, page_title="Rain <in> Spain", url="https://a"), Page(id="b")]
    graph = similarity_graph(pages, np.array([[1.0, 0.8], [0.8, 1.0]]), 0.5)
    again = nx.read_graphml(io.BytesIO(as_graphml(graph).encode()))
    assert again.nodes["a"]["title"] == "Rain <in> Spain"
    assert again.edges["a", "b"]["score"] == 0.8


def test_the_command_writes_a_graph_per_query(tmp_path: Path) -> None:
    body = "The storm hit the coast on Monday and left many houses without power for hours."
    rows = [
        {"query": q, "url": f"https://{x}.example/{q}", "title": "A \x1b & B", "body": body}
        for q in ("one", "two & <more>")
        for x in "ab"
    ]
    pages, out = tmp_path / "pages.jsonl", tmp_path / "graph.graphml"
    pages.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert main(["reduce", str(pages), "--format", "graphml", "--out", str(out)]) == 0
    names = {"g": "http://graphml.graphdrawing.org/xmlns"}
    described = ElementTree.parse(out).getroot().findall("g:graph/g:desc", names)
    assert [found.text for found in described] == ["one", "two & <more>"]
    graphs = list(nx.readwrite.graphml.GraphMLReader()(path=out))
    assert [graph.graph["query"] for graph in graphs] == ["one", "two & <more>"]
    assert set(dict(graphs[1].nodes(data="kept")).values()) == {"https://a.example/two & <more>"}
    first = nx.read_graphml(out)
    assert first.edges["https://a.example/one", "https://b.example/one"]["score"] > 0.9
