"""Bytes of a saved result page → text: decompressed, taken out of archives, decoded."""

import re

from reducepp.errors import FetchError
from reducepp.io.sniff import is_saved_page
from reducepp.scraping.decode.charset import decode
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.extract.html_parsing import parse_for_css

MAX_DECOMPRESSED_BYTES = 50_000_000
"""Bytes of a gzip page after decompression; the limit of `reducepp hits` for a plain file."""
VIEW_SOURCE = re.compile(
    r"""<body[^>]{0,500}\bid=["']?viewsource\b|<td[^>]{0,500}\bclass=["']?line-number\b""",
    re.IGNORECASE,
)
"""A browser's view of a page's source, saved as a page: Firefox's and Chromium's."""
SOURCE_LINES = "td.line-content, body#viewsource > pre"
HEAD_CHARS = 32_768
"""Characters in which `VIEW_SOURCE` is looked for."""
WAYBACK_MARKS = (
    "FILE ARCHIVED ON",
    "BEGIN WAYBACK TOOLBAR",
    "End Wayback Rewrite JS Include",
    "web-static.archive.org/_static/",
    "//archive.org/includes/analytics.js",
)
"""What the Wayback Machine inserts into the pages it serves."""
WAYBACK_PREFIX = re.compile(
    r"""(?<=["'=])(?:https?:)?(?://web\.archive\.org)?/web/\d{4,14}(?:[a-z]{2}_)?/"""
    r"""(?=https?:|//)""",
    re.IGNORECASE,
)


def decode_page(data: bytes) -> str:
    """The page in a file: plain, gzip, MHTML, or a saved view of its source; never raises."""
    text = decode(_unpack(data))
    if not VIEW_SOURCE.search(text, 0, HEAD_CHARS):
        return text
    lines = parse_for_css(text).css(SOURCE_LINES)
    return "\n".join(line.text() for line in lines) or text


def _unpack(data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            data = decode_body(data, "gzip", MAX_DECOMPRESSED_BYTES, cut=True)
        except FetchError:
            return data
    if not is_saved_page(data):
        return data
    from reducepp.scraping.extract.mhtml import read_document

    return read_document(data) or data


def restore_archived_urls(text: str) -> str:
    """A page of the Wayback Machine with its original URLs; any other page unchanged."""
    if not any(mark in text for mark in WAYBACK_MARKS):
        return text
    return WAYBACK_PREFIX.sub("", text)
