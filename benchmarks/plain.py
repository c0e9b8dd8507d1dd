"""Labelled pages as plain texts: everything that they show, menus included, without titles.

As web crawls give them: one line, and addresses of one made-up host that say nothing.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

from benchmarks.data import DATA
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.types import Page

HOST = "https://texts.example"


def plain_set(name: str) -> LabelledPairs:
    """The labelled pairs of a set of HTML pages, with all their text in place of the pages."""
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    pages = [
        Page(id=r["id"], query=r["query"], rank=r["rank"], body=all_text(r["html"])) for r in rows
    ]
    return find_pairs([on_one_host(pages)], read_labels(str(DATA / f"{name}.labels.csv")))


def all_text(html: str) -> str:
    """All words of the body but scripts and styles, in one line."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, noscript, head"):
        node.decompose()
    return " ".join((tree.body or tree.root).text(separator=" ").split()) if tree.root else ""


def on_one_host(pages: list[Page]) -> list[Page]:
    """The pages under addresses of one made-up host."""
    return [replace(page, url=f"{HOST}/{page.id}") for page in pages]
