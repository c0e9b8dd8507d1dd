"""The encoding that a page or its header names → what Python calls it, as browsers read it."""

from __future__ import annotations

import codecs
import re

LOOKED_AT = 4096
"""Bytes of a page among which it names its encoding."""
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
# Browsers read these names as the larger Windows code page, and so do we.
_ALIASES = {
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso_8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "l1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "x-cp1252": "cp1252",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "iso-8859-9": "cp1254",
    "latin5": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "logical": "iso8859-8",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "x-euc-jp": "euc-jp",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "windows-949": "cp949",
    "x-user-defined": "cp1252",
}
_ASCII = bytes(range(0x20, 0x7E))


def declared_encoding(data: bytes, content_type: str) -> str:
    """The first encoding but UTF-8 that the header or the page names, as Python calls it, or ""."""
    header = _HEADER.search(content_type)
    names = [header.group(1)] if header else []
    names += [match.decode("ascii") for match in _DECLARED.findall(data[:LOOKED_AT])]
    return next((found for name in names if (found := known_encoding(name.lower()))), "")


def known_encoding(label: str) -> str:
    """Python's name of an encoding that writes ASCII as ASCII; "" for any other, and for UTF-8.

    Python also knows names that are no spelling of text (`zlib`, `idna`, `unicode_escape`).
    """
    if "escape" in label or label == "unicode":
        return ""
    try:
        encoding = codecs.lookup(_ALIASES.get(label, label)).name
        plain = _ASCII.decode(encoding, "replace") == _ASCII.decode("ascii")
    except (LookupError, UnicodeError):
        return ""
    return encoding if plain and not encoding.startswith("utf") else ""
