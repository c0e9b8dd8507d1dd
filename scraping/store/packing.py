"""How a store keeps bodies (compressed) and pages (JSON)."""

import json
import zlib
from collections.abc import Sequence
from importlib.util import find_spec

from reducepp.errors import FetchError, MissingExtraError
from reducepp.io.bounded_reading import parse_json
from reducepp.io.records import dict_to_page, page_to_dict
from reducepp.scraping.decode.content_encoding import decode_body
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
    encoding = "deflate" if data[:1] == b"z" else "zstd"
    if data and encoding == "zstd" and not find_spec("zstandard"):
        raise MissingExtraError("unpacking these bodies", "collect")
    try:
        return decode_body(data[1:], encoding, MAX_BODY_BYTES)
    except FetchError as error:
        raise ValueError(str(error)) from None


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
