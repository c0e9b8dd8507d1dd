"""The signals of Huffman et al. (2007), each worked by hand."""

from __future__ import annotations

import gzip
import hashlib
import math

import numpy as np
import pytest

from reducepp.errors import UsageError
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.compression import compression_distances, sizes_of_twice
from reducepp.similarity.measures.top_terms import ranked_terms
from reducepp.types import Array, Page


def measure(name: str, pages: list[Page], content: str = "body", **options: int) -> Array:
    return find_measure(name)(PageSet(pages).contents(content), **options)


def bodies(*texts: str) -> list[Page]:
    return [Page(id=str(i), body=text) for i, text in enumerate(texts)]


def test_same_title_is_exact_but_for_white_space() -> None:
    titles = ["Red  fish\n", "Red fish", "red fish", ""]
    pages = [Page(id=t, page_title=t) for t in titles]
    found = measure("same", pages, "page_title")
    assert found[0].tolist()[:3] == [1, 1, 0]
    assert np.isnan(found[3]).all()


def test_same_domain_is_the_registered_one() -> None:
    urls = ["https://a.news.co.uk/x", "http://b.news.co.uk/", "https://other.co.uk/x", ""]
    pages = [Page(id=u, url=u) for u in urls]
    found = measure("same_domain", pages, "url")
    assert found[0].tolist()[:3] == [1, 1, 0]
    assert np.isnan(found[3]).all()


def test_body_length() -> None:
    """Distance |6 - 8| / 8 = 1/4, so 3/4 alike."""
    found = measure("length", bodies("abcdef", "abcdefgh"))
    assert found[0, 1] == 0.75


def test_similarity_hash_counts_agreeing_bits() -> None:
    """One word each: a page's hash is its word's; "red red sea" takes the signs of "red"."""

    def bits(word: str) -> np.ndarray:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        return np.unpackbits(np.frombuffer(digest, dtype=np.uint8))

    found = measure("simhash", bodies("red", "sea", "red red sea"))
    agreeing = int((bits("red") == bits("sea")).sum())
    assert found[0, 1] == agreeing / 64
    assert found[0, 2] == 1.0
    assert found[1, 2] == agreeing / 64


def test_similarity_hash_takes_whole_bytes_only() -> None:
    with pytest.raises(UsageError, match="multiple of 8"):
        measure("simhash", bodies("red"), bits=63)


def test_top_terms_are_ordered_by_tf_idf() -> None:
    """Three pages: "a" is in all of them (idf log 2), "b" in one (log 4), "c", "d" in one.

    Page 0: a 3 × log 2 = 2.08, b 1 × log 4 = 1.39, c 1.39: a, then b before c by the alphabet.
    """
    page_set = PageSet(bodies("a a a b c", "a d", "a"))
    texts = page_set.contents("body").texts()
    pages, words, places = ranked_terms(texts, top=50)
    named = [
        (int(p), texts.vocabulary[w], int(at))
        for p, w, at in zip(pages, words, places, strict=True)
    ]
    assert named == [(0, "a", 1), (0, "b", 2), (0, "c", 3), (1, "d", 1), (1, "a", 2), (2, "a", 1)]


def test_top_terms_by_hand() -> None:
    """Lists (a, b, c) and (d, a): "a" is 1st and 2nd, weight 1/2; the longer list's own sum is
    1 + 1/2 + 1/3 = 11/6; so (1/2) / (11/6) = 3/11. (a) in (a, b, c): 1 / (11/6) = 6/11.
    """
    found = measure("top_terms", bodies("a a a b c", "a d", "a"))
    assert found[0, 1] == pytest.approx(3 / 11)
    assert found[0, 2] == pytest.approx(6 / 11)


def test_a_move_at_the_top_costs_more_than_one_below() -> None:
    words = [f"w{chr(97 + i)}" for i in range(8)]
    text = " ".join(" ".join([word] * (20 - i)) for i, word in enumerate(words))
    top = text.replace("wa", "x").replace("wb", "wa").replace("x", "wb")
    bottom = text.replace("wg", "x").replace("wh", "wg").replace("x", "wh")
    found = measure("top_terms", bodies(text, top, bottom))
    harmonic = sum(1 / i for i in range(1, 9))
    assert found[0, 1] == pytest.approx(1 - 0.5 / harmonic)
    assert found[0, 2] == pytest.approx(1 - (1 / 7 - 1 / 8) / harmonic)


def sized(text: bytes) -> int:
    return len(gzip.compress(text, 6, mtime=0))


TEXTS = [
    b"Whales live in the cold sea and eat small fish. " * 9,
    b"Whales live in the warm sea and eat krill and fish. " * 9,
    b"An essay on tax law in the nineteenth century; dull, long, and without a single whale.",
]


def all_distances(texts: list[bytes]) -> Array:
    places = np.arange(len(texts))
    return compression_distances(texts, sizes_of_twice(texts), places[:, None], places)


def test_compression_distance_by_the_formula() -> None:
    found = all_distances(sorted(TEXTS))
    for i, a in enumerate(sorted(TEXTS)):
        for j, b in enumerate(sorted(TEXTS)):
            both, aa, bb = sized(min(a, b) + max(a, b)), sized(a + a), sized(b + b)
            assert found[i, j] == max(abs(both - aa), abs(both - bb)) / max(aa, bb)


def test_compression_distance_is_zero_for_equal_texts_where_the_plain_one_is_not() -> None:
    found = measure("compression", bodies("Nothing new here. At all.", "Nothing new here. At all."))
    assert found[0, 1] == 1.0
    text = b"Nothing new here. At all."
    plain = (sized(text + text) - sized(text)) / sized(text)
    assert plain > 0


def test_long_texts_are_cut_to_what_gzip_can_see() -> None:
    """Two random texts of 40 kB: uncut, C(aa), C(ab), C(bb) are alike and hide all."""
    random = np.random.default_rng(0)
    texts = ["".join(chr(97 + c) for c in random.integers(0, 26, 40_000)) for _ in range(2)]
    uncut = all_distances(sorted(text.encode() for text in texts))[0, 1]
    found = measure("compression", bodies(*texts))[0, 1]
    assert uncut < 0.01
    assert found < 0.1


@pytest.mark.parametrize("options", [{"most_bytes": 0}, {"most_bytes": 99_999}, {"level": 0}])
def test_compression_refuses_what_it_cannot_bound(options: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        measure("compression", bodies("a", "b"), **options)


def test_signals_on_query_snippets_and_on_the_rendered_body() -> None:
    """Bodies differ far from the query's word; near it, and as rendered, they are one."""
    near = " ".join(["lake"] * 40 + ["heron"] + ["reed"] * 40)
    pages = [
        Page(
            id=str(i), query="the heron", body=f"{near} {' '.join([tail] * 200)}", rendered_body="x"
        )
        for i, tail in enumerate(("boat", "tax"))
    ]
    assert measure("compression", pages, "query_snippets")[0, 1] == 1.0
    assert measure("compression", pages, "body")[0, 1] < 1
    assert measure("top_terms", pages, "query_snippets")[0, 1] == 1.0
    assert measure("length", pages, "rendered_body")[0, 1] == 1.0
    assert np.isnan(measure("compression", pages, "rendered_query_snippets")).all()
    assert math.isclose(measure("length", pages, "query_snippets")[0, 0], 1)
