"""Runs of words and letters that two texts share, weighted by their rarity elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from reducepp.similarity.contents import Contents, made_once
from reducepp.similarity.documents import (
    documents_of,
    long_runs,
    long_runs_by_site,
    plain_texts_of,
    same_key,
    sites_of,
)
from reducepp.similarity.measures.feature_sets import check_option
from reducepp.similarity.pairs import PairList, Pairs
from reducepp.similarity.run_weights import (
    Runs,
    runs_in_set,
    runs_in_sites,
    shared_share,
    split_by_site,
)
from reducepp.similarity.shingles import letter_runs, single_words, word_runs
from reducepp.text.preparation import Texts
from reducepp.types import Array, Bools, Integers, Sparse

SCOPES = ("all", "on_site", "untitled", "off_site")
"""Every pair; pairs of one site of which a page is no plain text; of two plain texts; others."""
LETTERS, WORDS, THREE_WORDS, FIVE_WORDS = "letters", "words", "three words", "five words"
LETTER_RUN = 4
MAX_LETTERS = 2000
"""Letters of a text that are compared: only short texts are compared by letters."""
DECIMALS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Units of comparison by length: at `lengths[i]` words of the shorter text all weight is on
    `units[i]`, between two lengths it passes over on a logarithmic scale."""

    lengths: tuple[float, ...]
    units: tuple[str, ...]
    draws_of_words: int
    """`rarity_weights` of words; those of all other units are by DRAWS."""
    exponent: float = 1.0
    """Power of the share of runs of five words that is blended with those of other units."""

    def rescale(self, unit: str, share: Array) -> Array:
        """A share of a unit on the scale of the others."""
        return share**self.exponent if unit == FIVE_WORDS else share

    def least(self, unit: str, share: float) -> float:
        """The share of a unit that becomes this one: the inverse of `rescale`."""
        return float(share ** (1 / self.exponent)) if unit == FIVE_WORDS else share

    def weight(self, unit: str, shorter: Array) -> Array:
        """Weight of a unit for pairs whose shorter text has so many words, in [0, 1]."""
        place, nodes = np.log(np.maximum(shorter, 1)), np.log(self.lengths)
        here = np.array([float(name == unit) for name in self.units])
        weight: Array = np.interp(place, nodes, here)
        return weight

    def shortest(self, unit: str) -> float:
        """Words of the shorter text up to which a unit has no weight."""
        first = self.units.index(unit)
        return self.lengths[first - 1] if first else 0.0

    def longest(self, unit: str) -> float:
        """Words of the shorter text from which on a unit has no weight."""
        last = len(self.units) - self.units[::-1].index(unit)
        return self.lengths[last] if last < len(self.lengths) else np.inf


ON_SITE = Scale(lengths=(10.0, 40.0), units=(LETTERS, FIVE_WORDS), draws_of_words=8)
UNTITLED = Scale(
    lengths=(12.0, 40.0, 300.0, 600.0),
    units=(LETTERS, WORDS, WORDS, FIVE_WORDS),
    draws_of_words=8,
    exponent=0.7,
)
"""Pages of one site without titles: plain texts, the short ones of which have no template."""
OFF_SITE = Scale(
    lengths=(12.0, 40.0, 300.0, 1500.0),
    units=(LETTERS, WORDS, WORDS, THREE_WORDS),
    draws_of_words=5,
)
DRAWS = 16
"""`rarity_weights` of runs. Words are common to more texts of one subject than runs are."""
SCALES = {"on_site": ON_SITE, "untitled": UNTITLED, "off_site": OFF_SITE}


def rare_runs(contents: Contents, *, scope: str = "all", doubt: float = 0.0) -> Array:
    """Weight of the runs that two texts share over the weight of all their runs, in [0, 1].

    The mean over both texts, in which the one that has less counts more. The weight of a run
    falls with the share of other documents that contain it: of the same site for two pages of
    one site, of the set for the others. So the similarity of a pair depends on the other pages.
    Short texts are compared by runs of four letters; longer ones on one site by runs of five
    words, elsewhere by words and, where long, by runs of three; two of one site without titles
    by words up to a screen's length. What is above a half counts by half where the shorter text
    has `doubt` words, and less below: forms and notices of a site are short and alike. NaN for a
    text without words, and for pairs outside `scope`.
    """
    check_option("rare_runs", "scope", scope, dict.fromkeys(SCOPES))
    pairs = contents.pairs
    among = pairs_of_scopes(contents)
    found = np.full(among["on_site"].shape, np.nan)
    for name, wanted in among.items():
        if scope in ("all", name):
            others = wanted & ~pairs.is_own()
            found[others] = pairs.where(others, partial(_blend, contents, name))
    lengths = contents.texts("plain").lengths
    if doubt:
        shorter = np.minimum(pairs.first(lengths), pairs.second(lengths))
        found -= np.maximum(found - 0.5, 0.0) * doubt / (shorter + doubt)
    found[pairs.is_own()] = 1.0
    return pairs.blank(found.round(DECIMALS), lengths == 0)


def pairs_of_scopes(contents: Contents) -> dict[str, Bools]:
    """The pairs of each of SCOPES but the first."""
    pairs, plain = contents.pairs, plain_texts_of(contents.page_set)
    on_site = same_key(pairs, sites_of(contents.page_set))
    untitled = on_site & pairs.first(plain) & pairs.second(plain)
    return {"on_site": on_site & ~untitled, "untitled": untitled, "off_site": ~on_site}


def _blend(contents: Contents, scope: str, pairs: Pairs, wanted: Bools) -> Array:
    """Similarities of the wanted pairs by every unit that has weight for one of them."""
    scale, lengths = SCALES[scope], contents.texts("plain").lengths
    shorter = np.minimum(pairs.first(lengths), pairs.second(lengths))
    found = np.zeros(shorter.shape)
    for unit in dict.fromkeys(scale.units):
        weight = scale.weight(unit, shorter) * wanted
        if weight.any():
            brief = lengths < scale.longest(unit)
            compute = partial(_of_unit, *runs_of(contents, scope, unit), brief)
            if isinstance(pairs, PairList):
                share = pairs.where(weight > 0, compute)
                found[weight > 0] += weight[weight > 0] * scale.rescale(unit, share)
            else:
                found += weight * scale.rescale(unit, compute(pairs, wanted))
    return found


def _of_unit(runs: Runs, draws: int, brief: Bools, pairs: Pairs, wanted: Bools) -> Array:
    return shared_share(pairs, runs, draws, brief)


def runs_of(contents: Contents, scope: str, unit: str) -> tuple[Runs, int]:
    """The runs by which pairs of a scope are compared, and the draws of their weights."""
    runs = set_runs(contents, unit) if scope == "off_site" else site_runs(contents, unit)
    return runs, draws_of(scope, unit)


@made_once
def site_runs(contents: Contents, unit: str) -> Runs:
    """The runs of a unit against the documents of each page's site."""
    page_set, runs = contents.page_set, set_runs(contents, unit)
    documents, sites = documents_of(page_set), sites_of(page_set)
    is_long = unit == FIVE_WORDS
    parts = (
        long_runs_by_site(page_set, contents.name) if is_long else split_by_site(runs.matrix, sites)
    )
    return runs_in_sites(runs, parts, documents, sites, draws_of("on_site", unit))


def draws_of(scope: str, unit: str) -> int:
    """The draws by which runs of a unit are weighted for pairs of a scope."""
    return SCALES[scope].draws_of_words if unit == WORDS else DRAWS


@made_once
def set_runs(contents: Contents, unit: str) -> Runs:
    """The runs of a unit against the documents of the set."""
    documents = documents_of(contents.page_set)
    if unit == FIVE_WORDS:
        matrix, listed = long_runs(contents.page_set, contents.name)
        return runs_in_set(matrix, documents, listed)
    return runs_in_set(_UNITS[unit](contents), documents)


def _letters(contents: Contents) -> Sparse:
    return letter_runs(beginnings(contents.texts("plain")), LETTER_RUN)


def beginnings(texts: Texts) -> list[str]:
    """The first words of each text with single spaces, MAX_LETTERS at most."""
    starts = (np.cumsum(texts.lengths) - texts.lengths).tolist()
    ends = [s + n for s, n in zip(starts, np.minimum(texts.lengths, MAX_LETTERS // 2), strict=True)]
    found = (texts.words[start:end].tolist() for start, end in zip(starts, ends, strict=True))
    return [" ".join([texts.vocabulary[w] for w in page])[:MAX_LETTERS] for page in found]


@made_once
def words_by_occurrence(contents: Contents) -> tuple[Sparse, Integers]:
    """`single_words` of a content type."""
    return single_words(contents.texts("plain"))


_UNITS: dict[str, Callable[[Contents], Sparse]] = {
    LETTERS: _letters,
    WORDS: lambda contents: words_by_occurrence(contents)[0],
    THREE_WORDS: lambda contents: word_runs(contents.texts("plain"), 3),
}
