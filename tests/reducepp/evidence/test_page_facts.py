"""Contradicting facts keep near-duplicates apart; other differences are the first reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp import Page, reduce
from reducepp.api import ReduceOptions, compare_two, compare_with_facts
from reducepp.clustering.levels import level_of
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.report.report_data import facts_data
from reducepp.evidence.page_facts import PageFacts
from reducepp.io.terminal_table import table_of
from reducepp.io.writers import reduction_to_dict
from tests.reducepp.evidence.made_texts import near_duplicates

STORY = (
    "A strong earthquake hit the northern coast early on Tuesday morning. The quake killed "
    "{killed} people and hurt {hurt}, officials said. Rescue teams from the region reached the "
    "villages by noon. Roads to the harbour are closed and the power is out in most places."
)
LONG = (
    "{story} The bridge over the river, built in 1962, stood firm. Some 40 schools stay closed "
    "until the week is over. The district has 18 villages and 3 hospitals. A field hospital with "
    "60 beds opened beside the market. The army sent 25 lorries with water and 4 helicopters."
)


def page(name: str, body: str) -> Page:
    return Page(id=name, url=f"https://{name}.example/1", page_title="Quake", body=body)


def test_two_events_told_in_the_same_words_stay_apart() -> None:
    one = page("a", STORY.format(killed=12, hurt=300))
    other = page("b", STORY.format(killed=950, hurt=7000))
    copy = page("c", STORY.format(killed=12, hurt=300) + " More rain is expected.")
    found = reduce([one, other, copy])
    assert [cluster.members for cluster in found.clusters] == [("a", "c"), ("b",)]
    compared = compare_two(one, other, ReduceOptions())
    assert (compared["duplicate"], compared["level"]) == (False, "same text, other facts")
    assert compared["facts"]["summary"].startswith("same text, other figures: 12 / 950")


def test_pages_kept_apart_by_facts_have_that_level_whatever_they_share() -> None:
    advert = (
        "We are looking for a nurse in {}, {} time, {} hours a week, salary {} euros. Apply by {} "
        "June under reference {}."
    )
    one = page("a", advert.format("Bremen", "full", 38.5, 3400, 15, 8831))
    other = page("b", advert.format("Kassel", "part", 20, 1800, 30, 9027))
    compared = compare_two(one, other, ReduceOptions())
    assert compared["score"] >= 0.5
    assert not compared["duplicate"]
    assert (level_of(one, other, 1.0, 0.5), compared["level"]) == ("weak", "same text, other facts")
    assert "38.5 hours / 20 hours" in compared["facts"]["summary"]
    assert compare_two(one, other, ReduceOptions(threshold=1))["level"] == "none"
    merged = compare_two(one, other, ReduceOptions(profile="paper"))
    assert (merged["duplicate"], merged["level"]) == (True, "weak")


def test_a_profile_may_merge_them() -> None:
    pages = [page(name, STORY.format(killed=n, hurt=n)) for name, n in (("a", 12), ("b", 950))]
    assert len(reduce(pages, profile="paper").clusters) == 1


def test_an_update_is_merged_and_its_difference_is_the_first_reason() -> None:
    old = page("a", LONG.format(story=STORY.format(killed=12, hurt=300)))
    new = page("b", LONG.format(story=STORY.format(killed=14, hurt=300)))
    found = reduce([old, new])
    (dropped,) = found.dropped
    assert dropped.facts["differ"][0]["a"] == "14"
    assert dropped.facts["differ"][0]["b"] == "12"
    assert "14 / 12" in dropped.facts["summary"]
    assert dropped.level == "same text, other facts"
    assert dropped.action == "show as alternative"
    assert compare_two(old, new, ReduceOptions())["level"] == dropped.level
    assert reduce([old, new], explain=False).dropped[0].level == dropped.level
    assert reduction_to_dict(found)["dropped"][0]["facts"]["same"] > 5
    reason = table_of(found, explain=True).splitlines()[3]
    assert reason.strip() == f"{dropped.facts['summary']} (dropped / kept)"


def test_a_small_part_of_a_long_text_is_not_called_the_same_text() -> None:
    long = LONG.format(story=STORY.format(killed=12, hurt=300))
    part = page("b", long[: len(long) // 3].replace("12", "14"))
    compared = compare_two(page("a", long), part, ReduceOptions(threshold=0))
    assert compared["facts"]["differ"]
    assert (compared["level"], compared["facts"]["summary"][:5]) == ("weak", "other")


def test_two_versions_under_one_address_are_one_page() -> None:
    one, other = (page("a", STORY.format(killed=n, hurt=n)) for n in (12, 950))
    found = reduce([one, replace(other, id="later", url="http://www.a.example/1/")])
    assert [cluster.members for cluster in found.clusters] == [("a", "later")]


def test_the_report_carries_what_differs_and_contradicts() -> None:
    stories = [STORY.format(killed=12, hurt=300), STORY.format(killed=950, hurt=7000)]
    bodies = [
        *stories,
        LONG.format(story=stories[0]),
        LONG.format(story=stories[0].replace("12", "14")),
    ]
    pages = [
        replace(page(name, body), rank=n)
        for n, (name, body) in enumerate(zip("abcd", bodies, strict=True))
    ]
    found = {
        (pair["a"], pair["b"]): pair
        for pair in facts_data(*compare_with_facts(pages, ReduceOptions()))
    }
    assert found[0, 1]["contradict"]
    assert not found[2, 3]["contradict"]
    assert found[2, 3]["differ"] == {"other figures": [["12", "14", "killed"]]}


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("https://db.example/docs/13/limits.html", "https://db.example/docs/17/limits.html", False),
        ("https://db.example/7.4/fr/limits", "https://db.example/25.2/fr/limits", False),
        ("https://league.example/round/13/table", "https://league.example/round/17/table", True),
        ("https://db.example/docs/13/limits.html", "https://db.example/docs/13/sizes.html", True),
    ],
)
def test_versions_of_a_manual_do_not_contradict(first: str, second: str, apart: bool) -> None:
    bodies = (STORY.format(killed=12, hurt=300), STORY.format(killed=950, hurt=7000))
    pages = [Page(id=u, url=u, body=b) for u, b in zip((first, second), bodies, strict=True)]
    assert PageFacts(pages).contradict(0, 1) == apart


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


@given(
    bodies=near_duplicates(),
    layout=st.sampled_from([str, str.upper, lambda t: "\n".join(t.split())]),
)
def test_what_a_reason_says_stands_in_the_texts(bodies, layout) -> None:  # type: ignore[no-untyped-def]
    """Passages, facts and lost sentences are substrings; a copy has no facts and loses nothing."""
    pages = [page("a", bodies[0]), page("b", layout(bodies[1]))]
    coverage = cover(pages)
    for dropped in reduce(pages).dropped:
        own, kept = plain(pages[1].body), plain(pages[0].body)
        assert (dropped.id, dropped.kept) == ("b", "a")
        for passage in dropped.passages:
            assert plain(passage.text) in own
            assert plain(passage.text) in kept
        for fact in dropped.facts["differ"]:
            assert plain(fact["a"]) in own
            assert plain(fact["b"]) in kept
            assert all(plain(part) in own for part in fact["context"].split("…"))
            assert all(plain(part) in kept for part in fact["context"].split("…"))
        lost = coverage.lost(1, [0])
        assert all(plain(sentence.text) in own for sentence in lost)
        held = coverage.held[coverage.owner == 1][:, 0]
        assert held.sum() + len(lost) == len(held)
        if dropped.level == "exact":
            assert pages[0].body.split() == pages[1].body.split()
            assert (dropped.facts["summary"], lost) == ("", [])


def _manual_page(chapters: int, pages: int, text: str) -> Page:
    body = f"{text}. This handbook has {chapters} chapters on {pages} pages, and an index of tools."
    return Page(id=f"{chapters} {text[:9]}", url=f"https://a.example/{text[:5]}{pages}", body=body)


def test_figures_in_the_frame_of_other_pages_keep_nothing_apart() -> None:
    topics = (
        "Saws cut wood along a line that was drawn with a pencil and a ruler before the work began",
        "Files smooth the edge of metal when they are pushed away from the body in slow long moves",
        "Clamps hold two boards together until the glue between them is dry and can bear a load",
        "Drills make round holes for screws which are turned in by hand or by a small machine",
        "Planes take thin curls from a board and leave it even enough to be painted at once",
    )
    old = [_manual_page(18, 204, text) for text in topics]
    new = [_manual_page(31, 350, text) for text in topics]
    assert PageFacts([old[0], new[0]]).contradict(0, 1)
    assert not PageFacts([*old, *new]).contradict(0, len(old))
    walls = [replace(one, content_class="error") for one in (old[0], new[0])]
    assert not PageFacts(walls).contradict(0, 1)


def test_hosts_and_stamps_of_programs_keep_no_error_pages_apart() -> None:
    text = (
        "The requested address could not be read. Generated Mon, {day} {time} GMT by {host} (squid)"
    )
    one = page("a", text.format(day="11 Mar 2025", time="14:51:51", host="proxy5.example"))
    other = page("b", text.format(day="24 Apr 2024", time="08:02:10", host="proxy8.example"))
    assert not PageFacts([one, other]).contradict(0, 1)
    assert not PageFacts([one, other]).compare(0, 1).differ
