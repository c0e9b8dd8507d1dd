"""Scores of one page with some pages of an index, by the engine's own measures.

The measures read the frequency of runs, titles, file names and addresses from the page set. Here
they are those of the whole index and the page, not of the few pages that are compared.
"""

from collections.abc import Sequence

import numpy as np

from reducepp.index.census import Census
from reducepp.index.features import UNITS, Features, columns_of, run_codes, word_codes
from reducepp.similarity.combine import score_values
from reducepp.similarity.compare import compare_set
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import FULL_TEXT, MAX_COPIES, documents_of, sites_of
from reducepp.similarity.measures.rare_equality import rarity_of_key
from reducepp.similarity.measures.rare_runs import FIVE_WORDS, SCALES
from reducepp.similarity.pairs import Integers, PairList
from reducepp.similarity.run_weights import PRIOR, Runs, document_frequency, smooth
from reducepp.similarity.shingles import coded_membership, distinct
from reducepp.similarity.sparse import keep_rows
from reducepp.types import Array, Page, Profile

SITE_SAMPLE = 50
"""Documents of the page's site by which the frequency of runs on that site is counted."""

KEYS = {"title": "name", "file_name": "title"}
"""Keys that `rare_same` compares by rarity, and with which other key a holder counts once."""


def site_sample(features: Features, table: Integers) -> Integers:
    """Pages of the documents with the smallest codes on the page's site."""
    column = columns_of(table)
    on_site = np.flatnonzero((column["site"] == features["site"]) & (features["site"] != 0))
    documents = column["document"][on_site]
    chosen = np.unique(documents)[:SITE_SAMPLE]
    return on_site[np.isin(documents, chosen)]


def score_pages(
    pages: Sequence[Page],
    sampled: Sequence[bool],
    features: Features,
    table: Integers,
    census: Census,
    profile: Profile,
) -> tuple[Array, dict[str, Array]]:
    """Scores and similarities of the first page with each of the others.

    `sampled` marks the pages by which the frequency of runs on a site is counted: the first page
    and the sample of its site.
    """
    page_set = PageSet(pages, prepare=profile.prepare)
    chosen = np.flatnonzero(sampled)
    for unit in _units(page_set):
        runs = _runs(page_set, unit, features, census)
        page_set.shared["runs in set", FULL_TEXT, unit] = runs
        page_set.shared["runs in sites", FULL_TEXT, unit] = _on_site(page_set, runs, chosen)
    for key in KEYS:
        page_set.shared["rarity", key] = np.full(len(pages), _rarity(key, features, table))
    states = np.full(len(pages), _is_state(features, table, "address"))
    page_set.shared["states of addresses",] = states
    others = np.arange(1, len(pages), dtype=np.int64)
    pairs = PairList(len(pages), np.zeros_like(others), others)
    found = compare_set(page_set.on(pairs), profile).by_signal
    listed = {name: values[: len(others)] for name, values in found.items()}
    return score_values(listed, profile), listed


def _units(page_set: PageSet) -> list[str]:
    """Units that have weight for a pair of the first page and another."""
    lengths, sites = page_set.texts(FULL_TEXT, "plain").lengths, sites_of(page_set)
    shorter, on_site = (
        np.minimum(lengths[1:], lengths[0]),
        (sites[1:] == sites[0]) & (sites[0] >= 0),
    )
    here, elsewhere = shorter[on_site], shorter[~on_site]
    among = {"on_site": here, "untitled": here, "off_site": elsewhere}
    needed = {u for name, s in SCALES.items() for u in s.units if s.weight(u, among[name]).any()}
    return [unit for unit in UNITS if unit in needed]


def _runs(page_set: PageSet, unit: str, features: Features, census: Census) -> Runs:
    texts = page_set.texts(FULL_TEXT, "plain")
    numbers = page_set.once(("word codes",), lambda: word_codes(texts))
    rows, codes = run_codes(texts, numbers, unit)
    matrix, known = coded_membership(rows, codes, len(page_set.pages))
    frequency, count = census.with_page(features, known)
    frequency = frequency if len(frequency) else np.zeros(1)
    prior = np.full(len(frequency), PRIOR)
    listed = known & 1 == 1 if unit == FIVE_WORDS and len(known) else None
    background = smooth(frequency, np.full(len(frequency), count), prior, prior, listed)
    return Runs(matrix=matrix, background=background)


def _on_site(page_set: PageSet, runs: Runs, chosen: Integers) -> Runs:
    """The same runs against the chosen documents of the first page's site."""
    sites, documents = sites_of(page_set), documents_of(page_set)[chosen]
    matrix = keep_rows(runs.matrix, (sites == sites[0]) & (sites >= 0))
    frequency = document_frequency(matrix[chosen], documents)
    count = np.full(len(frequency), len(distinct(documents)))
    prior = runs.background
    background = smooth(frequency, count, prior.beyond_two, prior.beyond_one, prior.listed)
    return Runs(matrix=matrix, background=background)


def _rarity(key: str, features: Features, table: Integers) -> float:
    """Rarity of the page's key in the index and the page; other pages' are not compared."""
    name, columns = "name" if key == "file_name" else key, columns_of(table)
    if not features[name]:
        return 1.0
    if key == "file_name" and _is_state(features, table, "site", "name"):
        return 0.0
    held = columns[name] == features[name]
    others = np.append(columns[KEYS[key]][held], features[KEYS[key]])
    holders = len(np.unique(others[others != 0])) + int((others == 0).sum())
    count = max(holders, len(others) - MAX_COPIES)
    return float(rarity_of_key(np.array([count]), len(table) + 1)[0])


def _is_state(features: Features, table: Integers, *keys: str) -> bool:
    """Whether MAX_COPIES pages or more of the index have all these keys of the page."""
    columns = columns_of(table)
    held = np.all([columns[key] == features[key] for key in keys], axis=0)
    return int(np.count_nonzero(held)) >= MAX_COPIES
