"""A document and the documents in its frames → one document."""

from __future__ import annotations

from collections.abc import Sequence

import lxml.html
from lxml import etree

MARK = "data-reducepp-frame"
"""Attribute by which a frame element carries the number of its document."""


def graft_frames(html: str, documents: Sequence[str]) -> str:
    """Put each numbered frame's document in the frame's place, as a division of the page.

    A page that is nothing but a frame set gets a body with its frames in order.
    """
    if not documents:
        return html
    root = _parse(html)
    if root is None:
        return html
    for frame in list(root.iter("iframe", "frame")):
        number = frame.get(MARK, "")
        if number.isdigit() and int(number) < len(documents):
            _replace(frame, _as_division(frame.get("src", ""), documents[int(number)]))
    _unfold_frameset(root)
    text: str = etree.tostring(root, encoding="unicode", method="html", doctype="<!DOCTYPE html>")
    return text


def _parse(html: str) -> lxml.html.HtmlElement | None:
    parser = lxml.html.HTMLParser(huge_tree=True, encoding="utf-8")
    try:
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _as_division(source: str, document: str) -> lxml.html.HtmlElement:
    division = lxml.html.Element("div", {"data-frame-src": source})
    inner = _parse(document)
    body = inner.find("body") if inner is not None else None
    if body is not None:
        division.text = body.text
        division.extend(list(body))
    return division


def _replace(old: lxml.html.HtmlElement, new: lxml.html.HtmlElement) -> None:
    parent = old.getparent()
    if parent is not None:
        new.tail = old.tail
        parent.replace(old, new)


def _unfold_frameset(root: lxml.html.HtmlElement) -> None:
    outer = root.find("frameset")
    if outer is None:
        return
    body = lxml.html.Element("body")
    body.extend([found for found in outer.iter("div") if found.get("data-frame-src") is not None])
    for left_over in [child for child in root if child.tag in ("frameset", "noframes", "body")]:
        root.remove(left_over)
    root.append(body)
