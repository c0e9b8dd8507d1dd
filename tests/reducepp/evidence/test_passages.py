"""Shared passages are literally in both texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducepp.evidence.passages import WordPlaces, shared_passages

PARTS = st.sampled_from(
    [
        *(
            "the",
            "quake",
            "Killed",
            "12",
            "950",
            "1,200",
            "hurt",
            "people",
            "it's",
            "its",
            "-",
            ",",
        ),
        *(". ", "\n", "Straße", "STRASSE", "مدرسة", "مَدرسة", "أعلن", "٣٠٠", "地震", "震", "ﬁre"),
        *("fire", "\u00e9", "e\u0301"),
    ]
)
TEXTS = st.lists(PARTS, max_size=40).map(" ".join)


def flat(text: str) -> str:
    return "".join(text.casefold().split())


@settings(max_examples=300, deadline=None)
@given(a=TEXTS, b=TEXTS, common=TEXTS)
def test_a_passage_is_a_substring_of_both_but_for_case_and_space(
    a: str, b: str, common: str
) -> None:
    dropped, kept = f"{a} {common} {b}", f"{b} {common.upper()} {a}"
    for passage in shared_passages(WordPlaces(dropped), WordPlaces(kept)):
        here, there = passage.in_dropped, passage.in_kept
        assert dropped[here[0] : here[1]] == passage.text
        assert flat(passage.text) in flat(dropped)
        assert flat(passage.text) in flat(kept)
        assert flat(passage.text) in flat(kept[there[0] : there[1]])


def test_another_figure_ends_a_passage() -> None:
    text = "Teams reached the villages by noon. The quake killed {} people on the coast at night."
    one, other = WordPlaces(text.format(12)), WordPlaces(text.format(950))
    found = [passage.text for passage in shared_passages(one, other)]
    assert found == [
        "Teams reached the villages by noon. The quake killed",
        "people on the coast at night",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4.2", "4.9"),
        ("4,2", "5,2"),
        ("12:30", "12:45"),
        ("2026-11-07", "2026-11-08"),
        ("27 000", "28 000"),
    ],
)
def test_a_part_of_a_number_is_not_shared(one: str, other: str) -> None:
    text = "The town will rebuild the old harbour for {} million and hopes that it is enough."
    found = shared_passages(WordPlaces(text.format(one)), WordPlaces(text.format(other)))
    assert [passage.text for passage in found] == [
        "The town will rebuild the old harbour for",
        "million and hopes that it is enough",
    ]
