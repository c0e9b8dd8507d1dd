"""HTML text → tree, within limits of size, depth, elements and attributes.

`parse_html` gives lxml's tree, which extraction walks; `parse_for_css` gives lexbor's, which search
engines and rendering rules query with CSS selectors. Limits keep both linear in hostile input.
"""

import re

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from reducepp.errors import SplitError

Element = etree._Element

MAX_BYTES = 10 * 1024 * 1024
"""Pages and documents above this size are rejected before anything is parsed."""
MAX_ELEMENTS = 250_000
"""Ten times the tags of the largest page among 538 saved news, web and manual pages."""
MAX_DEPTH = 2000
"""Levels of nesting; libxml2 itself stops at 2048 and would lose what follows."""
MAX_ATTRIBUTES = 400
"""Attributes of one element; the time of both parsers grows with the square of their number."""
MIN_CHARS_FOR_ATTRIBUTE_CHECK = 40_000
"""A shorter page cannot hold enough attributes to take long."""
MAX_CSS_DEPTH = 400
"""Levels of nesting in a tree for selectors: result pages have less than a quarter of it."""
MAX_OPEN_ELEMENTS = 20_000
"""Elements open at once; lexbor's time to build a tree grows with the square of its depth."""

_METADATA = frozenset(
    ("title", "meta", "link", "script", "style", "base", "noscript", "template", "object")
)
_ATTRIBUTES = (
    r"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+)"""
    rf"{{0,{MAX_ATTRIBUTES}}}+[\s/]*+(?:>|\Z)"
)
_RAW_TEXT_TAGS = ("script", "style", "textarea", "title")
_RAW_TEXT = "|".join(rf"<{tag}\b{_ATTRIBUTES}(?:[^<]++|<(?!/{tag}))*+" for tag in _RAW_TEXT_TAGS)
_MARKUP = re.compile(
    rf"(?:[^<]++|</|{_RAW_TEXT}|<[a-z][^\s/>]*+{_ATTRIBUTES}"
    r"|<!--(?:[^-]++|-(?!->))*+|<(?![a-z]))*+",
    re.IGNORECASE,
)
"""Text and tags up to the first tag with too many attributes, without backtracking."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_RAW_TEXT_END = {tag: re.compile(f"</{tag}", re.IGNORECASE) for tag in _RAW_TEXT_TAGS}
_VOID = frozenset(
    ("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "wbr")
)
_TOO_DEEP = " > ".join("*" * MAX_CSS_DEPTH)
_EMPTY_DOCUMENT = " "


def check_size(size: int) -> None:
    """Reject what is too large to be parsed in bounded time and memory."""
    if size > MAX_BYTES:
        raise SplitError(f"page has {size:,} bytes, more than the {MAX_BYTES:,} that are read")


def check_attributes(html: str) -> None:
    """Reject a page that has thousands of attributes on one element."""
    if len(html) > MIN_CHARS_FOR_ATTRIBUTE_CHECK:
        read = _MARKUP.match(html)
        if read and read.end() < len(html):
            raise SplitError(f"page has an element with more than {MAX_ATTRIBUTES} attributes")


def parse_html(html: str) -> Element:
    """Parse an HTML text in any state; raises SplitError for bombs and where there is no markup."""
    check_size(len(html))
    if html.count("<") > 2 * MAX_ELEMENTS:
        raise SplitError(f"page has more than {MAX_ELEMENTS:,} elements")
    check_attributes(html)
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.fromstring(html.encode("utf-8", "ignore"), parser)
    except etree.LxmlError as error:
        raise SplitError(f"page cannot be parsed: {error}") from None
    if root is None:
        raise SplitError("page has no markup")
    if html.count("<") > MAX_ELEMENTS and sum(1 for _ in root.iter()) > MAX_ELEMENTS:
        raise SplitError(f"page has more than {MAX_ELEMENTS:,} elements")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise SplitError(f"page nests elements deeper than {MAX_DEPTH:,} levels")
    _move_content_to_body(root)
    return root


def _move_content_to_body(root: Element) -> None:
    """Move everything but metadata from the head to the body.

    HTML allows to omit the end of the head. libxml2 ends it at elements that it knows, which
    `nav`, `header` and `main` are not.
    """
    head = root.find("head")
    first = next((e for e in head if e.tag not in _METADATA), None) if head is not None else None
    if head is None or first is None:
        return
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    misplaced = [first, *first.itersiblings()]
    if body.text:
        misplaced[-1].tail = (misplaced[-1].tail or "") + body.text
        body.text = None
    for place, element in enumerate(misplaced):
        body.insert(place, element)


def parse_for_css(html: str | bytes, *, with_scripts: bool = False) -> LexborHTMLParser:
    """Parse a page for CSS selectors; an empty document where it exceeds a limit.

    Without scripts, the tree is also at most `MAX_CSS_DEPTH` deep, so that no walk from a node to
    its ancestors is long.
    """
    text = html if isinstance(html, str) else html.decode("latin-1")
    tree = LexborHTMLParser((html or _EMPTY_DOCUMENT) if _is_bounded(text) else _EMPTY_DOCUMENT)
    if with_scripts:
        return tree
    if tree.css_first(_TOO_DEEP) is not None:
        return LexborHTMLParser(_EMPTY_DOCUMENT)
    tree.strip_tags(["script", "style"])
    return tree


def _is_bounded(text: str) -> bool:
    """Whether lexbor builds the tree in time that is linear in the size of the page."""
    try:
        check_attributes(text)
    except SplitError:
        return False
    return not _opens_too_many(text)


def _opens_too_many(text: str) -> bool:
    """Whether more than `MAX_OPEN_ELEMENTS` are open at once, omitted end tags not counted."""
    depth, tag = 0, _TAG.search(text)
    while tag is not None:
        name, place = tag[2].lower(), tag.end()
        if tag[1]:
            depth = max(depth - 1, 0)
        elif name in _RAW_TEXT_END:
            end = _RAW_TEXT_END[name].search(text, place)
            if end is None:
                return False
            place = end.end()
        elif name not in _VOID:
            depth += 1
            if depth > MAX_OPEN_ELEMENTS:
                return True
        tag = _TAG.search(text, place)
    return False
