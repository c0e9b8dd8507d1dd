"""Sentences of texts, and which page holds which: that page says it, in its words or nearly so.

A page holds a sentence that it has, one with other function words, or one with words inserted that
negate nothing. A sentence that an ellipsis cuts off is one with what begins in the same words.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from reducepp.evaluation.datelines import find_datelines
from reducepp.evidence.facts.fact_words import fact_words
from reducepp.text.lexicons import negations
from reducepp.text.preparation import Texts
from reducepp.text.tokenise import words
from reducepp.types import Bools, Integers

HELD_FROM = 0.8
"""Share of a sentence's word pairs that a page must have, anywhere, to hold the sentence."""
MIN_CUT_WORDS = 6
"""Words that an excerpt must have before its ellipsis to be the beginning of a certain sentence, as
many as a shared passage has."""
_ELLIPSIS = re.compile(r"\.{3,}|…")
_BLOCK = 64


def find_sentences(texts: Texts, written: Sequence[str]) -> tuple[Integers, Integers]:
    """Sentences of two words and more by place and length; what a page repeats counts once.

    `written` are the texts as they are; their datelines are no part of a sentence.
    """
    start = np.flatnonzero(texts.begins)
    length = np.diff(start, append=len(texts.words))
    leading = _count_leading(texts, written, start)
    start, length = start + leading, length - leading
    start, length = start[length > 0], length[length > 0]
    if not len(start):
        return start, length
    prints = _number_runs(texts, start, length) + texts.pages[start] * np.int64(0x5851F42D4C957F2D)
    first = np.sort(np.unique(prints, return_index=True)[1])
    chosen = first[length[first] > 1]
    return start[chosen], length[chosen]


def _count_leading(texts: Texts, written: Sequence[str], start: Integers) -> Integers:
    """Words of a dateline with which each sentence begins."""
    skipped = np.zeros(len(texts.words) + 1, dtype=np.int64)
    for begin, text in zip(np.cumsum(texts.lengths) - texts.lengths, written, strict=True):
        for first, end in find_datelines(text):
            before = begin + len(words(text[:first], digits=True))
            skipped[before : before + len(words(text[first:end], digits=True))] = 1
    return np.add.reduceat(skipped, start) if len(start) else start


def _number_runs(texts: Texts, start: Integers, length: Integers) -> Integers:
    """A number for each run of words; equal runs have equal ones."""
    rows, places = _spread(start, length)
    powers = np.cumprod(np.full(int(length.max(initial=0)), 1_000_003, dtype=np.int64))
    products = (texts.words[places] + 1) * powers[places - start[rows]]
    found: Integers = np.add.reduceat(products, np.cumsum(length) - length)
    return found


def find_holders(
    texts: Texts, start: Integers, length: Integers, functions: frozenset[str]
) -> Bools:
    """Sentences × pages: the page has the sentence, or at least `HELD_FROM` of its word pairs and
    what it says."""
    if not len(start):
        return np.zeros((0, texts.count), dtype=bool)
    owner, texts = texts.pages[start], _numbers_as_figures(texts)
    pairs, count = _word_pairs(texts)
    rows, places = _spread(start, length - 1)
    by_sentence = _presence(rows, pairs[places], (len(start), count))
    held = _contained(by_sentence, _presence(texts.pages, pairs, (texts.count, count)))
    runs = np.unique(_number_runs(texts, start, length), return_inverse=True)[1]
    having = np.zeros((int(runs.max()) + 1, texts.count), dtype=bool)
    having[runs, owner] = True
    equal = having[runs]
    maybe, holders = np.nonzero(held & ~equal)
    if len(maybe):
        wording = _Wording(texts, start, length, maybe, functions)
        found = list(map(wording.says, holders.tolist(), maybe.tolist()))
        equal[maybe, holders] = found
    return equal


def _numbers_as_figures(texts: Texts) -> Texts:
    """The texts with small numbers in words, and digits of any script, as figures: twelve, ١٢ and
    12 are one word."""
    numbers: dict[str, int] = {}
    values = fact_words().numbers
    plain = ("".join(map(_plain_digit, w)) if w.isdecimal() else w for w in texts.vocabulary)
    written = (str(int(n)) if (n := values.get(w, 1)) != 1 else w for w in plain)
    merged = np.array([numbers.setdefault(w, len(numbers)) for w in written], dtype=np.int32)
    return replace(texts, vocabulary=tuple(numbers), words=merged[texts.words])


def _plain_digit(digit: str) -> str:
    return str(int(digit))


def hold_cut_sentences(
    held: Bools, texts: Texts, written: Sequence[str], start: Integers, length: Integers
) -> None:
    """Mark in `held` sentences that an ellipsis cuts off, and those that begin with their words.

    The last word before the ellipsis may be cut too. What follows it is not known to be lost: the
    page of an excerpt goes on there.
    """
    is_cut = np.isin(start + length, _find_cuts(texts, written)) & (length >= MIN_CUT_WORDS)
    owner = texts.pages[start]
    for size in np.unique(length[is_cut]).tolist():
        beginnings: defaultdict[bytes, list[int]] = defaultdict(list)
        for row in np.flatnonzero(is_cut & (length == size)).tolist():
            beginnings[_first_words(texts, start[row], size)].append(row)
        for row in np.flatnonzero(length >= size).tolist():
            last = texts.read(start[row] + size - 1, 1)[0]
            for cut in beginnings.get(_first_words(texts, start[row], size), ()):
                if last.startswith(texts.read(start[cut] + size - 1, 1)[0]):
                    held[cut, owner[row]] = held[row, owner[cut]] = True


def _first_words(texts: Texts, start: int, size: int) -> bytes:
    """All of the first words of a sentence but the last, as a key."""
    return texts.words[start : start + size - 1].tobytes()


def _find_cuts(texts: Texts, written: Sequence[str]) -> list[int]:
    """Places in the words of all texts before which an ellipsis stands."""
    found: list[int] = []
    for begin, text in zip(np.cumsum(texts.lengths) - texts.lengths, written, strict=True):
        pieces = _ELLIPSIS.split(text)[:-1]
        ends = accumulate(len(words(piece, digits=True)) for piece in pieces)
        found += [int(begin) + end for end in ends]
    return found


class _Wording:
    """All words of all pages as one string, a character per word, and without function words as
    another; a word that no sentence in question has is the character 0."""

    def __init__(
        self,
        texts: Texts,
        start: Integers,
        length: Integers,
        asked: Integers,
        functions: frozenset[str],
    ) -> None:
        size, words = len(texts.vocabulary), texts.words
        chosen = np.unique(asked)
        rows, places = _spread(start[chosen], length[chosen])
        code = np.zeros(size, dtype=np.uint32)
        code[words[places]] = 1
        code = np.cumsum(code, dtype=np.uint32) * code
        negating, figure, content = (
            np.fromiter(map(test, texts.vocabulary), dtype=bool, count=size)[words]
            for test in (
                negations().__contains__,
                lambda word: any(map(str.isdigit, word)),
                lambda word: word not in functions,
            )
        )
        self.all = _as_string(code[words])
        self.places = np.flatnonzero(content).tolist()
        self.content = _as_string(code[words[content]])
        self.before = np.append(0, np.cumsum(content)).tolist()
        self.negations = np.append(0, np.cumsum(negating)).tolist()
        self.guarded = np.append(0, np.cumsum(negating | figure)).tolist()
        self.sentence = (texts.sentences - 1).tolist()
        self.bounds = np.append(np.flatnonzero(texts.begins), len(words)).tolist()
        self.pages = np.append(0, np.cumsum(texts.lengths)).tolist()
        self.start, self.end = start.tolist(), (start + length).tolist()
        frequency = np.bincount(words, minlength=size)[words[places]]
        order = np.lexsort((frequency, rows))
        first = np.searchsorted(rows, np.arange(len(chosen)))
        rarest = places[order[first]].tolist()
        self.rarest = dict(zip(chosen.tolist(), rarest, strict=True))

    def says(self, page: int, i: int) -> bool:
        """Whether a page says sentence i: its words but function words in a row, or all its words
        in one sentence among others that are no figures; with as many negations."""
        a, b = self.start[i], self.end[i]
        bounds = self.pages[page], self.pages[page + 1]
        return self._has_run(a, b, *bounds) or self._has_between(a, b, self.rarest[i], *bounds)

    def _has_run(self, a: int, b: int, first: int, last: int) -> bool:
        run, end = self.content[self.before[a] : self.before[b]], self.before[last]
        at = self.content.find(run, self.before[first], end) if run else -1
        while at >= 0:
            begin = self.bounds[self.sentence[self.places[at]]]
            close = self.bounds[self.sentence[self.places[at + len(run) - 1]] + 1]
            if _between(self.negations, begin, close) == _between(self.negations, a, b):
                return True
            at = self.content.find(run, at + 1, end)
        return False

    def _has_between(self, a: int, b: int, rarest: int, first: int, last: int) -> bool:
        at, wanted = self.all.find(self.all[rarest], first, last), self.all[a:b]
        guarded = _between(self.guarded, a, b)
        while at >= 0:
            begin, close = self.bounds[self.sentence[at] : self.sentence[at] + 2]
            may_hold = close - begin >= b - a and _between(self.guarded, begin, close) == guarded
            if may_hold and self._in_order(wanted, begin, close):
                return True
            at = self.all.find(self.all[rarest], close, last)
        return False

    def _in_order(self, wanted: str, begin: int, close: int) -> bool:
        for word in wanted:
            begin = self.all.find(word, begin, close) + 1
            if not begin:
                return False
        return True


def _as_string(codes: NDArray[np.uint32]) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _between(sums: Sequence[int], a: int, b: int) -> int:
    return sums[b] - sums[a]


def _contained(by_sentence: csr_array[np.float32], by_page: csr_array[np.float32]) -> Bools:
    """Sentences × pages: at least `HELD_FROM` of a sentence's items occur in the page.

    Items that only one page has stay out of the product, so that a sentence's own page may lack.
    """
    wanted = np.diff(by_sentence.indptr)
    held = np.repeat(wanted[:, None] == 0, by_page.shape[0], axis=1)
    shared = np.bincount(by_page.indices, minlength=by_page.shape[1]) > 1
    by_page, by_sentence = by_page[:, shared], by_sentence[:, shared]
    needed = HELD_FROM * wanted - 1e-9
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
