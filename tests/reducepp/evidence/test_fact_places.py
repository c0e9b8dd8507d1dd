"""Blocks of equal units: in order, equal, as long as can be, and found in linear work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp.evidence.facts.fact_places import align_units
from reducepp.evidence.facts.fact_text import read_facts
from reducepp.evidence.passages import equal_run
from tests.reducepp.evidence.made_texts import compare_facts, near_duplicates, texts


@given(texts, texts)
def test_blocks_are_equal_units_in_the_order_of_both_texts(one: str, other: str) -> None:
    a, b = read_facts(one), read_facts(other)
    blocks = align_units(a, b)
    for i, j, length in blocks:
        assert length > 0
        assert a.shapes[i : i + length] == b.shapes[j : j + length]
    for (i, j, length), (next_i, next_j, _) in pairwise(blocks):
        assert i + length <= next_i
        assert j + length <= next_j


@given(near_duplicates())
def test_a_text_is_aligned_with_itself_as_a_whole(pair: tuple[str, str]) -> None:
    for text in map(read_facts, pair):
        blocks = align_units(text, text)
        assert [block[:2] for block in blocks] == [(0, 0)] * len(blocks)
        assert sum(length for *_, length in blocks) == len(text.units)


TOWNS = ("Ashby", "Brook", "Carle", "Dunton", "Elm", "Farley")


def story(figures: list[int]) -> str:
    return " ".join(
        f"In {town} the river rose by {figure} centimetres after the rain."
        for town, figure in zip(TOWNS, figures, strict=True)
    )


def test_as_much_is_found_as_by_the_quadratic_matcher() -> None:
    """Difflib on shapes is the slow, obvious version."""
    a = read_facts(story([1, 2, 3, 4, 5, 6]))
    b = read_facts(story([1, 2, 9, 9, 5, 6]).replace("Carle", "the small town of Carle"))
    slow = SequenceMatcher(None, a.shapes, b.shapes, autojunk=False).get_matching_blocks()
    assert [tuple(block) for block in slow if block.size] == align_units(a, b)


def test_rows_that_say_the_same_are_aligned_though_a_row_was_inserted() -> None:
    rows = [f"{year}: {year % 7} {year % 11} visitors" for year in range(1990, 2010)]
    inserted = [*rows[:5], "1994b: 17 18 visitors", *rows[5:]]
    found = compare_facts("\n".join(rows), "\n".join(inserted))
    assert found.differ == ()
    assert found.same > 30


def count_calls(work: Callable[[], Any]) -> int:
    """Calls of functions, ours and built in: a measure of work that no clock disturbs."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


HOSTILE = {
    "digits": ("1", "2"),
    "numbers": ("1 ", "2 "),
    "grouped numbers": ("12 345 ", "12 346 "),
    "versions": ("1.2.", "1.3."),
    "codes": ("a1-", "a2-"),
    "signs": ("+1 (", "-1 ("),
    "number words": ("two hundred and ", "three hundred and "),
    "arabic": ("ألف و", "ألفان و"),
    "equal words": ("word 1 ", "word 2 "),
    "dates": ("3 May ", "4 May "),
    "lines": ("5\n", "6\n"),
    "commas": ("1,", "2,"),
    "addresses": ("a1@", "www.1"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_text_and_not_faster(name: str) -> None:
    one, other = HOSTILE[name]

    def work(times: int) -> int:
        return count_calls(lambda: compare_facts(one * times + "end", other * times + "end"))

    work(10)  # word lists are read once
    assert work(800) <= 2.3 * work(400) + 1000


@given(st.lists(st.sampled_from("ab"), max_size=40), st.lists(st.sampled_from("ab"), max_size=40))
def test_growing_steps_find_how_far_sequences_are_equal(a: list[str], b: list[str]) -> None:
    b = a[: len(b)] + b  # long equal beginnings
    pairs = list(zip(a, b, strict=False))
    expected = next((i for i, (x, y) in enumerate(pairs) if x != y), len(pairs))
    assert equal_run(len(pairs), lambda start, end: a[start:end] == b[start:end]) == expected
