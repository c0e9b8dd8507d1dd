"""What the bytes of a page are: by their first bytes, then by the stated content type."""

from __future__ import annotations

import re

from reducepp.errors import SplitError

_MARKUP = re.compile(
    rb"<\s*(?:!doctype|html|head|body|div|p|a|meta|title|table|span|script|h1|br|ul|article|section|font|center|img)\b",
    re.I,
)
_BINARY = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"ID3": "an audio file",
    b"OggS": "an audio or video file",
    b"\x7fELF": "a program",
}


_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def check_is_text(data: bytes) -> None:
    """Refuse bytes of which too many are control characters; UTF-16 is let through."""
    sample = data[:20_000]
    wide = (
        data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0.3 < sample.count(0) / (len(sample) or 1) < 0.7
    )
    if not wide and len(_CONTROL.findall(sample)) > 20 + 0.01 * len(sample):
        raise SplitError("page is not text: it holds binary data")


def kind_of(data: bytes, content_type: str = "") -> str:
    """`html`, `text`, `pdf` or `docx`; raises SplitError for anything else."""
    head = data[:1024]
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        if b"word/" in data or b"officedocument" in data[:4096]:
            return "docx"
        raise SplitError("not a page: a zip archive")
    for mark, name in _BINARY.items():
        if head.startswith(mark):
            raise SplitError(f"not a page: {name}")
    stated = content_type.partition(";")[0].strip().lower()
    if stated.startswith(("image/", "audio/", "video/", "font/")):
        raise SplitError(f"not a page: {stated}")
    if _MARKUP.search(data[:65536].replace(b"\x00", b"")):
        return "html" if stated != "text/plain" or b"<html" in data[:2048].lower() else "text"
    return "text" if stated in ("", "text/plain", "text/markdown", "text/csv") else "html"
