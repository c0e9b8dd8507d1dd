"""Bytes of a saved page → text: unwrapped where it was wrapped, and in the charset that fits."""

from __future__ import annotations

import codecs
import re

from reducepp.errors import FetchError
from reducepp.io.sniff import is_saved_page
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.extract.html_parsing import parse_for_css

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DECLARED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE
)
HEAD = 32_768
WIDER = {
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("iso8859-1", "ascii"), "windows-1252"),
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Charsets that browsers read as their supersets."""

MOST = 50_000_000
"""Bytes that a packed page may have when unpacked."""
SOURCE = re.compile(
    r"""<body[^>]{0,500}\bid=["']?viewsource\b|<td[^>]{0,500}\bclass=["']?line-number\b""",
    re.IGNORECASE,
)
"""How a browser's view of a page's source begins, saved as a page: Firefox's and Chromium's."""
LINES = "td.line-content, body#viewsource > pre"

MANY = 0.002
"""More replaced characters than this share mean that the page is not UTF-8."""


def decode_page(data: bytes) -> str:
    """Never fails: what cannot be decoded becomes the replacement character.

    Packed pages (gzip), pages saved as one file (MHTML) and saved views of a page's source give
    the page that they hold.
    """
    text = _decode(_unpack(data))
    return _from_source(text) if SOURCE.search(text, 0, HEAD) else text


def _unpack(data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            data = decode_body(data, "gzip", MOST)
        except FetchError:
            return data
    if not is_saved_page(data):
        return data
    from reducepp.scraping.extract.mhtml import read_document

    return read_document(data) or data


def _from_source(text: str) -> str:
    lines = parse_for_css(text).css(LINES)
    return "\n".join(line.text() for line in lines) or text


def _decode(data: bytes) -> str:
    for mark, name in MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    text = data.decode("utf-8", "replace")
    if "\ufffd" not in text:
        return text
    declared = DECLARED.search(data[:HEAD])
    try:
        named = codecs.lookup(declared[1].decode("ascii")).name if declared else ""
    except LookupError:
        named = ""
    if named and named != "utf-8":
        return data.decode(WIDER.get(named, named), "replace")
    few = text.count("\ufffd") <= MANY * len(text)
    return text if few or named else data.decode("windows-1252", "replace")
