"""Information kept: the weighted share of a result set's sentences that the pages still shown have.

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


@dataclass(frozen=True)
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
        return np.asarray(np.count_nonzero(self.held, axis=1), dtype=np.int64)

    @cached_property
    def weights(self) -> Array:
        """What each sentence counts; near-equal sentences share one weight."""
        rarity = np.log2(1 + len(self.written) / self.holders)
        return np.asarray(self.length * rarity / self.holders)

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
        met: Bools = np.asarray(csr_array(self.held, dtype=np.int32) @ shown.astype(np.int32)) > 0
        still = [float(self.weights[one].sum()) for one in met.T]
        return np.asarray(np.minimum(np.array(still) / self.total, 1.0))

    def kept_by(self, shown: Iterable[int]) -> float:
        """Share of the information in one set of shown pages."""
        mask = np.zeros((len(self.written), 1), dtype=bool)
        mask[list(shown)] = True
        return float(self.kept(mask)[0])

    def lost(self, page: int, shown: Iterable[int]) -> list[Lost]:
        """Sentences of a page that none of the shown pages holds, heaviest first."""
        gone = np.flatnonzero((self.owner == page) & ~self.held[:, list(shown)].any(axis=1))
        own = sentences(self.written[page])
        written = {" ".join(words(sentence, digits=True)): sentence for sentence in own}
        found = []
        for i in sorted(gone.tolist(), key=lambda i: (-self.weights[i], i)):
            numbers = self.texts.words[self.start[i] : self.start[i] + self.length[i]].tolist()
            key = " ".join(self.texts.vocabulary[number] for number in numbers)
            share, alone = float(self.weights[i]) / self.total, bool(self.holders[i] == 1)
            found.append(Lost(text=written.get(key, key), share=share, alone=alone))
        return found


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
    held = _find_holders(texts, start, length, owner)
    for equal in _equal_pages(page_set.pages):
        held[np.ix_(np.flatnonzero(np.isin(owner, equal)), np.array(equal))] = True
    return Coverage(page_set.pages, written, texts, start, length, owner, held)


def _equal_pages(pages: Sequence[Page]) -> list[list[int]]:
    """Pages with the same whole text, in groups of two and more.

    What is a template on one site and none on another is no sentence that a copy lacks.
    """
    groups: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        groups.setdefault(" ".join(whole_text(page).split()), []).append(number)
    return [group for text, group in groups.items() if text and len(group) > 1]


def whole_text(page: Page) -> str:
    """A page's whole text, of which `written` is what counts; both have the same sentences."""
    return page.visible or page.body or _instead(page)


def _instead(page: Page) -> str:
    """The text that replaces a missing one."""
    return page.rendered_body or page.snippet


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
    all of its figures (words with a digit)."""
    pairs, count = _word_pairs(texts)
    rows, places = _spread(start, length - 1)
    by_sentence = _presence(rows, pairs[places], (len(start), count))
    held = _contained(by_sentence, _presence(texts.pages, pairs, (texts.count, count)), HELD_FROM)
    digits = np.array([any(map(str.isdigit, word)) for word in texts.vocabulary], dtype=bool)
    rows, places = _spread(start, length)
    here, there = digits[texts.words[places]], digits[texts.words]
    by_sentence = _presence(rows[here], texts.words[places[here]], (len(start), len(digits)))
    by_page = _presence(texts.pages[there], texts.words[there], (texts.count, len(digits)))
    held &= _contained(by_sentence, by_page, 1.0)
    held[np.arange(len(start)), owner] = True
    return held


def _contained(
    by_sentence: csr_array[np.float32], by_page: csr_array[np.float32], share: float
) -> Bools:
    """Sentences × pages: at least this share of a sentence's items occur in the page.

    Items that only one page has stay out of the product, so that a sentence's own page may lack.
    """
    wanted = np.diff(by_sentence.indptr)
    held = np.repeat(wanted[:, None] == 0, by_page.shape[0], axis=1)
    shared = np.bincount(by_page.indices, minlength=by_page.shape[1]) > 1
    by_page, by_sentence = by_page[:, shared], by_sentence[:, shared]
    needed = share * wanted - 1e-9
    possible = np.flatnonzero((np.diff(by_sentence.indptr) >= needed) & (wanted > 0))
    for first in range(0, by_page.shape[0], _BLOCK):
        block = slice(first, first + _BLOCK)
        counts = by_sentence[possible] @ by_page[block].T.toarray()
        held[possible, block] = counts >= needed[possible, None]
    return held


def _spread(start: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Number of the run and place of each of the `count` places from every `start` on."""
    rows = np.repeat(np.arange(len(start)), count)
    return rows, start[rows] + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)


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
