"""What on Google's pages is a result, and what is anything else."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scraping.engines.google_links import unwrap
from scraping.engines.links import host_of
from scraping.engines.tree import SILENT, ancestors, ids_of, lies_in

NOT_ORGANIC = (
    # ads
    "#tads, #tadsb, #bottomads, #tvcap, #atvcap, [data-text-ad], .uEierd, .ads-ad, .ad_cclk",
    ".commercial-unit-desktop-top, .commercial-unit-desktop-rhs, .commercial-unit-mobile-top",
    ".cu-container, .pla-unit, [data-pla]",
    # related questions
    "[data-q], [data-initq], .related-question-pair, .cUnQKe, .Wt5Tfe, [jsname='Cpkphb']",
    "[jsname='yEVEwb'], g-accordion, g-accordion-expander, .yStFkb, .xpc, .duf-h, details",
    # news, videos, pictures, places, products in a row or a box of their own
    "g-scrolling-carousel, g-inner-card, g-section-with-header, g-expandable-content",
    ".VibNM, .RzdJxc, .mLmaBd, .sHEJob, #imagebox_bigimages, #iur, .isv-r, .lu_map_section",
    ".g.obcontainer, .VkpGBb, .rllt__details, .X7NTVe, .idg8be, a.BVG0Nb, h3:has(.deIvCb)",
    "g-link h3, .eejeod",
    # beside, above and below the results
    "#rhs, #rhs_block, .M8OgIe, #bres, #brs, #foot, #footcnt, #sfooter, header, footer",
    "[role='complementary'], [role='contentinfo'], [role='navigation'], [role='dialog']",
    # links to parts of a result's site, and its menu
    "table.nrgt, table.jmjoTe, .mslg, .sld, .usJj9c, .HiHjCd, .osl, .action-menu, .St3GK",
    "[jsname='m7irxf'], .nrgw, #nmw",
)
"""Nothing inside one of these is a hit."""

ANSWERS = (
    "block-component, .c2xzTb, .ifM9O, [data-attrid^='wa:/'], [data-attrid='FeaturedSnippet'], "
    "[data-attrid='SrpGenSumSummary']"
)
"""Featured answers; the panel that fills a whole page (`PANEL`) may lie in one, with its hits."""
CARDS = ".xpdopen, .g-blk, .kp-blk, .wDYxhc, [data-attrid]"
"""An answer with the page it is from, or a result whose site links make it a card: the answer
stands above the link, a result begins with it."""
BLOCKS = ".ZINbbc, .Gx5Zad"
"""The same on pages without scripts; these may lie in each other, the innermost counts."""
PANEL = ".kp-wholepage, [id^='kp-wp-tab'], #rso, #search"

RESULTS = (
    ".tF2Cxc, .rc, .N54PNb, .Ww4FFb, .g, .mnr-c, .Gx5Zad, .ZINbbc, .MjjYud, .srg > div, .ezO2md, "
    ".xpd, .hlcw0c, .A6K0A, .b8lM7, [data-snc]"
)
"""One result, from the innermost outwards."""


class Places:
    """Which nodes of a page are results, and which are anything else."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.excluded = ids_of(tree.css(", ".join(NOT_ORGANIC)))
        self.excluded |= ids_of(table for table in tree.css("table") if _lists_a_site(table))
        self.answers = ids_of(tree.css(ANSWERS))
        self.cards = {card.mem_id: _opening(card) for card in tree.css(CARDS)}
        self.blocks = {block.mem_id: _opening(block) for block in tree.css(BLOCKS)}
        self.panels = ids_of(tree.css(PANEL))
        self.results = ids_of(tree.css(RESULTS))

    def is_organic(self, link: LexborNode) -> bool:
        """Whether the link of a title lies outside of everything that is not a result."""
        if lies_in(link, self.excluded):
            return False
        href = link.attributes.get("href")
        first = next((part for part in ancestors(link) if part.mem_id in self.blocks), None)
        openings = {self.blocks[first.mem_id]} if first is not None else set()
        for parent in ancestors(link):
            if parent.mem_id in self.panels:
                break
            if parent.mem_id in self.answers:
                return False
            if parent.mem_id in self.cards:
                openings.add(self.cards[parent.mem_id])
        return openings <= {href}


def _lists_a_site(table: LexborNode) -> bool:
    """Whether a table holds links to parts of one site, each with a heading."""
    if table.css_first("#search, #ires, #rso, #res, .g") is not None:
        return False
    links = (*table.css("h3 a[href]"), *table.css("a[href]:has(h3)"))
    hosts = (host_of(unwrap(link.attributes.get("href") or "")) for link in links)
    return len(links) > 1 and len({tuple(host.split(".")[-2:]) for host in hosts}) == 1


def _opening(card: LexborNode) -> str:
    """Where the link leads that a card begins with; empty where text comes first, headings for
    screen readers apart."""
    stack = [card]
    while stack:
        node = stack.pop()
        if node.tag == "a" and unwrap(href := node.attributes.get("href") or ""):
            return href
        if node.tag == "-text" and (node.text_content or "").strip():
            return ""
        if node.tag not in SILENT and node.tag not in ("h1", "h2"):
            stack.extend(reversed(list(node.iter(include_text=True))))
    return ""
