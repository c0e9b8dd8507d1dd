"""Signals that decide a pair alone: equal texts, search results of two pages, and a page without
content beside one with content."""

import numpy as np

from reducepp.similarity.contents import (
    Contents,
    PageSet,
    is_brief,
    is_snippet,
    is_structured,
    made_once,
)
from reducepp.similarity.documents import (
    FULL_TEXT,
    addresses_of,
    same_key,
    sites_of,
    snippets_of,
    texts_of,
    titles_of,
)
from reducepp.similarity.measures.feature_sets import common_weight
from reducepp.text.tokenise import words
from reducepp.types import HAS_CONTENT, Array, Bools, Page

MAX_RESULT_WORDS = 80
"""Words of a search result's title and snippet at most: engines show two or three lines."""
OF_HOME = 0.14
"""Value for a pair of which one page is a home page: below 1, as some sites have two."""
MIN_TITLE_SHARE = 0.5
"""Words of the shorter title that two results of one text share at least; sites add their name."""


MIN_COPY_WORDS = 40
"""Words from which on equal texts of two addresses of one site are one page."""


def same_text(contents: Contents, *, least: int = MIN_COPY_WORDS) -> Array:
    """1 where two pages have the same words in the same order, else NaN.

    For two addresses of one site this needs `least` words: shorter texts are notices and
    descriptions that many pages of a site show. Search results of two pages (`other_result`) may
    show the same notice.
    """
    pairs, page_set = contents.pairs, contents.page_set
    codes, addresses = texts_of(page_set), addresses_of(page_set)
    equal, on_site = same_key(pairs, codes), same_key(pairs, sites_of(page_set))
    brief = page_set.texts(FULL_TEXT, "plain").lengths < least
    notice = on_site & pairs.first(brief) & (pairs.first(addresses) != pairs.second(addresses))
    notice |= ~np.isnan(_other_results(contents))
    return pairs.blank(np.where(equal & ~notice, 1.0, np.nan), codes < 0)


def other_result(contents: Contents) -> Array:
    """1 for two search results of different pages, else NaN.

    A result has a title and no more than a snippet. Snippets are often notices, or one description
    of a whole site. So two results with different addresses are other pages where they are on one
    site and both texts are snippets, or as short and cut off, or the titles differ; elsewhere where
    both texts are snippets and the titles have little in common, or where neither has a text or
    both texts are walls, as a cookie notice is, and the titles differ. No similarity but a
    description of a pair: NaN for a page with itself.
    """
    return _other_results(contents).copy()


def _other_results(contents: Contents) -> Array:
    """`other_result`, found once for the two measures that need it."""
    shared, pairs = contents.page_set.shared, contents.pairs
    known = shared.get("other results")
    if known is None or known[0] is not pairs:
        known = shared["other results"] = (pairs, _find_other_results(contents))
    found: Array = known[1]
    return found


def _find_other_results(contents: Contents) -> Array:
    pairs, page_set = contents.pairs, contents.page_set
    result = results_of(page_set)
    found = np.full(np.broadcast(pairs.first(result), pairs.second(result)).shape, np.nan)
    if not result.any():
        return found
    addresses, titles = addresses_of(page_set), titles_of(page_set)
    retitled = pairs.first(titles) != pairs.second(titles)
    excerpt = excerpts_of(page_set)
    excerpts = pairs.first(excerpt) & pairs.second(excerpt)
    on_site = same_key(pairs, sites_of(page_set)) & (retitled | excerpts)
    other = pairs.first(addresses) != pairs.second(addresses)
    other = other & pairs.first(result) & pairs.second(result) & ~pairs.is_own()
    notice = excerpts & _unlike_titles(contents) if excerpt.any() else excerpts
    walls = np.array([name not in HAS_CONTENT for name in page_set.values("content_class")])
    mute = walls | (snippets_of(page_set) & ~excerpt)
    notice = notice | (pairs.first(mute) & pairs.second(mute) & retitled)
    found[other & (on_site | notice)] = 1.0
    return found


def other_class(contents: Contents) -> Array:
    """1 for two pages of different content classes, OF_HOME where one is a home page, else NaN.

    Walls and error pages share notices with pages of content, home pages menus and teasers. No
    similarity but a description of a pair: NaN for a page with itself.
    """
    pairs = contents.pairs
    numbers = {name: number for number, name in enumerate(("home", *contents.values))}
    classes = np.array([numbers[name] for name in contents.values], dtype=np.int64)
    first, second = pairs.first(classes), pairs.second(classes)
    home = (first == numbers["home"]) | (second == numbers["home"])
    found: Array = np.where(first != second, np.where(home, OF_HOME, 1.0), np.nan)
    return found


def _unlike_titles(contents: Contents) -> Array:
    """Where two titles share less than MIN_TITLE_SHARE of the shorter one's words."""
    pairs = contents.pairs
    sets = [set(words(page.page_title, digits=True)) for page in contents.page_set.pages]
    sizes = np.array([len(one) for one in sets], dtype=np.float64)
    shorter = np.minimum(pairs.first(sizes), pairs.second(sizes))
    unlike: Array = common_weight(pairs, sets) < MIN_TITLE_SHARE * shorter
    return unlike


@made_once
def excerpts_of(page_set: PageSet) -> Bools:
    """Whether each page is a title and a snippet, or a short text that was cut off."""
    return np.array([_is_excerpt(page) for page in page_set.pages], dtype=bool)


def _is_excerpt(page: Page) -> bool:
    ends = page.body.rstrip().endswith(("...", "…"))
    return (is_snippet(page) and bool(page.snippet)) or (ends and is_brief(page))


@made_once
def results_of(page_set: PageSet) -> Bools:
    """Whether each page has a title and no more text than a search result."""
    short = page_set.texts(FULL_TEXT, "plain").lengths <= MAX_RESULT_WORDS
    titled = [bool(page.page_title) and not is_structured(page) for page in page_set.pages]
    found: Bools = short & np.array(titled, dtype=bool)
    return found


@made_once
def bare_texts_of(page_set: PageSet) -> Bools:
    """Whether each page is a text with content, split from no document and longer than a result:
    it may be a chunk of the page whose address it has, or an item that this page lists."""
    filled = page_set.texts(FULL_TEXT, "plain").lengths > 0
    bare = [p.content_class in HAS_CONTENT and not is_structured(p) for p in page_set.pages]
    found: Bools = filled & np.array(bare, dtype=bool) & ~results_of(page_set)
    return found & ~snippets_of(page_set)
