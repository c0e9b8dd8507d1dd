"""Pages of an index that can reach a score with a page, from posting lists.

A pair of different sites reaches the least share t of common text only where, with the shared
weight B and the weights W and W' of both texts,

    weighted_share(min(1, B / W), min(1, B / W')) >= t

because the shares of the texts are B / (B + W - A), and A <= B. The weight of another page's text
is at least the lowest weight of a run times its distinct runs, whatever their frequency. B is at
most the weight of the page's words that the other one has too; a run of three words counts for the
rarer of its first two words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reducepp.index.census import Census
from reducepp.index.database import BRIEF, Database
from reducepp.index.features import (
    UNITS,
    Features,
    columns_of,
    run_codes,
    runs_of_texts,
    word_codes,
)
from reducepp.index.frequent_runs import add_up, are_frequent
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import FULL_TEXT
from reducepp.similarity.measures.rare_runs import (
    LETTERS,
    OF_WORDS,
    OFF_SITE,
    ON_SITE,
    THREE_WORDS,
    UNTITLED,
    WORDS,
)
from reducepp.similarity.pairs import Bools, Integers
from reducepp.similarity.run_weights import PRIOR, smooth, weighted_share
from reducepp.types import Array, Page

MAX_COMPARED = 200
"""Candidates that are scored; beyond, those that share most. An answer says how many there were."""

BRIEF_SHARE = 0.5
"""Of the least share: what words must reach for a brief text to be compared with a longer one by
its letters, by which longer texts are not looked up."""

ROUNDING = 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A page as it is looked up: how much each of its words and letters can add by unit."""

    runs: Integers
    """Words, or letters, that are looked up."""
    sizes: Integers
    """Pages that each leads to."""
    gains: dict[str, Array]
    """By unit: weight that a page shares at most where it has the run, one per run."""
    whole: dict[str, float]
    """By unit: weight of the page's own text."""


def find_candidates(
    page: Page,
    features: Features,
    database: Database,
    table: Integers,
    census: Census,
    least: float,
) -> tuple[Integers, int]:
    """Numbers of pages that can share `least` with the page, at most MAX_COMPARED; how many can.

    Pages of its site, of its address or with its text are candidates whatever they share.
    """
    column = columns_of(table)
    ranking = np.full(len(table), -np.inf)
    looks = [_look_by_words(page, features, census, _sizes(features, WORDS, database, table))]
    if (column["length"] < BRIEF).any():
        sizes = _sizes(features, LETTERS, database, table)
        looks.append(_look_by_letters(features, census, sizes))
    on_site = _equal(column["site"], features["site"])
    for look in looks:
        _rank(ranking, look, features, column, database, least, on_site)
    ranking[named_pages(features, column)] = np.inf
    found = np.flatnonzero(ranking > -np.inf)
    order = np.lexsort((column["document"][found], column["text"][found], -ranking[found]))
    return found[order][:MAX_COMPARED], len(found)


def sharing_pages(features: Features, pages: Sequence[Page], column: dict[str, Integers]) -> Bools:
    """Which pages of its site share a run by which they are compared with the page."""
    compared = {
        unit: np.array([unit in units for units in _site_units(features, column)]) for unit in UNITS
    }
    wanted = [unit for unit in UNITS if compared[unit].any()]
    texts = PageSet(pages).texts(FULL_TEXT, "plain")
    found = np.zeros(len(pages), dtype=bool)
    for unit, runs in runs_of_texts(texts, word_codes(texts), wanted).items():
        own = features.runs[unit]
        shared = [bool(np.isin(own, other, assume_unique=True).any()) for other in runs]
        found |= compared[unit] & np.array(shared)
    return found


def _site_units(features: Features, column: dict[str, Integers]) -> Iterator[list[str]]:
    """Units by which each page of its site is compared with the page."""
    for title, length in zip(column["title"].tolist(), column["length"].tolist(), strict=True):
        scale = ON_SITE if features["title"] or title else UNTITLED
        shorter = np.array([min(features["length"], length)])
        yield [unit for unit in scale.units if scale.weight(unit, shorter).any()]


def _equal(values: Integers, code: int) -> Bools:
    found: Bools = (values == code) & (code != 0)
    return found


def named_pages(features: Features, column: dict[str, Integers]) -> Bools:
    """Pages with the same text or address and, where one has no words, title or file name."""
    by_name = _equal(column["title"], features["title"]) | _equal(column["name"], features["name"])
    wordless = (column["length"] == 0) | (features["length"] == 0)
    same = _equal(column["text"], features["text"]) | _equal(column["address"], features["address"])
    found: Bools = same | (by_name & wordless)
    return found


def _weights(features: Features, census: Census, unit: str) -> tuple[Array, Array]:
    """Weight of the page's runs where another page shares them, and where none does."""
    frequency, count = census.with_page(features, features.runs[unit])
    prior = np.full(len(frequency), PRIOR)
    background = smooth(frequency, np.full(len(frequency), count), prior, prior)
    weighting = OF_WORDS if unit == WORDS else OFF_SITE.weighting
    return background.weights(weighting)


def _sizes(features: Features, unit: str, database: Database, table: Integers) -> Integers:
    """Pages that each run of a unit leads to."""
    return database.posting_sizes(features.runs[unit], len(table))


def _look_by_letters(features: Features, census: Census, sizes: Integers) -> Look:
    shared, own = _weights(features, census, LETTERS)
    runs = features.runs[LETTERS]
    return Look(
        runs=runs,
        sizes=sizes,
        gains={LETTERS: shared},
        whole={LETTERS: float(own.sum())},
    )


def _look_by_words(page: Page, features: Features, census: Census, sizes: Integers) -> Look:
    shared, own = _weights(features, census, WORDS)
    three, own_three = _weights(features, census, THREE_WORDS)
    runs = features.runs[WORDS]
    gains = np.zeros(len(runs))
    if _is_long(features):
        np.add.at(gains, _holders(page, features, sizes), three)
    return Look(
        runs=runs,
        sizes=sizes,
        gains={WORDS: shared, **({THREE_WORDS: gains} if _is_long(features) else {})},
        whole={WORDS: float(own.sum()), THREE_WORDS: float(own_three.sum())},
    )


def _is_long(features: Features) -> bool:
    """Whether a page is compared with any other by runs of three words."""
    return features["length"] > OFF_SITE.shortest(THREE_WORDS)


def _holders(page: Page, features: Features, sizes: Integers) -> Integers:
    """For each run of three words the place of the rarer of its first two words."""
    texts = PageSet([page]).texts(FULL_TEXT, "plain")
    numbers = word_codes(texts)
    places = np.searchsorted(features.runs[WORDS], run_codes(texts, numbers, WORDS)[1])
    codes = run_codes(texts, numbers, THREE_WORDS)[1]
    first = places[: len(codes)]
    second = places[1 : len(codes) + 1] if len(places) > len(codes) else first
    found = np.zeros(len(features.runs[THREE_WORDS]), dtype=np.int64)
    runs = np.searchsorted(features.runs[THREE_WORDS], codes)
    found[runs] = np.where(sizes[first] <= sizes[second], first, second)
    return found


def _rank(
    ranking: Array,
    look: Look,
    features: Features,
    column: dict[str, Integers],
    database: Database,
    least: float,
    on_site: Bools,
) -> None:
    """Raise the ranking of pages that can share enough, and of those on its site, by the share."""
    frequent = are_frequent(look.sizes, len(ranking))
    rare = np.flatnonzero(~frequent & (look.sizes > 0))
    places, sizes, numbers = database.postings(look.runs[rare])
    common = database.frequent_runs.codes_of(look.runs[frequent], len(ranking))
    for unit, gains in look.gains.items():
        weights = np.repeat(gains[rare][places], sizes)
        listed = np.bincount(numbers, weights=weights, minlength=len(ranking))
        credit = listed + add_up(gains[frequent], common)
        shares = _most_of_each(credit, look.whole[unit], unit, column)
        likely = on_site | (np.maximum(*shares) >= BRIEF_SHARE * least * ROUNDING)
        share = np.zeros(len(ranking))  # no share of a pair is more than the larger of its texts'
        share[likely] = weighted_share(*(part[likely] for part in shares))
        longer = (column["length"] >= BRIEF) & (features["length"] < BRIEF) & (unit == WORDS)
        needed = np.where(longer, BRIEF_SHARE * least, least) * ROUNDING
        enough = (share >= needed) & (credit > 0) & _compared(unit, features, column)
        np.maximum(ranking, np.where(enough | on_site, share, -np.inf), out=ranking)


def _most_of_each(
    credit: Array, own: float, unit: str, column: dict[str, Integers]
) -> tuple[Array, Array]:
    """Shares of the page's text and of the others' at most, in [0, 1], where so much is common."""
    other = np.maximum(_lowest_weight(unit) * column[unit], 1e-9)
    return np.minimum(credit / max(own, 1e-9), 1.0), np.minimum(credit / other, 1.0)


def _lowest_weight(unit: str) -> float:
    weighting = OF_WORDS if unit == WORDS else OFF_SITE.weighting
    return float(weighting.weights(np.array([1.0]))[0])


def _compared(unit: str, features: Features, column: dict[str, Integers]) -> Bools:
    """Pages that are compared with the page by this unit, by the shorter of both texts."""
    shorter = np.minimum(column["length"], features["length"])
    found: Bools = (shorter > OFF_SITE.shortest(unit)) & (shorter < OFF_SITE.longest(unit))
    brief = (column["length"] >= BRIEF) & (features["length"] < BRIEF) & (unit == WORDS)
    return (found | brief) & (column["length"] > 0)
