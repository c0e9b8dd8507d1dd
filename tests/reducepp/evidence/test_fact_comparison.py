"""Facts of two texts compared: what is said to differ does, in both directions, and only that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given

from reducepp.evidence.facts.aligned_facts import AlignedFacts
from reducepp.evidence.facts.fact_comparison import FactComparison, contradicts, summarise
from reducepp.evidence.facts.fact_text import read_facts
from reducepp.evidence.facts.renamings import Renaming
from tests.reducepp.evidence.made_texts import align_facts, compare_facts, near_duplicates, texts

QUAKE = (
    "A strong earthquake struck the province on Tuesday. "
    "It killed 12 people and hurt 300, the governor said."
)
OTHER = QUAKE.replace("12", "950").replace("300", "7000")


def spaced(text: str) -> str:
    return " ".join(text.lower().split())


def assert_true_of(found: FactComparison, one: str, other: str) -> None:
    a, b = read_facts(one), read_facts(other)
    counted = [{f.text for f in text.facts.values() if f.counts} for text in (a, b)]
    for difference in found.differ:
        assert difference.a in counted[0]
        assert difference.b in counted[1]
        for part in difference.context.split("…"):
            assert spaced(part) in spaced(one)
            assert spaced(part) in spaced(other)
        assert difference.label in difference.context
    assert set(found.only_a) <= counted[0]
    assert set(found.only_b) <= counted[1]
    facts = min(len(a.facts), len(b.facts))
    assert found.same + len(found.differ) <= facts
    assert 0 <= found.shared <= 1
    for name in found.renamed:
        assert spaced(name.a) in spaced(one)
        assert spaced(name.b) in spaced(other)


@given(near_duplicates())
def test_what_is_reported_stands_in_the_texts(pair: tuple[str, str]) -> None:
    assert_true_of(compare_facts(*pair), *pair)


@given(texts, texts)
def test_the_same_of_texts_that_are_no_duplicates(one: str, other: str) -> None:
    assert_true_of(compare_facts(one, other), one, other)


@given(near_duplicates())
def test_exchanged_texts_give_the_exchanged_result(pair: tuple[str, str]) -> None:
    there, back = compare_facts(*pair), compare_facts(pair[1], pair[0])
    assert there.same == back.same
    assert [(d.a, d.b, d.context) for d in there.differ] == [
        (d.b, d.a, d.context) for d in back.differ
    ]
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)
    assert [(n.a, n.b, n.times) for n in there.renamed] == [
        (n.b, n.a, n.times) for n in back.renamed
    ]
    assert there.contradicts == back.contradicts


@given(texts)
def test_a_text_agrees_with_itself(text: str) -> None:
    found = compare_facts(text, text)
    assert (found.differ, found.only_a, found.only_b, found.renamed) == ((), (), (), ())
    assert not found.contradicts


def test_other_figures_in_the_same_place() -> None:
    found = compare_facts(QUAKE, OTHER)
    assert [(d.a, d.b, d.context) for d in found.differ] == [
        ("12", "950", "It killed … people and hurt"),
        ("300", "7000", "people and hurt … the governor said"),
    ]
    assert found.contradicts
    assert summarise(found) == "same text, other figures: 12 / 950 killed, 300 / 7000 hurt"


def test_missing_is_not_contradicting() -> None:
    found = compare_facts(QUAKE, QUAKE.replace(" and hurt 300", ""))
    assert (found.same, found.differ, found.only_a, found.only_b) == (1, (), ("300",), ())
    assert not found.contradicts
    assert summarise(found) == ""


def test_a_fact_said_elsewhere_is_not_missing() -> None:
    moved = f"About 300 were hurt. {QUAKE.replace(' and hurt 300', '')}"
    found = compare_facts(QUAKE, moved)
    assert (found.only_a, found.only_b) == ((), ())


def test_facts_of_moved_sentences_are_compared() -> None:
    start, end = QUAKE.split(". ")
    moved = f"{end} {start}.".replace("12", "15")
    found = compare_facts(f"{QUAKE} Nobody was surprised.", f"{moved} Nobody was surprised.")
    assert [(d.a, d.b) for d in found.differ] == [("12", "15")]
    assert found.same == 1


def test_a_word_beside_a_fact_does_not_hide_it() -> None:
    found = compare_facts(QUAKE, QUAKE.replace("killed 12", "killed at least 15"))
    assert [(d.a, d.b) for d in found.differ] == [("12", "15")]


def test_names_in_the_same_place() -> None:
    text = "The shop in Dunford opens at 9:00. Our Dunford team has 4 people. Visit Dunford soon."
    found = compare_facts(text, text.replace("Dunford", "Wexcombe").replace("4", "7"))
    assert found.renamed == (Renaming(a="Dunford", b="Wexcombe", times=3),)
    assert summarise(found) == (
        "same text, other names: Dunford / Wexcombe; other figures: 4 / 7 team"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("Mr", "Ayatollah Ali"), ("U", "Trump"), ("Trump cabinet. Here", "Obama"), ("J. Smith", "")],
)
def test_no_names(one: str, other: str) -> None:
    text = "In the last week the leader {} Khamenei of the country praised the guards again."
    assert compare_facts(text.format(one), text.format(other)).renamed == ()


def test_initials_are_part_of_a_name() -> None:
    text = "In the last week the leader {} of the country praised the guards again."
    found = compare_facts(text.format("J. R. Smith"), text.format("Maria Keller"))
    assert [(name.a, name.b) for name in found.renamed] == [("J. R. Smith", "Maria Keller")]


def test_texts_with_little_in_common_are_not_called_the_same() -> None:
    longer = " ".join(f"Witness {name} saw smoke." for name in ("A", "B", "C", "D", "E", "F"))
    found = compare_facts(QUAKE, f"{QUAKE.replace('12', '15')} {longer}")
    assert (found.shared, found.shared_of_longer < 0.8) == (1.0, True)
    assert summarise(found) == "other figures: 12 / 15 killed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the US army said so", "the U.S. army said so"),
        ("the Labor party won there", "the Labour party won there"),
        ("he could quickly go home", "he could slowly go home"),
    ],
)
def test_other_words_for_the_same_are_no_names(one: str, other: str) -> None:
    frame = "Once more everybody in the town knows that {} and that nothing else has happened."
    assert compare_facts(frame.format(one), frame.format(other)).renamed == ()


def made(same: int, differ: int, **more: object) -> AlignedFacts:
    """What `contradicts` reads of two texts with so many facts in the same place."""
    values = {"distinct_same": same, "distinct_differ": differ, "shared": 1.0, "shared_words": 100}
    names = {"renamed": (), "other_names": False, "other_item": False}
    return cast(AlignedFacts, SimpleNamespace(**{**values, **names, **more}))


def test_most_of_the_facts_must_contradict() -> None:
    assert contradicts(made(0, 2))
    assert contradicts(made(4, 5))
    assert not contradicts(made(5, 5))
    assert not contradicts(made(0, 1))
    assert not contradicts(made(100, 30))


def test_a_few_figures_of_a_long_text_do_not_decide() -> None:
    assert contradicts(made(0, 2, shared_words=240))
    assert not contradicts(made(0, 2, shared_words=300))
    assert contradicts(made(0, 5, shared_words=500))
    assert not contradicts(made(0, 5, shared_words=620))


def test_tables_of_a_long_document_are_new_in_each_version_but_lists_of_figures_are_not() -> None:
    assert not contradicts(made(30, 70, shared_words=1300))
    assert contradicts(made(30, 81, shared_words=1300))


def test_numbers_that_all_move_by_the_same_are_one_difference() -> None:
    chapters = "Reading files {} Writing files {} Closing files {} Locking files {} End"
    renumbered = align_facts(chapters.format(4, 5, 6, 7), chapters.format(5, 6, 7, 8))
    other = align_facts(chapters.format(4, 5, 6, 7), chapters.format(9, 5.5, 61, 12))
    assert (renumbered.distinct_differ, other.distinct_differ) == (1, 4)
    assert contradicts(other)
    assert not contradicts(renumbered)


def test_only_near_duplicates_contradict() -> None:
    assert not contradicts(made(0, 9, shared=0.4))


def test_another_subject_needs_fewer_contradictions() -> None:
    often = (Renaming(a="Lyon", b="Nantes", times=3),)
    once = (Renaming(a="Lyon", b="Nantes", times=1),)
    assert contradicts(made(7, 3, renamed=often))
    assert not contradicts(made(7, 3, renamed=once))
    assert not contradicts(made(7, 0, renamed=often))
    assert not contradicts(made(30, 3, renamed=often))


def test_a_summary_names_a_few_and_counts_the_rest() -> None:
    text = "red {} one, blue {} two, green {} three, white {} four, black {} five of them"
    found = compare_facts(text.format(*range(10, 15)), text.format(*range(30, 35)))
    assert summarise(found).endswith("12 / 32 green, and 2 more")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("A quake of magnitude {} killed {} people on Sunday", ["magnitude", "killed"]),
        ("قتل زلزال بقوة {} درجات {} شخصا وأصاب كثيرين", ["بقوة", "شخصا"]),
        ("Le séisme de magnitude {} a tué {} personnes dimanche", ["magnitude", "personnes"]),
    ],
)
def test_a_label_belongs_to_its_own_figure(text: str, labels: list[str]) -> None:
    found = compare_facts(text.format(6.1, 12), text.format(7.4, 950))
    assert [difference.label for difference in found.differ] == labels


def test_most_names_differ() -> None:
    text = (
        "The council of {} voted to close the pool in {} at the end of the season. The building "
        "needs repairs which the town cannot pay for, the mayor, {}, told residents on Friday."
    )
    here = text.format("Thornbury", "Castle Street", "Judith Farrow")
    other_town = text.format("Okehampton", "Station Road", "Graham Pell")
    corrected = text.format("Thornbury", "Castle Street", "Judith Harrow-Pell")
    assert compare_facts(here, other_town).contradicts
    assert not compare_facts(here, corrected).contradicts


def test_names_after_a_title_in_a_script_without_capitals() -> None:
    text = "قال {} إن البلدية ستوفر مواقف بديلة قرب المدرسة وستزرع أشجارا على جانبي الطريق"
    found = compare_facts(text.format("السيد حسن جابر"), text.format("السيد أسعد زغيب"))
    assert [(name.a, name.b) for name in found.renamed] == [("حسن جابر", "أسعد زغيب")]
    assert not compare_facts(text.format("رئيسها"), text.format("مصدر مطلع")).renamed


def test_a_version_in_the_first_sentence_does_not_count() -> None:
    text = "{}. The service listens on port 8080 and the log is kept for 7 days after a start."
    first, second = (text.format(f"Guide, version {number}") for number in ("2.1", "2.2"))
    assert not compare_facts(first, second).differs
    later = "Read this first. The installer of version {} needs a system that is up to date today."
    assert compare_facts(later.format("2.1"), later.format("2.2")).differs


def test_labelled_lines_of_the_head_count() -> None:
    text = "Shop in Bath\nTelephone: {}\nOpen: Monday to Friday {}\nViews: {}\n12 May 2021\n" + (
        "Our family business sells screws, tools and garden sheds to everybody who asks for them."
    )
    here = text.format("01225 380 117", "9:00 to 18:00", 12)
    found = compare_facts(here, text.format("01225 291 664", "8:30 to 17:30", 977))
    phone, opens, closes = found.differ
    assert (phone.label, opens.a, opens.b, closes.b) == ("Telephone", "9:00", "8:30", "17:30")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("5.30 pm", "17:30", True),
        ("18 h", "18h00", True),
        ("18 h", "17 h 30", False),
        ("7.20 Uhr", "7:20", True),
        ("01223 550 190", "+44 1223 550190", True),
        ("01223 550 190", "+44 1223 550191", False),
        ("douzième", "12e", True),
        ("الثامنة عشرة", "18", True),
        ("مليونا ومئتي ألف", "1,2 مليون", True),
        ("مليونا ومئتي ألف", "3,2 مليون", False),
    ],
)
def test_ways_of_writing(a: str, b: str, same: bool) -> None:
    text = "The gate of the old garden on the hill was said to be at {} in the book of the town"
    found = compare_facts(text.format(a), text.format(b))
    assert (found.same, len(found.differ)) == (int(same), int(not same))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Posted on 4 May 2024 at 08:15", "Posted on 6 May 2024 at 17:40"),
        ("Publié le 2 juin 2024 à 7 h 30", "Publié le 5 juin 2024 à 18 h 12"),
        ("Viewed 832 times", "Viewed 15,906 times"),
        ("Vu 832 fois", "Vu 15 906 fois"),
    ],
)
def test_the_time_of_a_stamp_and_how_often_a_page_was_viewed_do_not_count(
    one: str, other: str
) -> None:
    text = "{}. The library in Milton Street will close from 3 June on, and 120 panels are fitted."
    assert not compare_facts(text.format(one), text.format(other)).differ


def test_another_invoice_needs_fewer_contradictions() -> None:
    text = (
        "{number} {} for the work in the house by the river. Labour costs {} euros and the boards "
        "{} euros. Please pay within 14 days to account 43310987 at the bank of the town. After 30 "
        "days we charge 5 % more. The work is guaranteed for 6 years."
    )
    one, other = (0, 288, 211), (1, 672, 1036)
    corrected = [text.format(*values, number="Visit") for values in (one, other)]
    invoices = [text.format(4170 + n, *values, number="Invoice no") for n, *values in (one, other)]
    assert not compare_facts(*corrected).contradicts
    assert compare_facts(*invoices).contradicts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("between 2 and 3 million", "between 2 million and 3 million"),
        ("de 10 à 15 milliards", "de 10 milliards à 15 milliards"),
        ("10-15 thousand", "10,000 to 15,000"),
        ("بين 1 و2 مليون", "بين مليون ومليوني"),
    ],
)
def test_the_ends_of_a_range_share_a_magnitude(one: str, other: str) -> None:
    text = "The owners of the house thought that {} people could come to see it in a year."
    assert not compare_facts(text.format(one), text.format(other)).differ
    assert compare_facts(text.format(one), text.format("between 7 and 9 million")).differ
