"""Google: rendered, mobile and script-free result pages since 2017.

Class names change several times a year, so a result is detected by its structure first: a link
that holds a heading (or a heading that holds a link) in the results column, with a target
outside the search itself. The selectors are in engines/google.toml: what lies inside one of
`not_organic` is an ad, a related question, news, a video or product card, or a site link. A
featured answer is not a result, unless its URL is also in the list of results.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import MAX_HITS, unique_results
from reducepp.scraping.search.result_tree import SILENT, ancestors, ids_of, text_of
from reducepp.text.urls import host_of
from reducepp.types import SearchHit

MAX_TITLES = 3_000
"""Headings read per page; result pages have fewer than 300."""
MAX_STEPS = 2_000
"""Nodes walked to find the first text of a card, so that a hostile page costs bounded time."""
QUOTING = "#:~:text="
"""Text fragment in the link of an answer: it scrolls to the quoted sentence."""
SELECTORS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("engines").joinpath("google.toml").read_text("utf-8")
)["selectors"]
MIN_TITLES = 3
"""Fewer titles of one kind may be stray headings of a page that uses another kind."""
MAX_SNIPPET_DISTANCE = 15
"""Most parents from a title up to the element that also holds its snippet."""


Unwrap = Callable[[str], str]
"""Target of a link; empty where it leads to the search itself."""
Title = tuple[LexborNode, SearchHit]


def find_google_results(tree: LexborHTMLParser, unwrap: Unwrap) -> tuple[SearchHit, ...]:
    """Results by the first kind of title that gives some, except for stray headings."""
    body = tree.body
    if body is None:
        return ()
    blocks = PageBlocks(tree, unwrap)
    first, *others = (_titles(body.css(kind)[:MAX_TITLES], blocks) for kind in SELECTORS["titles"])
    second, last = (blocks.without_boxes(found) for found in others)
    if len(first) < MIN_TITLES and len(second) > len(first):
        first = second
    return tuple(_with_snippets(first or last, tree))


def _titles(nodes: list[LexborNode], blocks: PageBlocks) -> list[Title]:
    """The titles of hits, each address once."""
    results = ((title, _result(title, blocks)) for title in nodes)
    found = [(title, one) for title, one in results if one is not None]
    kept = {id(one) for one in unique_results((one for _, one in found), separate=True)}
    return [(title, one) for title, one in found if id(one) in kept][:MAX_HITS]


def _with_snippets(titles: list[Title], tree: LexborHTMLParser) -> list[SearchHit]:
    """Adds the snippet of the smallest element around a title that has one and no other title."""
    uses = Counter(part.mem_id for title, _ in titles for part in ancestors(title))
    texts = _snippet_nodes(tree) if titles else {}
    found = []
    for title, one in titles:
        near = (part.mem_id for part in islice(ancestors(title), MAX_SNIPPET_DISTANCE))
        alone = takewhile(lambda part: uses[part] == 1, near)
        nodes = (node for part in alone for node in texts.get(part, ()))
        snippet = next((text for node in nodes if (text := text_of(node))), "")
        found.append(replace(one, snippet=snippet))
    return found


def _snippet_nodes(tree: LexborHTMLParser) -> dict[int, list[LexborNode]]:
    """Element → its first snippet nodes, those of the most reliable selector first."""
    found: defaultdict[int, list[LexborNode]] = defaultdict(list)
    for selector in SELECTORS["snippets"]:
        for node in tree.css(selector)[:MAX_TITLES]:
            for part in islice(ancestors(node), MAX_SNIPPET_DISTANCE):
                if len(found[part.mem_id]) < MIN_TITLES:
                    found[part.mem_id].append(node)
    return found


def _result(title: LexborNode, blocks: PageBlocks) -> SearchHit | None:
    link = _link_of(title, blocks.results)
    url = blocks.unwrap(link.attributes.get("href") or "") if link is not None else ""
    heading = text_of(title)
    if link is None or not url or not heading or not blocks.is_organic(title, link):
        return None
    return SearchHit(url=url, title=heading)


def _link_of(title: LexborNode, results: set[int]) -> LexborNode | None:
    """The link around a title, else the first inside it, else the one of its result."""
    around = next((node for node in ancestors(title) if node.tag == "a"), None)
    if around is not None:
        return around
    inside = title.css_first("a[href]")
    if inside is not None or title.tag == "h3":
        return inside
    result = next((node for node in ancestors(title) if node.mem_id in results), None)
    return result.css_first(SELECTORS["phone_links"]) if result is not None else None


class PageBlocks:
    """Ids of the elements of a page that decide whether a title is an organic result."""

    def __init__(self, tree: LexborHTMLParser, unwrap: Unwrap) -> None:
        self.unwrap = unwrap
        found = {name: tree.css(css) for name, css in SELECTORS.items() if isinstance(css, str)}
        self.excluded = ids_of(tree.css(", ".join(SELECTORS["not_organic"])))
        self.excluded |= _site_link_tables(tree, unwrap)
        self.opened = {card.mem_id: _first_text_link(card) for card in found["opened"]}
        self.cards = {card.mem_id: _first_link_target(card, unwrap) for card in found["cards"]}
        self.blocks = {block.mem_id: _first_link_target(block, unwrap) for block in found["blocks"]}
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

    def without_boxes(self, titles: list[Title]) -> list[Title]:
        """Titles that are neither in a row nor in a frame with titles of several sites."""
        chains = [[node.mem_id for node in ancestors(title)] for title, _ in titles]
        frames = [next((key for key in chain if key in self.frames), 0) for chain in chains]
        sites: defaultdict[int, set[str]] = defaultdict(set)
        for frame, (_, found) in zip(frames, titles, strict=True):
            sites[frame].add(host_of(found.url))
        kept: list[Title] = []
        for frame, chain, pair in zip(frames, chains, titles, strict=True):
            if self.rows.isdisjoint(chain) and (not frame or len(sites[frame]) == 1):
                kept.append(pair)
        return kept


def _site_link_tables(tree: LexborHTMLParser, unwrap: Unwrap) -> set[int]:
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
    same = (tables[key] for key, found in sites.items() if len(found) > 1 == len(set(found)))
    return ids_of(table for table in same if table.css_first(SELECTORS["whole"]) is None)


def _first_link_target(card: LexborNode, unwrap: Unwrap) -> str:
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
