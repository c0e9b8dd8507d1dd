"""Bytes of a page → text: byte-order mark, UTF-8, the declared charset, then detection.

UTF-8 comes before what is declared: bytes that are valid UTF-8 are never something else by chance,
while declarations are often wrong.
"""

import codecs
import re

from reducepp.scraping.decode.charset_detection import (
    detect_charset,
    overrule_latin1,
    overrule_multibyte,
    read_alphabets,
)

DECLARATION_BYTES = 4096
"""Bytes at the start of a page in which its declaration is searched; browsers read 1024."""
MIN_MOJIBAKE_PAIRS = 12
"""Wrongly decoded pairs of characters from which a text is repaired; fewer may be quotations."""
MIN_ARABIC_ARTICLES = 5
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_CHARSET_OF = {label: c for c, labels in read_alphabets()["labels"].items() for label in labels}
_EAST_ASIAN = frozenset(("cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"))
_ASCII = bytes(range(0x20, 0x7E))
_LEADS = "\u00c3\u00c2\u00d8\u00d9\u00d0\u00d1"
_MOJIBAKE = re.compile("[\u00c2\u00c3\u00d8\u00d9\u00d0\u00d1\u00e2][\u0080-\u00bf\u0152-\u2122]")
_ARABIC_ARTICLE = "\u00c7\u00e1"
"""The Arabic article in Windows-1256, decoded as Windows-1252."""
_ARABIC = re.compile("[\u0620-\u064a]")
_ARABIC_RUN = re.compile("[\u00a0-\u00ff\u0152-\u2122]+")
_TO_BYTES = {
    ord(character): byte
    for byte in range(0x80, 0xA0)
    if (character := bytes([byte]).decode("cp1252", "replace")) != "\ufffd"
}
"""Windows-1252's signs to the bytes that they are decoded from."""


def decode(data: bytes, content_type: str = "") -> str:
    """The text of a page's bytes; never fails, undecodable bytes become U+FFFD."""
    for mark, charset in _BOMS:
        if data.startswith(mark):
            return remove_nulls(data[len(mark) :].decode(charset, "replace"))
    charset = _utf16_without_mark(data)
    if not charset and b"\x1b$B" in data and b"\x1b(" in data:  # Japanese in seven bits
        charset = "iso2022_jp"
    if charset:
        return remove_nulls(data.decode(charset, "replace"))
    try:
        return repair_mojibake(remove_nulls(data.decode("utf-8")))
    except UnicodeDecodeError:
        return remove_nulls(_decode_legacy(data, content_type))


def remove_nulls(text: str) -> str:
    """Text without null characters, at which some parsers stop."""
    return text.replace("\x00", "") if "\x00" in text else text


def charset_of(label: str) -> str:
    """Python's name of a charset that extends ASCII; "" for any other, and for UTF-8.

    Python also has codecs that are no charsets (`zlib`, `idna`, `unicode_escape`).
    """
    if "escape" in label or label == "unicode":
        return ""
    try:
        charset = codecs.lookup(_CHARSET_OF.get(label, label)).name
        extends_ascii = _ASCII.decode(charset, "replace") == _ASCII.decode("ascii")
    except (LookupError, UnicodeError):
        return ""
    return charset if extends_ascii and not charset.startswith("utf") else ""


def repair_mojibake(text: str) -> str:
    """Repair UTF-8 or Windows-1256 that was decoded as Latin-1 and saved again ("Ã©", "ÇáÞåæÉ")."""
    leads = sum(map(text.count, _LEADS))
    pairs = len(_MOJIBAKE.findall(text)) if leads >= MIN_MOJIBAKE_PAIRS else 0
    if pairs < MIN_MOJIBAKE_PAIRS or pairs < 0.2 * leads:
        return _repair_arabic(text)
    repaired = re.sub(r"[\u0080-\u00ff\u0152-\u2122]+", _decode_run_again, text)
    return repaired if len(_MOJIBAKE.findall(repaired)) * 4 < pairs else text


def _repair_arabic(text: str) -> str:
    articles = text.count(_ARABIC_ARTICLE)
    if articles < MIN_ARABIC_ARTICLES:
        return text
    repaired = _ARABIC_RUN.sub(lambda run: _bytes_of(run[0]).decode("cp1256", "replace"), text)
    return repaired if len(_ARABIC.findall(repaired)) > 5 * articles else text


def _decode_run_again(run: re.Match[str]) -> str:
    """A run of non-ASCII characters decoded as UTF-8, where its bytes are UTF-8."""
    fixed = _bytes_of(run[0]).decode("utf-8", "replace")
    return fixed if fixed and fixed.count("\ufffd") * 10 <= len(fixed) else run[0]


def _bytes_of(run: str) -> bytes:
    """The bytes that were decoded as Windows-1252, or as Latin-1 where that has no character."""
    return run.translate(_TO_BYTES).encode("latin-1", "ignore")


def _utf16_without_mark(data: bytes) -> str:
    """UTF-16 without a byte-order mark has a null beside each ASCII character."""
    if data[:2] in (b"<\0", b"\0<"):
        return "utf-16-le" if data[:1] == b"<" else "utf-16-be"
    head = data[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 8 or max(even, odd) < 0.3 * len(head) or min(even, odd) > 0.7 * max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _decode_legacy(data: bytes, content_type: str) -> str:
    """Bytes that are not valid UTF-8: damaged UTF-8, or another charset."""
    damaged = data.decode("utf-8", "replace")
    high = sum(map(data.count, range(0x80, 0x100))) if len(data) < 200_000 else len(data) // 20
    if damaged.count("\ufffd") * 20 < high:
        return damaged
    labels = _DECLARED.findall(content_type.encode("ascii", "replace"))[:1]
    labels += _DECLARED.findall(data[:DECLARATION_BYTES])
    declared = (charset_of(label.decode("ascii").lower()) for label in labels)
    charset = next(filter(None, declared), "")
    if charset == "cp1252":  # many servers declare Latin-1 for every page
        charset = overrule_latin1(data) or charset
    elif charset in _EAST_ASIAN:
        charset = overrule_multibyte(data, charset) or charset
    return repair_mojibake(data.decode(charset or detect_charset(data), "replace"))
