"""Whether two facts say the same: rounding, units, dates, times, codes."""

from __future__ import annotations

import pytest

from reducepp.evidence.facts.fact_text import Fact, read_facts
from reducepp.evidence.facts.fact_values import read_figures


def fact(text: str) -> Fact:
    (found,) = read_facts(f"there were {text} of them").facts.values()
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1,234", "1.234"),
        ("1 234,5", "1,234.5"),
        ("nearly 1,000", "987"),
        ("987", "près de 1 000"),
        ("حوالي 1000", "987"),
        ("more than 4,300", "4,350"),
        ("3 million", "3,046,112"),
        ("12.4 percent", "12 %"),
        ("3.75", "3.7512"),
        ("0.857", "0.8570"),
        ("0.858", "0.8575"),
        ("1,200", "1,213"),
        ("twelve", "12"),
        ("اثنا عشر", "١٢"),
        ("10 miles", "16 km"),
        ("2 years", "24 months"),
        ("25 °C", "77 °F"),
        ("$5", "5 dollars"),
        ("3m", "3 million"),
        ("3m", "3 metres"),
        ("3 May 2021", "2021-05-03"),
        ("3 May 2021", "3 May"),
        ("3/5/2021", "5 March 2021"),
        ("May 2021", "2021"),
        ("8:30 pm", "20:30"),
        ("8:30 pm", "8:30"),
        ("N-95", "N95"),
        ("555-201-4477", "(555) 201-4477"),
        ("5 pounds", "£5"),
        ("a hundred and twelve", "112"),
        ("one hundred and twelve", "112"),
        ("two dozen", "24"),
        ("half a million dollars", "$500,000"),
        ("two and a half million", "2,500,000"),
        ("trois millions et demi", "3,5 millions"),
        ("مليون ونصف المليون", "1.5 مليون"),
        ("an hour and a half", "90 minutes"),
        ("four hours and 30 minutes", "4.5 hours"),
        ("6 ft 2 inches", "1.88 m"),
        ("un litre et demi", "1,5 litre"),
        ("أربع ساعات ونصف الساعة", "4.5 ساعات"),
        ("أسبوعين", "14 يوما"),
        ("minus 5 degrees", "-5 °C"),
        ("5 degrees below zero", "moins cinq degrés"),
        ("5 درجات تحت الصفر", "-5 درجات"),
        ("40 kilometres per hour", "quarante kilomètres à l'heure"),
        ("60 كيلومترا في الساعة", "60 كم/س"),
        ("the 1990s", "the 90s"),
        ("3 teaspoons", "1 cuillère à soupe"),
        ("2 weeks", "15 days"),
    ],
)
def test_the_same(a: str, b: str) -> None:
    assert fact(a).agrees_with(fact(b)) is True
    assert fact(b).agrees_with(fact(a)) is True


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("12", "950"),
        ("1,000", "987.5 thousand"),
        ("300", "340"),
        ("100", "95"),
        ("1999", "2000"),
        ("3.75", "3.77"),
        ("0.8570", "0.8575"),
        ("0.8570", "0.85712"),
        ("3.20 million", "3.24 million"),
        ("30 million", "31 million"),
        ("50", "51"),
        ("50 %", "52.3 %"),
        ("3 million", "3.4 million"),
        ("more than 4,300", "4,100"),
        ("nearly 1,000", "1,120"),
        ("5 km", "6 km"),
        ("$5", "€5"),
        ("12 %", "21 %"),
        ("3 May 2021", "4 May 2021"),
        ("3/5/2021", "5/3/2021"),
        ("3 May", "June 2021"),
        ("8:30", "9:30"),
        ("A320", "A321"),
        ("minus 5 degrees", "5 degrees"),
        ("2 tablespoons", "2 teaspoons"),
        ("4 hours and 30 minutes", "4 hours"),
        ("the 1990s", "the 80s"),
    ],
)
def test_contradicting(a: str, b: str) -> None:
    assert fact(a).agrees_with(fact(b)) is False
    assert fact(b).agrees_with(fact(a)) is False


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("12 percent", "12 km"),
        ("$5", "€4.60"),
        ("12", "15 km"),
        ("May 2021", "2020"),
        ("15 رمضان 1445", "25 مارس 2024"),
        ("14:00 GMT", "10:00 EDT"),
        ("20:30", "12"),
    ],
)
def test_not_compared(a: str, b: str) -> None:
    assert fact(a).agrees_with(fact(b)) is None
    assert fact(b).agrees_with(fact(a)) is None


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("12", [12]),
        ("1,234", [1234, 1.234]),
        ("1,000", [1000]),
        ("0,125", [0.125]),
        ("12,5", [12.5]),
        ("1,234,567", [1234567]),
        ("1.2.3", []),
        ("1,2,3", []),
        ("1" * 16, []),
    ],
)
def test_ways_to_read_figures(written: str, numbers: list[float]) -> None:
    assert [number for number, _ in read_figures(written)] == numbers
