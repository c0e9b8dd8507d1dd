"""All pairs of a large page set: scored in blocks of rows, their scores in memory or on disk.

What the signals of a block take is given back with it. The scores of all pairs are one n×n array;
where it is large beside the free memory, it lies in a file without a name (in `TMPDIR`), which the
system reads and writes page by page.
"""

import os
from collections.abc import Iterator, Mapping

import numpy as np

from reducepp.errors import UsageError
from reducepp.parallel import free_memory
from reducepp.similarity.combine import score_values
from reducepp.similarity.compare import compare_set
from reducepp.similarity.contents import PageSet
from reducepp.similarity.pairs import BlockPairs, PairList
from reducepp.types import Array, Profile

MIN_PAIRS, MAX_PAIRS = 10_000, 1_000_000
"""Pairs that are scored at once: a few megabytes, and about 500."""
PAIR_BYTES, SIGNAL_BYTES = 80, 10
"""Bytes that a pair takes while it is scored, and more per signal: twice what tracemalloc counted
for `paper` and `default`."""
SHARE_OF_BLOCK, SHARE_OF_SCORES = 0.3, 0.3
"""Parts of the free memory for the block under way and for the scores of all pairs."""
TILE = 1024
"""Rows and columns that are mirrored at once: two pages of memory wide."""

Scored = tuple[Mapping[str, Array], Array]
"""Similarities by signal, and scores."""


def score_listed(page_set: PageSet, profile: Profile, pairs: PairList) -> Scored:
    """Similarities and scores of listed pairs, without those of pages with themselves."""
    found = compare_set(page_set.on(pairs), profile).by_signal
    listed = {name: values[: len(values) - pairs.count] for name, values in found.items()}
    return listed, score_values(listed, profile)


def score_rows(
    page_set: PageSet, profile: Profile
) -> Iterator[tuple[PairList, Mapping[str, Array], Array]]:
    """All pairs i < j of a page set in order, in blocks that fit into the free memory, with their
    similarities and scores."""
    count, start = len(page_set.pages), 0
    while start < count - 1:
        rows = max(1, pairs_at_once(profile) // (count - start))
        stop = min(start + rows, count - 1)
        first, second = np.nonzero(~np.tri(stop - start, count - start, dtype=bool))
        pairs = BlockPairs(count, first + start, second + start)
        start = stop
        yield pairs, *score_listed(page_set, profile, pairs)


def pairs_at_once(profile: Profile) -> int:
    """Pairs whose signals fit into the part of the free memory that a block has."""
    each = PAIR_BYTES + SIGNAL_BYTES * len(profile.signals)
    return int(min(MAX_PAIRS, max(MIN_PAIRS, SHARE_OF_BLOCK * free_memory() / each)))


def score_all_pairs(page_set: PageSet, profile: Profile) -> Array:
    """n×n scores; a page scores 1 with itself."""
    scores = square_array(len(page_set.pages))
    for pairs, _, found in score_rows(page_set, profile):
        scores[pairs.i[: len(found)], pairs.j[: len(found)]] = found
    _mirror(scores)
    return scores


def _mirror(scores: Array) -> None:
    """Fill in the pairs i > j from i < j, and 1 for each page with itself."""
    for top in range(0, len(scores), TILE):
        rows = slice(top, top + TILE)
        upper = np.triu(scores[rows, rows], 1)
        scores[rows, rows] = upper + upper.T + np.eye(len(upper))
        for left in range(0, top, TILE):
            scores[rows, left : left + TILE] = scores[left : left + TILE, rows].T


def square_array(count: int) -> Array:
    """An n×n array without values: in memory, or on disk where it is large beside what is free."""
    size, free = 8 * count**2, free_memory()
    if size <= SHARE_OF_SCORES * free:
        return np.empty((count, count))
    from shutil import disk_usage
    from tempfile import TemporaryFile, gettempdir

    try:
        with TemporaryFile(prefix="reducepp-") as file:
            _reserve(file.fileno(), size, disk_usage(gettempdir()).free)
            found = np.memmap(file, dtype=np.float64, mode="r+", shape=(count, count))
            return np.asarray(found)
    except OSError:
        folder = gettempdir()
        raise UsageError(
            f"the scores of all pairs of {count:,} pages take {size / 1e9:.1f} GB, and "
            f"{free / 1e9:.1f} GB of memory and {disk_usage(folder).free / 1e9:.1f} GB in {folder} "
            "are free: name another folder by TMPDIR, split the pages into queries, or name a "
            "profile and threshold that need fewer pairs (docs/scaling.md)"
        ) from None


def _reserve(descriptor: int, size: int, free: int) -> None:
    """Make a file so large; OSError where the disk has no room, as writing to it then would end
    the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    elif free < size:
        raise OSError
    os.ftruncate(descriptor, size)
