"""Every feature's formula on texts small enough to count by hand."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from reducepp.errors import ProfileError
from reducepp.io.records import dict_to_page
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.levenshtein import distances
from reducepp.similarity.measures.lin import lin_similarities
from reducepp.similarity.pairs import AllPairs
from reducepp.text.lexicons import rarity
from reducepp.text.wordnet import hyponym_counts, wordnet
from reducepp.types import Page


def pair(measure: str, a: object, b: object, content: str = "body", **options: object) -> float:
    pages = [dict_to_page({"id": i, "language": "en", content: v}) for i, v in (("a", a), ("b", b))]
    return float(find_measure(measure)(PageSet(pages).contents(content), **options)[0, 1])


def test_levenshtein_over_a_fixed_length_and_over_the_longer_text() -> None:
    # kitten → sitting: two replaced, one added
    assert pair("levenshtein", "kitten", "sitting", longest=140) == pytest.approx(1 - 3 / 140)
    assert pair("levenshtein", "kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert pair("levenshtein", "kitten", "sitting", enough=0.8) == pytest.approx((4 / 7) / 0.8)
    assert pair("levenshtein", "kitten", "sitten", enough=0.8) == 1.0
    assert pair("levenshtein", "a" * 10, "b" * 200, longest=140) == 0.0
    assert pair("levenshtein", "rain #wet", "rain", spelling="untagged") == 1.0


def plain_distance(a: str, b: str) -> int:
    """Wagner and Fischer's table, row by row."""
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]


def test_distances_agree_with_the_textbook() -> None:
    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(list("abcd"), size=n)) for n in (0, 1, 5, 9, 17, 30)]
    slow = [[plain_distance(a, b) for b in texts] for a in texts]
    np.testing.assert_array_equal(distances(texts, AllPairs(6)), slow)
    np.testing.assert_array_equal(distances(texts[3:5], AllPairs(2)), np.array(slow)[3:5, 3:5])


def test_overlap_in_terms_is_jaccard() -> None:
    # {rain, in, spain} and {rain, in, rome, today}: 2 of 5
    assert pair("shared", "Rain in Spain", "rain in Rome today") == pytest.approx(2 / 5)
    of = {"smaller": 2 / 3, "larger": 2 / 4, "mean": 4 / 7}
    for name, expected in of.items():
        assert pair("shared", "Rain in Spain", "rain in Rome today", of=name) == pytest.approx(
            expected
        )


def test_overlap_by_rarity_counts_words_by_how_rare_they_are() -> None:
    rain, spain, rome = rarity("rain"), rarity("spain"), rarity("rome")
    found = pair("shared", "rain Spain", "rain Rome", items="content", weigh="rarity")
    assert found == pytest.approx(rain / (rain + spain + rome))
    amount = pair("shared", "rain Spain", "rain Rome", items="content", of="amount", weigh="rarity")
    assert amount == pytest.approx(math.log1p(rain) / math.log1p(1000))


def test_overlap_in_hashtags_and_addresses() -> None:
    assert pair("shared", "x #a #b", "y #B #c", items="hashtags") == pytest.approx(1 / 3)
    assert math.isnan(pair("shared", "x #a", "y", items="hashtags"))
    body = "see https://x.example/1?utm_source=tw and https://x.example/2"
    pages = [Page(id="a", body=body), Page(id="b", links=("https://x.example/1",))]
    assert find_measure("jaccard")(PageSet(pages).contents("post_links"))[0, 1] == pytest.approx(
        1 / 2
    )


def test_length_difference() -> None:
    assert pair("length_gap", "a" * 30, "b" * 65) == pytest.approx(1 - 35 / 140)
    assert pair("length_gap", "a", "b" * 500) == 0.0


def test_time_difference_over_two_weeks() -> None:
    found = pair("time_gap", "2011-01-24T00:00:00Z", "2011-01-25T12:00:00+00:00", "posted_at")
    assert found == pytest.approx(1 - 1.5 / 14)
    mailed = pair("time_gap", "Mon, 24 Jan 2011 00:00:00 GMT", "2011-01-25T12:00Z", "posted_at")
    assert mailed == found
    assert pair("time_gap", "2011-01-24", "2012-01-24", "posted_at") == 0.0
    assert math.isnan(pair("time_gap", "2011-01-24", "last week", "posted_at"))


def test_follower_difference_on_a_log_scale() -> None:
    assert pair("log_gap", 99.0, 9999.0, "followers") == pytest.approx(1 - 2 / 7)
    assert math.isnan(pair("log_gap", 99.0, math.nan, "followers"))


def test_aligned_counts_same_root_and_synonym_in_part() -> None:
    # "resign" and "resignation" begin alike: 85 of 100 of their rarity, both ways
    mayor, resign, resignation = rarity("mayor"), rarity("resign"), rarity("resignation")
    expected = (2 * mayor + 0.85 * (resign + resignation)) / (2 * mayor + resign + resignation)
    assert pair("aligned", "mayor resign", "mayor resignation") == pytest.approx(expected)
    only = pair("aligned", "mayor resign", "mayor", of="better")
    assert only == 1.0
    assert pair("aligned", "mayor resign", "mayor", of="weaker") == pytest.approx(
        mayor / (mayor + resign)
    )


def test_opening_asks_for_the_first_content_words() -> None:
    assert pair("opening", "The mayor resigned", "Vote: mayor gone") == 1.0
    assert pair("opening", "mayor resigned", "angry vote") == 0.0
    assert pair("opening", "mayor resigned", "vote mayor", words=2) == pytest.approx(1 / 2)


def test_unmatched_counts_names_that_the_other_lacks() -> None:
    assert pair("unmatched", "we met Anna in Oslo", "we met anna again") == pytest.approx(1 / 2)
    assert pair("unmatched", "we met Anna", "they saw Bob and Carl there") == pytest.approx(1 / 4)


def test_voice_compares_how_much_each_speaks_for_itself() -> None:
    # "i", "love", "this" against nothing: 1 - 3 / 4
    assert pair("voice", "I love this", "mayor resigned") == pytest.approx(1 / 4)


def test_copied_sees_through_tags_and_addresses() -> None:
    assert pair("copied", "Rain today! #wet http://t.co/1", "rain today") == 1.0
    assert pair("copied", "Rain today", "rain tomorrow") == 0.0


def test_lin_similarity_agrees_with_nltk_on_intrinsic_information_content() -> None:
    reader = wordnet()
    if reader is None:
        pytest.skip("no WordNet")
    counts = hyponym_counts()
    content = {"n": {**counts, 0: len(counts)}}
    senses = [reader.synset(f"{word}.n.01") for word in ("dog", "cat", "car", "idea", "entity")]
    found = lin_similarities([sense.offset() for sense in senses])
    for i, a in enumerate(senses[:4]):
        for j, b in enumerate(senses[:4]):
            assert found[i, j] == pytest.approx(a.lin_similarity(b, content))
    assert counts[senses[4].offset()] == len(counts)


def test_wordnet_similarity_walks_from_the_shorter_post() -> None:
    reader = wordnet()
    if reader is None:
        pytest.skip("no WordNet")
    dog, cat, car = (reader.synset(f"{w}.n.01").offset() for w in ("dog", "cat", "car"))
    table = lin_similarities([dog, cat, car])
    assert pair("lin", "the dog", "a cat and a car") == pytest.approx(max(table[0, 1], table[0, 2]))
    both = pair("lin", "the dog and the car", "the cat and the car")
    assert both == pytest.approx((table[0, 1] + 1) / 2)
    assert pair("shared", "the dogs", "a domestic dog", items="nouns") == 1.0
    assert pair("shared", "an auto", "the car", items="synsets") == 1.0
    assert pair("shared", "an auto", "the car", items="nouns") == 0.0


@pytest.mark.parametrize(
    ("measure", "options"),
    [("shared", {"items": "x"}), ("aligned", {"of": "x"}), ("levenshtein", {"spelling": "x"})],
)
def test_an_unknown_option_names_the_known_ones(measure: str, options: dict[str, str]) -> None:
    with pytest.raises(ProfileError, match="use one of"):
        pair(measure, "a", "b", **options)


def test_many_texts_give_what_two_give() -> None:
    bodies = [f"mayor number{i} resigned in town{i % 3} today" for i in range(40)]
    pages = [Page(id=str(i), body=body, language="en") for i, body in enumerate(bodies)]
    for measure in ("levenshtein", "shared", "aligned", "opening", "unmatched", "lin", "copied"):
        together = find_measure(measure)(PageSet(pages).contents("body"))
        for i, j in ((0, 1), (3, 6), (38, 39)):
            two = find_measure(measure)(PageSet([pages[i], pages[j]]).contents("body"))
            assert together[i, j] == two[0, 1], measure


def test_sparse_and_dense_tables_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(id=str(i), body=f"a{i % 4} b{i % 3} c", language="en") for i in range(12)]
    dense = find_measure("shared")(PageSet(pages).contents("body"), weigh="rarity")
    opened = find_measure("opening")(PageSet(pages).contents("body"))
    monkeypatch.setattr(
        sys.modules["reducepp.similarity.measures.feature_sets"], "MAX_DENSE_CELLS", 0
    )
    np.testing.assert_array_equal(
        find_measure("shared")(PageSet(pages).contents("body"), weigh="rarity"), dense
    )
    np.testing.assert_array_equal(find_measure("opening")(PageSet(pages).contents("body")), opened)
