"""Detects from a fetched page whether a browser has to render it."""

import re
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from reducepp.scraping.extract.html_parsing import parse_for_css

META_REFRESH = "meta refresh"
"""Reason of a page that leads elsewhere by itself, which can be followed without a browser."""
MIN_TEXT_CHARS = 200
"""With less text, a page with a script is an empty shell that the script fills: such shells hold a
title and a notice, about 100 characters."""
MIN_TEXT_CHARS_WITH_HINT = 1_000
"""With less text, a page that needs JavaScript or has frames is rendered: cookie and browser
notices of such pages reach a few hundred characters."""
_NEEDS_SCRIPT = re.compile(r"java ?script|جافا ?سكر[يب]+ت", re.IGNORECASE)
"""Text of a page's `noscript` part, in whatever language, when it needs scripts."""
_REFRESH = re.compile(
    r"\s*+(\d{0,9}(?:\.\d{0,9})?)\s*+[;,]\s*+url\s*+=\s*+['\"]?([^'\"]+)", re.IGNORECASE
)
_MAX_REFRESH_SECONDS = 10.0
"""A longer refresh is one that reloads or logs out, not one that leads to the page."""
_PAGE_TYPES = ("text/", "application/xhtml", "application/xml", "application/pdf")
_DOCUMENT_TYPES = ("officedocument.wordprocessingml", "msword", "octet-stream")


def is_page_type(content_type: str) -> bool:
    """Whether a Content-Type may be a page or a document; an empty one may be anything."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in ("text/css", "text/javascript", "text/calendar"):
        return False
    return not kind or kind.startswith(_PAGE_TYPES) or any(t in kind for t in _DOCUMENT_TYPES)


def is_image_type(content_type: str) -> bool:
    """Whether a Content-Type is an image's that can be hashed; drawings in SVG cannot."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind.startswith("image/") and not kind.startswith("image/svg")


def is_markup(body: bytes, content_type: str) -> bool:
    """Whether this is something a browser would render as a document of elements."""
    kind = content_type.partition(";")[0].strip().lower()
    head = body[:1024].lstrip().lower()
    return ("html" in kind or "xml" in kind or not kind) and not head.startswith(
        (b"%pdf", b"pk\x03")
    )


def why_render(body: bytes, content_type: str) -> str:
    """Why a browser is needed for this page as fetched; empty where it is not."""
    if not is_markup(body, content_type):
        return ""
    tree = parse_for_css(body, with_scripts=True)
    if refresh_target(tree, ""):
        return META_REFRESH
    if tree.css_first("frameset") is not None:
        return "frames"
    has_script = tree.css_first("script") is not None
    needs_script = any(_NEEDS_SCRIPT.search(node.html or "") for node in tree.css("noscript"))
    framed = tree.css_first("iframe[src]") is not None
    length = _text_length(tree)
    if has_script and length < MIN_TEXT_CHARS:
        return "nearly empty"
    if needs_script and length < MIN_TEXT_CHARS_WITH_HINT:
        return "built by scripts"
    return "frames" if framed and length < MIN_TEXT_CHARS_WITH_HINT else ""


def meta_refresh(body: bytes, url: str) -> str:
    """Where the page sends its reader by itself within ten seconds; empty for nowhere."""
    return refresh_target(parse_for_css(body, with_scripts=True), url)


def refresh_target(tree: LexborHTMLParser, url: str) -> str:
    """The same, of a parsed page; a page that only reloads itself leads nowhere."""
    without_scripts = {node.mem_id for node in tree.css("noscript meta[http-equiv]")}
    for node in tree.css("meta[http-equiv='refresh' i]"):
        if node.mem_id in without_scripts:
            continue
        found = _REFRESH.match(node.attributes.get("content") or "")
        if found and float(found[1].strip(".") or 0) <= _MAX_REFRESH_SECONDS:
            target = urljoin(url, found[2].strip())
            return "" if target == url else target
    return ""


def _text_length(tree: LexborHTMLParser) -> int:
    """Characters of text but for the frame around it, which also an empty page may have."""
    tree.strip_tags(["script", "style", "noscript", "template", "svg", "iframe"])
    tree.strip_tags(["nav", "header", "footer", "aside"])
    text = tree.body.text(separator=" ") if tree.body is not None else ""
    return len(" ".join(text.split()))
