"""Beginnings and ends of plain texts, and names of pages of one site."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reducepp import Page
from reducepp.api import ReduceOptions, compare_two
from reducepp.similarity.contents import PageSet
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.rare_equality import TITLE_ALONE
from reducepp.similarity.measures.same_frame import FRAME_WORDS, OF_END
from reducepp.similarity.pairs import PairList
from reducepp.types import Array

HEAD = [f"menu{n}" for n in range(FRAME_WORDS)]
FOOT = [f"foot{n}" for n in range(FRAME_WORDS)]


def story(number: int) -> list[str]:
    return [f"word{number}x{n}" for n in range(200)]


def frames(pages: list[Page]) -> Array:
    return find_measure("same_frame")(PageSet(pages).contents("full_text"))


def plain(*texts: list[str]) -> list[Page]:
    host = "https://texts.example"
    return [Page(id=str(n), url=f"{host}/{n}", body=" ".join(t)) for n, t in enumerate(texts)]


def test_the_end_counts_more_than_the_beginning() -> None:
    one, other = story(1), story(2)
    found = frames(plain([*HEAD, *one, *FOOT], [*HEAD, *other], [*other, *FOOT], other))
    np.testing.assert_allclose(found[0, 1:], [1 - OF_END, OF_END, 0.0])
    assert np.isnan(np.diagonal(found)).all()
    np.testing.assert_array_equal(found, found.T)


def test_the_root_of_what_is_common_of_the_shorter_end() -> None:
    """Of the 36 runs of an end of 40 words, 16 are in its last 20."""
    shared = FOOT[20:]
    found = frames(plain([*story(1), *shared], [*story(2), *shared]))
    np.testing.assert_allclose(found[0, 1], OF_END * np.sqrt(16 / 36))


def test_pages_with_titles_without_words_and_of_other_hosts_have_no_frame() -> None:
    one, other = plain(story(1), story(1))
    beside = Page(id="c", url="https://other.example/1", body=one.body)
    assert frames([one, other])[0, 1] == 1
    for page in (replace(other, page_title="B"), replace(other, body=""), beside):
        assert np.isnan(frames([one, page])).all()


def test_listed_pairs_are_as_all_pairs() -> None:
    pages = plain([*HEAD, *story(1)], [*HEAD, *story(2)], [*story(3), *FOOT], [*story(4), *FOOT])
    listed = PairList(4, np.array([0, 2, 0]), np.array([1, 3, 2]))
    found = find_measure("same_frame")(PageSet(pages).on(listed).contents("full_text"))
    np.testing.assert_allclose(found[:3], frames(pages)[[0, 2, 0], [1, 3, 2]])


def named(page_id: str, url: str, title: str) -> Page:
    return Page(id=page_id, url=url, page_title=title)


def test_other_names_are_other_titles_and_other_file_names_of_one_site() -> None:
    pages = [
        named("a", "https://one.example/1/sorting.html", "Sorting"),
        named("b", "https://one.example/2/sorting.html", "Sorting in 2"),
        named("c", "https://one.example/2/merging.html", "Merging"),
        named("d", "https://two.example/2/merging.html", "More"),
        named("e", "https://one.example/", "Start"),
        named("f", "https://one.example/2/closing.html", ""),
    ]
    found = find_measure("other_name")(PageSet(pages).contents("url"))
    expected = np.full((6, 6), np.nan)
    expected[[0, 1, 2, 2], [2, 2, 0, 1]] = 1.0
    np.testing.assert_array_equal(found, expected)


def test_without_addresses_titles_alone_are_names() -> None:
    titles = ("Sorting 1.2", "Sorting 1.10.20250318", "Merging", "")
    body = ". ".join(HEAD)
    pages = [Page(id=str(n), page_title=t, body=body) for n, t in enumerate(titles)]
    found = find_measure("other_name")(PageSet(pages).contents("url"))
    assert np.argwhere(found == TITLE_ALONE).tolist() == [[0, 2], [1, 2], [2, 0], [2, 1]]
    assert np.isnan(found[3]).all()


def reference(name: str) -> str:
    """A page of a reference whose template is longer than what it says."""
    nouns = [*HEAD[:10], name]
    return " ".join(f"The {noun} of this class is the one of its parent class." for noun in nouns)


def test_two_classes_of_one_reference_alone_are_no_duplicates() -> None:
    one, other = (
        Page(id=n, url=f"https://one.example/{n}.html", page_title=n, body=reference(n))
        for n in ("FileReader", "PipeWriter")
    )
    newer = Page(
        id="2", url="https://one.example/2/FileReader.html", page_title="FileReader", body=one.body
    )
    assert not compare_two(one, other, ReduceOptions())["duplicate"]
    assert compare_two(one, newer, ReduceOptions())["duplicate"]
