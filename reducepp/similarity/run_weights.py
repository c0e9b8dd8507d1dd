"""How much a run that two texts share counts, by its rarity among the documents of a set or site.

A run that many *other* documents of the set (or of the site) contain is a menu, a template or a
phrase of the subject: weak evidence. A run that no other document contains is strong evidence. A
pair is never its own background: a run that both pages share is looked for beyond these two, a run
of one page beyond that one. A run of words without any function word is from a list or a menu more
often than from a sentence, and counts less (Theobald et al., SpotSigs, SIGIR 2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from reducepp.similarity.pairs import Pairs
from reducepp.similarity.shingles import cells_of_runs, distinct, split_by_group, table_of_runs
from reducepp.similarity.sparse import count_columns, row_sums
from reducepp.types import Array, Bools, Integers, Sparse

PRIOR = 0.01
"""Share of documents that contain a run where nothing is known."""
PSEUDOCOUNT = 30.0
"""Documents that the prior stands for, against those of the set; and that the set's share stands
for, against those of a site."""
UNITS = 1 << 24
"""Weights are whole multiples of 1 / UNITS, so that sums are exact in any order."""
LEAST = 0.005
"""Weight of a run that all documents have: a menu may be ten times as long as the text with it."""
LIST_WEIGHT = 0.1
"""Times the weight of a run without function words. Sets of plain text come out nearly the same
from 0.05 to 0.5; above 0.1 menus without a counterpart in the set hide what two pages share."""
LESSER = 0.75
"""Weight of the text of a pair that has less to say: an excerpt repeats the whole more than the
whole repeats the excerpt. From 0.6 to 0.75 the labelled sets come out nearly the same."""
PART_CELLS = 1_000_000
"""Runs of pages that are put by site at once: about 75 MB."""


def rarity_weights(share: Array, draws: int) -> Array:
    """Whole-number weight of runs that these shares of the other documents contain: the chance that
    none of so many of them, drawn at random, has the run; LEAST where all have it."""
    chance = LEAST + (1 - LEAST) * np.maximum(1.0 - share, 0.0) ** draws
    rounded: Array = np.round(chance * UNITS)
    return rounded


class Background(NamedTuple):
    """Share of the other documents that contain each run."""

    beyond_two: Array
    """Not counting two documents that have it: for what a pair shares."""
    beyond_one: Array
    """Not counting one: for what only one page of a pair has."""
    listed: Bools
    """Whether a run has no function word."""

    def take(self, runs: Integers) -> Background:
        """Those of some runs."""
        return Background(self.beyond_two[runs], self.beyond_one[runs], self.listed[runs])

    def on_site(self, frequency: Any, count: Integers | int) -> Background:
        """Shares of the `count` documents of a site, drawn towards these, which are of the set."""
        return smooth(frequency, count, *self)

    def weights(self, draws: int) -> tuple[Array, Array]:
        """Whole-number weight of each run where a pair shares it, and where one page has it."""
        return self._weights(draws, self.beyond_two), self.own_weights(draws)

    def own_weights(self, draws: int) -> Array:
        """The second of these."""
        return self._weights(draws, self.beyond_one)

    def _weights(self, draws: int, shares: Array) -> Array:
        found: Array = rarity_weights(shares, draws) * np.where(self.listed, LIST_WEIGHT, 1.0)
        return np.round(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Pages × runs, and how many other documents contain each run."""

    matrix: Sparse
    background: Background
    lone: Array | float = 0.0
    """Weight of the runs of each page that are no columns, because no other page has them."""

    def whole(self, weights: Array) -> Array:
        """Weight of all runs of each page, where columns have these weights."""
        return row_sums(self.matrix, weights) + self.lone


def runs_in_set(matrix: Sparse, documents: Integers, listed: Bools | None = None) -> Runs:
    """Runs against the documents of the whole set; copies of one document count once."""
    frequency, count = document_frequency(matrix, documents), len(distinct(documents))
    return Runs(matrix=matrix, background=smooth(frequency, count, PRIOR, PRIOR, listed))


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePart:
    """Some pages, those of whole sites, and their runs: a run is another one on another site."""

    pages: Integers
    matrix: Sparse
    """These pages × runs by site."""
    known: Integers
    """Site of each run times the runs of the set, and the run."""
    width: int
    """Runs of the set."""

    @property
    def sites(self) -> Integers:
        """Site of each run."""
        return self.known // self.width

    @property
    def runs(self) -> Integers:
        """The same run in the set."""
        return self.known % self.width


def split_by_site(matrix: Sparse, sites: Integers) -> Iterator[SitePart]:
    """Pages × runs by the site of each page, -1 for no site; sites of one page are left out."""
    for pages in _parts_by_site(matrix, sites):
        by_site, known = split_by_group(matrix[pages], sites[pages])
        yield SitePart(pages=pages, matrix=by_site, known=known, width=matrix.shape[1])


def runs_in_sites(
    runs: Runs, parts: Iterable[SitePart], documents: Integers, sites: Integers, draws: int
) -> Runs:
    """The same runs, in `parts` by site, against the documents of each page's site.

    Only pages of one site share any; runs of a single page are no columns but `lone` weight. The
    share of a site is drawn towards the share of the set where the site has few documents.
    """
    lone = np.zeros(len(sites))
    rows, columns, backgrounds, width = [], [], [], 0
    for part in parts:
        pages, matrix = part.pages, part.matrix
        background = _site_background(runs.background, part, documents[pages], sites[pages])
        several = count_columns(matrix.indices, matrix.shape[1]) > 1
        lone[pages] = matrix @ np.where(several, 0.0, background.own_weights(draws))
        at, run = cells_of_runs(matrix)
        shared = several[run]
        rows.append(pages[at[shared]])
        columns.append((np.cumsum(several) - 1)[run[shared]] + width)
        backgrounds.append(background.take(np.flatnonzero(several)))
        width += int(several.sum())
    none = np.zeros(0, dtype=np.int64)
    made, _ = table_of_runs(
        np.concatenate([none, *rows]), np.concatenate([none, *columns]), len(sites)
    )
    return Runs(matrix=made, background=_join(backgrounds), lone=lone)


def _parts_by_site(matrix: Sparse, sites: Integers) -> Iterator[Integers]:
    """Pages of sites with two pages and more, whole sites of about PART_CELLS runs at once."""
    crowded = (np.bincount(sites + 1)[sites + 1] > 1) & (sites >= 0)
    pages = np.flatnonzero(crowded)
    pages = pages[np.argsort(sites[pages], kind="stable")]
    if not len(pages):
        return
    ends = np.cumsum(np.diff(matrix.indptr)[pages]) // PART_CELLS
    firsts = np.flatnonzero(np.diff(sites[pages], prepend=-1))
    cuts = firsts[np.flatnonzero(np.diff(ends[firsts], prepend=-1))]
    yield from np.split(pages, cuts[1:])


def _site_background(
    of_set: Background, part: SitePart, documents: Integers, sites: Integers
) -> Background:
    """How many other documents of its site contain each run of a part."""
    if not len(part.known):
        return of_set.take(np.zeros(1, dtype=np.int64))
    of_set = of_set.take(part.runs)
    held = distinct(sites * (documents.max() + 1) + documents) // (documents.max() + 1)
    count = np.bincount(held)[part.sites]
    frequency = document_frequency(part.matrix, documents)
    return of_set.on_site(frequency, count)


def _join(parts: list[Background]) -> Background:
    """The backgrounds of columns side by side; one column where there is none."""
    if not any(len(part.listed) for part in parts):
        parts = [Background(np.ones(1), np.ones(1), np.zeros(1, dtype=bool))]
    return Background(*map(np.concatenate, zip(*parts, strict=True)))


def smooth(
    frequency: Array,
    count: Integers | int,
    two: Array | float,
    one: Array | float,
    listed: Bools | None = None,
) -> Background:
    """Shares of `count` documents that have a run, drawn towards a prior for two and for one."""
    total = np.maximum(count - 2, 0) + PSEUDOCOUNT
    return Background(
        beyond_two=(np.maximum(frequency - 2, 0) + PSEUDOCOUNT * two) / total,
        beyond_one=(np.maximum(frequency - 1, 0) + PSEUDOCOUNT * one) / total,
        listed=np.zeros(len(frequency), dtype=bool) if listed is None else listed,
    )


def document_frequency(matrix: Sparse, documents: Integers) -> Array:
    """Documents that contain each run."""
    width, sizes = matrix.shape[1], np.diff(matrix.indptr)
    copied = np.bincount(documents)[documents] > 1
    cells = np.repeat(copied, sizes)
    frequency = count_columns(matrix.indices[~cells], width)
    of_cell = np.repeat(documents[copied], sizes[copied])
    once = distinct(of_cell * width + matrix.indices[cells]) % width
    found: Array = (frequency + np.bincount(once, minlength=width)).astype(np.float64)
    return found


def shared_share(pairs: Pairs, runs: Runs, draws: int, brief: Bools) -> Array:
    """Weight two texts share over the weight they have, in [0, 1]: the mean over both, in which the
    text that has less counts LESSER (`weighted_share`).

    Only for pairs with at least one of the `brief` texts; of all pairs, 0 elsewhere.
    """
    matrix, (shared, own) = runs.matrix, runs.background.weights(draws)
    whole = runs.whole(own)
    both, also = pairs.common_sums(matrix, brief, shared, own)
    of_first = both / np.maximum(both + pairs.first(whole) - also, 1.0)
    of_second = both / np.maximum(both + pairs.second(whole) - also, 1.0)
    return weighted_share(of_first, of_second)


def weighted_share(of_first: Array, of_second: Array) -> Array:
    """The share of a pair from the shares of both texts: their weighted geometric mean.

    A few words that a long text contains are a share of 1 and one near 0, and no copy.
    """
    larger, smaller = np.maximum(of_first, of_second), np.minimum(of_first, of_second)
    found: Array = larger**LESSER * smaller ** (1 - LESSER)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What texts need in common with texts of as much weight or more to reach a share.

    With the shared weight B, its part A of the weight W of a text, and D = B + W - A, the share of
    the text is B / D. Beside a text with the weight W + d the `weighted_share` is B / D times
    (D / (D + d)) ^ (1 - LESSER), and D is at most the weight M that all runs of the text have where
    they are shared. So B / D must reach t' = t (1 + d / M) ^ (1 - LESSER), which is the case where
    (1 - t') B + t' A >= t' W; (1 - t) B + t A is no less, as runs weigh no less where shared.
    """

    share: float
    weights: Array
    """W of each text."""
    most: Array
    """M of each text."""

    def beside(self, texts: Integers, weight: float) -> Array:
        """The gain (1 - t) B + t A that texts need beside one with this weight or more; infinite
        where no share reaches t."""
        own, most = self.weights[texts], np.maximum(self.most[texts], 1.0)
        share = self.share * (1 + np.maximum(weight - own, 0.0) / most) ** (1 - LESSER)
        return np.where(share > 1 + 1e-9, np.inf, share * own)
