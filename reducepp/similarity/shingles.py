"""Runs of words and letters of n texts as a sparse matrix, and their rarity among documents.

A run that many *other* documents of the set (or of the site) contain is a menu, a template or a
phrase of the subject: weak evidence. A run that no other document contains is strong evidence. A
pair is never its own background: a run that both pages share is looked for beyond these two, a run
of one page beyond that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.pairs import Bools, Integers, PairList, Pairs
from reducepp.similarity.sparse import csr_columns, csr_rows
from reducepp.text.preparation import Texts
from reducepp.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PRIOR = 0.01
"""Share of documents that contain a run where nothing is known; such a run has weight 1."""
PSEUDOCOUNT = 30.0
"""Documents that the prior stands for, against those of the set; and that the set's share stands
for, against those of a site."""
UNITS = 1 << 20
"""Weights are whole multiples of 1 / UNITS, so that sums are exact in any order."""
PART_CELLS = 4_000_000
"""Runs of pages that are put by site at once: about 300 MB."""
_MULTIPLIER = np.int64(1_000_003)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighting:
    """How fast the weight of a run falls with its frequency, and the lowest weight."""

    power: float
    floor: float

    def weights(self, share: Array) -> Array:
        """Whole-number weight of runs that these shares of the other documents contain."""
        rarity = np.clip(np.log(share) / np.log(PRIOR), 0.0, 1.0)
        weight = self.floor + (1 - self.floor) * rarity**self.power
        rounded: Array = np.round(weight * UNITS)
        return rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Share of the other documents that contain each run."""

    beyond_two: Array
    """Not counting two documents that have it: for what a pair shares."""
    beyond_one: Array
    """Not counting one: for what only one page of a pair has."""

    def take(self, runs: Integers) -> Background:
        """Those of some runs."""
        return Background(beyond_two=self.beyond_two[runs], beyond_one=self.beyond_one[runs])


RunCodes = tuple[Integers, Integers]
"""Text and code of every run, in any order; a text may have a run several times."""


def word_runs(texts: Texts, length: int) -> csr_array[np.float64]:
    """Texts × runs of `length` words, 1 where a text has the run; a shorter text is one run."""
    return membership(*word_run_codes(texts, texts.words + 1, length), texts.count)


def word_run_codes(texts: Texts, numbers: Integers, length: int) -> RunCodes:
    """The runs of `length` words; `numbers` are those of the texts' words, one after the other."""
    starts = np.cumsum(texts.lengths) - texts.lengths
    codes = _hash_runs(numbers, length)
    pages = texts.pages
    inside = pages[: len(codes)] == pages[length - 1 :] if len(codes) else []
    pages, found = pages[: len(codes)][inside], codes[inside]
    brief = np.flatnonzero((texts.lengths > 0) & (texts.lengths < length))
    whole = [
        _hash_runs(numbers[starts[i] : starts[i] + texts.lengths[i]], int(texts.lengths[i]))
        for i in brief
    ]
    return np.concatenate([pages, brief]), np.concatenate([found, *whole])


def single_words(texts: Texts, unspaced: Bools) -> csr_array[np.float64]:
    """Texts × words; two neighbours of a script without spaces are one word.

    `unspaced` marks the vocabulary's words that are signs of such a script.
    """
    return membership(*single_word_codes(texts, texts.words + 1, unspaced), texts.count)


def single_word_codes(texts: Texts, numbers: Integers, unspaced: Bools) -> RunCodes:
    """The words, by their `numbers`, in order."""
    codes = numbers
    if len(codes) > 1 and unspaced.any():
        sign = unspaced[texts.words]
        pages = texts.pages
        joined = sign[:-1] & sign[1:] & (pages[:-1] == pages[1:])
        with np.errstate(over="ignore"):
            pairs = codes[:-1] * _MULTIPLIER + codes[1:]
        codes = np.append(np.where(joined, pairs, codes[:-1]), codes[-1])
    return texts.pages, codes


def letter_runs(texts: list[str], length: int) -> csr_array[np.float64]:
    """Texts × runs of letters; ends of a text count as spaces, an empty text has none."""
    return membership(*letter_run_codes(texts, length), len(texts))


def letter_run_codes(texts: list[str], length: int) -> RunCodes:
    """The runs of letters."""
    rows, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for page, text in enumerate(texts):
        if text:
            letters = np.frombuffer(f" {text} ".encode("utf-32-le"), dtype=np.uint32)
            codes.append(_hash_runs(letters.astype(np.int64), min(length, len(letters))))
            rows.append(np.full(len(codes[-1]), page, dtype=np.int64))
    return np.concatenate(rows), np.concatenate(codes)


def _hash_runs(codes: Integers, length: int) -> Integers:
    """A 64-bit polynomial hash of every run; wraps around on purpose."""
    count = max(len(codes) - length + 1, 0)
    hashed = np.zeros(count, dtype=np.int64)
    with np.errstate(over="ignore"):
        for offset in range(length):
            hashed = hashed * _MULTIPLIER + codes[offset : count + offset]
    return hashed


def membership(rows: Integers, codes: Integers, count: int) -> csr_array[np.float64]:
    """count × distinct codes: 1 where a row has the code, however often.

    Codes are mixed and cut to the bits that the number of a row leaves of 63: with a hundred
    thousand pages of 440 words one pair of runs in 10^14 is taken for equal.
    """
    return _table(rows, mix(codes) >> np.uint64(count.bit_length() + 1), count)[0]


def coded_membership(
    rows: Integers, codes: Integers, count: int
) -> tuple[csr_array[np.float64], Integers]:
    """The same by whole codes, and the code of each column; none where there is no run."""
    matrix, known = _table(rows, codes.view(np.uint64), count)
    return matrix, known.astype(np.int64)


def mix(codes: Integers | NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of a code spread over all 64 (the last step of splitmix64)."""
    mixed = codes.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _table(
    rows: Integers, codes: Integers | NDArray[np.uint64], count: int
) -> tuple[csr_array[np.float64], Integers]:
    """count × distinct codes with 1 where a row has the code, and the codes.

    Code and row are sorted as one number each: several times faster than to sort places.
    """
    bits = count.bit_length()
    if len(codes) and int(codes.max()).bit_length() + bits > 63:
        known, codes = np.unique(codes, return_inverse=True)
        matrix, places = _table(rows, codes, count)
        return matrix, known[places].astype(np.int64)
    cells = codes.astype(np.int64) << bits
    cells |= rows
    cells = distinct(cells)
    of_row = (cells & ((1 << bits) - 1)).astype(np.int32)
    cells >>= bits
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    width = max(len(starts), 1)
    ends = np.append(starts, [len(cells)] * (width + 1 - len(starts)))
    return csr_columns(of_row, ends, (count, width)), cells[starts]


def distinct(values: Integers) -> Integers:
    """Distinct values in order; for whole numbers sorting is faster than np.unique's hashing."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    found: Integers = ordered[first]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Pages × runs, and how many other documents contain each run."""

    matrix: csr_array[np.float64]
    background: Background
    lone: Array | float = 0.0
    """Weight of the runs of each page that are no columns, because no other page has them."""

    def whole(self, weights: Array) -> Array:
        """Weight of all runs of each page, where columns have these weights."""
        found: Array = np.asarray(self.matrix @ weights) + self.lone
        return found


def runs_in_set(matrix: csr_array[np.float64], documents: Integers) -> Runs:
    """Runs against the documents of the whole set; copies of one document count once."""
    frequency = document_frequency(matrix, documents)
    count = np.full(len(frequency), len(distinct(documents)))
    prior = np.full(len(frequency), PRIOR)
    return Runs(matrix=matrix, background=smooth(frequency, count, prior, prior))


def runs_in_sites(runs: Runs, documents: Integers, sites: Integers, weighting: Weighting) -> Runs:
    """The same runs against the documents of each page's site, -1 for no site.

    A run is another one on another site, so that only pages of one site share any; those of a
    single page are no columns but `lone` weight. The share of a site is drawn towards the share
    of the set where the site has few documents.
    """
    lone = np.zeros(len(sites))
    rows, columns, backgrounds, width = [], [], [], 0
    for pages in _parts_by_site(runs.matrix, sites):
        matrix, background = _runs_of_sites(runs, pages, documents[pages], sites[pages])
        several = np.bincount(matrix.indices, minlength=matrix.shape[1]) > 1
        weights = weighting.weights(background.beyond_one)
        lone[pages] = matrix @ np.where(several, 0.0, weights)
        at, run = _cells(matrix)
        shared = several[run]
        rows.append(pages[at[shared]])
        columns.append((np.cumsum(several) - 1)[run[shared]] + width)
        backgrounds.append(background.take(np.flatnonzero(several)))
        width += int(several.sum())
    none = np.zeros(0, dtype=np.int64)
    made, _ = _table(np.concatenate([none, *rows]), np.concatenate([none, *columns]), len(sites))
    return Runs(matrix=made, background=_join(backgrounds), lone=lone)


def _parts_by_site(matrix: csr_array[np.float64], sites: Integers) -> Iterator[Integers]:
    """Pages of sites with two pages and more, whole sites of about PART_CELLS runs at once."""
    crowded = (np.bincount(sites + 1)[sites + 1] > 1) & (sites >= 0)
    pages = np.flatnonzero(crowded)
    pages = pages[np.argsort(sites[pages], kind="stable")]
    if not len(pages):
        return
    ends = np.cumsum(np.diff(matrix.indptr)[pages]) // PART_CELLS
    firsts = np.flatnonzero(np.diff(sites[pages], prepend=-1))
    cuts = firsts[np.flatnonzero(np.diff(ends[firsts], prepend=-1))]
    yield from np.split(pages, cuts[1:])


def _runs_of_sites(
    runs: Runs, pages: Integers, documents: Integers, sites: Integers
) -> tuple[csr_array[np.float64], Background]:
    """Some pages × runs by site, and how many other documents of the site contain each."""
    matrix, known = split_by_group(runs.matrix[pages], sites)
    width = runs.matrix.shape[1]
    if not len(known):
        return matrix, runs.background.take(np.zeros(1, dtype=np.int64))
    held = distinct(sites * (documents.max() + 1) + documents) // (documents.max() + 1)
    count = np.bincount(held)[known // width]
    of_set = runs.background.take(known % width)
    frequency = document_frequency(matrix, documents)
    return matrix, smooth(frequency, count, of_set.beyond_two, of_set.beyond_one)


def _join(parts: list[Background]) -> Background:
    """The backgrounds of columns side by side; one column where there is none."""
    joined = [
        np.concatenate([np.zeros(0), *found])
        for found in ([p.beyond_two for p in parts], [p.beyond_one for p in parts])
    ]
    two, one = (values if len(values) else np.ones(1) for values in joined)
    return Background(beyond_two=two, beyond_one=one)


def split_by_group(
    matrix: csr_array[np.float64], groups: Integers
) -> tuple[csr_array[np.float64], Integers]:
    """The matrix with a column of its own for each group of pages, and what the columns are.

    A column is group × width + column of `matrix`.
    """
    rows, columns = _cells(matrix)
    return _table(rows, groups[rows] * matrix.shape[1] + columns, matrix.shape[0])


def smooth(frequency: Array, count: Integers, two: Array, one: Array) -> Background:
    """Shares of `count` documents that have a run, drawn towards a prior for two and for one."""
    total = np.maximum(count - 2, 0) + PSEUDOCOUNT
    return Background(
        beyond_two=(np.maximum(frequency - 2, 0) + PSEUDOCOUNT * two) / total,
        beyond_one=(np.maximum(frequency - 1, 0) + PSEUDOCOUNT * one) / total,
    )


def _cells(matrix: csr_array[np.float64]) -> tuple[Integers, Integers]:
    """Row and column of every 1."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return rows, matrix.indices.astype(np.int64)


def document_frequency(matrix: csr_array[np.float64], documents: Integers) -> Array:
    """Documents that contain each run."""
    rows, columns = _cells(matrix)
    width, copied = matrix.shape[1], (np.bincount(documents)[documents] > 1)[rows]
    frequency = np.bincount(columns[~copied], minlength=width)
    once = distinct(documents[rows[copied]] * width + columns[copied]) % width
    return (frequency + np.bincount(once, minlength=width)).astype(np.float64)


def shared_share(pairs: Pairs, runs: Runs, weighting: Weighting, brief: Bools) -> Array:
    """Mean over both texts of the weight they share over the weight they have, in [0, 1].

    Only for pairs with at least one of the `brief` texts; of all pairs, 0 elsewhere.
    """
    background, matrix = runs.background, runs.matrix
    shared, own = map(weighting.weights, (background.beyond_two, background.beyond_one))
    whole = runs.whole(own)
    if isinstance(pairs, PairList):
        both, also = pairs.common_sums(matrix, shared, own)
    else:
        repeated = np.flatnonzero(np.bincount(matrix.indices, minlength=matrix.shape[1]) > 1)
        common = matrix[:, repeated]
        both = _products(pairs, common, shared[repeated], brief)
        also = _products(pairs, common, own[repeated], brief)
    of_first = both / np.maximum(both + pairs.first(whole) - also, 1.0)
    of_second = both / np.maximum(both + pairs.second(whole) - also, 1.0)
    mean: Array = (of_first + of_second) / 2
    return mean


def _products(pairs: Pairs, matrix: csr_array[np.float64], weights: Array, brief: Bools) -> Array:
    """Summed weight of the runs that both texts have, where one of them is brief."""
    if brief.all():
        return pairs.products(_weigh(matrix, weights), matrix)
    short, long = keep_rows(matrix, brief), keep_rows(matrix, ~brief)
    found: Array = pairs.products(_weigh(short, weights), matrix)
    return found + pairs.products(_weigh(long, weights), short)


def _weigh(matrix: csr_array[np.float64], weights: Array) -> csr_array[np.float64]:
    return csr_rows(weights[matrix.indices], matrix.indices, matrix.indptr, matrix.shape)


def keep_rows(matrix: csr_array[np.float64], kept: Bools) -> csr_array[np.float64]:
    """The matrix with all other rows empty."""
    sizes = np.diff(matrix.indptr) * kept
    cells = np.repeat(kept, np.diff(matrix.indptr))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return csr_rows(matrix.data[cells], matrix.indices[cells], ends, matrix.shape)
