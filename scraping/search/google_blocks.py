"""Which elements of Google's pages are organic results: ads, answers, boxes and rows are not."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from reducepp.scraping.search.engine import Result
from reducepp.scraping.search.google_links import unwrap
from reducepp.scraping.search.result_tree import SILENT, ancestors, ids_of
from reducepp.text.urls import host_of

MAX_TITLES = 3_000
"""Headings read per page; result pages have fewer than 300."""
MAX_STEPS = 2_000
"""Nodes walked to find the first text of a card, so that a hostile page costs bounded time."""

NOT_ORGANIC = (
    # ads
    "#tads, #tadsb, #bottomads, #tvcap, #atvcap, [data-text-ad], .uEierd, .ads-ad, .ad_cclk",
    ".ads-fr, a[data-rw], a[data-pcu], a[data-impdclcc]",
    ".commercial-unit-desktop-top, .commercial-unit-desktop-rhs, .commercial-unit-mobile-top",
    ".cu-container, .pla-unit, [data-pla]",
    # related questions
    "[data-q], [data-initq], .related-question-pair, .cUnQKe, .Wt5Tfe, [jsname='Cpkphb']",
    "[jsname='yEVEwb'], g-accordion, g-accordion-expander, .yStFkb, .xpc, .duf-h, details",
    # news, videos, pictures, places, products in a row or a box of their own
    "g-scrolling-carousel, g-inner-card, g-section-with-header, g-expandable-content",
    ".VibNM, .RzdJxc, .mLmaBd, .sHEJob, #imagebox_bigimages, #iur, .isv-r, .lu_map_section",
    ".g.obcontainer, .VkpGBb, .rllt__details, .X7NTVe, .idg8be, a.BVG0Nb, h3:has(.deIvCb)",
    "g-link h3, .eejeod, [jsname='TFTr6'], [jsname='wRSfy'], [jsname='r4nke'], [jsname='haAclf']",
    # beside, above and below the results
    "#rhs, #rhs_block, .M8OgIe, #bres, #brs, #foot, #footcnt, #sfooter, header, footer",
    "[role='complementary'], [role='contentinfo'], [role='navigation'], [role='dialog']",
    # links to parts of a result's site, and its menu
    "table.nrgt, table.jmjoTe, .mslg, .sld, .usJj9c, .HiHjCd, .osl, .action-menu, .St3GK",
    "[jsname='m7irxf'], .nrgw, #nmw",
)
"""Nothing inside one of these is an organic result."""

ANSWERS = (
    "block-component, .c2xzTb, [data-attrid^='wa:/'], [data-attrid='FeaturedSnippet'], "
    "[data-attrid='SrpGenSumSummary']"
)
"""Featured answers. A whole-page panel (`PANEL`) inside one still holds organic results."""
OPENED = ".ifM9O"
"""An answer, or a result with related questions; only a result begins with its title."""
CARDS = ".xpdopen, .g-blk, .kp-blk, .wDYxhc, [data-attrid]"
"""An answer with its source, or a result with site links; only a result begins with its link."""
QUOTING = "#:~:text="
"""Text fragment in the link of an answer: it scrolls to the quoted sentence."""
BLOCKS = ".ZINbbc, .Gx5Zad"
"""Cards of pages without scripts; they nest, and the innermost counts."""
PANEL = ".kp-wholepage, [id^='kp-wp-tab'], #rso, #search"

RESULTS = (
    ".tF2Cxc, .rc, .N54PNb, .Ww4FFb, .g, .mnr-c, .Gx5Zad, .ZINbbc, .MjjYud, .srg > div, .ezO2md, "
    ".xpd, .hlcw0c, .A6K0A, .b8lM7, [data-snc]"
)
"""Elements around one result, the innermost first."""


FRAMES = ".Ww4FFb, .vt6azd"
ROWS = "[role='list'], [role='listitem'], table"
"""Rows inside frames. On pages without third-level headings, boxes of discussions, films and
papers look like results; a frame with a row, or with several sites, is such a box."""
WHOLE = "#search, #ires, #rso, #res, .g"
"""A table that contains one of these lays out a whole old page."""


class PageBlocks:
    """Ids of the elements of a page that decide whether a title is an organic result."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.excluded = ids_of(tree.css(", ".join(NOT_ORGANIC)))
        self.excluded |= _site_link_tables(tree)
        self.answers = ids_of(tree.css(ANSWERS))
        self.opened = {card.mem_id: _first_text_link(card) for card in tree.css(OPENED)}
        self.cards = {card.mem_id: _first_link_target(card) for card in tree.css(CARDS)}
        self.blocks = {block.mem_id: _first_link_target(block) for block in tree.css(BLOCKS)}
        self.panels = ids_of(tree.css(PANEL))
        self.results = ids_of(tree.css(RESULTS))
        self.frames = ids_of(tree.css(FRAMES))
        self.rows = ids_of(row for row in tree.css(ROWS) if row.css_first(WHOLE) is None)

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
    return ids_of(table for table in alike if table.css_first(WHOLE) is None)


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
