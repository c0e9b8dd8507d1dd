"""Preparation of n texts: tokens as numbers in one flat array over one vocabulary."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, pairwise

import numpy as np
from numpy.typing import NDArray

from reducepp.errors import check_choice
from reducepp.parallel import map_in_order, nested_cores, release_freed_memory
from reducepp.text.languages import LANGUAGES
from reducepp.text.lexicons import installed_model, lemmas_in_context, light_stems
from reducepp.text.tokenise import tokenise, words
from reducepp.types import Integers, Sparse

PREPARATIONS = ("plain", "syntactic", "semantic", "spacy")
"""Words and numbers; words only; lemmas and synonyms of content words, the lemmas from lookup
tables or, under `spacy`, from the installed spaCy model of a text's language where there is one."""
PART_WORDS = 1_000_000
"""Words of a part of the texts that is worked on at once: some 100 MB of numbers."""
PART_TEXTS = 500
"""Texts whose letters are turned into runs at once."""
PART_LINES = 5000
"""Lines that one process tokenises at once."""
MIN_PARALLEL_CHARS = 4_000_000
"""Characters that take longer to tokenise than processes to start: about a second."""


@dataclass(frozen=True, kw_only=True)
class Texts:
    """n prepared texts, with all words of all texts in one array.

    `words[i]` is the index of the i-th word in `vocabulary`, `pages[i]` the text that it is in,
    `sentences[i]` its sentence, counted over all texts, and `begins[i]` whether it is the first.
    """

    count: int
    vocabulary: tuple[str, ...]
    words: NDArray[np.int32]
    lengths: Integers
    """Number of words of each text."""
    begins: NDArray[np.bool_]

    @property
    def sentences(self) -> NDArray[np.int32]:
        """The sentence of each word; made anew each time."""
        return np.cumsum(self.begins, dtype=np.int32)

    @property
    def pages(self) -> Integers:
        """The text of each word; made anew each time, which takes less than to keep it."""
        return np.repeat(np.arange(self.count, dtype=np.int64), self.lengths)

    @property
    def numbers(self) -> Integers:
        """The words counted from 1, made anew each time."""
        return self.words.astype(np.int64) + 1

    def read(self, start: int, length: int) -> list[str]:
        """So many words from a place on."""
        return [self.vocabulary[word] for word in self.words[start : start + length].tolist()]

    def parts(self) -> Iterator[tuple[int, Texts]]:
        """The texts in parts of about PART_WORDS, each with the number of its first text."""
        ends = np.cumsum(self.lengths) // PART_WORDS
        return self._split(np.flatnonzero(np.diff(ends, prepend=-1)).tolist())

    def one_by_one(self) -> Iterator[Texts]:
        """Each text on its own."""
        return (text for _, text in self._split(range(self.count)))

    def _split(self, firsts: Sequence[int]) -> Iterator[tuple[int, Texts]]:
        ends = np.cumsum(self.lengths)
        for first, last in pairwise([*firsts, self.count]):
            here = slice(int(ends[first] - self.lengths[first]), int(ends[last - 1]))
            yield (
                first,
                replace(
                    self,
                    count=last - first,
                    words=self.words[here],
                    lengths=self.lengths[first:last],
                    begins=self.begins[here],
                ),
            )

    @cached_property
    def counts(self) -> Sparse:
        """Term frequencies: texts × vocabulary."""
        return count_matrix(
            self.pages, self.words.astype(np.int64), (self.count, len(self.vocabulary))
        )


def count_matrix(rows: Integers, columns: Integers, shape: tuple[int, int]) -> Sparse:
    """Sparse matrix that counts each (row, column)."""
    from scipy.sparse import csr_array

    keys, counts = np.unique(rows * shape[1] + columns, return_counts=True)
    at = (keys // max(shape[1], 1), keys % max(shape[1], 1))
    return csr_array((counts.astype(np.float64), at), shape=shape)


def prepare(texts: Sequence[str], languages: Sequence[str], how: str = "syntactic") -> Texts:
    """Prepare texts for comparison; `languages` gives each text's code, "" where unknown."""
    check_choice("preparation", how, PREPARATIONS)
    raw = _number_words(texts, digits=how == "plain")
    if how not in ("semantic", "spacy"):
        return raw
    return _to_concepts(raw, languages, texts if how == "spacy" else ())


def _number_words(texts: Sequence[str], *, digits: bool) -> Texts:
    """Tokenise texts line by line, equal lines once: near-duplicates and templates share many."""
    numbers = _numbering()
    order, counts = array("i"), []
    for text in texts:
        found = text.split("\n")
        order.extend(map(numbers.__getitem__, found))
        counts.append(len(found))
    lines = _tokenise_lines(list(numbers), digits)
    large = len(numbers) > PART_LINES
    del numbers
    made = _join_lines(lines, np.array(order), np.array(counts, dtype=np.int64))
    del lines, order
    if large:
        release_freed_memory()
    return made


def _numbering() -> defaultdict[str, int]:
    """Strings to numbers, in the order in which they are first looked up."""
    return defaultdict(count().__next__)


def _tokenise_lines(lines: Sequence[str], digits: bool) -> Texts:
    """Each line as a text; many of them in parts, on all cores."""
    jobs = nested_cores() if sum(map(len, lines)) >= MIN_PARALLEL_CHARS else 1
    parts = [lines[i : i + PART_LINES] for i in range(0, len(lines), PART_LINES)] or [()]
    return _join_parts(map_in_order(_number_part, parts, digits, jobs=jobs))


def _join_parts(parts: Iterable[Texts]) -> Texts:
    """Texts of several parts as one; words are numbered in the order in which they first stand."""
    numbers = _numbering()
    words, lengths, begins = [], [], []
    for part in parts:
        lengths.append(part.lengths)
        renumber = [numbers[word] for word in part.vocabulary]
        words.append(np.array(renumber, dtype=np.int32)[part.words])
        begins.append(part.begins)
    return Texts(
        count=sum(map(len, lengths)),
        vocabulary=tuple(numbers),
        words=np.concatenate(words),
        lengths=np.concatenate(lengths),
        begins=np.concatenate(begins),
    )


def _join_lines(lines: Texts, order: NDArray[np.int32], counts: Integers) -> Texts:
    """Texts of so many lines each, by the numbers of these lines."""
    starts = np.cumsum(lines.lengths) - lines.lengths
    words, begins = [lines.words[:0]], [lines.begins[:0]]
    for i in range(0, len(order), PART_LINES):
        part = order[i : i + PART_LINES]
        sizes = lines.lengths[part]
        places = np.repeat(starts[part] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        words.append(lines.words[places])
        begins.append(lines.begins[places])
    return Texts(
        count=len(counts),
        vocabulary=lines.vocabulary,
        words=np.concatenate(words),
        lengths=np.add.reduceat(lines.lengths[order], np.cumsum(counts) - counts),
        begins=np.concatenate(begins),
    )


def _number_part(texts: Sequence[str], digits: bool) -> Texts:
    numbers = _numbering()
    tokens = array("i")
    sizes: list[int] = []
    for text in texts:
        found = tokenise(text, digits=digits)
        tokens.extend(map(numbers.__getitem__, found))
        sizes.append(len(found))
    is_word = np.array([token[0].isalnum() for token in numbers], dtype=bool)
    row = np.frombuffer(tokens, dtype=np.int32) if tokens else np.zeros(0, dtype=np.int32)
    real = is_word[row] if len(row) else np.zeros(0, dtype=bool)
    pages = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)
    lengths = np.bincount(pages[real], minlength=len(texts)).astype(np.int64)
    pages += np.cumsum(~real, dtype=np.int32)  # a sentence's end, and a text, begins another
    renumber = np.cumsum(is_word) - 1
    return Texts(
        count=len(texts),
        vocabulary=tuple(t for t, word in zip(numbers, is_word.tolist(), strict=True) if word),
        words=renumber[row[real]].astype(np.int32),
        lengths=lengths,
        begins=_begin(pages[real]),
    )


def _begin(sentences: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether each word is the first of its sentence."""
    found: NDArray[np.bool_] = np.diff(sentences, prepend=-1) != 0
    return found


def _recount(texts: Texts, repeats: Integers | NDArray[np.bool_]) -> Integers:
    """Words of each text where word i stands `repeats[i]` times."""
    sums = np.concatenate([[0], np.cumsum(repeats)])
    ends = np.cumsum(texts.lengths)
    found: Integers = (sums[ends] - sums[ends - texts.lengths]).astype(np.int64)
    return found


def without_affixes(plain: Texts) -> Texts:
    """The texts with words of Arabic script as their light stems: other languages write article,
    conjunction and prepositions as words of their own."""
    stems = light_stems(plain.vocabulary)
    if not stems:
        return plain
    numbers: dict[str, int] = {}
    words = (stems.get(word, word) for word in plain.vocabulary)
    merged = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32)
    return replace(plain, vocabulary=tuple(numbers), words=merged[plain.words])


def letters_only(plain: Texts) -> Texts:
    """Turn `plain` texts into `syntactic` ones without tokenising again: digits are removed."""
    numbers: dict[str, int] = {}
    parts = [[token] if token.isalpha() else words(token) for token in plain.vocabulary]
    flat = np.array(
        [numbers.setdefault(part, len(numbers)) for made in parts for part in made], dtype=np.int32
    )
    counts = np.array([len(made) for made in parts], dtype=np.int64)
    firsts = np.cumsum(counts) - counts
    repeats = counts[plain.words]
    offsets = np.arange(int(repeats.sum())) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    return Texts(
        count=plain.count,
        vocabulary=tuple(numbers),
        words=flat[np.repeat(firsts[plain.words], repeats) + offsets],
        lengths=_recount(plain, repeats),
        begins=_begin(np.repeat(plain.sentences, repeats)),
    )


def _to_concepts(raw: Texts, languages: Sequence[str], read: Sequence[str] = ()) -> Texts:
    """Replace words by the concepts of their page's language and remove stop words.

    Texts that are to be `read` by a model are mapped one by one, others by language.
    """
    vocabulary = np.array(raw.vocabulary, dtype=object)
    concepts: dict[str, int] = {}
    found = np.full(len(raw.words), -1, dtype=np.int32)
    owners = [(c, i if read and installed_model(c) else -1) for i, c in enumerate(languages)]
    for code, number in sorted(set(owners)):
        here = np.array([owner == (code, number) for owner in owners], dtype=bool)[raw.pages]
        used, inverse = np.unique(raw.words[here], return_inverse=True)
        lemmas = lemmas_in_context(read[number], code) if number >= 0 else {}
        base = base_forms([str(word) for word in vocabulary[used]], code, lemmas)
        numbers = [concepts.setdefault(b, len(concepts)) if b else -1 for b in base]
        found[here] = np.array(numbers, dtype=np.int32)[inverse] if numbers else -1
    kept = found >= 0
    return Texts(
        count=raw.count,
        vocabulary=tuple(concepts),
        words=found[kept],
        lengths=_recount(raw, kept),
        begins=_begin(raw.sentences[kept]),
    )


def base_forms(words: Sequence[str], code: str, known: Mapping[str, str] = {}) -> list[str]:
    """Concept of each word of a vocabulary; "" for a stop word, itself in an unknown language.

    Lemmas that are `known` come before those of the language's lookup tables.
    """
    language = LANGUAGES.get(code)
    if language is None:
        return list(words)
    content = [word for word in words if word not in language.stop_words]
    lemmas = {**language.lemmas(content), **known}
    named = {word: lemmas.get(word, word) for word in content}
    synonyms = language.synonyms(set(named.values()))
    return [synonyms.get(named[word], named[word]) if word in named else "" for word in words]
