"""How a store keeps bodies (compressed) and pages (JSON)."""

import io
import json
import zlib
from collections.abc import Sequence

from reducepp.errors import MissingExtraError
from reducepp.io.bounded_reading import parse_json
from reducepp.io.records import dict_to_page, page_to_dict
from reducepp.types import Page

MAX_BODY_BYTES = 64_000_000
"""Size of a body after decompression: eight times what `collect` fetches by default, and the limit
of a WARC record. A store from elsewhere may hold decompression bombs."""
_OF_THE_HIT = frozenset({"id", "query", "rank", "url", "domain", "snippet"})


def pack(data: bytes) -> bytes:
    """Compressed, with a first byte that says how: ``Z`` Zstandard, ``z`` zlib; empty stays so."""
    if not data:
        return b""
    try:
        import zstandard
    except ImportError:
        return b"z" + zlib.compress(data, 6)
    return b"Z" + zstandard.compress(data, 6)


def unpack(data: bytes) -> bytes:
    """What `pack` was given; ValueError for damaged data and for more than `MAX_BODY_BYTES`."""
    if not data:
        return b""
    body = _unpack_zlib(data[1:]) if data[:1] == b"z" else _unpack_zstd(data[1:])
    if len(body) > MAX_BODY_BYTES:
        raise ValueError(f"more than {MAX_BODY_BYTES} bytes when decompressed")
    return body


def _unpack_zlib(data: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        body = stream.decompress(data, MAX_BODY_BYTES + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not stream.eof and len(body) <= MAX_BODY_BYTES:
        raise ValueError("incomplete or truncated stream")
    return body


def _unpack_zstd(data: bytes) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("unpacking these bodies", "collect") from None
    try:
        whole = zstandard.get_frame_parameters(data).content_size
        decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        body: bytes = decompressor.stream_reader(io.BytesIO(data)).read(MAX_BODY_BYTES + 1)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(body) < min(whole, MAX_BODY_BYTES):
        raise ValueError("incomplete or truncated stream")
    return body


def write_page(page: Page) -> str:
    """A page's own content as JSON; what belongs to a query's hit is left out."""
    filled = page_to_dict(page, filled=True)
    content = {name: value for name, value in filled.items() if name not in _OF_THE_HIT}
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def read_page(text: str, url: str) -> Page:
    """The page that `write_page` wrote, under its address."""
    return dict_to_page({**parse_json(text), "id": url, "url": url})


def pack_many(parts: Sequence[bytes]) -> bytes:
    """Several bodies as one, each after its length; they are packed already, as images are."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def unpack_many(packed: bytes) -> tuple[bytes, ...]:
    """The bodies that `pack_many` joined."""
    parts, at = [], 0
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 4], "big")
        parts.append(packed[at + 4 : at + 4 + size])
        at += 4 + size
    return tuple(parts)
