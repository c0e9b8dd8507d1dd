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
from reducepp.index.known_pages import KnownPages, site_sample, weighting_of
from reducepp.similarity.measures.rare_runs import (
    FIVE_WORDS,
    LETTERS,
    OF_WORDS,
    OFF_SITE,
    ON_SITE,
    SCALES,
    THREE_WORDS,
    WORDS,
)
from reducepp.similarity.pairs import Bools, Integers
from reducepp.similarity.run_weights import (
    LESSER,
    PRIOR,
    UNITS,
    Background,
    smooth,
    weighted_share,
)
from reducepp.types import Array

MAX_LONGER = 200
"""Longer texts that a brief one is compared with, those that share most words."""

BRIEF_SHARE = 0.5
"""Of the least share: what words must reach for a brief text to be compared with a longer one by
its letters, by which longer texts are not looked up."""

ROUNDING = 1 - 1e-9


class Candidates(NamedTuple):
    """Pages that may be near-duplicates of a page, and the most of their shares of common text."""

    numbers: Integers
    shares: Array
    """By the measure of their scope, at most; 1 where nothing is known."""
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
        found: Array = np.bincount(
            self._numbers, weights=gains[self._rare], minlength=len(self._known)
        )
        return found

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
    """Pages that can share `least`, pages of its site that share anything, and pages of its
    address, its text or, where one has no words, its name."""
    column = known.columns
    on_site = _equal(column["site"], features["site"])
    named = np.flatnonzero(named_pages(features, column))
    numbers, shares = _off_site(features, known, looks, least)
    apart = ~on_site[numbers]
    here = np.flatnonzero(on_site & (column["length"] > 0))
    shares_here = _on_site(features, known, looks, here)
    sharing = shares_here > 0
    found = np.concatenate([numbers[apart], here[sharing], named])
    most = np.concatenate([shares[apart], shares_here[sharing], np.ones(len(named))])
    _, last = np.unique(found[::-1], return_index=True)
    kept = len(found) - 1 - last
    return Candidates(found[kept], most[kept], on_site[found[kept]])


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
        return np.minimum(frequent, known.bounds(self.unit).frequent)


def _seek(features: Features, known: KnownPages, looks: dict[str, Look]) -> Iterable[_Sought]:
    """By each unit by which the page is compared with pages of other sites."""
    for unit in (WORDS, LETTERS, THREE_WORDS):
        look = looks.get(WORDS if unit == THREE_WORDS else unit)
        if look is None or (unit == THREE_WORDS and not _is_long(features)):
            continue
        shared, own = background_of(features, known, unit).weights(weighting_of(unit))
        gains = shared
        if unit == THREE_WORDS:
            gains = np.zeros(len(look.runs))
            np.add.at(gains, _rarer_words(features, look), shared)
        yield _Sought(unit, look, gains, max(float(own.sum()), 1.0))


def _is_long(features: Features) -> bool:
    """Whether a page is compared with any other by runs of three words."""
    return features["length"] > OFF_SITE.shortest(THREE_WORDS)


def background_of(features: Features, known: KnownPages, unit: str) -> Background:
    """How many documents of the index and the page contain each of its runs."""
    frequency, count = known.census.with_page(features, features.runs[unit])
    listed = features.runs[unit] & 1 == 1 if unit == FIVE_WORDS else None
    return smooth(frequency, count, PRIOR, PRIOR, listed)


def _first_words(features: Features, unit: str, count: int) -> Integers:
    """For each run of a unit the places of its first words among the page's distinct words.

    All but the last, as signs of scripts without spaces are looked up together with the next one.
    """
    words = np.searchsorted(features.runs[WORDS], features.in_order[WORDS])
    _, first = np.unique(features.in_order[unit], return_index=True)
    return words[np.minimum(first[:, None] + np.arange(count), len(words) - 1)]


def _rarer_words(features: Features, look: Look) -> Integers:
    """For each run of three words the rarer of its first two."""
    pairs = _first_words(features, THREE_WORDS, 2)
    found: Integers = np.where(look.is_frequent[pairs[:, 0]], pairs[:, 1], pairs[:, 0])
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
    of_unit = OFF_SITE.weight(one.unit, np.arange(int(shorter.max(initial=0)) + 1))
    whole = _mean_weights(one.whole, UNITS * np.arange(int(weights.max(initial=0)) + 1.0))
    found: Array = of_unit[shorter] * np.minimum(common / whole[weights], 1.0)
    return found


def _share_of_longer(one: _Sought, common: Array, sizes: Integers) -> Array:
    """The share of words of a brief text and longer ones, whose words have the lowest weight."""
    lowest = float(weighting_of(one.unit).weights(np.array([1.0]))[0])
    whole = _mean_weights(one.whole, lowest * np.arange(int(sizes.max(initial=0)) + 1.0))
    return np.minimum(common / whole[sizes], 1.0)


def _mean_weights(one: float, others: Array) -> Array:
    """What the shared weight is divided by for the `weighted_share` of texts of such weights."""
    others = np.maximum(others, 1.0)
    return 1 / weighted_share(1 / others, np.full(len(others), 1 / one))


def _on_site(
    features: Features, known: KnownPages, looks: dict[str, Look], pages: Integers
) -> Array:
    """The most that pages of its site can share with the page."""
    if not len(pages) or not features["length"]:
        return np.zeros(len(pages))
    column = {name: known.columns[name][pages] for name in ("title", "length")}
    documents = len(site_sample(features, known.columns)) + 1
    has = {unit: look.has(pages) for unit, look in looks.items()}
    runs = _first_words(features, FIVE_WORDS, 4)
    has[FIVE_WORDS] = np.logical_and.reduce([has[WORDS][:, place] for place in runs.T])
    shorter = np.minimum(column["length"], features["length"])
    untitled = (column["title"] == 0) & (features["title"] == 0)
    most = {unit: _most_on_site(features, known, unit, documents, had) for unit, had in has.items()}
    is_brief = column["length"] < BRIEF
    most[LETTERS] = np.where(is_brief, most.get(LETTERS, np.ones(len(pages))), 1.0)
    parts = {
        name: sum(
            SCALES[name].weight(unit, shorter) * SCALES[name].rescale(unit, most[unit])
            for unit in dict.fromkeys(SCALES[name].units)
        )
        for name in ("on_site", "untitled")
    }
    return np.where(untitled, parts["untitled"], parts["on_site"])


def _most_on_site(
    features: Features, known: KnownPages, unit: str, documents: int, has: Bools
) -> Array:
    """The share at most of pages that have some of the page's runs, on a site of documents."""
    whole = background_of(features, known, unit)
    weighting = OF_WORDS if unit == WORDS else ON_SITE.weighting
    prior = (whole.beyond_two, whole.beyond_one, whole.listed)
    fewest, all_of_them = np.full(has.shape[1], 2.0), np.full(has.shape[1], float(documents))
    shared, _ = smooth(fewest, documents, *prior).weights(weighting)
    _, own = smooth(all_of_them, documents, *prior).weights(weighting)
    common = has @ shared
    found: Array = common / np.maximum(common + own.sum() - has @ own, 1.0)
    return found ** (1 - LESSER)
