"""A document and the documents in its frames → one document."""

import re
from collections.abc import Callable, Sequence

import lxml.html
from lxml import etree

from reducepp.errors import SandboxError
from reducepp.sandbox import run_sandboxed

MARK = "data-reducepp-frame"
"""Attribute by which a frame element carries the number of its document."""
MAX_FRAMES, MAX_DEPTH = 20, 3
"""Frames of one page, the most of the 538 labelled HTML pages, and frames within frames."""
INSERTED = "data-reducepp-grafted"
_CONTROL = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_SIZE = ("0", "1", "0px", "1px")


def insert_frames(html: str, documents: Sequence[str]) -> str:
    """Put each numbered frame's document in the frame's place, as a division of the page.

    A page that is nothing but a frame set gets a body with its frames in order. Parsed in a
    sandboxed worker; a page that breaks its limits stays as it is.
    """
    try:
        return run_sandboxed(_insert_numbered, html, documents) if documents else html
    except SandboxError:
        return html


def _insert_numbered(html: str, documents: Sequence[str]) -> str:
    numbered = {str(number): document for number, document in enumerate(documents)}
    return _insert(html, lambda frame: numbered.get(frame.get(MARK, "")))


def insert_named_frames(html: str, document_at: Callable[[str], str | None]) -> str:
    """The same with documents by address; invisible frames (without a size) are left out."""

    def named(frame: lxml.html.HtmlElement) -> str | None:
        is_visible = not any(frame.get(side) in _NO_SIZE for side in ("width", "height"))
        return document_at(frame.get("src", "")) if is_visible else None

    return _insert(html, named)


def _insert(html: str, document_of: Callable[[lxml.html.HtmlElement], str | None]) -> str:
    root = _parse(html)
    if root is None:
        return html
    for frame in list(root.iter("iframe", "frame")):
        parent, document = frame.getparent(), document_of(frame)
        if document is not None and parent is not None:
            division = _as_division(document)
            division.tail = _allowed(frame.tail)
            parent.replace(frame, division)
    _unfold_frameset(root)
    text: str = etree.tostring(root, encoding="unicode", method="html", doctype="<!DOCTYPE html>")
    return text


def _parse(html: str) -> lxml.html.HtmlElement | None:
    parser = lxml.html.HTMLParser(huge_tree=True, encoding="utf-8")
    try:
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _as_division(document: str) -> lxml.html.HtmlElement:
    division = lxml.html.Element("div", {INSERTED: ""})
    inner = _parse(document)
    body = inner.find("body") if inner is not None else None
    if body is not None:
        division.text = _allowed(body.text)
        division.extend(list(body))
    return division


def _allowed(text: str | None) -> str:
    """Text without the characters that pages hold and lxml does not take."""
    return _CONTROL.sub("", text or "")


def _unfold_frameset(root: lxml.html.HtmlElement) -> None:
    outer = root.find("frameset")
    if outer is None:
        return
    body = lxml.html.Element("body")
    body.extend([found for found in outer.iter("div") if found.get(INSERTED) is not None])
    for left_over in [child for child in root if child.tag in ("frameset", "noframes", "body")]:
        root.remove(left_over)
    root.append(body)
