"""Whether two pages have the same title, file name or address, by how rare that is in the set."""

import numpy as np

from reducepp.similarity.contents import Contents, PageSet, made_once
from reducepp.similarity.documents import (
    MAX_COPIES,
    addresses_of,
    file_names_of,
    is_one_program,
    same_key,
    sites_of,
    snippets_of,
    titles_of,
)
from reducepp.similarity.measures.feature_sets import check_option
from reducepp.similarity.measures.same_page import bare_texts_of
from reducepp.similarity.pairs import Pairs
from reducepp.similarity.run_weights import PRIOR
from reducepp.similarity.shingles import distinct
from reducepp.types import Array, Bools, Integers

KEYS = ("title", "file_name", "address")
PSEUDOCOUNT = 50.0
"""Pages that the prior stands for, against the pages of the set."""
DECIMALS = 12
TITLE_ALONE = 0.6
"""`other_name` of pages without addresses, which may be copies from other sites under other titles.
On 30 sets of such pages in two versions 1, 0.6 and 0.3 leave F1 at .944, .932 and .916 (.908
without), on three sets of news at .955, .980 and .986."""


def rare_same(contents: Contents, *, key: str = "title") -> Array:
    """1 where two pages share a key that no other document has, less the more have it; else 0.

    `title` compares the words of the title. `file_name` compares the last part of the address
    within one site, NaN across sites and for two answers of one program. `address` is 1 for equal
    canonical addresses, however many pages have it, and else NaN, as a difference is no evidence.
    More than MAX_COPIES pages of one address, or of one file name on a site, are states of one
    program: NaN and 0 for them. Two bare texts of one address may be chunks of it: NaN too.
    NaN for a page without the key. The rarity depends on the other pages of the set.
    """
    check_option("rare_same", "key", key, dict.fromkeys(KEYS))
    page_set, pairs = contents.page_set, contents.pairs
    if key == "address":
        return _same_address(page_set, pairs)
    if key == "title":
        return _rare_equality(pairs, titles_of(page_set), title_rarity(page_set))
    names, sites = file_names_of(page_set), sites_of(page_set)
    found = _rare_equality(pairs, names, name_rarity(page_set))
    on_site = pairs.first(sites) == pairs.second(sites)
    return np.where(on_site & ~is_one_program(page_set, pairs), found, np.nan)


def other_name(contents: Contents) -> Array:
    """1 for two pages of one site with other titles and other file names, TITLE_ALONE for two with
    other titles and without addresses, else NaN; less for one title that many pages have.

    One page under two addresses, or in two versions, mostly keeps one of the two. A description
    of a pair of different pages: NaN for a page with itself, and where one has no title, or an
    address without a file name.
    """
    page_set, pairs = contents.page_set, contents.pairs
    titles, names, addresses = titles_of(page_set), file_names_of(page_set), addresses_of(page_set)
    first, second = pairs.first(names), pairs.second(names)
    other_file = (first >= 0) & (second >= 0) & (first != second)
    unaddressed = (pairs.first(addresses) < 0) & (pairs.second(addresses) < 0) & ~pairs.is_own()
    titled = (pairs.first(titles) >= 0) & (pairs.second(titles) >= 0)
    found = same_key(pairs, sites_of(page_set)) & titled & (other_file | unaddressed)
    shared = same_key(pairs, titles) * pairs.first(title_rarity(page_set))
    most = np.where(unaddressed, TITLE_ALONE, 1.0)
    return np.where(found & (shared < 1), most * (1.0 - shared), np.nan)


@made_once
def title_rarity(page_set: PageSet) -> Array:
    """Rarity of each page's title, as `rare_same` has it."""
    return _rarity(titles_of(page_set), file_names_of(page_set))


@made_once
def name_rarity(page_set: PageSet) -> Array:
    """Rarity of each page's file name, as `rare_same` has it."""
    names = file_names_of(page_set)
    return _rarity(names, titles_of(page_set)) * ~_states(sites_of(page_set), names)


@made_once
def address_states(page_set: PageSet) -> Bools:
    """The whole pages of an address that too many have for one page."""
    return _states(addresses_of(page_set)) & ~snippets_of(page_set)


def _same_address(page_set: PageSet, pairs: Pairs) -> Array:
    addresses, parts = addresses_of(page_set), address_states(page_set) | bare_texts_of(page_set)
    apart = pairs.first(parts) & pairs.second(parts) & ~pairs.is_own()
    return np.where(same_key(pairs, addresses) & ~apart, 1.0, np.nan)


def _states(*keys: Integers) -> Bools:
    """The pages that have all their keys in common with MAX_COPIES others or more."""
    _, group, size = np.unique(np.stack(keys), axis=1, return_inverse=True, return_counts=True)
    found: Bools = size[group.ravel()] > MAX_COPIES  # numpy 2.0 gives `group` a second axis
    return found


def _rare_equality(pairs: Pairs, keys: Integers, rarity: Array) -> Array:
    equal: Array = (pairs.first(keys) == pairs.second(keys)) * pairs.first(rarity)
    equal[pairs.is_own()] = 1.0
    return pairs.blank(equal, keys < 0)


def _rarity(keys: Integers, others: Integers) -> Array:
    """Rarity of each page's key; pages with the same key and the same other key count once.

    More than MAX_COPIES pages with one key are states of one program, and those beyond count each.
    """
    count = np.maximum(_holders(keys, others), np.bincount(keys + 1)[keys + 1] - MAX_COPIES)
    return rarity_of_key(count, len(keys))


def rarity_of_key(count: Integers, pages: int) -> Array:
    """1 for a key that `count` of the pages have where no other page has it, less the more do."""
    whole = max(pages - 2, 0) + PSEUDOCOUNT
    share = (np.maximum(count - 2, 0) + PSEUDOCOUNT * PRIOR) / whole
    rarity: Array = np.clip(np.log(share) / np.log(PRIOR), 0.0, 1.0).round(DECIMALS)
    return rarity


def _holders(keys: Integers, others: Integers) -> Integers:
    """How many distinct others each page's key occurs with; an absent other is distinct."""
    absent = others < 0
    apart = np.where(absent, len(keys) + np.arange(len(keys)), others)
    width = 2 * len(keys) + 1
    cells = distinct((keys + 1) * width + apart)
    found: Integers = np.bincount(cells // width, minlength=len(keys) + 1)[keys + 1]
    return found
