"""What each of two texts repeats and the other lacks."""

from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp import Page
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.other_subject import MOST_LACKING, PRIOR_REPEATS
from reducepp.similarity.pairs import PairList
from reducepp.types import Array


def subjects(*texts: str, host: str = "https://{}.example/") -> Array:
    pages = [Page(id=str(n), url=host.format(n), body=text) for n, text in enumerate(texts)]
    return find_measure("other_subject")(PageSet(pages).contents("full_text"))


def lacks(text: str, other: str) -> float:
    """The slow twin: of the doublings of each word, those that the other is too far behind."""
    own, its = Counter(text.split()), Counter(other.split())
    doublings = {word: int(log2(times)) for word, times in own.items()}
    behind = [max(n - 1 - int(log2(its[w])) if its[w] else n, 0) for w, n in doublings.items()]
    return sum(behind) / (sum(doublings.values()) + PRIOR_REPEATS)


def slow(text: str, other: str) -> float:
    return min(min(lacks(text, other), lacks(other, text)) / MOST_LACKING, 1.0)


def test_by_hand() -> None:
    """Eight readers are three doublings, four writers two; half as many are enough."""
    reader, writer = "reader " * 8 + "file", "writer " * 4 + "file"
    found = subjects(reader, writer, reader + " writer", "reader " * 4)
    assert found[0, 1] == pytest.approx(min(2 / (2 + PRIOR_REPEATS) / MOST_LACKING, 1.0))
    assert found[0, 2] == 0  # one text has all that the other repeats
    assert found[0, 3] == 0
    assert np.isnan(np.diagonal(found)).all()
    np.testing.assert_array_equal(found, found.T)


@given(st.lists(st.text("abc ", min_size=1, max_size=80), min_size=2, max_size=4))
def test_as_the_slow_twin_for_listed_and_for_all_pairs(texts: list[str]) -> None:
    pages = [Page(id=str(n), body=text) for n, text in enumerate(texts)]
    found = find_measure("other_subject")(PageSet(pages).contents("full_text"))
    first, second = np.triu_indices(len(texts), 1)
    listed = PageSet(pages).on(PairList(len(texts), first, second)).contents("full_text")
    flat = find_measure("other_subject")(listed)[: len(first)]
    np.testing.assert_array_equal(flat, found[first, second])
    for i, j, value in zip(first, second, flat, strict=True):
        if texts[i].strip() and texts[j].strip():
            assert value == pytest.approx(slow(texts[i], texts[j]))
        else:
            assert np.isnan(value)


def test_it_counts_where_texts_are_compared_by_words() -> None:
    """Texts of 300 words fully, on one host without titles less up to 600."""
    short, long = ("{0} " * (n // 2) + "and " * (n // 2) for n in (300, 600))
    apart = subjects(short.format("reader"), short.format("writer"))
    assert apart[0, 1] == 1
    one_host = "https://texts.example/{}"
    pair = (long.format("reader"), long.format("writer"))
    assert subjects(*pair, host=one_host)[0, 1] == 0
    assert 0 < subjects(*pair)[0, 1] < 1


def test_pages_of_one_site_with_titles_are_named_by_these() -> None:
    pages = [
        Page(id=n, url=f"https://one.example/{n}", page_title=n, body=f"{n} " * 9)
        for n in ("reader", "writer")
    ]
    assert np.isnan(find_measure("other_subject")(PageSet(pages).contents("full_text"))).all()
