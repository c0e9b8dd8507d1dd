"""Phrase search against the tables of Uwamahoro and Zuping, and against a plain scan."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp.errors import UsageError
from reducepp.replication.paper5 import DOCUMENTS as TABLE_3
from reducepp.replication.paper5 import QUERY
from reducepp.text.phrase_index import PhraseIndex
from reducepp.text.tokenise import words

TABLE_1 = (
    "Old people like green tea than porridge",
    "Children like hot maize porridge or cold soya porridge",
    "Some like it hot others like it cold",
    "Mothers keep maize porridge in big pot",
)

POSTINGS = {
    "children": {2: (1,)},
    "cold": {2: (7,), 3: (8,)},  # printed without d3
    "green": {1: (4,)},
    "hot": {2: (3,), 3: (4,)},
    "in": {4: (5,)},
    "it": {3: (3, 7)},
    "keep": {4: (2,)},
    "like": {1: (3,), 2: (2,), 3: (2, 6)},  # printed without d3's second
    "maize": {2: (4,), 4: (3,)},
    "mothers": {4: (1,)},
    "old": {1: (1,)},
    "or": {2: (6,)},
    "people": {1: (2,)},
    "porridge": {1: (7,), 2: (5, 9), 4: (4,)},  # printed [d2, 8], where soya stands
    "some": {3: (1,)},
    "soya": {2: (8,)},
    "tea": {1: (5,)},
    "than": {1: (6,)},
}


@pytest.mark.parametrize("word", sorted(POSTINGS))
def test_table_1(word: str) -> None:
    found = PhraseIndex(TABLE_1).postings(word)
    assert {page + 1: at for page, at in found.items()} == POSTINGS[word]


def test_maize_porridge() -> None:
    found = PhraseIndex(TABLE_1).find("maize porridge")
    assert [(m.page + 1, m.positions) for m in found.matches] == [(2, (4,)), (4, (3,))]
    assert [(s.word, s.candidates) for s in found.steps] == [("maize", 2), ("porridge", 2)]


def test_candidates_shrink_to_an_eighth_of_the_tropical_fish() -> None:
    """Down to d8 alone: 1 of 8 documents, the paper's 167 of 1,391 bytes (12 %)."""
    found = PhraseIndex(TABLE_3).find(QUERY)
    assert [s.candidates for s in found.steps] == [6, 3, 2, 2, 1, 1, 1, 0]
    assert found.matches == ()
    whole = sum(len(words(text)) for text in TABLE_3)
    assert found.steps[4].share == pytest.approx(len(words(TABLE_3[7])) / whole)
    assert len(TABLE_3[7]) / sum(map(len, TABLE_3)) == pytest.approx(0.12, abs=0.001)


def test_the_ranking_of_table_4() -> None:
    """d5 and d7, last there, hold no "freshwater" and are no candidates."""
    ranked = PhraseIndex(TABLE_3).rank(QUERY)
    assert [page + 1 for page, _, _ in ranked] == [8, 6, 3, 2, 1, 4]
    assert [matched for _, matched, _ in ranked] == [7, 4, 2, 1, 1, 1]


def test_the_scores_of_table_4_are_cosines_of_counts_without_stop_words() -> None:
    texts = [text.replace(" to ", " ").replace(" and ", " ") for text in TABLE_3]
    ranked = PhraseIndex(texts).rank(QUERY.replace(" and ", " "), every_page=True)
    printed = {1: 0.511890, 2: 0.578541, 3: 0.604367, 4: 0.361961, 6: 0.695353, 8: 0.622375}
    printed |= {5: 0.367404, 7: 0.406181}
    assert {page + 1: score for page, _, score in ranked} == pytest.approx(printed, abs=1e-6)


def scan(texts: list[str], phrase: str) -> list[tuple[int, tuple[int, ...]]]:
    """The slow, obvious version: walk every text."""
    wanted = words(phrase, digits=True)
    found = []
    for page, text in enumerate(texts):
        here = words(text, digits=True)
        starts = range(len(here) - len(wanted) + 1)
        at = tuple(i + 1 for i in starts if here[i : i + len(wanted)] == wanted)
        if at:
            found.append((page, at))
    return found


few_words = st.lists(st.sampled_from(["a", "b", "ü", "7", "."]), max_size=12).map(" ".join)


@given(st.lists(few_words, max_size=6), st.lists(st.sampled_from("abü7"), min_size=1, max_size=4))
def test_the_index_agrees_with_a_plain_scan(texts: list[str], phrase: list[str]) -> None:
    found = PhraseIndex(texts).find(" ".join(phrase))
    assert [(m.page, m.positions) for m in found.matches] == scan(texts, " ".join(phrase))
    counts = [s.candidates for s in found.steps]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == len(scan(texts, phrase[0]))


def test_no_phrase_runs_over_a_text_s_end() -> None:
    index = PhraseIndex(["red", "sea", ""])
    assert index.find("red sea").matches == ()
    assert index.find("unknown sea").steps[0].candidates == 0


def test_a_phrase_without_a_word_is_refused() -> None:
    with pytest.raises(UsageError, match="holds no word"):
        PhraseIndex(["red"]).find("?!")


def test_the_row_is_not_touched_by_a_search() -> None:
    index = PhraseIndex(TABLE_1)
    before = index.row.copy()
    index.find("maize porridge")
    np.testing.assert_array_equal(index.row, before)


def test_tfidf_cosines_by_hand() -> None:
    """red is on 1 of 2 pages: weight log 2; sea is on both: weight 0, so only red counts."""
    index = PhraseIndex(["red sea", "sea"])
    found = {page: score for page, _, score in index.rank("sea red", weights="tfidf")}
    assert found == pytest.approx({0: 1.0, 1: 0.0})
    with pytest.raises(UsageError, match="counts, tfidf"):
        index.rank("sea", weights="bm25")
