"""Information kept: how much of what a result set says do the pages still shown say?

A sentence is held by every page in which at least four of five of its pairs of neighbouring
words occur, and every figure of it. What h pages hold counts 1/h in each of them, so near-equal
sentences count once together; a sentence weighs its words times log2(1 + pages / h), more where
fewer pages hold it. Kept is the weight of the sentences that some shown page holds, over the weight
of all.

docs/information-kept.md works an example by hand and names the limits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from reducepp.similarity.contents import PageSet
from reducepp.text.preparation import Texts, prepare
from reducepp.text.tokenise import sentences, words
from reducepp.types import Array, Bools, Integers, Page

HELD_FROM = 0.8
"""Share of a sentence's word pairs that a page must have to hold the sentence."""
_BLOCK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A sentence that is no longer shown."""

    text: str
    share: float
    """Of all information of the result set, in [0, 1]."""
    alone: bool
    """No other page holds it, not even another that is not shown."""


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Which page holds which sentence of a result set.

    `held` is sentences × pages; sentence i stands in page `owner[i]` and is the `length[i]`
    words of `texts` from `start[i]` on.
    """

    pages: tuple[Page, ...]
    written: tuple[str, ...]
    """What each page says: its main text without its site's template, or what there is instead."""
    texts: Texts
    start: Integers
    length: Integers
    owner: Integers
    held: Bools

    @cached_property
    def holders(self) -> Integers:
        """How many pages hold each sentence, at least 1."""
        holders: Integers = np.count_nonzero(self.held, axis=1).astype(np.int64)
        return holders

    @cached_property
    def weights(self) -> Array:
        """What each sentence counts; near-equal sentences share one weight."""
        rarity = np.log2(1 + len(self.written) / self.holders)
        weights: Array = self.length * rarity / self.holders
        return weights

    @cached_property
    def total(self) -> float:
        """Weight of all sentences; 0 where the pages have no text."""
        return float(self.weights.sum())

    def kept(self, shown: Bools) -> Array:
        """Share of the information in each set of shown pages; `shown` is pages × sets.

        In [0, 1]; NaN where the pages have no text at all.
        """
        if not self.total:
            return np.full(shown.shape[1], np.nan)
        held, sets = _pack(self.held), _pack(shown.T)
        still = [float(self.weights[_meets(held, one)].sum()) for one in sets.T]
        shares: Array = np.minimum(np.array(still) / self.total, 1.0)
        return shares

    def kept_by(self, shown: Iterable[int]) -> float:
        """Share of the information in one set of shown pages."""
        mask = np.zeros((len(self.written), 1), dtype=bool)
        mask[list(shown)] = True
        return float(self.kept(mask)[0])

    def lost(self, page: int, shown: Iterable[int]) -> list[Lost]:
        """Sentences of a page that none of the shown pages holds, heaviest first."""
        gone = np.flatnonzero((self.owner == page) & ~self.held[:, list(shown)].any(axis=1))
        written = {_key(sentence): sentence for sentence in sentences(self.written[page])}
        return [
            Lost(
                text=written.get(key, key),
                share=float(self.weights[i]) / self.total,
                alone=bool(self.holders[i] == 1),
            )
            for i in sorted(gone.tolist(), key=lambda i: (-self.weights[i], i))
            for key in [self._words(i)]
        ]

    def _words(self, i: int) -> str:
        """A sentence's words, as prepared."""
        numbers = self.texts.words[self.start[i] : self.start[i] + self.length[i]]
        return " ".join(self.texts.vocabulary[number] for number in numbers.tolist())


def cover(pages: Sequence[Page] | PageSet) -> Coverage:
    """Find out which page holds which sentence; a page set shares its prepared texts."""
    page_set = pages if isinstance(pages, PageSet) else PageSet(pages)
    written = tuple(page_set.values("text"))
    if all(written) or not any(_instead(page) for page in page_set.pages):
        texts = page_set.texts("text", "plain")
    else:
        written = tuple(t or _instead(p) for t, p in zip(written, page_set.pages, strict=True))
        texts = prepare(written, [""] * len(written), "plain")
    start, length = _find_sentences(texts)
    owner = texts.pages[start]
    return Coverage(
        pages=page_set.pages,
        written=written,
        texts=texts,
        start=start,
        length=length,
        owner=owner,
        held=_find_holders(texts, start, length, owner),
    )


def text_of(page: Page) -> str:
    """A page's whole text, of which `written` is what counts; both have the same sentences."""
    return page.visible or page.body or _instead(page)


def _instead(page: Page) -> str:
    """The text that replaces a missing one."""
    return page.rendered_body or page.snippet


def _pack(rows: Bools) -> NDArray[np.uint64]:
    """64 columns in a number: an array of numbers × rows."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // 64) * 64), dtype=bool)
    padded[:, : rows.shape[1]] = rows
    return np.ascontiguousarray(np.packbits(padded, axis=1).view(np.uint64).T)


def _meets(packed: NDArray[np.uint64], one: NDArray[np.uint64]) -> Bools:
    """Rows that have a column in common with one other row."""
    common = np.zeros(packed.shape[1], dtype=np.uint64)
    for part, mask in zip(packed, one, strict=True):
        common |= part & mask
    met: Bools = common != 0
    return met


def _key(sentence: str) -> str:
    return " ".join(words(sentence, digits=True))


def _find_sentences(texts: Texts) -> tuple[Integers, Integers]:
    """Sentences of two words and more by place and length; what a page repeats counts once."""
    start = np.flatnonzero(texts.begins)
    length = np.diff(start, append=len(texts.words))
    if not len(start):
        return start, length
    place = np.arange(len(texts.words)) - np.repeat(start, length)
    powers = np.cumprod(np.full(int(length.max()), 1_000_003, dtype=np.int64))
    prints = np.add.reduceat((texts.words + 1) * powers[place], start)  # equal for equal runs
    prints += texts.pages[start] * np.int64(0x5851F42D4C957F2D)
    first = np.sort(np.unique(prints, return_index=True)[1])
    chosen = first[length[first] > 1]
    return start[chosen], length[chosen]


def _find_holders(texts: Texts, start: Integers, length: Integers, owner: Integers) -> Bools:
    """Sentences × pages: at least `HELD_FROM` of the sentence's word pairs occur in the page, and
    all of its figures.

    Pairs that only one page has cannot be shared and stay out of the product.
    """
    held = np.zeros((len(start), texts.count), dtype=bool)
    held[np.arange(len(start)), owner] = True
    pairs, count = _word_pairs(texts)
    by_page = _presence(texts.pages, pairs, (texts.count, count))
    shared = np.bincount(by_page.indices, minlength=count) > 1
    rows = np.repeat(np.arange(len(start)), length - 1)
    steps = np.arange(len(rows)) - np.repeat(np.cumsum(length - 1) - (length - 1), length - 1)
    by_sentence = _presence(rows, pairs[start[rows] + steps], (len(start), count))
    needed = HELD_FROM * np.diff(by_sentence.indptr) - 1e-9
    by_sentence = by_sentence[:, shared]
    possible = np.flatnonzero(np.diff(by_sentence.indptr) >= needed)
    by_page, by_sentence = by_page[:, shared], by_sentence[possible]
    for first in range(0, texts.count, _BLOCK):
        block = slice(first, first + _BLOCK)
        counts = by_sentence @ by_page[block].T.toarray()
        held[possible, block] |= counts >= needed[possible, None]
    return held & _has_figures(texts, start, length)


def _has_figures(texts: Texts, start: Integers, length: Integers) -> Bools:
    """Sentences × pages: every word with a digit that a sentence has occurs in the page."""
    held = np.ones((len(start), texts.count), dtype=bool)
    digits = np.array([any(map(str.isdigit, word)) for word in texts.vocabulary], dtype=bool)
    if not digits.any():
        return held
    shape = (texts.count, len(digits))
    by_page = _presence(texts.pages[digits[texts.words]], texts.words[digits[texts.words]], shape)
    rows = np.repeat(np.arange(len(start)), length)
    places = start[rows] + np.arange(len(rows)) - np.repeat(np.cumsum(length) - length, length)
    figures = digits[texts.words[places]]
    by_sentence = _presence(rows[figures], texts.words[places[figures]], (len(start), len(digits)))
    with_figures = np.flatnonzero(np.diff(by_sentence.indptr))
    needed = np.diff(by_sentence.indptr)[with_figures, None]
    held[with_figures] = (by_sentence[with_figures] @ by_page.T).toarray() >= needed
    return held


def _word_pairs(texts: Texts) -> tuple[Integers, int]:
    """Number of the pair that each word makes with the next, and how many pairs there are.

    A pair may cross a sentence's end, not a page's: a line break elsewhere hides no sentence.
    """
    size = len(texts.vocabulary) + 1
    following = np.append(texts.words[1:] + 1, 0)[: len(texts.words)]
    following[np.append(np.diff(texts.pages) > 0, True)[: len(following)]] = 0
    distinct, numbers = np.unique(texts.words * size + following, return_inverse=True)
    return numbers.astype(np.int64), len(distinct)


def _presence(rows: Integers, columns: Integers, shape: tuple[int, int]) -> csr_array[np.float32]:
    """Sparse matrix with 1 where (row, column) occurs."""
    matrix = csr_array((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    return matrix
