"""A positional inverted index: which pages hold a phrase, and where.

Uwamahoro and Zuping's search by word positions (WPBADS): the pages that hold the first word are
the candidates; each further word keeps those where it directly follows the words before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reducepp.errors import UsageError, check_choice
from reducepp.text.preparation import prepare
from reducepp.text.tokenise import words
from reducepp.types import Array, Integers

NO_WORD = -1

WEIGHTS = ("counts", "tfidf")
"""Word weights of the cosine in `PhraseIndex.rank`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A word of the phrase, and how many pages still match once it was looked at."""

    word: str
    candidates: int
    share: float
    """The candidates' words as a share of all words, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseMatch:
    """A page that holds the phrase, and where it begins: positions of words, counted from 1."""

    page: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSearch:
    """What a phrase search found: the pages, and how the candidates shrank."""

    words: tuple[str, ...]
    steps: tuple[Step, ...]
    """One per word in the phrase's order, up to the first that leaves no candidate."""
    matches: tuple[PhraseMatch, ...]


class PhraseIndex:
    """Words of n texts with their positions; texts are never read again once it is made."""

    def __init__(self, texts: Sequence[str]) -> None:
        flat = prepare(texts, [""] * len(texts), "plain")
        self.count = flat.count
        self.numbers = {word: i for i, word in enumerate(flat.vocabulary)}
        self.lengths = flat.lengths
        self._total = max(int(flat.lengths.sum()), 1)
        # One place of no word after each text, so that no phrase runs over a text's end.
        places = np.arange(len(flat.words)) + flat.pages
        self.starts: Integers = np.concatenate([[0], np.cumsum(flat.lengths + 1)]).astype(np.int64)
        self.row = np.full(self.starts[-1] + 1, NO_WORD, dtype=np.int32)
        self.row[places] = flat.words
        self.page_at = np.repeat(
            np.arange(self.count + 1, dtype=np.int32), [*(flat.lengths + 1).tolist(), 1]
        )
        order = np.argsort(flat.words, kind="stable")
        self._places = places[order]
        vocabulary = len(self.numbers)
        self._ends = np.searchsorted(flat.words[order], np.arange(vocabulary + 1))
        self._counts = flat.counts
        self._pages_with = np.bincount(self._counts.indices, minlength=vocabulary)

    def postings(self, word: str) -> dict[int, tuple[int, ...]]:
        """Page to the positions of a word in it, counted from 1; empty for an unknown word."""
        found = self._found(self._places_of(phrase_words(word)[0]))
        return {match.page: match.positions for match in found}

    def find(self, phrase: str) -> PhraseSearch:
        """Pages with the phrase's words one after the other, in page order."""
        terms = phrase_words(phrase)
        steps: list[Step] = []
        for word, places in zip(terms, self._follow(terms), strict=False):
            pages = self.page_at[places[self._first_in_page(places)]]
            share = float(self.lengths[pages].sum() / self._total)
            steps.append(Step(word=word, candidates=len(pages), share=share))
        return PhraseSearch(words=terms, steps=tuple(steps), matches=self._found(places))

    def rank(
        self, phrase: str, *, weights: str = "counts", every_page: bool = False
    ) -> list[tuple[int, int, float]]:
        """(page, words of the phrase matched in a row from its first, cosine), best first.

        Pages by how many words of the phrase match there, then by the cosine of their word
        weights with the phrase's, then in page order. Pages without the phrase's first word are
        left out unless `every_page`. `weights` are word counts, or the paper's tf-idf.
        """
        check_choice("weights", weights, WEIGHTS)
        terms = phrase_words(phrase)
        matched = np.zeros(self.count, dtype=np.int64)
        for i, places in enumerate(self._follow(terms), 1):
            matched[self.page_at[places]] = i
        every = np.ones(len(self.numbers))  # or log(pages / pages with it)
        if weights == "tfidf":
            every = np.log(max(self.count, 1) / np.maximum(self._pages_with, 1))
        scores = self._cosines(terms, every)
        order = np.lexsort((np.arange(self.count), -scores, -matched))
        kept = order if every_page else order[matched[order] > 0]
        return [(int(p), int(matched[p]), float(scores[p])) for p in kept]

    def _follow(self, terms: Sequence[str]) -> Iterator[Integers]:
        """Where the phrase begins, in the pages that match up to each of its words in turn; up to
        the first word that leaves none."""
        places = self._places_of(terms[0])
        yield places
        for i, word in enumerate(terms[1:], 1):
            if not len(places):
                return
            here = self._places_of(word)
            if i == 1 and len(here) < len(places):  # the places of the rarer word are followed
                places = here[self.row[here - 1] == self.numbers[terms[0]]] - 1
            else:
                places = places[self.row[places + i] == self.numbers.get(word, NO_WORD - 1)]
            yield places

    def _places_of(self, word: str) -> Integers:
        number = self.numbers.get(word)
        if number is None:
            return np.zeros(0, dtype=np.int64)
        return self._places[self._ends[number] : self._ends[number + 1]]

    def _first_in_page(self, places: Integers) -> Integers:
        """Which of the places are the first of their page."""
        return np.flatnonzero(np.diff(self.page_at[places], prepend=NO_WORD))

    def _found(self, places: Integers) -> tuple[PhraseMatch, ...]:
        first = self._first_in_page(places)
        pages = self.page_at[places[first]].tolist()
        positions = (places - self.starts[self.page_at[places]] + 1).tolist()
        ends = pairwise([*first.tolist(), len(positions)])
        return tuple(
            PhraseMatch(page=page, positions=tuple(positions[start:end]))
            for page, (start, end) in zip(pages, ends, strict=True)
        )

    def _cosines(self, terms: Sequence[str], weights: Array) -> Array:
        """Cosines with the phrase; 0 where page or phrase has no weight. Unknown words weigh 1."""
        known, counts = np.unique(
            [self.numbers[word] for word in terms if word in self.numbers], return_counts=True
        )
        known = known.astype(np.int64)
        unknown = [word for word in terms if word not in self.numbers]
        phrase = counts * weights[known]
        rest = sum(unknown.count(word) ** 2 for word in set(unknown))
        length = np.sqrt(phrase @ phrase + rest)
        products = self._counts[:, known] @ (weights[known] * phrase)
        squares: Array = np.asarray(self._counts.power(2) @ weights**2).ravel()
        scale = np.sqrt(squares) * length
        return np.asarray(np.divide(products, scale, out=np.zeros(self.count), where=scale > 0))


def phrase_words(phrase: str) -> tuple[str, ...]:
    """The words and numbers of a phrase; a phrase without any is refused."""
    terms = tuple(words(phrase, digits=True))
    if not terms:
        raise UsageError(f"the phrase {phrase!r} holds no word")
    return terms
