"""Dates as people write them: 3 May 2021, le 1er mai 2021, May 3, 2021, ٣ مايو/أيار ٢٠٢١."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = (
    "january jan janvier janv januar jänner enero gennaio يناير جانفي كانون_الثاني"
    " janeiro januari января stycznia ocak",
    "february feb février fevrier févr fév februar febrero febbraio فبراير فيفري شباط"
    " fevereiro februari февраля lutego şubat",
    "march mar mars märz maerz marzo مارس آذار اذار março marco maart марта marca mart",
    "april apr avril avr abril aprile أبريل ابريل إبريل أفريل نيسان апреля kwietnia nisan",
    "may mai mayo maggio مايو ماي أيار ايار maio mei мая maja mayıs",
    "june jun juin juni junio giugno يونيو جوان حزيران junho июня czerwca haziran",
    "july jul juillet juil juli julio luglio يوليو جويلية تموز julho июля lipca temmuz",
    "august aug août aout agosto أغسطس اغسطس أوت آب augustus августа sierpnia ağustos",
    "september sept sep septembre septiembre settembre سبتمبر أيلول ايلول"
    " setembro сентября września eylül",
    "october oct octobre oktober okt octubre ottobre أكتوبر اكتوبر تشرين_الأول تشرين_الاول"
    " outubro октября października ekim",
    "november nov novembre noviembre نوفمبر تشرين_الثاني novembro ноября listopada kasım",
    "december dec décembre decembre déc dezember dez diciembre dicembre ديسمبر كانون_الأول"
    " dezembro декабря grudnia aralık",
)
_MONTH = {
    name.replace("_", " "): number
    for number, names in enumerate(_MONTHS, start=1)
    for name in names.split()
}
_NAMES = "|".join(sorted(map(re.escape, _MONTH), key=len, reverse=True))
_NAME = rf"({_NAMES})(?:\s*/\s*(?:{_NAMES}))?\b"
"""A month's name, or its two Arabic ones with a stroke between them."""
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:er|st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?{_NAME}\.?[,،]?\s+(?:de\s+)?(\d{{4}})(?!\d)"
)
_MONTH_FIRST = re.compile(rf"\b{_NAME}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?[,،]?\s+(\d{{4}})(?!\d)")
_NUMBERS = re.compile(r"(?<![\d./-])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4})(?![\d/])")
_YEAR_FIRST = re.compile(r"(?<![\d./-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_YEAR = re.compile(r"\d{4}")
Found = tuple[str, int, int]
"""A date as ISO 8601, and where it stands in the text; "" where there is none."""
_NONE: Found = ("", 0, 0)


def read_written(text: str, *, day_first: bool = False) -> str:
    """The first date in a text as ISO 8601; "" for none, or where day and month could be either.

    `day_first` says that 3/5/2021 is the third of May, as everywhere but in American English.
    """
    return find_written(text, day_first=day_first)[0]


def find_written(text: str, *, day_first: bool = False) -> Found:
    """The same, with its place."""
    if not _YEAR.search(text):
        return _NONE
    low = text.lower()
    if len(low) != len(text):  # a letter that is two in lower case would shift the places
        low = text
    if match := _DAY_FIRST.search(low):
        return _found(match, match[3], _MONTH[match[2]], match[1])
    if match := _MONTH_FIRST.search(low):
        return _found(match, match[3], _MONTH[match[1]], match[2])
    if match := _YEAR_FIRST.search(low):
        return _found(match, match[1], match[3], match[4])
    if match := _NUMBERS.search(low):
        first, second = int(match[1]), int(match[3])
        if match[2] == "." or first > 12 or first == second or (day_first and second <= 12):
            return _found(match, match[4], second, first)
        if second > 12:
            return _found(match, match[4], first, second)
    return _NONE


def _found(match: re.Match[str], year: str, month: str | int, day: str | int) -> Found:
    date = _iso(year, month, day)
    return (date, match.start(), match.end()) if date else _NONE


def _iso(year: str | int, month: str | int, day: str | int) -> str:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return ""
    return found.isoformat() if 1990 <= found.year <= 2100 else ""
