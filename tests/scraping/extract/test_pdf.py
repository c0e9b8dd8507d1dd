"""Lines of a PDF: reading order from right to left, running heads, default titles."""

from __future__ import annotations

import pytest

from reducepp.scraping.extract.pdf import Line, choose_title, logical_order, remove_running_heads


def lay(visual: str) -> list[float]:
    """Places of characters that are given as they lie, from the left."""
    return [float(place) for place in range(len(visual))]


@pytest.mark.parametrize(
    "logical",
    [
        "يفتح المنار القديم",
        "في عام 1911 مرت سفينة",
        "المنار، كما يقولون، قديم.",
        "نشره Carrow Point أمس في الصحيفة",
        "השומר שעובד שם כבר 23 שנים",
    ],
)
def test_words_are_read_as_they_lie_whatever_order_they_come_in(logical: str) -> None:
    runs = [w[::-1] if w.isascii() and w.isalnum() else w for w in logical.split(" ")]
    if "Carrow" in logical:
        runs = ["نشره", "tnioP worraC", "أمس في الصحيفة"]
    visual = " ".join(runs)[::-1]
    for step in (1, -1):
        places = lay(visual)[::step]
        assert logical_order(visual[::step], places) == logical


def test_lam_goes_before_the_alef_it_is_tied_to() -> None:
    assert logical_order("ثالث", [3.0, 2.0, 2.0, 1.0]) == "ثلاث"
    assert logical_order("ثالث", [4.0, 3.0, 2.0, 1.0]) == "ثالث"


def test_a_right_to_left_word_in_a_left_to_right_line() -> None:
    visual = "the word " + "منار"[::-1] + " means lighthouse"
    assert logical_order(visual, lay(visual)) == "the word منار means lighthouse"


def sheet(number: int, *texts: str) -> list[Line]:
    """A page with a running head and a foot, which come first in the file."""
    head = [
        Line("Journal of Lights, vol. 3", 9, 810),
        Line("ISSN 1234-5678", 9, 810),
        Line(f"Page {number} of 2", 9, 20),
    ]
    return head + [Line(t, 11, 780.0 - 14 * i) for i, t in enumerate(texts)]


def test_heads_and_feet_of_two_pages_are_left_out() -> None:
    lines = remove_running_heads([sheet(1, "One", "1974", "Two"), sheet(2, "Three", "Four")])
    assert [line.text for line in lines] == ["One", "1974", "Two", "Three", "Four"]


@pytest.mark.parametrize("foot", ["3", "- 3 -", "3/9", "Seite 3 von 9", "https://a.example/b 3/9"])
def test_the_number_of_a_single_page_is_left_out(foot: str) -> None:
    lines = remove_running_heads([[Line("Text", 11, 700), Line(foot, 9, 20)]])
    assert [line.text for line in lines] == ["Text"]


@pytest.mark.parametrize("stated", ["(anonymous)", "untitled", "Microsoft Word - a.doc", "a.tex"])
def test_a_title_that_a_program_made_up(stated: str) -> None:
    assert (
        choose_title(stated, [Line("The Light", 20, 700), Line("It burns.", 11, 600)])
        == "The Light"
    )
