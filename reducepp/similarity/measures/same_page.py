"""What settles a pair whatever else is similar: equal texts, and results of one site."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.similarity.documents import FULL_TEXT, addresses_of, sites_of, texts_of
from reducepp.types import Array, Page

MAX_SNIPPET_WORDS = 60
"""Words of a search result's snippet at most: engines show two or three lines."""


def same_text(contents: Contents, *, least: int = 40) -> Array:
    """1 where two pages have the same words in the same order, else NaN.

    For two addresses of one site this needs `least` words: shorter texts are notices and
    descriptions that many pages of a site show.
    """
    pairs, page_set = contents.pairs, contents.page_set
    codes, sites = texts_of(page_set), sites_of(page_set)
    equal = (pairs.first(codes) == pairs.second(codes)) & (pairs.first(codes) >= 0)
    on_site = (pairs.first(sites) == pairs.second(sites)) & (pairs.first(sites) >= 0)
    brief = page_set.texts(FULL_TEXT, "plain").lengths < least
    addresses = addresses_of(page_set)
    notice = on_site & pairs.first(brief) & (pairs.first(addresses) != pairs.second(addresses))
    return pairs.blank(np.where(equal & ~notice, 1.0, np.nan), codes < 0)


def other_result(contents: Contents) -> Array:
    """1 for two search results of one site with different addresses, else NaN.

    A result has a title and no more than a snippet. A site shows one snippet for many of its
    pages, so an equal snippet is little evidence there. This describes a pair and is no
    similarity: it is NaN for a page with itself.
    """
    pairs, page_set = contents.pairs, contents.page_set
    lengths = page_set.texts(FULL_TEXT, "plain").lengths.tolist()
    result = np.array([_is_result(p, n) for p, n in zip(page_set.pages, lengths, strict=True)])
    sites, addresses = sites_of(page_set), addresses_of(page_set)
    other = (pairs.first(sites) == pairs.second(sites)) & (pairs.first(sites) >= 0)
    other &= pairs.first(addresses) != pairs.second(addresses)
    both = pairs.first(result.astype(bool)) & pairs.second(result.astype(bool))
    return np.where(other & both, 1.0, np.nan)


def _is_result(page: Page, words: int) -> bool:
    structured = page.subtitles or page.links or page.visible or page.rendered_body
    return bool(page.page_title and words <= MAX_SNIPPET_WORDS and not structured)
