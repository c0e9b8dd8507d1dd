"""Information kept, on sets small enough to work every number by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducepp.evaluation.information_kept import Coverage, cover
from reducepp.evaluation.sentence_holders import HELD_FROM
from reducepp.similarity.contents import PageSet
from reducepp.types import Page


def pages(*bodies: str, language: str = "") -> list[Page]:
    return [
        Page(id=str(i), rank=i + 1, body=body, language=language) for i, body in enumerate(bodies)
    ]


COMMON = "The council voted for bees."
ONLY_B = "Rain fell all day in the valley."


@pytest.fixture
def three() -> Coverage:
    """Two pages say the same, one of them something more; the third something else."""
    return cover(pages(COMMON, f"{COMMON} {ONLY_B}", "Snow is expected."))


def test_who_holds_what(three: Coverage) -> None:
    assert three.owner.tolist() == [0, 1, 1, 2]
    assert three.length.tolist() == [5, 5, 7, 3]
    assert three.holders.tolist() == [2, 2, 1, 1]


def test_weights_worked_by_hand(three: Coverage) -> None:
    # Words times log2(1 + 3 / holders), shared among the holders.
    said_twice = 5 * math.log2(1 + 3 / 2) / 2
    np.testing.assert_allclose(three.weights, [said_twice, said_twice, 7 * 2, 3 * 2])


def test_kept_worked_by_hand(three: Coverage) -> None:
    council = 5 * math.log2(2.5)
    total = council + 14 + 6
    assert three.kept_by([0, 1, 2]) == 1.0
    assert three.kept_by([1, 2]) == 1.0  # the first page has nothing of its own
    assert three.kept_by([0, 2]) == pytest.approx((council + 6) / total)
    assert three.kept_by([0]) == pytest.approx(council / total)
    assert three.kept_by([]) == 0.0


def test_what_a_dropped_page_alone_had(three: Coverage) -> None:
    lost = three.lost(1, shown=[0, 2])
    assert [(sentence.text, sentence.alone) for sentence in lost] == [(ONLY_B, True)]
    assert lost[0].share == pytest.approx(1 - three.kept_by([0, 2]))
    assert three.lost(0, shown=[1, 2]) == []


def test_lost_with_another_page_that_is_not_shown_is_not_alone() -> None:
    found = cover(pages("Something else entirely here.", COMMON, COMMON))
    assert [(s.text, s.alone) for s in found.lost(1, shown=[0])] == [(COMMON, False)]


def test_a_repeated_sentence_counts_once() -> None:
    once, often = cover(pages(COMMON, ONLY_B)), cover(pages(f"{COMMON}\n{COMMON} {COMMON}", ONLY_B))
    np.testing.assert_allclose(often.weights, once.weights)


def test_near_equal_sentences_count_once_together() -> None:
    one = "Keepers in the old town say that most of their hives came through a very hard winter."
    near = one.replace("that", "how")  # a function word: 2 of 16 word pairs differ
    far = one.replace("hard", "cold")
    equal, different = cover(pages(one, near, language="en")), cover(pages(one, far))
    assert equal.holders.tolist() == [2, 2]
    assert equal.total == pytest.approx(17 * math.log2(2))
    assert equal.kept_by([0]) == 1.0
    assert different.holders.tolist() == [1, 1]
    assert different.kept_by([0]) == pytest.approx(0.5)


def test_a_line_break_elsewhere_hides_no_sentence() -> None:
    assert cover(pages("The council voted\nfor bees and against wasps.", COMMON)).held[:, 0].all()


def test_a_number_is_information() -> None:
    found = cover(pages("The vote was 12 to 7.", "The vote was 9 to 4."))
    assert found.kept_by([0]) == pytest.approx(0.5)


def test_single_words_are_no_sentences() -> None:
    assert cover(pages("Menu\nHome\n" + COMMON)).length.tolist() == [5]


@pytest.mark.parametrize("bodies", [(), ("",), ("", "", ""), ("Menu", "!?")])
def test_no_text_is_not_defined(bodies: tuple[str, ...]) -> None:
    found = cover(pages(*bodies))
    assert math.isnan(found.kept_by([]))
    assert all(found.lost(page, shown=[]) == [] for page in range(len(bodies)))


def test_a_page_without_text_costs_nothing() -> None:
    assert cover(pages(COMMON, "", ONLY_B)).kept_by([0, 2]) == 1.0


def test_a_snippet_replaces_a_missing_body() -> None:
    found = cover([Page(id="a", snippet=COMMON), Page(id="b", body=f"{COMMON} {ONLY_B}")])
    assert found.holders.tolist() == [2, 2, 1]


def test_arabic_with_and_without_vowel_signs_is_the_same() -> None:
    found = cover(pages("تُوُفِّيَ رئيسُ المجلسِ أمس في العاصمة.", "توفي رئيس المجلس امس في العاصمه."))
    assert found.kept_by([0]) == 1.0


def test_texts_prepared_for_comparing_are_shared() -> None:
    page_set = PageSet(pages(COMMON, ONLY_B))
    texts = page_set.texts("text", "plain")
    assert cover(page_set).texts is texts


def test_the_template_of_a_site_is_no_information() -> None:
    menu = "Read all our stories on the town and its people every day of the week."
    story = "Story number {} is about hive {} and it goes on for long enough to be a page. " * 4
    made = [
        Page(id=str(i), url=f"https://town.example/{i}", page_title=f"Title {i}", body=body)
        for i, body in enumerate(f"{menu}\n{story.format(*[k] * 8)}" for k in "abcd")
    ]
    assert menu not in cover(made).written[0]
    assert all(menu != lost.text for lost in cover(made).lost(0, shown=[]))


def says(sentence: list[str], body: list[list[str]]) -> bool:
    """The definition of a page that says a sentence, word for word, without arrays."""
    flat = [(word, k) for k, there in enumerate(body) for word in there]
    pairs = set(pairwise(sentence))
    found = pairs & set(pairwise([word for word, _ in flat]))
    if sentence in body:
        return True
    if len(found) < HELD_FROM * len(pairs) - 1e-9:
        return False
    content = [word for word in sentence if word != "the"]
    stated = [(word, k) for word, k in flat if word != "the"]
    for i in range(len(stated) - len(content) + 1) if content else ():
        run = stated[i : i + len(content)]
        around = [word for there in body[run[0][1] : run[-1][1] + 1] for word in there]
        same = [word for word, _ in run] == content
        if same and around.count("not") == sentence.count("not"):
            return True
    for there in body:
        rest = iter(there)
        guarded = [there.count(word) == sentence.count(word) for word in ("not", "12")]
        if all(word in rest for word in sentence) and all(guarded):
            return True
    return False


def slow_share(bodies: list[list[list[str]]], shown: set[int]) -> float:
    """The definition of the share kept, without arrays."""
    total = kept = 0.0
    for body in bodies:
        for sentence in {tuple(sentence) for sentence in body if len(sentence) > 1}:
            holders = {page for page, there in enumerate(bodies) if says(list(sentence), there)}
            weight = len(sentence) * math.log2(1 + len(bodies) / len(holders)) / len(holders)
            total += weight
            kept += weight * bool(holders & shown)
    return kept / total if total else math.nan


WORDS = st.sampled_from(["bee", "hive", "town", "the", "12", "not"])
SETS = st.lists(
    st.lists(st.lists(WORDS, min_size=1, max_size=9), max_size=4), min_size=1, max_size=5
)


@settings(max_examples=150, deadline=None)
@given(SETS, st.sets(st.integers(0, 4)))
def test_same_as_the_definition_written_out(bodies: list[list[list[str]]], shown: set[int]) -> None:
    shown = {page for page in shown if page < len(bodies)}
    texts = ("\n".join(" ".join(s) for s in body) for body in bodies)
    found = cover(pages(*texts, language="en"))
    assert found.kept_by(shown) == pytest.approx(slow_share(bodies, shown), nan_ok=True)


@settings(max_examples=50, deadline=None)
@given(SETS, st.randoms())
def test_more_pages_never_hold_less_and_order_does_not_matter(bodies, random) -> None:  # type: ignore[no-untyped-def]
    texts = ["\n".join(" ".join(s) for s in body) for body in bodies]
    found = cover(pages(*texts))
    if math.isnan(found.kept_by([])):
        return
    shares = [found.kept_by(range(count)) for count in range(len(texts) + 1)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    order = list(range(len(texts)))
    random.shuffle(order)
    shuffled = cover(pages(*(texts[i] for i in order)))
    assert shuffled.kept_by([order.index(0)]) == pytest.approx(found.kept_by([0]))


def test_a_sentence_with_another_figure_is_not_held() -> None:
    text = (
        "The quake that hit the northern coast early on Tuesday killed {} people in the villages."
    )
    found = cover(pages(text.format(12), text.format(950), text.format(12).replace("early ", "")))
    assert found.held.tolist() == [[True, False, False], [False, True, False], [True, False, True]]
    assert len(found.lost(1, shown=[0])) == 1


def test_a_copy_holds_what_is_a_template_of_its_own_site_alone() -> None:
    menu, text = (
        "Boats and trains of the day",
        "The ferry leaves at noon. It comes back at dusk. " * 6,
    )
    pages = [
        Page(id=str(n), url=f"https://a.example/{n}", page_title=title, body=f"{menu}\n{body}")
        for n, (title, body) in enumerate(
            [
                ("Ferry", text),
                ("Bees", "Bees fly on warm days. " * 9),
                ("Chess", "A game was drawn. " * 12),
            ]
        )
    ]
    copy = replace(pages[0], id="copy", url="https://b.example/1")
    assert not cover([*pages, copy]).lost(3, [0])


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("The court ruled on Friday that the new tax is {} lawful in the whole city.", "", "not"),
        ("{} will take over the house on the harbour after the holidays.", "P. Hansen", "M. Lopez"),
        ("The library in the old town is closed on {} for a meeting of all.", "Monday", "Thursday"),
        ("Shares of the maker of small engines {} 4 percent on the day.", "rose", "fell"),
        ("Die Steuer ist nach dem Urteil vom Freitag {} rechtens in der Stadt.", "", "nicht"),
        (
            "أعلن رئيس بلدية صيدا {} إغلاق المسبح البلدي لإجراء أعمال صيانة.",
            "أحمد حداد",
            "سمير خوري",
        ),
        ("The harbour was closed for more than {} days in the cold winter.", "ten", "twelve"),
    ],
)
def test_a_sentence_that_says_something_else_is_lost(text: str, one: str, other: str) -> None:
    first, second = (" ".join(text.format(word).split()) for word in (one, other))
    found = cover(pages(first, second))
    assert [lost.text for lost in found.lost(1, shown=[0])] == [second]
    assert [lost.text for lost in found.lost(0, shown=[1])] == [first]


@pytest.mark.parametrize(
    ("dropped", "kept"),
    [
        ("Twelve people died in the fire by the mill.", "12 people died in the fire by the mill."),
        ("قتل 12 شخصا في حريق قرب المطحنة.", "قتل ١٢ شخصا في حريق قرب المطحنة."),
        (
            "The town wants to build a café there.",
            "The town wants, they say, to build a CAFÉ there.",
        ),
        (
            "The keepers of the old town say that the bees will come back in spring.",
            "The keepers of the old town say that the bees would come back in spring.",
        ),
    ],
)
def test_a_sentence_in_other_form_is_held(dropped: str, kept: str) -> None:
    assert cover(pages(kept, dropped, language="en")).lost(1, shown=[0]) == []


@pytest.mark.parametrize(
    ("title", "lost"), [("Lamp of the town", []), ("Lamp", ["Lamp of the town"])]
)
def test_a_title_that_both_pages_have_is_not_lost(title: str, lost: list[str]) -> None:
    text = "The keepers of the old town lit the lamp."
    own = "Lamp of the town"
    kept = Page(id="kept", rank=1, page_title=title, body=text)
    dropped = Page(id="dropped", rank=2, page_title=own, body=text, visible=f"{own}\n{text}")
    assert [one.text for one in cover([kept, dropped]).lost(1, shown=[0])] == lost


def test_a_word_elsewhere_in_the_page_does_not_hold_the_sentence() -> None:
    closed = "The library in the old town is closed on {} for a meeting of all its keepers."
    kept = f"{closed.format('Monday')} The town meets on Thursday, and not on Monday."
    assert len(cover(pages(kept, closed.format("Thursday"))).lost(1, shown=[0])) == 1


def test_a_negation_before_the_words_of_a_sentence_counts() -> None:
    said = "The new tax of the city is lawful."
    found = cover(pages(f"Nobody believes that {said.lower()}", said))
    assert [lost.text for lost in found.lost(1, shown=[0])] == [said]
