"""Which elements of Google's pages are organic results: ads, answers, boxes and rows are not."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Result
from reducepp.scraping.search.google_links import unwrap
from reducepp.scraping.search.result_tree import SILENT, ancestors, ids_of
from reducepp.text.urls import host_of

MAX_TITLES = 3_000
"""Headings read per page; result pages have fewer than 300."""
MAX_STEPS = 2_000
"""Nodes walked to find the first text of a card, so that a hostile page costs bounded time."""

QUOTING = "#:~:text="
"""Text fragment in the link of an answer: it scrolls to the quoted sentence."""
SELECTORS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("engines").joinpath("google.toml").read_text("utf-8")
)["selectors"]


class PageBlocks:
    """Ids of the elements of a page that decide whether a title is an organic result."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        found = {name: tree.css(css) for name, css in SELECTORS.items() if isinstance(css, str)}
        self.excluded = ids_of(tree.css(", ".join(SELECTORS["not_organic"])))
        self.excluded |= _site_link_tables(tree)
        self.opened = {card.mem_id: _first_text_link(card) for card in found["opened"]}
        self.cards = {card.mem_id: _first_link_target(card) for card in found["cards"]}
        self.blocks = {block.mem_id: _first_link_target(block) for block in found["blocks"]}
        self.answers, self.panels = ids_of(found["answers"]), ids_of(found["panels"])
        self.results, self.frames = ids_of(found["results"]), ids_of(found["frames"])
        whole = SELECTORS["whole"]
        self.rows = ids_of(row for row in found["rows"] if row.css_first(whole) is None)

    def is_organic(self, title: LexborNode, link: LexborNode) -> bool:
        """Whether a title and its link are outside of ads, answers and boxes."""
        if QUOTING in (link.attributes.get("href") or ""):
            return False
        chain = [link.mem_id, *(node.mem_id for node in ancestors(link))]
        if title.mem_id in self.excluded or not self.excluded.isdisjoint(chain):
            return False
        openings = {self.blocks[key] for key in [k for k in chain if k in self.blocks][:1]}
        for key in chain:
            if key in self.panels:
                break
            if key in self.answers or self.opened.get(key, link.mem_id) != link.mem_id:
                return False
            if key in self.cards:
                openings.add(self.cards[key])
        return openings <= {link.attributes.get("href")}

    def without_boxes(
        self, titles: list[tuple[LexborNode, Result]]
    ) -> list[tuple[LexborNode, Result]]:
        """Titles that are neither in a row nor in a frame with titles of several sites."""
        chains = [[node.mem_id for node in ancestors(title)] for title, _ in titles]
        frames = [next((key for key in chain if key in self.frames), 0) for chain in chains]
        sites: defaultdict[int, set[str]] = defaultdict(set)
        for frame, (_, found) in zip(frames, titles, strict=True):
            sites[frame].add(host_of(found.url))
        kept: list[tuple[LexborNode, Result]] = []
        for frame, chain, pair in zip(frames, chains, titles, strict=True):
            if self.rows.isdisjoint(chain) and (not frame or len(sites[frame]) == 1):
                kept.append(pair)
        return kept


def _site_link_tables(tree: LexborHTMLParser) -> set[int]:
    """Tables of links to parts of one site, each with a heading."""
    sites: defaultdict[int, list[str]] = defaultdict(list)
    tables: dict[int, LexborNode] = {}
    for title in tree.css("table h3")[:MAX_TITLES]:
        table = next((node for node in ancestors(title) if node.tag == "table"), None)
        link = title.css_first("a[href]") or title.parent
        if table is not None and link is not None and link.tag == "a":
            host = host_of(unwrap(link.attributes.get("href") or ""))
            sites[table.mem_id].append(".".join(host.split(".")[-2:]))
            tables[table.mem_id] = table
    alike = (tables[key] for key, found in sites.items() if len(found) > 1 == len(set(found)))
    return ids_of(table for table in alike if table.css_first(SELECTORS["whole"]) is None)


def _first_link_target(card: LexborNode) -> str:
    """Target of the link that a card begins with; empty where other text comes first.

    First- and second-level headings, which only screen readers show, are skipped.
    """
    for node in islice(_descendants(card), MAX_STEPS):
        if node.tag == "a" and unwrap(href := node.attributes.get("href") or ""):
            return href
        if node.tag == "-text" and (node.text_content or "").strip():
            return ""
    return ""


def _first_text_link(card: LexborNode) -> int:
    """Id of the link that holds the first words of a card; 0 where no link does."""
    for node in islice(_descendants(card), MAX_STEPS):
        if node.tag == "-text" and (node.text_content or "").strip():
            return next((part.mem_id for part in ancestors(node) if part.tag == "a"), 0)
    return 0


def _descendants(top: LexborNode) -> Iterator[LexborNode]:
    """Descendants in document order, without the content of hidden elements."""
    node: LexborNode | None = top
    while node is not None:
        below = None if node.tag in SILENT or node.tag in ("h1", "h2") else node.child
        while below is None and node is not None and node.mem_id != top.mem_id:
            below = node.next
            node = node.parent
        node = below
        if node is not None:
            yield node
