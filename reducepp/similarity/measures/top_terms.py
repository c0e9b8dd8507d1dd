"""Overlap of the ranked lists of two texts' top tf-idf terms."""

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.contents import Contents, made_once
from reducepp.text.preparation import Texts
from reducepp.types import Array, Integers

TOP = 50
"""Terms compared per page; the number is illegible in the paper's scan."""


def top_terms(contents: Contents, *, top: int = TOP) -> Array:
    """Overlap of the two lists of top tf-idf terms, biased towards their tops; NaN without words.

    One minus the tf-idf distance of Huffman et al. (2007): the sum over terms of weight(a, b, w)
    over the same sum of the longer list with itself. weight(a, b, w) is 1 / max(pos(w, a),
    pos(w, b)) for a term of both lists, else 0: a move from first to second place costs 1/2, one
    from 49th to 50th next to nothing. idf is log(1 + pages / pages with the word).
    """
    if top < 1:
        raise UsageError(f"top = {top}: at least one term is needed")
    from scipy.sparse import csr_array

    texts = contents.texts()
    pages, words, places = _ranked(contents, top)
    shape = (texts.count, max(len(texts.vocabulary), 1))
    pairs = contents.pairs
    common: Array = np.zeros(())
    for place in range(1, top + 1):
        here = places <= place
        lists = csr_array((np.ones(here.sum()), (pages[here], words[here])), shape=shape)
        # 1/p is the sum of these steps over all places from p on, so both reach min(1/p, 1/q)
        step = 1 / place - 1 / (place + 1) if place < top else 1 / top
        common = common + pairs.products(lists) * step
    own = pairs.own(common)
    longer = np.maximum(pairs.first(own), pairs.second(own))
    similar = np.divide(common, longer, out=np.zeros_like(common), where=longer > 0)
    return pairs.blank(np.minimum(similar, 1.0), texts.lengths == 0)


@made_once
def _ranked(contents: Contents, top: int) -> tuple[Integers, Integers, Integers]:
    return ranked_terms(contents.texts(), top=top)


def ranked_terms(texts: Texts, *, top: int) -> tuple[Integers, Integers, Integers]:
    """Page, word and rank (from 1) of each page's top terms by tf-idf; ties in word order."""
    counts = texts.counts.tocoo()
    pages, words = counts.coords[0].astype(np.int64), counts.coords[1].astype(np.int64)
    having = np.bincount(words, minlength=len(texts.vocabulary))
    scores = counts.data * np.log1p(texts.count / having[words]) if len(words) else counts.data
    alphabetical = np.argsort(np.argsort(np.array(texts.vocabulary, dtype=str), kind="stable"))
    order = np.lexsort((alphabetical[words], -scores, pages))
    pages, words = pages[order], words[order]
    first = np.searchsorted(pages, pages)
    places = np.arange(len(pages)) - first + 1
    kept = places <= top
    return pages[kept], words[kept], places[kept].astype(np.int64)
