"""How alike every two texts are, in words: `reducepp.levels` for all pairs at once.

A pair's level by its texts does not depend on the threshold, so the page carries one for each
pair; below the threshold a folded page is at most `low overlap`, which the page knows itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.report.pack import pack_numbers
from reducepp.data import Array, Page
from reducepp.levels import LEVELS, LOW, SHORT, STRONG
from reducepp.text.detect import detect_language
from reducepp.text.posts import Post, read_post
from reducepp.text.tokens import words

Numbers = NDArray[np.int64]


def pack_levels(pages: Sequence[Page]) -> str:
    """Numbers of the levels in LEVELS, a pair i < j after the other, packed."""
    levels = text_levels(pages)
    return pack_numbers(levels[np.triu_indices(len(pages), 1)].tolist())


def text_levels(pages: Sequence[Page]) -> Numbers:
    """n×n numbers of the levels that pairs have by their texts when they are duplicates."""
    texts = [page.body or f"{page.page_title} {page.snippet}".strip() for page in pages]
    held, common = _shares(texts, pages)
    levels = np.where(common < LOW, LEVELS.index("low overlap"), LEVELS.index("weak"))
    levels[held >= STRONG] = LEVELS.index("strong")
    levels[_equal([Post(text, "").core for text in texts])] = LEVELS.index("nearly exact")
    levels[_equal([" ".join(text.split()) for text in texts])] = LEVELS.index("exact")
    return levels.astype(np.int64)


def _shares(texts: Sequence[str], pages: Sequence[Page]) -> tuple[Array, Array]:
    """Common units over those of the smaller text, and over those of both."""
    read = [words(text, digits=True) for text in texts]
    short = np.array([len(found) <= SHORT for found in read])
    runs = [{tuple(found[i : i + 3]) for i in range(len(found) - 2)} for found in read]
    held, common = _overlap(runs)
    if not short.any():
        return held, common
    content = [
        set(read_post(text, page.language[:2].lower() or detect_language(text)).content)
        for text, page in zip(texts, pages, strict=True)
    ]
    by_words = short[:, None] | short
    held_words, common_words = _overlap(content)
    return np.where(by_words, held_words, held), np.where(by_words, common_words, common)


def _overlap(sets: Sequence[set[str]] | Sequence[set[tuple[str, ...]]]) -> tuple[Array, Array]:
    numbers: dict[str | tuple[str, ...], int] = {}
    columns = [numbers.setdefault(unit, len(numbers)) for units in sets for unit in units]
    sizes = np.array([len(units) for units in sets])
    rows = np.repeat(np.arange(len(sets)), sizes)
    shape = (len(sets), max(len(numbers), 1))
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    both = np.asarray((matrix @ matrix.T).todense())
    smaller = np.maximum(np.minimum(sizes[:, None], sizes), 1)
    return both / smaller, both / np.maximum(sizes[:, None] + sizes - both, 1)


def _equal(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Where two texts are equal and not empty."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    found = np.array([numbers[text] for text in texts])
    filled = np.array([bool(text) for text in texts])
    equal: NDArray[np.bool_] = (found[:, None] == found) & filled
    return equal
