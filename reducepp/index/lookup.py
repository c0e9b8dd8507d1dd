"""Pages of an index that can reach a score with a page, and the most that each can reach.

A pair of different sites has the share t of common text only where, with the shared weight B and
the weights W and W' of both texts,

    weighted_share(min(1, B / W), min(1, B / W')) >= t

because the shares of the texts are B / (B + W - A), and A <= B. B is at most the weight of the
page's words that the other one has too; a run of three words counts for the rarer of its first two
words. `KnownPages` bounds W' from below. Rare words are looked up in posting lists. Of the frequent
ones a page shares no more than it has, and what it shares exactly is added up only for pages that
can reach t so.

A pair of one site is compared by runs of five words, of which one is common only where their words
are. A run weighs least where all documents of the site have it, and most where only the pair does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from reducepp.index.database import BRIEF, Database
from reducepp.index.features import Features
from reducepp.index.known_pages import KnownPages, site_sample
from reducepp.index.site_documents import SiteDocuments
from reducepp.similarity.documents import LONG_RUN
from reducepp.similarity.measures.rare_runs import (
    FIVE_WORDS,
    LETTERS,
    OFF_SITE,
    ON_SITE,
    THREE_WORDS,
    UNTITLED,
    WORDS,
    draws_of,
)
from reducepp.similarity.run_weights import (
    LESSER,
    PRIOR,
    UNITS,
    Background,
    rarity_weights,
    smooth,
    weighted_share,
)
from reducepp.types import Array, Bools, Integers

MAX_LONGER = 200
"""Longer texts that a brief one is compared with, those that share most words."""

FEW_ON_SITE = 200
"""Pages of a site that are looked up exactly at once."""

BRIEF_SHARE = 0.5
"""Of the least share: what words must reach for a brief text to be compared with a longer one by
its letters, by which longer texts are not looked up."""

ROUNDING = 1 - 1e-9


class Candidates(NamedTuple):
    """Pages that may be near-duplicates of a page, and the most of their shares of common text."""

    numbers: Integers
    shares: Array
    """By the measure of their scope, at most; 1 where no bound is known."""
    on_site: Bools


class Look:
    """Pages that have a page's runs: words or letters."""

    def __init__(self, runs: Integers, known: KnownPages, database: Database) -> None:
        self.runs = runs
        self._known, self._signatures = known, known.signatures
        self._places = self._signatures.places_of(runs)
        self.is_frequent: Bools = self._places >= 0
        rare = np.flatnonzero(~self.is_frequent)
        places, self._numbers = database.postings(runs[rare], len(known))
        self._rare = rare[places]

    def rare_sums(self, gains: Array) -> Array:
        """For every page of the index the sum of the gains of the rare runs that it has."""
        found = np.bincount(self._numbers, weights=gains[self._rare], minlength=len(self._known))
        return found.astype(np.float64, copy=False)

    def frequent_sums(self, gains: Array, pages: Integers) -> Array:
        """The same of frequent runs, for some pages."""
        held = self._signatures.has(pages, self._places[self.is_frequent])
        found: Array = held @ gains[self.is_frequent]
        return found

    def has(self, pages: Integers) -> Bools:
        """Some pages, in order, × runs: whether a page has a run."""
        found = np.zeros((len(pages), len(self.runs)), dtype=bool)
        found[:, self.is_frequent] = self._signatures.has(pages, self._places[self.is_frequent])
        rows = np.full(len(self._known), -1)
        rows[pages] = np.arange(len(pages))
        here = np.flatnonzero(rows[self._numbers] >= 0)
        found[rows[self._numbers[here]], self._rare[here]] = True
        return found


def look_up(features: Features, known: KnownPages, database: Database) -> dict[str, Look]:
    """The page's words and, where the index has brief pages, its letters."""
    has_brief = bool((known.columns["length"] < BRIEF).any())
    units = (WORDS, LETTERS) if has_brief else (WORDS,)
    return {unit: Look(features.runs[unit], known, database) for unit in units}


def find_candidates(
    features: Features, known: KnownPages, looks: dict[str, Look], least: float
) -> Candidates:
    """Pages that can share `least`, pages of its site that can share anything, and pages of its
    address, its text or, where one has no words, its name."""
    column = known.columns
    on_site = _equal(column["site"], features["site"])
    here = np.flatnonzero(on_site & (column["length"] > 0))
    named = np.flatnonzero(named_pages(features, column))
    numbers, shares = _off_site(features, known, looks, least)
    apart = ~on_site[numbers]
    most = np.zeros(len(known))
    most[numbers[apart]] = shares[apart]
    most[here] = site_shares(features, known, looks, here, exactly=len(here) <= FEW_ON_SITE)
    most[named] = 1.0
    found = np.flatnonzero(most)
    return Candidates(found, most[found], on_site[found])


def _equal(values: Integers, code: int) -> Bools:
    found: Bools = (values == code) & (code != 0)
    return found


def named_pages(features: Features, column: dict[str, Integers]) -> Bools:
    """Pages with the same text or address and, where one has no words, title or file name."""
    same = _equal(column["text"], features["text"]) | _equal(column["address"], features["address"])
    by_name = _equal(column["title"], features["title"]) | _equal(column["name"], features["name"])
    found: Bools = same | (by_name & ((column["length"] == 0) | (features["length"] == 0)))
    return found


class _Sought(NamedTuple):
    """How much the runs that are looked up can add to the shared weight of a unit."""

    unit: str
    look: Look
    gains: Array
    whole: float
    """Weight of the page's own text."""

    def most_frequent(self, known: KnownPages) -> Array:
        """What frequent runs can add at most: no more than either text has."""
        frequent = self.gains[self.look.is_frequent].sum()
        of_words = self.unit == THREE_WORDS  # which count for frequent words
        most = np.inf if of_words else known.bounds(self.unit).frequent
        found: Array = np.minimum(frequent, most)
        return found


def _seek(features: Features, known: KnownPages, looks: dict[str, Look]) -> Iterable[_Sought]:
    """By each unit by which the page is compared with pages of other sites."""
    for unit in (WORDS, LETTERS, THREE_WORDS):
        look = looks.get(WORDS if unit == THREE_WORDS else unit)
        is_short = features["length"] <= OFF_SITE.shortest(THREE_WORDS)
        if look is None or (unit == THREE_WORDS and is_short):
            continue
        shared, own = background_of(features, known, unit).weights(draws_of("off_site", unit))
        gains = _gains(features, unit, look, shared)
        yield _Sought(unit, look, gains, max(float(own.sum()), 1.0))


def background_of(features: Features, known: KnownPages, unit: str) -> Background:
    """How many documents of the index and the page contain each of its runs."""
    frequency, count = known.census.with_page(features, features.runs[unit])
    listed = features.runs[unit] & 1 == 1 if unit == FIVE_WORDS else None
    return smooth(frequency, count, PRIOR, PRIOR, listed)


def _gains(features: Features, unit: str, look: Look, weights: Array) -> Array:
    """What each word or letter run that is looked up adds to the weight of common runs at most.

    A run of several words counts for one of them, a rare one where there is any.
    """
    if unit in (WORDS, LETTERS):
        return weights
    words = _first_words(features, unit)
    rarer = look.is_frequent[words].argmin(axis=1)
    held = words[np.arange(len(words)), rarer]
    return np.bincount(held, weights=weights, minlength=len(look.runs)).astype(np.float64)


def _first_words(features: Features, unit: str) -> Integers:
    """For each run of a unit the places of its words, but the last, among the distinct words.

    Signs of scripts without spaces are looked up together with the next one, which for the last
    is no part of the run.
    """
    words = np.searchsorted(features.runs[WORDS], features.in_order[WORDS])
    _, first = np.unique(features.in_order[unit], return_index=True)
    length = 3 if unit == THREE_WORDS else LONG_RUN
    found: Integers = words[np.minimum(first[:, None] + np.arange(length - 1), len(words) - 1)]
    return found


def _off_site(
    features: Features, known: KnownPages, looks: dict[str, Look], least: float
) -> tuple[Integers, Array]:
    """Pages that can share enough with the page where they are on another site, and how much."""
    sought = list(_seek(features, known, looks))
    lengths, brief = known.columns["length"], features["length"] < BRIEF
    shorter = np.minimum(lengths, features["length"])
    sums = [one.look.rare_sums(one.gains) for one in sought]
    share = np.zeros(len(known))
    for one, rare in zip(sought, sums, strict=True):
        share += _part(one, rare + one.most_frequent(known), shorter, known.bounds(one.unit).weight)
    if brief:
        words, rare = sought[0], sums[0]
        longer = _share_of_longer(words, rare + words.most_frequent(known), known.columns[WORDS])
        share = np.where(lengths < BRIEF, share, longer / BRIEF_SHARE)
    pages = np.flatnonzero((share >= least * ROUNDING) & (lengths > 0))
    share, shorter = np.zeros(len(pages)), shorter[pages]
    for one, rare in zip(sought, sums, strict=True):
        credit = rare[pages] + one.look.frequent_sums(one.gains, pages)
        share += _part(one, credit, shorter, known.bounds(one.unit).weight[pages])
        if brief and one.unit == WORDS:
            longer = _share_of_longer(one, credit, known.columns[WORDS][pages])
    if brief:
        longer *= (lengths[pages] >= BRIEF) & (longer >= BRIEF_SHARE * least * ROUNDING)
        best = np.argsort(-longer, kind="stable")[:MAX_LONGER]
        share *= lengths[pages] < BRIEF
        share[best] = np.where(longer[best] > 0, 1.0, share[best])
    kept = (share > 0) & (share >= least * ROUNDING)
    return pages[kept], share[kept]


def _part(one: _Sought, common: Array, shorter: Integers, weights: Integers) -> Array:
    """What a unit adds to the share of pairs of whole weights that have so much in common."""
    of_unit = OFF_SITE.weight(one.unit, np.arange(shorter.max(initial=0) + 1.0))
    whole = _mean_weights(one.whole, UNITS * np.arange(int(weights.max(initial=0)) + 1.0))
    found: Array = of_unit[shorter] * np.minimum(common / whole[weights], 1.0)
    return found


def _share_of_longer(one: _Sought, common: Array, sizes: Integers) -> Array:
    """The share of words of a brief text and longer ones, whose words have the lowest weight."""
    lowest = float(rarity_weights(np.array([1.0]), draws_of("off_site", one.unit))[0])
    whole = _mean_weights(one.whole, lowest * np.arange(int(sizes.max(initial=0)) + 1.0))
    return np.minimum(common / whole[sizes], 1.0)


def _mean_weights(one: float, others: Array) -> Array:
    """What the shared weight is divided by for the `weighted_share` of texts of such weights."""
    others = np.maximum(others, 1.0)
    return 1 / weighted_share(1 / others, np.full(len(others), 1 / one))


def site_shares(
    features: Features,
    known: KnownPages,
    looks: dict[str, Look],
    pages: Integers,
    *,
    exactly: bool,
    site: SiteDocuments | None = None,
) -> Array:
    """The most that pages of its site, in order, can share with the page.

    Frequent words that each page has are taken from its signature only where `exactly`. The weight
    of a run is bounded by the number of the site's documents, unless `site` has counted them.
    """
    share = np.zeros(len(pages))
    if not len(pages) or not features["length"]:
        return share  # none is empty, so none shares anything
    titles, lengths = known.columns["title"][pages], known.columns["length"][pages]
    untitled = (titles == 0) & (features["title"] == 0)
    shorter = np.minimum(lengths, features["length"])
    documents = len(site_sample(features, known.columns)) + 1
    for scale, among in ((ON_SITE, ~untitled), (UNTITLED, untitled)):
        for unit in dict.fromkeys(scale.units):
            weight = scale.weight(unit, shorter) * among
            look = looks.get(LETTERS if unit == LETTERS else WORDS)
            if not weight.any():
                continue
            most = np.ones(len(pages))
            if look is not None:
                weights = _site_weights(features, known, unit, documents, site)
                most = _most_on_site(features, unit, look, weights, pages, exactly)
            if unit == LETTERS:
                most[lengths >= BRIEF] = 1.0  # they are not looked up by letters
            share += weight * scale.rescale(unit, most)
    return share if exactly else np.minimum(share, ROUNDING)


def _site_weights(
    features: Features, known: KnownPages, unit: str, documents: int, site: SiteDocuments | None
) -> tuple[Array, Array]:
    """Weight of each run at most where a pair shares it, and at least where one page has it."""
    whole = background_of(features, known, unit)
    draws = draws_of("on_site", unit)
    if site is not None:
        return site.against(whole, unit, features.runs[unit]).weights(draws)
    fewest, most = np.full(len(whole.listed), 2.0), np.full(len(whole.listed), float(documents))
    return (
        whole.on_site(fewest, documents).weights(draws)[0],
        whole.on_site(most, documents).own_weights(draws),
    )


def _most_on_site(
    features: Features,
    unit: str,
    look: Look,
    weights: tuple[Array, Array],
    pages: Integers,
    exactly: bool,
) -> Array:
    shared, own = weights
    if exactly:
        has = look.has(pages)
        if unit == FIVE_WORDS:
            words = _first_words(features, unit)
            has = np.logical_and.reduce([has[:, place] for place in words.T])
        common, own_common = has @ shared, has @ own
    else:
        gains = _gains(features, unit, look, shared)
        common = own_common = look.rare_sums(gains)[pages] + gains[look.is_frequent].sum()
    apart = np.maximum(own.sum() - own_common, 0.0)
    found: Array = common / np.maximum(common + apart, 1.0)
    return found ** (1 - LESSER)
