"""Pairs in three languages: kept apart, merged with a notice, merged silently."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from reducepp import Page
from reducepp.api import ReduceOptions, compare_two
from reducepp.evidence.facts.fact_text import read_facts
from tests.reducepp.evidence.made_texts import compare_facts


def read_pairs(name: str) -> list[dict[str, str]]:
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


PAIRS = read_pairs("fact_pairs.jsonl")
HELD_OUT = read_pairs("fact_pairs_held_out.jsonl")
"""Written apart from the code and the other pairs, and never used to change a rule."""
SHORT = read_pairs("fact_pairs_short.jsonl")
"""One to three sentences each, as bare texts are."""
OUTCOMES = ("apart", "merge_show", "merge_silent")
FLOOR = 0.95
"""Share of the pairs of each language and outcome that must be right; 1.0 when measured."""


def outcome(a: str, b: str) -> str:
    found = compare_facts(a, b)
    if found.contradicts:
        return "apart"
    return "merge_show" if found.differ else "merge_silent"


@pytest.mark.parametrize("pairs", [PAIRS, HELD_OUT], ids=["own", "held out"])
def test_the_confusion_table(pairs: list[dict[str, str]]) -> None:
    table = Counter((p["language"], p["expect"], outcome(p["a"], p["b"])) for p in pairs)
    print("\nlanguage  expected      " + "".join(f"{name:>14}" for name in OUTCOMES))
    for language in ("en", "fr", "ar"):
        for expected in OUTCOMES:
            row = [table[language, expected, got] for got in OUTCOMES]
            print(f"{language:9} {expected:14}" + "".join(f"{count:>14}" for count in row))
            assert table[language, expected, expected] >= FLOOR * sum(row)


@pytest.mark.parametrize("pair", [*PAIRS, *HELD_OUT], ids=lambda pair: pair["id"])
def test_the_engine_merges_what_does_not_contradict(pair: dict[str, str]) -> None:
    a, b = (Page(id=x, url=f"https://{x}.example/1", body=pair[x]) for x in "ab")
    assert compare_two(a, b, ReduceOptions())["duplicate"] == (pair["expect"] != "apart")


@pytest.mark.parametrize("pair", SHORT, ids=lambda pair: pair["id"])
def test_short_texts_are_kept_apart_by_their_facts_too(pair: dict[str, str]) -> None:
    bare = [Page(id=x, body=pair[x]) for x in "ab"]
    placed = [Page(id=x, url=f"https://{x}.example/1", body=pair[x]) for x in "ab"]
    for a, b in (bare, placed):
        assert compare_two(a, b, ReduceOptions())["duplicate"] == (pair["expect"] == "merge")


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_the_pairs_are_what_they_should_be(language: str) -> None:
    pairs = [p for p in PAIRS if p["language"] == language]
    assert len(pairs) >= 30
    assert len({p["id"] for p in pairs}) == len(pairs)
    assert {p["expect"] for p in pairs} == set(OUTCOMES)
    for p in pairs:
        for text in (p["a"], p["b"]):
            assert 60 <= len(text.split()) <= 200
            assert len(read_facts(text).facts) >= 5


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_layout_alone_changes_nothing(pair: dict[str, str]) -> None:
    lines = pair["b"].replace(". ", ".\n\n").replace(", ", ",  ")
    found = compare_facts(pair["b"], lines)
    assert (found.differ, found.renamed) == ((), ())
