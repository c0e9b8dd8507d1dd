"""Facts of a text: what is found, how it is normalised, and what does not count."""

from __future__ import annotations

import pytest
from hypothesis import given

from reducepp.evidence.facts.fact_text import MAX_CHARACTERS, MAX_FACTS, read_facts
from tests.reducepp.evidence.made_texts import texts


def values(text: str) -> list[str]:
    return [fact.value for fact in read_facts(text).facts.values()]


def counted(text: str, published: str = "") -> list[str]:
    facts = read_facts(text, published=published).facts.values()
    return [fact.text for fact in facts if fact.counts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("killed 12 people and hurt 300", ["12", "300"]),
        ("1,234.5 and 1.234,5 and 1 234,5 and 1'234.5", ["1234.5"] * 4),
        ("١٢ و٣٤٫٥ و۱۲۳", ["12", "34.5", "123"]),
        ("3 million, 3 millions, 3 ملايين, 3bn", ["3000000"] * 3 + ["3000000000"]),
        (
            "$3m, €3m, 3 M€, USD 3 million",
            ["3000000 USD", "3000000 EUR", "3000000 EUR", "3000000 USD"],
        ),
        ("12 %, 12%, 12 percent, 12 pour cent, 12 في المئة, ١٢٪, %12", ["12 %"] * 7),
        ("5 km, 5 kilometres, 5 kilomètres, 5 كيلومترات", ["5 km"] * 4),
        (
            "20 km/h, 5 m², 5 square metres, -3 °C, 128 Go",
            ["20 kmh", "5 m2", "5 m2", "-3 C", "128 GB"],
        ),
        ("3 millions d'euros et 3 ملايين دولار", ["3000000 EUR", "3000000 USD"]),
        ("12 ألفًا و3 آلاف و500 شخص", ["12000", "3500"]),
        ("v2.3.1 and version 12 and INV-2024-001", ["v2.3.1", "12", "inv2024001"]),
        ("call 01 42 68 53 00 or +33 1 42 68 53 00", ["142685300", "33142685300"]),
        ("won 3-1 in the 1990s, 3rd place", ["3", "1", "1990", "3"]),
        ("from 10 to 20 people", ["10", "20"]),
        ("see https://example.org/2021/05/03/a1 and ann2@example.org", []),
    ],
)
def test_numbers_and_amounts(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twelve people and twenty-one dogs", ["12", "21"]),
        ("two hundred and fifty", ["250"]),
        ("three thousand five hundred", ["3500"]),
        ("a million and one hundred", ["1000100"]),
        ("douze, vingt et un, soixante-dix-sept, quatre-vingt-douze", ["12", "21", "77", "92"]),
        ("deux cent trente ; mille trois cents ; un million", ["230", "1300", "1000000"]),
        ("اثنا عشر ثم خمسة وعشرون ثم ثلاثمئة وخمسون", ["12", "25", "350"]),
        ("مليونا شخص وألف و200 كتاب", ["2000000", "1200"]),
        ("one of them, une fois, millions of people, a per cent", []),
    ],
)
def test_numbers_in_words(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2021",
        "3rd of May, 2021",
        "May 3, 2021",
        "3 mai 2021",
        "3 de mayo de 2021",
        "3. Mai 2021",
        "2021-05-03",
        "2021-05-03T08:15:00Z",
        "3.5.2021",
        "٣ مايو/أيار ٢٠٢١",
        "3 من مايو 2021",
        "2021年5月3日",
    ],
)
def test_dates_are_iso(text: str) -> None:
    assert values(f"on {text} there was rain") == ["2021-05-03"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("May 2021", ["2021-05"]),
        ("le 1er mai", ["--05-01"]),
        ("15 رمضان 1445", ["1445-09-15"]),
        ("31 April 2021", ["31", "2021-04"]),
        ("8:30 pm, 20:30, 20h30, 20 h 30, 8.30", ["20:30", "20:30", "20:30", "20:30", "8.3"]),
        ("الساعة 8 مساءً", ["20:00"]),
    ],
)
def test_partial_dates_and_times(text: str, expected: list[str]) -> None:
    assert values(text) == expected


PROSE = "The bridge is 164 metres long and 20,000 cars a day use the old one beside it."


@pytest.mark.parametrize(
    "line",
    [
        "3 May 2022",
        "Published 3 May 2022, 14:05",
        "1,204 views",
        "18 comments",
        "Version 1.2",
        "© 2021 Example",
        "Publié le 3 mai 2022 à 14 h 05",
        "1204 مشاهدة",
        "نُشر في 3 مايو 2022",
    ],
)
def test_lines_of_the_page_do_not_count(line: str) -> None:
    expected = ["164 metres", "20,000"]
    assert counted(f"{line}\n{PROSE}") == expected
    assert counted(f"{PROSE}\n{line}") == expected


@pytest.mark.parametrize(
    "words",
    [
        "It was read 3 hours ago by all.",
        "Il y a 3 heures, tout allait bien.",
        "This page was last updated on 3 May 2022.",
        "Details are in Table 51.46 and Section 5.",
        "There were 12 comments on it so far.",
    ],
)
def test_labels_say_that_a_figure_belongs_to_the_page(words: str) -> None:
    assert counted(words) == []


def test_clause_numbers_at_line_starts_do_not_count_but_quantities_do() -> None:
    clauses = (
        "6.1 You pay 5 dollars when you leave.\n2. You stay 3 days.\n6 bags of soil: 51 dollars"
    )
    assert counted(f"{PROSE}\n{clauses}\n{PROSE}")[2:-2] == [
        "5 dollars",
        "3 days",
        "6",
        "51 dollars",
    ]


def test_the_number_of_a_document_counts_in_its_head_too() -> None:
    assert counted(f"Invoice no. 40817\n3 May 2022\n{PROSE}")[0] == "40817"


def test_lines_with_a_unit_count_in_a_list() -> None:
    assert counted("Size\nHeight: 18 cm\nPrice: 249 €\nItems: 4") == ["18 cm", "249 €", "4"]


def test_the_page_s_own_date_does_not_count() -> None:
    text = "On 3 May 2022 the council met for the first time since 1 March 2022 in the old hall."
    assert counted(text) == ["3 May 2022", "1 March 2022"]
    assert counted(text, published="2022-05-03T10:00:00Z") == ["1 March 2022"]


@given(texts)
def test_facts_and_units_stand_in_the_text(text: str) -> None:
    read = read_facts(text)
    spans = [read.span(i) for i in range(len(read.units))]
    assert len(read.units) == len(read.shapes)
    assert spans == sorted(spans)
    for i, fact in read.facts.items():
        assert text[slice(*spans[i])] == fact.text != ""
        assert fact.agrees_with(fact) is True


def test_no_number_reaches_over_a_line_break() -> None:
    assert values("He wrote a\nmillion words") == []
    assert values("3 million\nof euros") == ["3000000"]


def test_reading_ends_at_the_limits() -> None:
    read = read_facts("7 " * MAX_CHARACTERS)
    assert len(read.facts) == MAX_FACTS
    assert len(read.units) == MAX_CHARACTERS // 2
