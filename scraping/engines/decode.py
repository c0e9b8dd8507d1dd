"""Bytes of a saved page → text, by its byte order mark, its own word, or what fits."""

from __future__ import annotations

import codecs
import re

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

MANY = 0.002
"""More replaced characters than this share mean that the page is not UTF-8."""


def decode_page(data: bytes) -> str:
    """Never fails: what cannot be decoded becomes the replacement character."""
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
