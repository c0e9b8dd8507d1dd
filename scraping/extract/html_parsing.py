"""HTML text → tree, within limits of size, depth, elements and attributes.

`parse_html` gives lxml's tree, which extraction walks; `parse_for_css` gives lexbor's, which search
engines and rendering rules query with CSS selectors. What these limits let pass runs in workers
with a time limit.
"""

import re
from itertools import islice

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
MAX_UNCLOSED = 40_000
"""Tags without an end tag; lexbor's time to build a tree grows with the square of its depth."""
MAX_CHECKLIST_LABELS = 500
"""Labels that are looked at; the longest of 232 recipes has 69 ingredients and steps."""
MAX_ATTRIBUTES = 5000
"""Attributes of one element: both parsers take quadratic time in their number, 0.07 s for these."""
TAG_CHARS = 4096
"""Length from which a tag is long; so many attributes have thrice that."""
_METADATA = frozenset(
    ("title", "meta", "link", "script", "style", "base", "noscript", "template", "object")
)
_ATTRIBUTES = (
    r"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+)"""
    rf"{{0,{MAX_ATTRIBUTES}}}+[\s/]*+(?:>|\Z)"
)
_RAW_TEXT = "|".join(
    rf"<{tag}\b{_ATTRIBUTES}(?:[^<]++|<(?!/{tag}))*+"
    for tag in ("script", "style", "textarea", "title")
)
_MARKUP = re.compile(
    rf"(?:[^<]++|</|{_RAW_TEXT}|<[a-z][^\s/>]*+{_ATTRIBUTES}"
    r"|<!--(?:[^-]++|-(?!->))*+|<(?![a-z]))*+",
    re.IGNORECASE,
)
"""Text and tags up to the first tag with too many attributes, without backtracking."""


def check_size(size: int) -> None:
    """Reject what is too large to be parsed in bounded time and memory."""
    if size > MAX_BYTES:
        raise SplitError(f"page has {size:,} bytes, more than the {MAX_BYTES:,} that are read")


def parse_html(html: str) -> Element:
    """Parse an HTML text in any state; raises SplitError for bombs and where there is no markup."""
    check_size(len(html))
    if html.count("<") > 2 * MAX_ELEMENTS:
        raise SplitError(f"page has more than {MAX_ELEMENTS:,} elements")
    if has_many_attributes(html):
        raise SplitError(f"page has an element with more than {MAX_ATTRIBUTES:,} attributes")
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.fromstring(html.encode("utf-8", "ignore"), parser)
    except etree.LxmlError as error:
        raise SplitError(f"page cannot be parsed: {error}") from None
    if root is None:
        raise SplitError("page has no markup")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise SplitError(f"page nests elements deeper than {MAX_DEPTH:,} levels")
    _move_content_to_body(root)
    _open_unclosed_controls(root)
    if "checkbox" in html:
        _open_checklists(root)
    if "shadowroot" in html:
        _open_shadow_roots(root)
    return root


def _open_unclosed_controls(root: Element) -> None:
    """A button or label that contains the main text was never closed: make it a division."""
    for element in islice(root.iter("main", "article", "h1"), 20):
        for control in element.iterancestors("button", "label"):
            control.tag = "div"


def _open_checklists(root: Element) -> None:
    """Make text of the labels of check boxes in a list: ingredients, tasks. Those in a form are its
    controls."""
    for label in list(islice(root.iter("label"), MAX_CHECKLIST_LABELS)):
        item = next((e for e in islice(label.iterancestors(), 2) if e.tag == "li"), None)
        control = next(item.iter("input"), None) if item is not None else None
        is_checked = control is not None and control.get("type") == "checkbox"
        if is_checked and next(label.iterancestors("form"), None) is None:
            label.tag = "span"


def _open_shadow_roots(root: Element) -> None:
    """Make boxes of the templates that browsers display: those of an element's shadow tree."""
    for element in root.iter("template"):
        if element.get("shadowrootmode") or element.get("shadowroot"):
            element.tag = "div"


def has_many_attributes(html: str) -> bool:
    """Whether an element has more than `MAX_ATTRIBUTES`; only pages with a long tag are read."""
    read = _MARKUP.match(html) if _has_long_tag(html) else None
    return read is not None and read.end() < len(html)


def _has_long_tag(html: str) -> bool:
    """Whether `<` and the next `>` are far apart, as in long tags and in some scripts.

    A tag with `>` in its values may be missed: the worker's time limit ends it.
    """
    start = 0
    while start + TAG_CHARS < len(html):
        end = start + TAG_CHARS
        if html.find(">", start, end) < 0:
            opened = html.find("<", html.rfind(">", 0, start) + 1)
            end = html.find(">", end) % (len(html) + 1)  # its end where there is none
            if 0 <= opened < end - TAG_CHARS:
                return True
        start = end
    return False


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
    """Parse a page for CSS selectors; an empty document where a limit is exceeded."""
    text = html if isinstance(html, str) else html.decode("latin-1")
    is_bounded = text.count("<") - 2 * text.count("</") <= MAX_UNCLOSED
    is_bounded = is_bounded and not has_many_attributes(text)
    tree = LexborHTMLParser(html if html and is_bounded else " ")
    if not with_scripts:
        tree.strip_tags(["script", "style"])
    return tree
