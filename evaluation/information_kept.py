"""Information kept: the weighted share of a result set's sentences that the pages still shown have.

A page holds a sentence that it has, one with other function words, or one with words inserted that
negate nothing: every other word of it stands there, in the same order. What h pages hold counts 1/h
in each of them, so near-equal sentences count once together; a sentence weighs its words times
log2(1 + pages / h), more where fewer pages hold it. Kept is the weight of the sentences that some
shown page holds, over the weight of all.

docs/information-kept.md works an example by hand and names the limits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from reducepp.evaluation.datelines import without_datelines
from reducepp.evaluation.sentence_holders import find_holders, find_sentences, hold_cut_sentences
from reducepp.similarity.contents import PageSet
from reducepp.text.language_detection import detect_language
from reducepp.text.lexicons import replaceable_words
from reducepp.text.preparation import Texts, prepare
from reducepp.text.tokenise import sentences, words
from reducepp.types import Array, Bools, Integers, Page


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
        own = sentences(without_datelines(self.written[page]))
        written = {" ".join(words(sentence, digits=True)): sentence for sentence in own}
        found = []
        for i in sorted(gone.tolist(), key=lambda i: (-self.weights[i], i)):
            key = " ".join(self.texts.read(self.start[i], self.length[i]))
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
    start, length = find_sentences(texts, written)
    owner = texts.pages[start]
    languages = {
        page.language[:2].lower() or detect_language(text, ngrams=False)
        for page, text in zip(page_set.pages, written, strict=True)
    }
    held = find_holders(texts, start, length, replaceable_words(languages))
    hold_cut_sentences(held, texts, written, start, length)
    _hold_template_lines(held, page_set.pages, written, texts, start, length)
    for equal in _equal_pages(page_set.pages):
        held[np.ix_(np.flatnonzero(np.isin(owner, equal)), np.array(equal))] = True
    for title, titled in _equal_titles(page_set.pages):
        for row in np.flatnonzero(np.isin(owner, titled) & (length == len(title))).tolist():
            if texts.read(start[row], length[row]) == title:
                held[row, titled] = True
    return Coverage(page_set.pages, written, texts, start, length, owner, held)


def _hold_template_lines(
    held: Bools,
    pages: Sequence[Page],
    written: Sequence[str],
    texts: Texts,
    start: Integers,
    length: Integers,
) -> None:
    """Mark in `held` the sentences that a page has among the lines of its site's template."""
    others = [n for n, page in enumerate(pages) if whole_text(page) != written[n]]
    if not others:
        return
    rows: dict[str, list[int]] = {}
    for row, (first, size) in enumerate(zip(start.tolist(), length.tolist(), strict=True)):
        rows.setdefault(" ".join(texts.read(first, size)), []).append(row)
    for number in others:
        for sentence in sentences(whole_text(pages[number])):
            held[rows.get(" ".join(words(sentence, digits=True)), []), number] = True


def _equal_pages(pages: Sequence[Page]) -> list[list[int]]:
    """Pages with the same whole text, in groups of two and more.

    What is a template on one site and none on another is no sentence that a copy lacks.
    """
    groups: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        groups.setdefault(" ".join(whole_text(page).split()), []).append(number)
    return [group for text, group in groups.items() if text and len(group) > 1]


def _equal_titles(pages: Sequence[Page]) -> list[tuple[list[str], list[int]]]:
    """Words of titles that several pages have, and these pages.

    A title is a line of the text of some pages and a field of its own of others.
    """
    groups: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        groups.setdefault(" ".join(words(page.page_title, digits=True)), []).append(number)
    return [(title.split(), group) for title, group in groups.items() if title and len(group) > 1]


def whole_text(page: Page) -> str:
    """A page's whole text, of which `written` is what counts; both have the same sentences."""
    return page.visible or page.body or _instead(page)


def _instead(page: Page) -> str:
    """The text that replaces a missing one."""
    return page.rendered_body or page.snippet
