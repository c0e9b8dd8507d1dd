"""Scores of one page with some pages of an index, by the engine's own measures.

The measures read the frequency of runs, titles, file names and addresses from the page set. Here
they are those of the whole index and the page, not of the few pages that are compared.
"""

from collections.abc import Callable, Sequence

import numpy as np

from reducepp.index.features import UNITS, Features, run_codes, word_codes
from reducepp.index.known_pages import KnownPages
from reducepp.index.lookup import Candidates
from reducepp.index.site_documents import SITE_UNITS, SiteDocuments
from reducepp.similarity.combine import score_values
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import FULL_TEXT, MAX_COPIES, number_keys, parts_of_addresses
from reducepp.similarity.measures.rare_equality import (
    address_states,
    name_rarity,
    rarity_of_key,
    title_rarity,
)
from reducepp.similarity.measures.rare_runs import FIVE_WORDS, SCALES, set_runs, site_runs
from reducepp.similarity.pairs import PairList
from reducepp.similarity.run_weights import PRIOR, Runs, smooth
from reducepp.similarity.score_matrix import score_listed
from reducepp.similarity.shingles import coded_membership
from reducepp.similarity.sparse import keep_rows
from reducepp.text.urls import site_name
from reducepp.types import Array, Bools, Integers, Page, Profile

RARITIES = ((title_rarity, "title", "name"), (name_rarity, "name", "title"))
"""Rarities of keys, the column of the key, and that of the other key with which a holder counts
once."""


def most_scores(
    features: Features, column: dict[str, Integers], found: Candidates, profile: Profile
) -> Array:
    """The most that candidates, of which `column` has the rows, can score with the page.

    Signals that only lower a score are left out but `other_name`, which the codes decide.
    """

    def compare(test: Callable[[Integers, int], Bools], name: str) -> Bools:
        given: Bools = (column[name] != 0) & (features[name] != 0)
        return test(column[name], features[name]) & given

    untitled = (column["title"] == 0) & (features["title"] == 0)
    wordless = (column["length"] == 0) | (features["length"] == 0)
    scopes = np.where(found.on_site, np.where(untitled, "untitled", "on_site"), "off_site")
    other = compare(np.not_equal, "title") & compare(np.not_equal, "name") & found.on_site
    known = {
        "page_title": compare(np.equal, "title"),
        "file_name": compare(np.equal, "name") & found.on_site,
        "address": compare(np.equal, "address"),
        "same_text": compare(np.equal, "text"),
        "other_name": other,
    }
    most: dict[str, Array] = {}
    for signal in profile.signals:
        if signal.measure == "rare_runs":
            here = (scopes == signal.options["scope"]) & ~wordless
            most[signal.name] = np.where(here, found.shares, np.nan)
        else:
            least = float(profile.model["coefficients"][signal.name] > 0)
            values = known.get(signal.name, np.full(len(other), least))
            most[signal.name] = values.astype(np.float64)
    return score_values(most, profile)


def score_pages(
    pages: Sequence[Page],
    features: Features,
    index: KnownPages,
    profile: Profile,
    site: Callable[[], SiteDocuments],
) -> Array:
    """Scores of the first page with each of the others.

    `site` has the documents of its site, which are needed where another page is of that site.
    Texts without an address are compared as those of different sites: their one site would be
    nearly the whole index.
    """
    page_set = PageSet(pages, prepare=profile.prepare)
    sites = number_keys([site_name(page.url) for page in pages])
    known = page_set.shared
    known[parts_of_addresses,] = (sites, *parts_of_addresses(page_set)[1:])
    on_site = (sites[1:] == sites[0]) & (sites[0] >= 0)
    for unit in _units(page_set, on_site):
        runs, codes = _runs(page_set, unit, features, index)
        known[FULL_TEXT, set_runs, unit] = runs
        if on_site.any() and unit in SITE_UNITS:
            matrix = keep_rows(runs.matrix, (sites == sites[0]) & (sites >= 0))
            background = site().against(runs.background, unit, codes)
            known[FULL_TEXT, site_runs, unit] = Runs(matrix=matrix, background=background)
    for rarity_of, name, other in RARITIES:
        rarity = _rarity(name, other, features, index.columns)
        known[rarity_of,] = np.full(len(pages), rarity)
    known[address_states,] = np.full(len(pages), _is_state(features, index.columns, "address"))
    others = np.arange(1, len(pages), dtype=np.int64)
    pairs = PairList(len(pages), np.zeros_like(others), others)
    return score_listed(page_set, profile, pairs)[1]


def _units(page_set: PageSet, on_site: Bools) -> list[str]:
    """Units that have weight for a pair of the first page and another."""
    lengths = page_set.texts(FULL_TEXT, "plain").lengths
    shorter = np.minimum(lengths[1:], lengths[0])
    here, elsewhere = shorter[on_site], shorter[~on_site]
    among = {"on_site": here, "untitled": here, "off_site": elsewhere}
    needed = {u for name, s in SCALES.items() for u in s.units if s.weight(u, among[name]).any()}
    return [unit for unit in UNITS if unit in needed]


def _runs(
    page_set: PageSet, unit: str, features: Features, known: KnownPages
) -> tuple[Runs, Integers]:
    """The runs of a unit against the documents of the index, and their codes."""
    texts = page_set.texts(FULL_TEXT, "plain")
    numbers = page_set.once(("word codes",), lambda: word_codes(texts))
    rows, codes = run_codes(texts, numbers, unit)
    matrix, columns = coded_membership(rows, codes, len(page_set.pages))
    frequency, count = known.census.with_page(features, columns)
    frequency = frequency if len(frequency) else np.zeros(1)
    prior = np.full(len(frequency), PRIOR)
    listed = columns & 1 == 1 if unit == FIVE_WORDS and len(columns) else None
    background = smooth(frequency, np.full(len(frequency), count), prior, prior, listed)
    return Runs(matrix=matrix, background=background), columns


def _rarity(key: str, other: str, features: Features, columns: dict[str, Integers]) -> float:
    """Rarity of the page's key in the index and the page; other pages' are not compared."""
    if not features[key]:
        return 1.0
    if key == "name" and _is_state(features, columns, "site", "name"):
        return 0.0
    held = columns[key] == features[key]
    others = np.append(columns[other][held], features[other])
    holders = len(np.unique(others[others != 0])) + int((others == 0).sum())
    count = max(holders, len(others) - MAX_COPIES)
    return float(rarity_of_key(np.array([count]), len(held) + 1)[0])


def _is_state(features: Features, columns: dict[str, Integers], *keys: str) -> bool:
    """Whether MAX_COPIES pages or more of the index have all these keys of the page."""
    held = np.all([columns[key] == features[key] for key in keys], axis=0)
    return int(np.count_nonzero(held)) >= MAX_COPIES
