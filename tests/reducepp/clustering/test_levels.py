"""The paper's own examples of each level, and what a dropped page is called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reducepp.api import reduce
from reducepp.clustering import levels
from reducepp.clustering.levels import (
    ACTIONS,
    LEVELS,
    LOW,
    MIN_COPY_SCORE,
    SHORT,
    dropped_level,
    level_of,
    text_level,
)
from reducepp.types import Page

T1 = "Huge New Toyota Recall Includes 245,000 Lexus GS, IS Sedans - http://newzfor.me/?cuye"
T3 = "Huge New Toyota Recall Includes 245,000 Lexus GS, IS Sedans - http://bit.ly/ibUoJs"
T4 = (
    "Toyota recalls 1.7 million vehicles for fuel leaks: Toyota’s latest recalls are mostly in "
    "Japan, but they also... http://bit.ly/dH0Pmw"
)
T5 = "Toyota Recalls 1.7 Million Vehicles For Fuel Leaks http://bit.ly/flWFWU"
T6 = "The White Stripes broke up. Oh well."
T7 = "The White Stripes broke up. That’s a bummer for me."
T8 = "Federal Judge rules Obamacare is unconsitutional..."
T9 = (
    "Our man of the hour: Judge Vinson gave Obamacare its second unconstitutional ruling. "
    "http://fb.me/zQsChak9"
)


def page(body: str, **more: str) -> Page:
    return Page(id=body[:9] or "empty", body=body, language="en", **more)


@pytest.mark.parametrize(
    ("a", "b", "level"),
    [
        (T1, T1, "exact"),
        (T1, T3, "nearly exact"),
        (T4, T5, "strong"),
        (T6, T7, "weak"),
        (T8, T9, "low overlap"),
    ],
)
def test_the_papers_examples(a: str, b: str, level: str) -> None:
    assert level_of(page(a), page(b), 0.9, 0.5) == level
    assert level_of(page(b), page(a), 0.9, 0.5) == level


@pytest.mark.parametrize(("a", "b"), [(T4, T5), (T1, T3), (T1, T1), ("", "")])
def test_below_the_threshold_no_pair_has_a_level(a: str, b: str) -> None:
    assert level_of(page(a), page(b), 0.4, 0.5) == "none"


@pytest.mark.parametrize(
    ("score", "exact", "nearly"), [(0.9, "exact", "nearly exact"), (0.89, "strong", "strong")]
)
def test_a_copy_has_the_score_of_one(score: float, exact: str, nearly: str) -> None:
    assert level_of(page(T1), page(T1), score, 0.5) == exact
    assert level_of(page(T1), page(T3), score, 0.5) == nearly


def test_equal_results_of_one_site_in_doubt_are_no_exact_copy() -> None:
    text = "The council voted on Monday to repair the old lighthouse above the harbour."
    rows = [
        {"url": f"https://a.example/{n}", "title": "A vote", "body": text} for n in ("x1", "y2")
    ]
    (dropped,) = reduce(rows).dropped
    assert dropped.score < MIN_COPY_SCORE
    assert dropped.level == "strong"


def test_a_dropped_page_has_the_level_of_its_text_where_only_others_link_it() -> None:
    assert dropped_level(text_level(page(T4), page(T5)), 0.1) == "strong"
    assert dropped_level(text_level(page(T8), page(T9)), 0.1) == "low overlap"


def test_short_texts_of_one_language_that_is_seen_in_one_of_them() -> None:
    texts = ("Council saves lighthouse The council voted on Monday", "Council saves lighthouse The")
    pages = [Page(id=text, body=text) for text in texts]
    assert text_level(*pages) == "strong"


def test_every_level_has_an_action() -> None:
    assert set(ACTIONS) == set(LEVELS)


def test_long_texts_are_compared_by_runs_of_words() -> None:
    one = " ".join(f"w{i} x{i} and" for i in range(60))
    added = one + " more " + " ".join(f"y{i}" for i in range(10))
    turned = " ".join(reversed(one.split()))
    assert level_of(page(one), page(added), 0.9, 0.5) == "strong"
    assert level_of(page(one), page(turned), 0.9, 0.5) == "low overlap"


def test_pages_without_a_body_go_by_title_and_snippet() -> None:
    a = page("", page_title="Rain in Spain")
    assert level_of(a, page("", page_title="Rain in Spain"), 1.0, 0.5) == "exact"


def test_every_dropped_web_page_has_a_level_and_an_action() -> None:
    bodies = ["rain falls in spain today", "rain falls in spain today again", "rain falls in spain"]
    found = reduce([{"id": str(i), "body": b} for i, b in enumerate(bodies)], threshold=0.3)
    assert len(found.dropped) == 2
    for dropped in found.dropped:
        assert dropped.level in LEVELS[:6]
        assert dropped.action == ACTIONS[dropped.level]


@pytest.mark.parametrize(("common", "level"), [(LOW, "weak"), (LOW - 1e-9, "low overlap")])
def test_where_low_overlap_begins(common: float, level: str) -> None:
    assert levels.level_by_share(0.0, common) == level


def test_levels_of_all_pairs() -> None:
    texts = ("", "rain falls in spain", "Rain falls in Spain!", "rain  falls in spain", "snow")
    pages = [page(text) for text in texts]
    pages += [page(texts[1], visible=f"{more} {texts[1]}") for more in ("Home", "Home", "Away")]
    found = levels.text_levels(pages)
    np.testing.assert_array_equal(found, found.T)
    assert [LEVELS[place] for place in found[1, :5]] == [
        *("low overlap", "exact", "nearly exact", "exact", "low overlap")
    ]
    assert LEVELS[found[5, 6]] == "exact"
    assert LEVELS[found[5, 7]] == "strong"


@pytest.mark.parametrize(("words", "level"), [(SHORT, "strong"), (SHORT + 1, "low overlap")])
def test_up_to_which_length_a_text_is_compared_by_its_words(words: int, level: str) -> None:
    text = [f"word{n}" for n in range(words)]
    assert level_of(page(" ".join(text)), page(" ".join(reversed(text))), 0.9, 0.5) == level


def test_pages_with_little_main_text_have_the_level_of_all_that_they_show() -> None:
    menu = "Jobs by town and by trade. Post a job. Your next colleague is here. Sign in or join us."
    one, other = (
        Page(id=body, body=body, visible=f"{menu}\n{body}")
        for body in ("Drivers and cooks wanted.", "Nurses, clerks and painters.")
    )
    assert text_level(one, other) == "weak"
    assert text_level(replace(one, visible=""), replace(other, visible="")) == "low overlap"


def test_a_copy_is_exact_only_where_all_that_is_shown_is_equal() -> None:
    body = "The ferry leaves at noon and comes back before dark."
    one = Page(id="1", body=body, visible=f"Harbour news\n{body}\nMore from the islands")
    other = replace(one, id="2", visible=f"Harbour news\n{body}\nA storm has closed the pass")
    assert text_level(one, replace(one, id="3")) == "exact"
    assert text_level(one, other) == "strong"
    assert text_level(one, replace(one, body=body.upper())) == "nearly exact"
    assert text_level(one, replace(other, body=body.upper())) == "strong"


def test_long_texts_that_differ_far_behind_are_not_nearly_exact() -> None:
    words = [
        f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(6000)
    ]
    one = Page(id="1", body=" ".join(words))
    assert text_level(one, replace(one, body=f"{one.body.upper()}!")) == "nearly exact"
    assert text_level(one, replace(one, body=f"{one.body.upper()} harbour")) == "strong"


def test_levels_of_short_texts_load_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer to load than the rest of a run on two short pages."""
    monkeypatch.setattr("reducepp.text.language_detection._identifier", lambda: pytest.fail("it"))
    a, b = (Page(id=text, body=text) for text in ("Bridge news today", "Bridge news from today"))
    assert level_of(a, b, 0.9, 0.5) == "strong"
