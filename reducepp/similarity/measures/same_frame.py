"""Similarity of the first and last words of two plain texts: equal in pages of one template."""

from dataclasses import replace

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.documents import LONG_RUN, plain_texts_of, same_key, sites_of, titles_of
from reducepp.similarity.pairs import Pairs
from reducepp.similarity.shingles import word_runs
from reducepp.text.preparation import Texts
from reducepp.types import Array, Bools

FRAME_WORDS = 40
"""Words at the beginning and at the end of a text that are compared: a menu, a footer."""
OF_END = 0.75
"""What the end counts: a beginning may be the headline that two papers have in common."""


def same_frame(contents: Contents) -> Array:
    """The roots of the shares of first and of last words that two texts have in common, in [0, 1];
    their mean, in which the end counts OF_END. Words are compared by runs of five.

    Plain texts of one site begin with its menu and end with its footer, whatever stands between;
    an article in two papers, or a text and its revision, seldom do. Only for two plain texts of one
    site under no common title. No similarity of contents but a description of a pair: NaN for all
    others and for a text without words.
    """
    pairs, texts, page_set = contents.pairs, contents.texts("plain"), contents.page_set
    plain = plain_texts_of(page_set) & (texts.lengths > 0)
    wanted = same_key(pairs, np.where(plain, sites_of(page_set), -1)) & ~pairs.is_own()
    wanted = wanted & ~same_key(pairs, titles_of(page_set))
    found = np.full(wanted.shape, np.nan)
    if not wanted.any():
        return found
    ends = np.cumsum(texts.lengths)
    place = np.arange(len(texts.words)) - np.repeat(ends - texts.lengths, texts.lengths)
    left = np.repeat(texts.lengths, texts.lengths) - place
    of_plain = np.repeat(plain, texts.lengths)
    begin, end = (
        np.sqrt(_common_share(pairs, _part(texts, of_plain & (at < FRAME_WORDS))))
        for at in (place, left - 1)
    )
    found[wanted] = ((1 - OF_END) * begin + OF_END * end)[wanted]
    return found


def _part(texts: Texts, kept: Bools) -> Texts:
    """The texts with some of their words."""
    lengths = np.bincount(texts.pages[kept], minlength=texts.count)
    return replace(texts, words=texts.words[kept], begins=texts.begins[kept], lengths=lengths)


def _common_share(pairs: Pairs, texts: Texts) -> Array:
    """Runs that two texts have in common, of those of the text with fewer."""
    runs = word_runs(texts, LONG_RUN)
    sizes = np.diff(runs.indptr).astype(np.float64)
    fewer = np.minimum(pairs.first(sizes), pairs.second(sizes))
    share: Array = pairs.products(runs, runs) / np.maximum(fewer, 1.0)
    return share
