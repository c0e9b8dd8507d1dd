"""Limits on the work that a PDF causes, checked on its bytes before pdfium reads it.

Streams may be compressed several times over, and form XObjects may draw each other, so that a few
hundred bytes expand to gigabytes. Filters are detected by their output, as a dictionary may name
them indirectly. What this check cannot read (encrypted files) is left to the memory limit of the
process that parses documents.
"""

import base64
import binascii
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain

from reducepp.errors import SplitError

MAX_COMMAND_BYTES = 30 * 1024 * 1024
"""Decoded drawing commands; pdfium takes a second for each few megabytes."""
MAX_EXPANDED_BYTES = 100 * 1024 * 1024
"""Drawing commands with each form counted as often as it is drawn."""
MAX_STREAM_BYTES = 256 * 1024 * 1024
"""Decoded bytes of any one stream, images and fonts among them."""
MAX_TOTAL_BYTES = 1024 * 1024 * 1024
"""Decoded bytes of all streams together; zlib takes about three seconds for them."""
MAX_FILTERS = 4
"""Filters on one stream; producers use one or two."""
MAX_FORM_DEPTH = 30
"""Forms inside forms; pdfium ignores those below."""
MAX_DICTIONARY_BYTES = 100_000
MAX_OBJECT_NUMBER_BYTES = 40
MAX_STREAMS = 50_000
"""Several times those of a book with a stream for every glyph; they take about five seconds."""
CALL_BYTES = 500
"""What drawing an empty form costs, as bytes of commands: 100,000 of them take 1.4 seconds."""
MAX_MEANINGS = 50
"""Objects that are tried for one name; real files have one."""
CHUNK_BYTES = 1 << 20
OVERLAP_BYTES = 200
"""Bytes of a chunk that are searched again with the next: a call longer than that is none."""
MIN_SAMPLE_BYTES = 16
"""Bytes of hexadecimal digits or of ASCII85 from which a filter is assumed."""
_TOKEN = re.compile(rb"\b(?:(obj)\b|(stream)\r?\n)|endobj|endstream")
_OBJECT_NUMBER = re.compile(rb"(\d{1,10})\s{1,9}\d{1,5}\s{1,9}\Z")
_BINARY = re.compile(rb"[^\t\n\r\x20-\x7e]")
_HEX = re.compile(rb"[0-9A-Fa-f\s]*+>?")
_ASCII85 = re.compile(rb"\s*+(?:<~)?[!-uz\s]*+(?:~>?)?")
_CALL = re.compile(rb"/([^\s/<>\[\]()%]{1,100})\s{1,20}Do\b")
_REFERENCE = re.compile(rb"/([^\s/<>\[\]()%]{1,100})\s{0,9}(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b")
_CONTENTS = re.compile(rb"/Contents\s{0,9}(?:\[([^\]]{0,9999})\]|(\d{1,10}\s{1,9}\d{1,5}\s{1,9}R))")
_NUMBER = re.compile(rb"(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R")
_FIRST = re.compile(rb"/First\s{1,9}(\d{1,9})")
_LEADS_TO_RESOURCES = (b"Resources", b"XObject", b"Parent")

Objects = dict[int, list[bytes]]
"""Texts of all definitions of an object by its number, without its stream."""


@dataclass(slots=True)
class _Stream:
    """A stream's commands: their size, and how often they draw each name."""

    dictionary: bytes
    size: int = 0
    calls: Counter[bytes] = field(default_factory=Counter)


def check_limits(data: bytes) -> None:
    """Reject a PDF that would expand beyond the limits; raises SplitError."""
    objects, streams = _read_objects(data)
    if _DrawingGraph(objects, streams).expanded_size() > MAX_EXPANDED_BYTES:
        raise SplitError(f"PDF draws forms of more than {MAX_EXPANDED_BYTES:,} bytes of commands")


def _read_objects(data: bytes) -> tuple[Objects, dict[int, list[_Stream]]]:
    """All objects and streams by number; raises SplitError where streams are too large."""
    objects: Objects = {}
    streams: dict[int, list[_Stream]] = {}
    total = commands = count = number = start = 0
    for token in _TOKEN.finditer(data):
        text = data[start : min(token.start(), start + MAX_DICTIONARY_BYTES)]
        start = token.end()
        if token[1]:
            stated = _OBJECT_NUMBER.search(text[-MAX_OBJECT_NUMBER_BYTES:])
            number = int(stated[1]) if stated else number
            continue
        objects.setdefault(number, []).append(text)
        if token[2]:
            stream = _Stream(text)
            total += _measure(data, start, stream, objects)
            commands += stream.size
            streams.setdefault(number, []).append(stream)
            count += 1
        if count > MAX_STREAMS:
            raise SplitError(f"PDF has more than {MAX_STREAMS:,} streams")
        if commands > MAX_COMMAND_BYTES:
            raise SplitError(f"PDF unpacks to more than {MAX_COMMAND_BYTES:,} bytes of commands")
        if total > MAX_TOTAL_BYTES:
            raise SplitError(f"PDF unpacks to more than {MAX_TOTAL_BYTES:,} bytes")
    return objects, streams


def _measure(data: bytes, start: int, stream: _Stream, objects: Objects) -> int:
    """Decode a stream and count its commands and calls; gives its size in bytes."""
    chunks = _decode_stream(data, start)
    first = next(chunks, b"")
    size = len(first)
    if len(_BINARY.findall(first[:4096])) >= 0.1 * len(first[:4096]):
        return size + sum(map(len, chunks))
    is_object_stream = b"ObjStm" in stream.dictionary
    text, last = [first], b""
    for chunk in chain((first,), chunks):
        stream.size += len(chunk)
        stream.calls.update(_CALL.findall(last[-OVERLAP_BYTES:] + chunk))
        last = chunk
        if is_object_stream and chunk is not first:
            text.append(chunk)
        if stream.size > MAX_COMMAND_BYTES:
            break
    if is_object_stream:
        _add_packed_objects(b"".join(text), stream.dictionary, objects)
    return stream.size


def _add_packed_objects(text: bytes, dictionary: bytes, objects: Objects) -> None:
    """Add the objects that an object stream holds: pairs of number and offset, then the objects."""
    first = _FIRST.search(dictionary)
    if not first:
        return
    base = int(first[1])
    pairs = [int(word) for word in text[:base].split() if word.isdigit() and len(word) < 11]
    ends = [*pairs[3::2], len(text)]
    for number, offset, end in zip(pairs[::2], pairs[1::2], ends, strict=False):
        body = text[base + offset : base + min(end, offset + MAX_DICTIONARY_BYTES)]
        objects.setdefault(number, []).append(body)


def _decode_stream(data: bytes, start: int) -> Iterator[bytes]:
    """Chunks of a stream with all its filters undone; SplitError where it exceeds a limit."""
    chunks = _encoded(data, start)
    for _ in range(MAX_FILTERS + 1):
        first = next(chunks, b"")
        chunks = chain((first,), chunks)
        if first[:1] and first[0] & 0x0F == 8 and int.from_bytes(first[:2], "big") % 31 == 0:
            chunks = _limited(_inflate(chunks))
        elif text := _decode_ascii(first):
            chunks = iter((text,))
        else:
            return chunks
    raise SplitError(f"PDF has a stream with more than {MAX_FILTERS} filters")


def _encoded(data: bytes, start: int) -> Iterator[bytes]:
    """The bytes of a stream; compressed data ends by itself, whatever length is stated."""
    if data[start : start + 1] and data[start] & 0x0F == 8:
        for place in range(start, len(data), CHUNK_BYTES):
            yield data[place : place + CHUNK_BYTES]
    else:
        end = data.find(b"endstream", start, start + MAX_COMMAND_BYTES)
        yield data[start : end if end >= 0 else start + MAX_COMMAND_BYTES]


def _inflate(chunks: Iterator[bytes]) -> Iterator[bytes]:
    unpack = zlib.decompressobj()
    with suppress(zlib.error):
        while not unpack.eof and (chunk := unpack.unconsumed_tail or next(chunks, b"")):
            yield unpack.decompress(chunk, CHUNK_BYTES)


def _limited(chunks: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for chunk in filter(None, chunks):
        size += len(chunk)
        if size > MAX_STREAM_BYTES:
            raise SplitError(f"PDF has a stream of more than {MAX_STREAM_BYTES:,} bytes")
        yield chunk


def _decode_ascii(text: bytes) -> bytes:
    """Hexadecimal digits or ASCII85 as bytes; b"" for anything else."""
    if len(text) < MIN_SAMPLE_BYTES:
        return b""
    try:
        if (found := _HEX.match(text)) and found.end() >= MIN_SAMPLE_BYTES and b">" in found[0]:
            digits = b"".join(found[0].rstrip(b">").split())
            return binascii.unhexlify(digits + b"0" * (len(digits) % 2))
        if (found := _ASCII85.match(text)) and found.end() >= MIN_SAMPLE_BYTES and b"~" in found[0]:
            inner = found[0].strip().removeprefix(b"<~").partition(b"~")[0]
            return base64.a85decode(inner, ignorechars=b" \t\n\r\v\f\0")
    except ValueError:
        pass
    return b""


class _DrawingGraph:
    """Which streams draw which forms; every stream is expanded once, so time is linear."""

    def __init__(self, objects: Objects, streams: dict[int, list[_Stream]]) -> None:
        self.streams = streams
        self.sizes: dict[int, int] = {}
        self.references = {
            number: _references(b" ".join(texts)) for number, texts in objects.items()
        }
        self.by_name: dict[bytes, set[int]] = {}
        for found in self.references.values():
            for name, numbers in found.items():
                known = self.by_name.setdefault(name, set())
                if len(known) < MAX_MEANINGS:
                    known.update(numbers & streams.keys())
        self.page_of = {
            int(content): number
            for number, texts in objects.items()
            for found in _CONTENTS.finditer(b" ".join(texts))
            for content in _NUMBER.findall(found[1] or found[2])
        }

    def expanded_size(self) -> int:
        """Bytes of commands that all pages execute, or of the largest stream where that is more."""
        sizes = {number: self._expand(number, 0) for number in self.streams}
        return max(sum(sizes.get(n, 0) for n in self.page_of), max(sizes.values(), default=0))

    def _expand(self, number: int, depth: int) -> int:
        if number in self.sizes:
            return self.sizes[number]
        self.sizes[number] = 0  # pdfium draws no form inside itself
        size = 0
        for stream in self.streams[number] if depth < MAX_FORM_DEPTH else ():
            called = sum(
                times * (CALL_BYTES + self._expand_name(number, name, depth))
                for name, times in stream.calls.items()
            )
            size = max(size, stream.size + called)
        self.sizes[number] = min(size, MAX_EXPANDED_BYTES + 1)
        return self.sizes[number]

    def _expand_name(self, number: int, name: bytes, depth: int) -> int:
        """Size of the largest stream that a name may mean in the stream of this number."""
        found = self._named(number, name) | self._named(self.page_of.get(number, -1), name)
        streams = found & self.streams.keys() or self.by_name.get(name, set())
        return max((self._expand(n, depth + 1) for n in sorted(streams)), default=0)

    def _named(self, number: int, name: bytes) -> set[int]:
        """Objects with this name in a dictionary, its resources or its parents."""
        found: set[int] = set()
        queue, seen = [number], {number}
        while queue and len(seen) < MAX_MEANINGS:
            references = self.references.get(queue.pop(), {})
            found |= references.get(name, set())
            inner = (references.get(key, set()) for key in _LEADS_TO_RESOURCES)
            fresh = set().union(*inner) - seen
            queue += fresh
            seen |= fresh
        return found


def _references(text: bytes) -> dict[bytes, set[int]]:
    """Numbers of the objects that a dictionary refers to, by name."""
    found: dict[bytes, set[int]] = {}
    for name, number in _REFERENCE.findall(text):
        found.setdefault(name, set()).add(int(number))
    return found
