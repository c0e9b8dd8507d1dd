"""Every measure is symmetric, in [0, 1], 1 with itself, order-free, and leaves its pages alone."""

from __future__ import annotations

import numpy as np
import pytest

from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import MEASURES, feature_sets, find_measure
from reducepp.similarity.measures.feature_sets import membership
from reducepp.similarity.measures.rare_equality import MAX_COPIES, _states
from reducepp.similarity.pairs import BlockPairs, PairList
from reducepp.similarity.sparse import MAX_SMALL_CELLS
from reducepp.types import Page, PostDetails

CONTENT_OF = {
    "cosine": "body",
    "jaccard": "links",
    "graphlets": "body",
    "edges": "body",
    "overlap": "body",
    "same": "page_title",
    "same_domain": "url",
    "same_address": "url",
    "length": "body",
    "simhash": "body",
    "top_terms": "body",
    "compression": "body",
    "images": "images",
    "levenshtein": "body",
    "shared": "body",
    "aligned": "body",
    "opening": "body",
    "unmatched": "body",
    "voice": "body",
    "copied": "body",
    "lin": "body",
    "length_gap": "body",
    "time_gap": "posted_at",
    "log_gap": "followers",
    "clicks": "url",
    "rare_runs": "full_text",
    "rare_same": "page_title",
    "other_name": "url",
    "same_frame": "full_text",
    "other_subject": "full_text",
    "same_text": "full_text",
    "other_result": "url",
    "other_class": "content_class",
}
"""A content type to try each measure on; a measure that is not listed fails the test below."""

DESCRIPTIONS = {"other_name", "same_frame", "other_subject", "other_result", "other_class"}
SIMILARITIES = sorted(set(MEASURES) - DESCRIPTIONS)
"""The others describe a pair of different pages and are NaN for a page with itself."""

PAGES = (
    Page(
        id="a",
        url="https://one.example/a",
        page_title="Whales of the north",
        subtitles=("Habitat", "Food"),
        links=("https://x.example/1", "https://x.example/2#top"),
        body="Whales live in the cold sea. They eat small fish and krill.\nThey sing at night.",
        images=("ff00ff00ff00ff00", "0123456789abcdef"),
        language="en",
        posted_at="2024-05-01T10:00:00Z",
        post=PostDetails(followers=99),
    ),
    Page(
        id="b",
        url="https://two.example/b",
        page_title="Northern whales",
        subtitles=("Food", "Song"),
        links=("https://x.example/2?utm_source=mail", "https://x.example/3"),
        body="Whales live in the warm sea. They eat krill and small fish. Nobody sings.",
        images=("0123456789abcdee",),
        language="en",
        posted_at="2024-05-04",
        post=PostDetails(followers=9),
    ),
    Page(
        id="c",
        page_title="Les baleines du nord",
        body="L'été, les baleines du nord chantent.",
        language="fr",
    ),
    Page(id="d", page_title="حيتان الشمال", body="تعيش الحيتان في البحر البارد.", language="ar"),
    Page(id="e"),
)


def matrix(name: str, pages: tuple[Page, ...]) -> np.ndarray:
    return find_measure(name)(PageSet(pages).contents(CONTENT_OF[name]))


def test_every_measure_is_tried_here() -> None:
    assert set(CONTENT_OF) == set(MEASURES)


@pytest.mark.parametrize("name", SIMILARITIES)
def test_symmetric_in_range_and_one_with_itself(name: str) -> None:
    found = matrix(name, PAGES)
    assert found.shape == (5, 5)
    np.testing.assert_array_equal(found, found.T)
    defined = found[~np.isnan(found)]
    assert defined.size
    assert defined.min() >= 0
    assert defined.max() <= 1
    assert set(np.diagonal(found)[~np.isnan(np.diagonal(found))]) == {1.0}


@pytest.mark.parametrize("name", SIMILARITIES)
def test_a_page_without_content_is_nan_and_an_equal_page_is_one(name: str) -> None:
    found = matrix(name, (*PAGES, PAGES[0]))
    assert np.isnan(found[4]).all()
    assert found[0, 5] == 1.0


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_order_changes_nothing(name: str) -> None:
    order = [3, 1, 4, 0, 2]
    shuffled = matrix(name, tuple(PAGES[i] for i in order))
    np.testing.assert_array_equal(shuffled, matrix(name, PAGES)[np.ix_(order, order)])


@pytest.mark.parametrize("name", SIMILARITIES)
def test_no_pages_and_one_page(name: str) -> None:
    assert matrix(name, ()).shape == (0, 0)
    assert matrix(name, PAGES[:1]).tolist() == [[1.0]]


@pytest.mark.parametrize("kind", [PairList, BlockPairs])
@pytest.mark.parametrize("cells", [0, MAX_SMALL_CELLS])
@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_list_of_pairs_gives_the_same_digits(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: type[PairList], cells: int
) -> None:
    monkeypatch.setattr("reducepp.similarity.sparse.MAX_SMALL_CELLS", cells)
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(list("abcdefgh"), size=n)) for n in (3, 12, 18, 30, 40)]
    pages = (*PAGES, *(Page(id=t, url="https://x.example/a", body=t, language="en") for t in texts))
    first = rng.permutation(len(pages)).astype(np.int64)
    second = np.roll(first, 1)
    listed = PageSet(pages).on(kind(len(pages), first, second))
    found = find_measure(name)(listed.contents(CONTENT_OF[name]))
    whole = matrix(name, pages)
    np.testing.assert_array_equal(found[: len(first)], whole[first, second])
    np.testing.assert_array_equal(listed.pairs.own(found), np.diagonal(whole))


def test_large_tables_are_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [["a", "b"], ["b", "c"]]
    monkeypatch.setattr(feature_sets, "MAX_DENSE_CELLS", 6)
    assert isinstance(membership(sets)[0], np.ndarray)
    monkeypatch.setattr(feature_sets, "MAX_DENSE_CELLS", 5)
    table, features = membership(sets)
    assert not isinstance(table, np.ndarray)
    assert sorted(features) == ["a", "b", "c"]
    assert table.toarray().sum(axis=1).tolist() == [2, 2]


def test_states_are_pages_with_more_than_so_many_copies() -> None:
    sizes = (1, MAX_COPIES, MAX_COPIES + 1)
    keys = np.repeat(np.arange(3), sizes)
    assert _states(keys).tolist() == [False] * (1 + MAX_COPIES) + [True] * (MAX_COPIES + 1)
