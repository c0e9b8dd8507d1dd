"""Compression distance of two texts."""

import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.contents import Contents, made_once
from reducepp.types import Array, Integers

MOST_BYTES = 16_000
"""Of each text, so that both lie in gzip's window of 32 kB; beyond it C(aa) sees no second a."""

_GZIP = 31


def compression(contents: Contents, *, most_bytes: int = MOST_BYTES, level: int = 6) -> Array:
    """One minus the modified compression distance, in [0, 1]; NaN for an empty text.

    max(|C(ab) - C(aa)|, |C(ab) - C(bb)|) / max(C(aa), C(bb)) with C the size after gzip: zero
    exactly where C(aa) = C(ab) = C(bb) (Huffman et al. 2007). C(ab) takes the text that comes
    first in byte order first, so that the order of pages changes nothing. It compresses every
    pair of different texts: the costliest measure here.
    """
    if not 1 <= most_bytes <= MOST_BYTES:
        raise UsageError(f"most_bytes = {most_bytes}: use 1 to {MOST_BYTES}")
    if not 1 <= level <= 9:
        raise UsageError(f"level = {level}: use 1 to 9")
    distinct, rows, own = _distinct_texts(contents, most_bytes, level)
    first, second = contents.pairs.first(rows), contents.pairs.second(rows)
    found = 1 - compression_distances(distinct, own, first, second, level=level)
    return contents.pairs.blank(found, np.array([not text for text in distinct], dtype=bool)[rows])


@made_once
def _distinct_texts(
    contents: Contents, most_bytes: int, level: int
) -> tuple[list[bytes], Integers, Array]:
    """The distinct texts in byte order, the number of each page's, and C(aa) of each."""
    texts = [text.encode("utf-8", "replace")[:most_bytes] for text in contents.joined()]
    distinct = sorted(set(texts))
    number = {text: i for i, text in enumerate(distinct)}
    rows = np.array([number[text] for text in texts], dtype=np.int64)
    return distinct, rows, sizes_of_twice(distinct, level)


def sizes_of_twice(texts: Sequence[bytes], level: int = 6) -> Array:
    """C(aa) of each text."""
    return np.array([_sizes_after(text, [text], level)[0] for text in texts], dtype=np.float64)


def compression_distances(
    texts: Sequence[bytes], own: Array, first: Integers, second: Integers, *, level: int = 6
) -> Array:
    """Modified compression distance of pairs of texts, which stand in byte order, clipped to
    [0, 1]; `own` is C(aa) of each text."""
    keys = np.minimum(first, second) * len(texts) + np.maximum(first, second)
    known, place = np.unique(keys, return_inverse=True)
    low, high = np.divmod(known, max(len(texts), 1))
    sizes = own[low]
    other = np.flatnonzero(low < high)
    cuts = np.flatnonzero(np.diff(low[other], prepend=-1)).tolist()
    for start, end in pairwise([*cuts, len(other)]):
        here = other[start:end]
        after = [texts[i] for i in high[here].tolist()]
        sizes[here] = _sizes_after(texts[int(low[here[0]])], after, level)
    apart = np.maximum(np.abs(sizes - own[low]), np.abs(sizes - own[high]))
    found = np.minimum(apart / np.maximum(np.maximum(own[low], own[high]), 1), 1.0)
    return found[place].reshape(keys.shape)  # numpy 2.0 gives `place` other axes


def _sizes_after(first: bytes, others: Sequence[bytes], level: int) -> list[int]:
    """gzip sizes of `first` followed by each of the others; `first` is worked through once."""
    start = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    written = len(start.compress(first))
    found = []
    for other in others:
        branch = start.copy()
        found.append(written + len(branch.compress(other)) + len(branch.flush()))
    return found
