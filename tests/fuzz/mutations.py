"""Random changes of an input: bytes, spans, numbers, words of its format, and parts of archives."""

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from random import Random

from reducepp.io.zip_members import DAMAGED_ZIP, read_member

MAX_BYTES = 100_000
"""Size of a mutated input."""
MAX_CHANGES = 6
"""Changes of one input."""
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"0", b"-1", b"1e999", b"NaN", b"4294967296", b"9" * 30, b"1" + b"0" * 400, b"0.5")

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


def mutate(data: bytes, random: Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """A few changes; those of packed data are made inside it, and it is packed again."""
    if data[:2] == b"\x1f\x8b" and random.random() < 0.7:
        return _mutate_gzip(data, random, words, others)
    if data[:4] == b"PK\x03\x04" and random.random() < 0.8:
        return _mutate_zip(data, random, words, others)
    if random.random() < 0.1 and others:
        data = _splice(data, random, others)
    for _ in range(random.randint(1, MAX_CHANGES)):
        data = random.choice(CHANGES)(data, random, words)[:MAX_BYTES]
    return data


def _mutate_gzip(
    data: bytes, random: Random, words: Sequence[bytes], others: Sequence[bytes]
) -> bytes:
    try:
        content = zlib.decompressobj(31).decompress(data, MAX_BYTES)
    except zlib.error:
        content = data[2:]
    return gzip.compress(mutate(content, random, words, others), 1, mtime=0)


def _mutate_zip(
    data: bytes, random: Random, words: Sequence[bytes], others: Sequence[bytes]
) -> bytes:
    """One member is changed; now and then one is left out or stands twice."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(name, read_member(archive, name, MAX_BYTES)) for name in archive.namelist()]
    except DAMAGED_ZIP:
        return _flip(data[4:], random, words)
    if not members:
        return data
    at = random.randrange(len(members))
    name, content = members[at]
    members[at] = (name, mutate(content, random, words, others))
    if random.random() < 0.1:
        members.pop(random.randrange(len(members)))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _span(data: bytes, random: Random, longest: int = 2_000) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.randint(1, random.choice((4, 40, longest))))


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _flip(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 8)):
        if changed:
            changed[random.randrange(len(changed))] = random.choice((0, 255, random.randrange(256)))
    return bytes(changed)


def _delete(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, random, 200)
    return data[:end] + data[start:end] * random.choice((1, 3, 50, 5_000)) + data[end:]


def _insert(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    word = random.choice(words) if words else bytes([random.randrange(256)])
    return data[:at] + word * random.choice((1, 1, 1, 2, 1_000)) + data[at:]


def _move(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, random)
    rest = data[:start] + data[end:]
    at = random.randint(0, len(rest))
    return rest[:at] + data[start:end] + rest[at:]


def _change_number(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    place = random.choice(found)
    return data[: place.start()] + random.choice(_NUMBERS) + data[place.end() :]


def _cut(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    return data[: random.randint(0, len(data))] if random.random() < 0.3 else data


CHANGES: tuple[Change, ...] = (_flip, _delete, _repeat, _insert, _insert, _move, _change_number)
CHANGES += (_cut,)
