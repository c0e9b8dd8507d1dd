"""Runs of words and letters of n texts as a sparse matrix.

A run is a few words or letters that stand one after the other. Runs are hashed, and each distinct
one is a column.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.sparse import csr_columns
from reducepp.text.lines import hash_codes
from reducepp.text.preparation import PART_TEXTS, Texts, without_affixes
from reducepp.text.tokenise import are_unspaced
from reducepp.types import Bools, Integers, Sparse

RunCodes = tuple[Integers, Integers]
"""Text and code of every run, in any order; a text may have a run several times."""
_NEXT_OCCURRENCE = 0x9E3779B97F4A7C
"""Added to a word's code for its second, fourth ... occurrence: larger than any word's number."""


def word_runs(texts: Texts, length: int) -> Sparse:
    """Texts × runs of `length` words, 1 where a text has the run; a shorter text is one run."""
    return _membership(
        ((first, word_run_codes(part, part.numbers, length)) for first, part in texts.parts()),
        texts.count,
        len(texts.words),
    )


def marked_word_runs(texts: Texts, length: int, marked: Bools) -> tuple[Sparse, Bools]:
    """The same, and which of the runs hold none of the vocabulary's `marked` words."""

    def cells(first: int, part: Texts) -> Integers:
        rows, codes = word_run_codes(part, part.numbers, length, marked)
        mixed = _shorten(codes, texts.count) & ~np.uint64(1) | (codes & 1).astype(np.uint64)
        return _cells(rows + first, mixed, texts.count)

    parts = (cells(first, part) for first, part in texts.parts())
    matrix, known = _table_of_cells(parts, texts.count, len(texts.words))
    return matrix, (known if len(known) else np.zeros(1, dtype=np.int64)) & 1 == 1


def word_run_codes(
    texts: Texts, numbers: Integers, length: int, marked: Bools | None = None
) -> RunCodes:
    """The runs of `length` words; `numbers` are those of the texts' words, one after the other.

    Where words of the vocabulary are `marked`, the codes of runs without such a word are odd and
    the others even; texts shorter than a run are even.
    """
    starts = np.cumsum(texts.lengths) - texts.lengths
    codes = hash_codes(numbers, length)
    if marked is not None and len(codes):
        seen = np.concatenate([[0], np.cumsum(marked[texts.words])])
        codes = codes << 1 | (seen[length:] == seen[:-length])
    pages = texts.pages
    inside = pages[: len(codes)] == pages[length - 1 :] if len(codes) else []
    pages, found = pages[: len(codes)][inside], codes[inside]
    brief = np.flatnonzero((texts.lengths > 0) & (texts.lengths < length))
    whole = [
        hash_codes(numbers[starts[i] : starts[i] + texts.lengths[i]], int(texts.lengths[i]))
        << int(marked is not None)
        for i in brief
    ]
    return np.concatenate([pages, brief]), np.concatenate([found, *whole])


def single_words(plain: Texts) -> tuple[Sparse, Integers]:
    """Texts × words by occurrence, and the column of the next occurrence of each column's word, -1
    for none; two neighbours of a script without spaces are one word, Arabic words are stems."""
    repeated = [np.zeros(0, dtype=np.int64)]
    texts, unspaced = word_forms(plain)

    def cells(first: int, part: Texts) -> Integers:
        rows, codes, again = repeated_word_codes(part, part.numbers, unspaced)
        repeated.append(distinct(codes[again]))
        return _cells(rows + first, _shorten(codes, texts.count), texts.count)

    parts = (cells(first, part) for first, part in texts.parts())
    matrix, known = _table_of_cells(parts, texts.count, len(texts.words))
    codes = distinct(np.concatenate(repeated))
    here, there = (
        np.searchsorted(known, _shorten(every, texts.count).astype(np.int64))
        for every in (codes, codes + _NEXT_OCCURRENCE)
    )
    following = np.full(matrix.shape[1], -1, dtype=np.int64)
    following[here] = there
    return matrix, following


def word_forms(plain: Texts) -> tuple[Texts, Bools]:
    """The texts as they are compared by single words, and which words of their vocabulary are signs
    of a script without spaces."""
    texts = without_affixes(plain)
    return texts, np.array(are_unspaced(texts.vocabulary), dtype=bool)


def single_word_codes(texts: Texts, numbers: Integers, unspaced: Bools) -> RunCodes:
    """The words, by their `numbers`: the first, second, fourth, eighth ... occurrence of a word in
    a text has a code of its own, so that a text's subject counts more than once."""
    pages, codes, _ = repeated_word_codes(texts, numbers, unspaced)
    return pages, codes


def repeated_word_codes(
    texts: Texts, numbers: Integers, unspaced: Bools
) -> tuple[Integers, Integers, Bools]:
    """The same, and for which of them the text has the next one of the same word as well."""
    codes = numbers
    if len(codes) > 1 and unspaced.any():
        sign = unspaced[texts.words]
        pages = texts.pages
        joined = sign[:-1] & sign[1:] & (pages[:-1] == pages[1:])
        codes = np.append(np.where(joined, hash_codes(codes, 2), codes[:-1]), codes[-1])
    pages, codes = _sort_by_text(texts.pages, codes)
    is_first = np.ones(len(codes), dtype=bool)
    is_first[1:] = (codes[1:] != codes[:-1]) | (pages[1:] != pages[:-1])
    starts = np.flatnonzero(is_first)
    before = np.arange(len(codes)) - np.repeat(starts, np.diff(np.append(starts, len(codes))))
    doubled = before & (before + 1) == 0
    times = np.log2(before[doubled] + 1).astype(np.int64)
    again = np.append(times[1:] > 0, False)[: len(times)]
    return pages[doubled], codes[doubled] + times * _NEXT_OCCURRENCE, again


def _sort_by_text(pages: Integers, codes: Integers) -> RunCodes:
    """Codes in the order of their texts; as one number each where both fit: sorted much faster."""
    if len(codes) and codes.min() >= 0 and codes.max() < 1 << 32:
        cells = np.sort(pages << 32 | codes)
        return cells >> 32, cells & (1 << 32) - 1
    order = np.lexsort((codes, pages))
    return pages[order], codes[order]


def letter_runs(texts: list[str], length: int) -> Sparse:
    """Texts × runs of letters; ends of a text count as spaces, an empty text has none."""
    firsts = range(0, len(texts), PART_TEXTS)
    parts = ((i, letter_run_codes(texts[i : i + PART_TEXTS], length)) for i in firsts)
    return _membership(parts, len(texts), sum(map(len, texts)) + 2 * len(texts))


def letter_run_codes(texts: list[str], length: int) -> RunCodes:
    """The runs of letters."""
    rows, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for page, text in enumerate(texts):
        if text:
            letters = np.frombuffer(f" {text} ".encode("utf-32-le"), dtype=np.uint32)
            codes.append(hash_codes(letters.astype(np.int64), min(length, len(letters))))
            rows.append(np.full(len(codes[-1]), page, dtype=np.int64))
    return np.concatenate(rows), np.concatenate(codes)


def _membership(parts: Iterable[tuple[int, RunCodes]], count: int, most: int) -> Sparse:
    """count × distinct codes: 1 where a row has the code, however often; `most` codes at most.

    A part has the number of its first row. Codes are mixed and cut to the bits that the number of a
    row leaves of 63: with a hundred thousand pages of 440 words one pair of runs in 10^14 is taken
    for equal.
    """
    cells = (_cells(rows + first, _shorten(codes, count), count) for first, (rows, codes) in parts)
    return _table_of_cells(cells, count, most)[0]


def _shorten(codes: Integers, count: int) -> NDArray[np.uint64]:
    return mix(codes) >> np.uint64(count.bit_length() + 1)


def coded_membership(rows: Integers, codes: Integers, count: int) -> tuple[Sparse, Integers]:
    """The same by whole codes, and the code of each column; none where there is no run."""
    matrix, known = table_of_runs(rows, codes.view(np.uint64), count)
    return matrix, known.astype(np.int64)


def mix(codes: Integers | NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of a code spread over all 64 (the last step of splitmix64)."""
    mixed = codes.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def table_of_runs(
    rows: Integers, codes: Integers | NDArray[np.uint64], count: int
) -> tuple[Sparse, Integers]:
    """count × distinct codes with 1 where a row has the code, and the codes.

    Code and row are sorted as one number each: several times faster than to sort places.
    """
    bits = count.bit_length()
    if len(codes) and int(codes.max()).bit_length() + bits > 63:
        known, codes = np.unique(codes, return_inverse=True)
        matrix, places = table_of_runs(rows, codes, count)
        return matrix, known[places].astype(np.int64)
    return _table_of_cells([_cells(rows, codes, count)], count, len(codes))


def _cells(rows: Integers, codes: Integers | NDArray[np.uint64], count: int) -> Integers:
    """Code and row as one number each, in order, none twice."""
    cells = codes.astype(np.int64)
    cells <<= count.bit_length()
    cells |= rows
    return distinct(cells)


def _table_of_cells(parts: Iterable[Integers], count: int, most: int) -> tuple[Sparse, Integers]:
    """The table of parts with different rows each, `most` cells together at most, and the codes."""
    bits, filled = count.bit_length(), 0
    cells = np.empty(most, dtype=np.int64)  # memory is taken as it is filled
    for part in parts:
        cells[filled : filled + len(part)] = part
        filled += len(part)
    cells = cells[:filled]
    cells.sort()
    of_row = np.empty(filled, dtype=np.int32)
    np.bitwise_and(cells, (1 << bits) - 1, out=of_row, casting="unsafe")
    cells >>= bits
    is_first = np.ones(len(cells), dtype=bool)
    np.not_equal(cells[1:], cells[:-1], out=is_first[1:])
    starts, known = np.flatnonzero(is_first), cells[is_first]
    del cells  # several bytes per run, of which the table makes as many again
    width = max(len(starts), 1)
    ends = np.append(starts, [len(of_row)] * (width + 1 - len(starts)))
    return csr_columns(of_row, ends, (count, width)), known


def distinct(values: Integers) -> Integers:
    """Distinct values in order; for whole numbers sorting is faster than np.unique's hashing."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    found: Integers = ordered[first]
    return found


def places_in(ordered: Integers, values: Integers) -> Integers:
    """Place of each value among distinct ones in order, -1 where it is none of them."""
    if not len(ordered):
        return np.full(values.shape, -1)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.where(ordered[places] == values, places, -1)


def split_by_group(matrix: Sparse, groups: Integers) -> tuple[Sparse, Integers]:
    """The matrix with a column of its own for each group of pages, and what the columns are.

    A column is group × width + column of `matrix`.
    """
    rows, columns = cells_of_runs(matrix)
    return table_of_runs(rows, groups[rows] * matrix.shape[1] + columns, matrix.shape[0])


def cells_of_runs(matrix: Sparse) -> tuple[Integers, Integers]:
    """Row and column of every run of a page."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return rows, matrix.indices.astype(np.int64)
