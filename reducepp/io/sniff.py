"""What a file is, by its first bytes."""

import codecs
import re
from collections.abc import Mapping

from reducepp.errors import InputError

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"

COLLECTED = {b"WARC/": "warc", b"SQLite format 3": "store"}
"""First bytes of inputs that hold bodies and hits together, as collected, to their form."""
INDEX_ID = b"RDPI"
"""SQLite's application id of an index of pages, in bytes 68 to 71 of the file."""
_ANSWER = re.compile(r'\{\s*"(?:pages|results|items|organic_results|web|kind|query)"\s*:')
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*((?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+)")
_SAVED = (
    re.compile(rb"^MIME-Version:", re.IGNORECASE | re.MULTILINE),
    re.compile(rb"^Content-Type:\s*(?:multipart/|text/html)", re.IGNORECASE | re.MULTILINE),
)
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def recognise(start: bytes, *, where: str) -> str:
    """The format of text that begins so: html, json, jsonl, parquet or csv.

    Raises InputError for what has another reader, and for binary data.
    """
    form = by_mark(start, COLLECTED)
    if form == "store" and start[68:72] == INDEX_ID:
        raise InputError(f"{where}: this is an index of pages: reducepp index reduce reads it")
    if form:
        raise InputError(f"{where}: this is a {form}: say so with --input-format {form}")
    if start.startswith(b"PAR1"):
        return "parquet"
    if b"\0" in start and encoding_of(start) != "utf-16":
        raise InputError(f"{where}: binary data in no known format")
    text = start.decode(encoding_of(start), "replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<") or is_saved_page(start):
        return "html"
    if text.startswith("["):
        return "json"
    if not text.startswith("{"):
        return "csv"
    first = text.split("\n", 1)[0]
    whole = first.rstrip().endswith("}") and '"results"' not in first and '"pages"' not in first
    is_lines = whole or (len(first) >= 4000 and not _ANSWER.match(first))
    return "jsonl" if is_lines else "json"  # one object per line, or one over many lines


def by_mark(start: bytes, marks: Mapping[bytes, str]) -> str:
    """The value of the mark that a file begins with; "" for none."""
    return next((value for mark, value in marks.items() if start.startswith(mark)), "")


def is_saved_page(start: bytes) -> bool:
    """Whether these are the first bytes of a page saved as one file (MHTML)."""
    head = _HEAD.match(start[:8192])
    return head is not None and all(mark.search(head[1]) for mark in _SAVED)


def encoding_of(start: bytes) -> str:
    """UTF-16 where a mark says so, else UTF-8."""
    return "utf-16" if start.startswith(_WIDE) else "utf-8-sig"


def as_utf8(data: bytes) -> bytes:
    """A text in UTF-16 as UTF-8, any other as it is."""
    is_wide = encoding_of(data) == "utf-16"
    return data.decode("utf-16", "replace").encode("utf-8", "replace") if is_wide else data
