"""Dates as people write them: 3 May 2021, le 1er mai 2021, May 3, 2021, ٣ مايو ٢٠٢١, 03.05.2021."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = (
    "january jan janvier janv januar jänner enero gennaio يناير جانفي كانون_الثاني",
    "february feb février fevrier févr fév februar febrero febbraio فبراير فيفري شباط",
    "march mar mars märz maerz marzo مارس آذار اذار",
    "april apr avril avr abril aprile أبريل ابريل إبريل أفريل نيسان",
    "may mai mayo maggio مايو ماي أيار ايار",
    "june jun juin juni junio giugno يونيو جوان حزيران",
    "july jul juillet juil juli julio luglio يوليو جويلية تموز",
    "august aug août aout agosto أغسطس اغسطس أوت آب",
    "september sept sep septembre septiembre settembre سبتمبر أيلول ايلول",
    "october oct octobre oktober okt octubre ottobre أكتوبر اكتوبر تشرين_الأول تشرين_الاول",
    "november nov novembre noviembre نوفمبر تشرين_الثاني",
    "december dec décembre decembre déc dezember dez diciembre dicembre ديسمبر كانون_الأول",
)
_MONTH = {
    name.replace("_", " "): number
    for number, names in enumerate(_MONTHS, start=1)
    for name in names.split()
}
_NAMES = "|".join(sorted(map(re.escape, _MONTH), key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:er|st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?({_NAMES})\b\.?,?\s+(?:de\s+)?(\d{{4}})"
)
_MONTH_FIRST = re.compile(rf"\b({_NAMES})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})")
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")


def read_written(text: str) -> str:
    """The first date in a text as ISO 8601; "" for none, or where day and month could be either."""
    low = text.lower()
    if match := _DAY_FIRST.search(low):
        return _iso(match[3], _MONTH[match[2]], match[1])
    if match := _MONTH_FIRST.search(low):
        return _iso(match[3], _MONTH[match[1]], match[2])
    if match := _NUMBERS.search(low):
        first, second = int(match[1]), int(match[3])
        if match[2] == "." or first > 12 or first == second:
            return _iso(match[4], second, first)
        if second > 12:
            return _iso(match[4], first, second)
    return ""


def _iso(year: str | int, month: str | int, day: str | int) -> str:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return ""
    return found.isoformat() if 1990 <= found.year <= 2100 else ""
