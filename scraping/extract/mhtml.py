"""A page saved as one file (MHTML) → its document with the frames inserted, and its images.

Only headers are parsed with `email`: its parser takes four times as long on large files and fails
on deeply nested parts (docs/dependencies.md).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import islice

from reducepp.errors import SplitError
from reducepp.scraping.decode.charset import decode
from reducepp.scraping.extract.frames import MAX_DEPTH, MAX_FRAMES, insert_named_frames
from reducepp.scraping.extract.html_parsing import check_size
from reducepp.scraping.extract.images import image_addresses
from reducepp.text.urls import canonical_url
from reducepp.types import RawPage

MAX_SAVED_BYTES = 64 * 1024 * 1024
"""Bytes of a saved page with all it carries; its document may have as many as any page."""
MAX_PARTS = 2000
MAX_PART_DEPTH = 3
MAX_HEADER_BYTES = 8192
"""A part with a longer header is not read."""
_DOCUMENTS = ("text/html", "application/xhtml+xml")
_ENCODINGS = ("quoted-printable", "base64")
"""Transfer encodings that never expand; content in any other is read as it is."""
_BOUNDARY = re.compile(r"""boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))""", re.IGNORECASE)
_BLANK = re.compile(rb"\r?\n\r?\n")
_FRAME = re.compile(r"<i?frame\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One document, image or style sheet of a saved page, still in its transfer encoding."""

    head: Message
    body: bytes

    @property
    def location(self) -> str:
        """The address it was saved from."""
        return _header(self.head, "Content-Location")

    @property
    def is_document(self) -> bool:
        """Whether it is HTML."""
        return self.head.get_content_type() in _DOCUMENTS

    def content(self) -> bytes:
        """Its bytes, with the transfer encoding undone."""
        if _header(self.head, "Content-Transfer-Encoding").lower() not in _ENCODINGS:
            return self.body
        self.head.set_payload(self.body.decode("ascii", "surrogateescape"))
        payload = self.head.get_payload(decode=True)
        return payload if isinstance(payload, bytes) else b""


def open_saved(raw: RawPage, *, images: bool = False) -> RawPage:
    """The page as if its document had been fetched; SplitError where there is none.

    The address is the one it was saved from where none is given; with `images`, the stored
    bytes of its content images come along.
    """
    if len(raw.fetched) > MAX_SAVED_BYTES:
        raise SplitError(f"saved page has more than the {MAX_SAVED_BYTES:,} bytes that are read")
    parts = list(islice(_read_parts(raw.fetched, MAX_PART_DEPTH), MAX_PARTS + 1))
    if len(parts) > MAX_PARTS:
        raise SplitError(f"saved page has more than {MAX_PARTS:,} parts")
    documents = [part for part in parts if part.is_document]
    if not documents:
        raise SplitError("saved page holds no HTML document")
    head = BytesHeaderParser().parsebytes(_split_header(raw.fetched)[0])
    stated = _header(head, "Snapshot-Content-Location") or _header(head, "Content-Location")
    url = raw.final_url or raw.hit.url or stated or documents[0].location
    url = url if canonical_url(url) else raw.hit.url
    html = _join_frames(documents[: 1 + MAX_FRAMES], url)
    return replace(
        raw,
        final_url=url,
        content_type="text/html; charset=utf-8",
        fetched=html.encode("utf-8", "replace"),
        images=_stored_images(html, url, parts) if images else raw.images,
    )


def read_document(data: bytes) -> bytes:
    """The bytes of a saved page's own document, without its frames; b"" where there is none."""
    parts = islice(_read_parts(data, MAX_PART_DEPTH), MAX_PARTS)
    return next((part.content() for part in parts if part.is_document), b"")


def _read_parts(data: bytes, depth: int) -> Iterator[Part]:
    """The parts in order, those of a part that is made of parts among them."""
    top, body = _split_header(data)
    head = BytesHeaderParser().parsebytes(top)
    if head.get_content_maintype() != "multipart":
        yield Part(head=head, body=body)
    elif depth:
        stated = _BOUNDARY.search(str(head.get("Content-Type", "")))
        boundary = (stated[1] or stated[2]).encode("ascii", "replace") if stated else b""
        for part in _split_at(body, boundary):
            yield from _read_parts(part, depth - 1)


def _split_header(data: bytes) -> tuple[bytes, bytes]:
    """Header and body; one of the two is empty where the header does not end in time."""
    data = data.lstrip(b"\xef\xbb\xbf\r\n")
    end = _BLANK.search(data, 0, MAX_HEADER_BYTES)
    if end is None:
        return (data, b"") if len(data) < MAX_HEADER_BYTES else (b"", data)
    return data[: end.start()], data[end.end() :]


def _split_at(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """The parts between boundary lines; the last part may have been cut off."""
    if not boundary:
        return
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?$", re.MULTILINE)
    start = 0
    for found in line.finditer(body):
        if start:
            yield body[start : found.start()].removesuffix(b"\n").removesuffix(b"\r")
        if found[1]:
            return
        start = found.end() + 1
    if start:
        yield body[start:]


def _header(head: Message, name: str) -> str:
    """A header's text without folding; "" where it cannot be read."""
    try:
        return "".join(str(make_header(decode_header(head.get(name, "")))).split())
    except (HeaderParseError, ValueError, LookupError):
        return ""


def _join_frames(documents: list[Part], url: str) -> str:
    """The first document, with the documents that its frames refer to in their places."""
    check_size(sum(len(part.content()) for part in documents))
    left = {name: part for part in documents[1:] for name in _names(part)}

    def join(part: Part, base: str, depth: int) -> str:
        html = decode(part.content(), _header(part.head, "Content-Type"))

        def framed(address: str) -> str | None:
            inner = left.get(_key(address, base)) if depth else None
            for name in _names(inner) if inner else ():
                left.pop(name, None)
            return join(inner, inner.location, depth - 1) if inner else None

        return insert_named_frames(html, framed) if left and _FRAME.search(html) else html

    return join(documents[0], url, MAX_DEPTH)


def _names(part: Part) -> list[str]:
    """The addresses by which other parts refer to this one."""
    identity = _header(part.head, "Content-ID").strip("<>")
    names = (f"cid:{identity}" if identity else "", _key(part.location, ""))
    return [name for name in names if name]


def _key(address: str, base: str) -> str:
    address = address.strip()
    return address if address.startswith("cid:") else canonical_url(address, base)


def _stored_images(html: str, url: str, parts: list[Part]) -> tuple[bytes, ...]:
    images = (part for part in parts if part.head.get_content_maintype() == "image")
    stored = {name: part for part in images for name in _names(part)}
    found = (stored.get(address) for address in image_addresses(html, url))
    return tuple(part.content() for part in found if part is not None)
