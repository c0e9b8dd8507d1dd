"""How much the packed streams of a PDF hold, counted before anything draws them."""

from __future__ import annotations

import re
import zlib

from reducepp.errors import SplitError

MAX_DRAWN = 30 * 1024 * 1024
"""Bytes of drawing commands, which take a second for each few megabytes."""
MAX_STREAM = 256 * 1024 * 1024
"""Bytes of any one stream, images and fonts among them."""
PIECE = 1 << 20
_STREAM = re.compile(rb"stream\r?\n")
_BINARY = re.compile(rb"[^\t\n\r\x20-\x7e]")


def check_unpacked(data: bytes) -> None:
    """Refuse a PDF whose packed streams hold more than a document's; raises SplitError."""
    drawn, place = 0, 0
    while found := _STREAM.search(data, place):
        end = data.find(b"endstream", found.end())
        packed = data[found.end() : end if end >= 0 else len(data)]
        if packed[:1] and packed[0] & 0x0F == 8:  # how packed data begins
            drawn += _commands(packed)
        if drawn > MAX_DRAWN:
            raise SplitError(f"PDF unpacks to more than {MAX_DRAWN:,} bytes of commands")
        if end < 0:
            return
        place = end + len(b"endstream")


def _commands(packed: bytes) -> int:
    """Bytes of a stream's commands, packed once or twice; 0 where it holds anything else."""
    outer, inner = zlib.decompressobj(), zlib.decompressobj()
    size, first, twice = 0, b"", False
    try:
        while packed and not outer.eof:
            piece = outer.decompress(packed, PIECE)
            packed = outer.unconsumed_tail
            if not size:
                twice = piece[:1] == b"\x78"
            if twice:
                piece = inner.decompress(piece, MAX_DRAWN + 1)
            first = first or piece[:4096]
            size += len(piece)
            if size > MAX_STREAM:
                raise SplitError(f"PDF has a stream of more than {MAX_STREAM:,} bytes")
            if not piece and not twice:
                break
    except zlib.error:
        pass
    return size if len(_BINARY.findall(first)) < 0.1 * len(first) else 0
