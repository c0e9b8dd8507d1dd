"""Bytes of unknown spelling → text: byte order mark, UTF-8, what is declared, then a guess."""

from __future__ import annotations

import codecs
import re

from reducepp.scraping.decode.charset_guess import (
    SAMPLE,
    guess_encoding,
    has_words,
    script_encoding,
)
from reducepp.scraping.decode.charset_labels import declared_encoding
from reducepp.scraping.decode.latin_charsets import other_latin

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LEADS = "\u00c3\u00c2\u00d8\u00d9\u00d0\u00d1"
_MOJIBAKE = re.compile("[\u00c2\u00c3\u00d8\u00d9\u00d0\u00d1\u00e2][\u0080-\u00bf\u0152-\u2122]")


_AS_BYTES = {
    ord(character): byte
    for byte in range(0x80, 0xA0)
    if (character := bytes([byte]).decode("cp1252", "replace")) != "\ufffd"
}
"""Windows-1252's signs to the bytes that they are read from."""
_ARABIC = re.compile("[\u0620-\u064a]")


def decode(data: bytes, content_type: str = "") -> str:
    """The text of a page's bytes; never fails, what cannot be read becomes U+FFFD."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return clean(data[len(mark) :].decode(encoding, "replace"))
    shifted = _wide_without_mark(data) or _shifting(data)
    if shifted:
        return clean(data.decode(shifted, "replace"))
    try:
        return repair(clean(data.decode("utf-8")))
    except UnicodeDecodeError:
        return clean(_not_utf8(data, content_type))


def clean(text: str) -> str:
    """Text without null characters, which end a text for some parsers."""
    return text.replace("\x00", "") if "\x00" in text else text


def repair(text: str) -> str:
    """UTF-8 that somebody read as Latin-1 and saved again ("Ã©", "Ø§Ù"), read right."""
    leads = sum(map(text.count, _LEADS))
    if leads < 12:
        return _repair_arabic(text)
    pairs = len(_MOJIBAKE.findall(text))
    if pairs < 12 or pairs < 0.2 * leads:
        return _repair_arabic(text)
    repaired = _read_again(text)
    return repaired if len(_MOJIBAKE.findall(repaired)) * 4 < pairs else text


def _repair_arabic(text: str) -> str:
    """Windows-1256 that somebody read as Windows-1252 ("ÇáÞåæÉ"), read right."""
    if text.count("\u00c7\u00e1") < 5:  # the Arabic article, read wrong
        return text
    repaired = re.sub(
        r"[\u00a0-\u00ff\u0152-\u2122]+",
        lambda run: _bytes_of(run.group()).decode("cp1256", "replace"),
        text,
    )
    return repaired if len(_ARABIC.findall(repaired)) > 5 * text.count("\u00c7\u00e1") else text


def _read_again(text: str) -> str:
    """Each run of non-ASCII characters as the bytes it once was, where those are UTF-8."""

    def one(match: re.Match[str]) -> str:
        run = match.group()
        data = _bytes_of(run)
        if not data:
            return run
        fixed = data.decode("utf-8", "replace")
        return fixed if fixed.count("\ufffd") * 10 <= len(fixed) else run

    return re.sub(r"[\u0080-\u00ff\u0152-\u2122]+", one, text)


def _bytes_of(run: str) -> bytes:
    """The bytes that were read as Windows-1252, or as Latin-1 where that has no character."""
    return run.translate(_AS_BYTES).encode("latin-1", "ignore")


def _wide_without_mark(data: bytes) -> str:
    """UTF-16 that lost its mark shows as a null beside each ASCII character."""
    if data[:2] in (b"<\0", b"\0<"):
        return "utf-16-le" if data[:1] == b"<" else "utf-16-be"
    head = data[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 8 or max(even, odd) < 0.3 * len(head) or min(even, odd) > 0.7 * max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _shifting(data: bytes) -> str:
    """Japanese in seven bits, which escapes to its characters and back to ASCII."""
    return "iso2022_jp" if b"\x1b$B" in data and b"\x1b(" in data else ""


def _not_utf8(data: bytes, content_type: str) -> str:
    """Bytes that are not clean UTF-8: damaged UTF-8, or another encoding."""
    damaged = data.decode("utf-8", "replace")
    high = sum(map(data.count, range(0x80, 0x100))) if len(data) < 200_000 else len(data) // 20
    if damaged.count("\ufffd") * 20 < high:
        return damaged
    declared = declared_encoding(data, content_type)
    if declared == "cp1252":  # servers say Latin-1 of whatever they send
        words = has_words(data[:SAMPLE])
        declared = (script_encoding(data) if words else other_latin(data[:SAMPLE])) or declared
    return repair(data.decode(declared or guess_encoding(data), "replace"))
