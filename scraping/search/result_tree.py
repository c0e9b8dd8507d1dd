"""Trees of pages: parsing within bounds, folded text, who lies in whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    )
)
"""Elements that a browser sets apart: their text never runs into the text beside it."""
SILENT = frozenset(["script", "style", "noscript", "template", "svg", "head", "title"])
MAX_DEPTH = 400
"""Result pages nest less than a quarter of it; a deeper page is read as an empty document, so
that no walk from a node to its parents is long."""
TOO_DEEP = " > ".join("*" * MAX_DEPTH)
MAX_OPEN = 20_000
"""Tags open at once in the source, ends that may be left out included: building a tree takes
time that grows with the square of its depth, so this is looked at before."""
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
RAW = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title")
}
"""Elements whose content is no markup, with their ends."""
VOID = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "wbr"))


def parse_html(text: str) -> LexborHTMLParser:
    """The tree of a page, without scripts and styles; an empty one where it nests too deep."""
    tree = LexborHTMLParser(" " if opens_too_many(text) else text or " ")
    if tree.css_first(TOO_DEEP) is not None:
        return LexborHTMLParser(" ")
    tree.strip_tags(["script", "style"])
    return tree


def opens_too_many(text: str) -> bool:
    """Whether so many elements are open at once that building the tree would take long."""
    depth, tag = 0, TAG.search(text)
    while tag is not None:
        name, place = tag[2].lower(), tag.end()
        if tag[1]:
            depth = max(depth - 1, 0)
        elif name in RAW:
            end = RAW[name].search(text, place)
            if end is None:
                return False
            place = end.end()
        elif name not in VOID:
            depth += 1
            if depth > MAX_OPEN:
                return True
        tag = TAG.search(text, place)
    return False


def text_of(node: LexborNode | None) -> str:
    """Visible text with white space folded; blocks are set apart, inline marks are not."""
    if node is None:
        return ""
    pieces: list[str] = []
    _collect_text(node, pieces)
    return " ".join("".join(pieces).split())


def _collect_text(top: LexborNode, pieces: list[str]) -> None:
    """Text of the nodes below one, walked without recursion: pages are hostile."""
    stack: list[LexborNode | str] = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif node.tag == "-text":
            pieces.append(node.text_content or "")
        elif node.tag not in SILENT or node.mem_id == top.mem_id:
            if node.tag in BLOCKS:
                pieces.append(" ")
                stack.append(" ")
            stack.extend(reversed(list(node.iter(include_text=True))))


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """The node's parents, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def ids_of(nodes: Iterable[LexborNode]) -> set[int]:
    """What identifies nodes of one tree."""
    return {node.mem_id for node in nodes}


def lies_in(node: LexborNode, ids: set[int]) -> bool:
    """Whether the node or one of its parents is among those."""
    return node.mem_id in ids or any(parent.mem_id in ids for parent in ancestors(node))


def first_text(node: LexborNode, selectors: Iterable[str]) -> str:
    """Text of the first selector's first match that has any."""
    for selector in selectors:
        for match in node.css(selector):
            if text := text_of(match):
                return text
    return ""
