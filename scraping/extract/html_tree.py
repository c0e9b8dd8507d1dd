"""Text of a page → element tree, within bounds of size, depth and number of elements."""

from __future__ import annotations

import re

from lxml import etree

from reducepp.errors import SplitError

Element = etree._Element

MAX_BYTES = 10 * 1024 * 1024
"""Pages and documents above this size are refused before anything is parsed."""
MAX_ELEMENTS = 250_000
MAX_DEPTH = 2000
"""libxml2 itself stops below 2048 levels and would lose what follows."""

MAX_ATTRIBUTES = 400
"""Of one element: libxml2's time grows with their square."""
SMALL = 40_000
"""Characters that cannot hold enough attributes to take long."""
_METADATA = frozenset(
    ("title", "meta", "link", "script", "style", "base", "noscript", "template", "object")
)
_ATTRIBUTES = (
    r"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+)"""
    rf"{{0,{MAX_ATTRIBUTES}}}+[\s/]*+(?:>|\Z)"
)
_RAW = "|".join(
    rf"<{tag}\b{_ATTRIBUTES}(?:[^<]++|<(?!/{tag}))*+"
    for tag in ("script", "style", "textarea", "title")
)
_MARKUP = re.compile(
    rf"(?:[^<]++|</|{_RAW}|<[a-z][^\s/>]*+{_ATTRIBUTES}|<!--(?:[^-]++|-(?!->))*+|<(?![a-z]))*+",
    re.IGNORECASE,
)
"""Text and tags as far as no tag has too many attributes, in one pass without a step back."""


def check_size(size: int) -> None:
    """Refuse what is too large to be read in bounded time and memory."""
    if size > MAX_BYTES:
        raise SplitError(f"page has {size:,} bytes, more than the {MAX_BYTES:,} that are read")


def parse_html(html: str) -> Element:
    """The tree of an HTML text in any state; raises SplitError for bombs and for no markup."""
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
    _end_head(root)
    return root


def _end_head(root: Element) -> None:
    """Put what is no metadata into the body: HTML may leave out where the head ends.

    libxml2 ends it at elements that it knows, which `nav`, `header` and `main` are not.
    """
    head = root.find("head")
    shown = next((e for e in head if e.tag not in _METADATA), None) if head is not None else None
    if head is None or shown is None:
        return
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    misplaced = [shown, *shown.itersiblings()]
    if body.text:
        misplaced[-1].tail = (misplaced[-1].tail or "") + body.text
        body.text = None
    for place, element in enumerate(misplaced):
        body.insert(place, element)


def check_attributes(html: str) -> None:
    """Refuse a page that hangs thousands of attributes on one element."""
    if len(html) > SMALL:
        read = _MARKUP.match(html)
        if read and read.end() < len(html):
            raise SplitError(f"page has an element with more than {MAX_ATTRIBUTES} attributes")
