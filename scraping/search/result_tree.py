"""Visible text and ancestors of the nodes of a result page."""

from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborNode

from reducepp.scraping.extract.blocks import is_glued

BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    )
)
"""Block elements: a space separates their text from the text around them."""
SEPARATE = frozenset(("a", "span", "time"))
"""Inline elements: a space separates their text where it would be glued, a name to its price."""
MAX_MATCHES = 50
"""Links, titles or snippets tried in one result, so that a hostile page costs bounded time."""
SILENT = frozenset(["script", "style", "noscript", "template", "svg", "head", "title"])

_BORDER = "\v"


def text_of(node: LexborNode | None) -> str:
    """Visible text with single spaces; block elements are separated, inline ones where glued."""
    if node is None:
        return ""
    pieces: list[str] = []
    _collect_text(node, pieces)
    text = ""
    for part in filter(None, "".join(pieces).split(_BORDER)):
        text += f" {part}" if is_glued(text[-2:] + part[:2]) else part
    return " ".join(text.split())


def _collect_text(top: LexborNode, pieces: list[str]) -> None:
    """Text nodes below `top`, walked without recursion: hostile pages nest deeply."""
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
            elif node.tag in SEPARATE:
                pieces.append(_BORDER)
                stack.append(_BORDER)
            stack.extend(reversed(list(node.iter(include_text=True))))


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """The node's parents, nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def ids_of(nodes: Iterable[LexborNode]) -> set[int]:
    """Ids of nodes, unique in one tree."""
    return {node.mem_id for node in nodes}


def is_inside(node: LexborNode, ids: set[int]) -> bool:
    """Whether the node or one of its parents is among those."""
    return node.mem_id in ids or any(parent.mem_id in ids for parent in ancestors(node))


def first_text(node: LexborNode, selectors: Iterable[str]) -> str:
    """Text of the first selector's first match that has any."""
    for selector in selectors:
        for match in node.css(selector)[:MAX_MATCHES]:
            if text := text_of(match):
                return text
    return ""
