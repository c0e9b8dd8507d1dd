"""Dates and times of day among the tokens of a text."""

import re
from dataclasses import replace
from datetime import date

from reducepp.evidence.facts.fact_tokens import FIGURES, Parsed, Tokens, found
from reducepp.evidence.facts.fact_values import Clock, Day, Quantity
from reducepp.evidence.facts.fact_words import fact_words

_GAP = re.compile(r"[ \t.,،/-]{0,3}")
_STROKE = re.compile(r" ?/ ?")
_HOURS = re.compile(r"(\d{1,2})(?:\.([0-5]\d))?")
_MINUTES = re.compile(r"[0-5]\d")
_ASIAN = re.compile(r"(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?")


def read_numeric_date(tokens: Tokens, i: int) -> Parsed | None:
    """2021-05-03, 3/5/2021, 03.05.21, 2021年5月3日; None where no such day exists."""
    written = tokens.plain[tokens.start(i) : tokens.end(i)]
    if asian := _ASIAN.fullmatch(written):
        day = _day(int(asian[1]), int(asian[2]), int(asian[3] or 0))
        return found(tokens, i, i, day) if day else None
    first, second, third = (int(part) for part in re.split(r"[-/.]", written.partition("t")[0]))
    if first > 31:
        day = _day(first, second, third)
    else:
        year = third if third > 99 else third + (1900 if third > 69 else 2000)
        day = _day(year, second, first) or _day(year, first, second)
        if day and max(first, second) <= 12 and first != second and "." not in written:
            day = replace(day, ambiguous=True)
    return found(tokens, i, i, day) if day else None


def read_written_date(tokens: Tokens, i: int, free: int) -> Parsed | None:
    """3 May 2021, le 1er mai, May 3, 2021, May 2021, ٣ مايو/أيار ٢٠٢١.

    Tokens before `free` belong to another fact.
    """
    written = tokens.words[i]
    if not written.isdecimal() or len(written) not in (1, 2, 4):
        return None
    day_first = _day_first(tokens, i) if len(written) <= 2 else None
    return day_first or _month_first(tokens, i, free)


def _day_first(tokens: Tokens, i: int) -> Parsed | None:
    after = _skip_link(tokens, _skip_ordinal(tokens, i))
    month, calendar, last = _month_name(tokens, after + 1)
    if not month or not tokens.joins(after, _GAP):
        return None
    year, last = _year_after(tokens, last)
    day = _day(year, month, int(tokens.words[i]), calendar)
    return found(tokens, i, last, day) if day else None


def _month_first(tokens: Tokens, i: int, free: int) -> Parsed | None:
    for first in (i - 1, i - 2):
        if first < free:
            return None
        month, calendar, last = _month_name(tokens, first)
        if month and last == i - 1 and tokens.joins(last, _GAP):
            written = tokens.words[i]
            if len(written) == 4:
                day, last = _day(int(written), month, 0, calendar), i
            else:
                year, last = _year_after(tokens, _skip_ordinal(tokens, i))
                day = _day(year, month, int(written), calendar)
            return found(tokens, first, last, day) if day else None
    return None


def is_month(tokens: Tokens, i: int) -> bool:
    """Whether a name of two words begins at token i."""
    return _month_name(tokens, i)[2] == i + 1


def _month_name(tokens: Tokens, i: int) -> tuple[int, str, int]:
    """Month, calendar and last token of the month's name at token i; 0 for none."""
    lists, one = fact_words(), tokens.word(i)
    if one not in lists.month_starts:
        return 0, "", i - 1
    for names, calendar in ((lists.months, ""), (lists.hijri_months, "hijri")):
        for name, last in ((f"{one} {tokens.word(i + 1)}", i + 1), (one, i)):
            if name in names:
                is_double = tokens.joins(last, _STROKE)  # مايو/أيار
                end = _month_name(tokens, last + 1)[2] if is_double else last
                return names[name], calendar, end
    return 0, "", i - 1


def _skip_ordinal(tokens: Tokens, i: int) -> int:
    """The token of st, nd, er... that touches token i, else i."""
    return i + 1 if not tokens.between(i) and tokens.word(i + 1) in fact_words().ordinals else i


def _skip_link(tokens: Tokens, i: int) -> int:
    """The word right after token i that links the parts of a date (of, de, من), else i."""
    linked = tokens.word(i + 1) in fact_words().date_links and tokens.joins(i, _GAP)
    return i + 1 if linked else i


def _year_after(tokens: Tokens, i: int) -> tuple[int, int]:
    """Year and its token after token i; 0 and i for none."""
    j = _skip_link(tokens, i)
    year = tokens.word(j + 1)
    if len(year) == 4 and tokens.figures.get(j + 1) == FIGURES and tokens.joins(j, _GAP):
        return (int(year), j + 1) if year.isdecimal() else (0, i)
    return 0, i


def _day(year: int, month: int, day: int, calendar: str = "") -> Day | None:
    """A date that exists; parts that are 0 are not said."""
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return None
    return Day(year, month, day, calendar) if not year or 1000 <= year <= 2999 else None


def read_clock(tokens: Tokens, i: int) -> Parsed | None:
    """20:30, 8:30 pm, 20h30; None for 47:12."""
    hours, minutes, *seconds = (int(part) for part in re.split("[:h]", tokens.words[i]))
    if hours > 24 or minutes > 59:
        return None
    return _clock(tokens, i, i, hours * 3600 + minutes * 60 + sum(seconds))


def read_spaced_clock(tokens: Tokens, i: int) -> Parsed | None:
    """8 pm, 8.30 pm, 20.30 Uhr, 20 h 30; 20 h, which is also a duration."""
    written, mark = _HOURS.fullmatch(tokens.words[i]), tokens.word(i + 1)
    if not written or mark not in fact_words().clock_words or not tokens.joins(i, _GAP):
        return None
    seconds, following = int(written[1]) * 3600 + int(written[2] or 0) * 60, tokens.word(i + 2)
    if seconds > 24 * 3600:
        return None
    if mark == "h" and _MINUTES.fullmatch(following) and tokens.joins(i + 1, _GAP):
        return _clock(tokens, i, i + 2, seconds + int(following) * 60)
    if _half_of_day(tokens, i)[0]:
        return _clock(tokens, i, i, seconds) if seconds < 13 * 3600 else None
    if mark not in fact_words().hour_marks:
        return None
    moment = _clock(tokens, i, i + 1, seconds)
    if mark == "h" and not written[2]:
        duration = Quantity(float(written[1]), 1.0, *fact_words().units["h"])
        return replace(moment, readings=(duration, *moment.readings))
    return moment


def _clock(tokens: Tokens, first: int, last: int, seconds: int) -> Parsed:
    half, last = _half_of_day(tokens, last)
    hours = seconds // 3600
    if half == "pm" and hours < 12:
        seconds += 12 * 3600
    if half == "am" and hours == 12:
        seconds -= 12 * 3600
    following = tokens.word(last + 1)
    zone = following if following in fact_words().zones and tokens.joins(last, _GAP) else ""
    marked = bool(half) or hours > 12 or hours == 0
    return found(tokens, first, last + bool(zone), Clock(seconds, marked, zone))


def _half_of_day(tokens: Tokens, i: int) -> tuple[str, int]:
    """am or pm after token i, and its last token; "" and i for none."""
    if not tokens.joins(i, _GAP):
        return "", i
    following = tokens.words[i + 1]
    if following in ("a", "p") and tokens.word(i + 2) == "m" and tokens.between(i + 1) == ".":
        return f"{following}m", i + 2
    for half, names in (("am", fact_words().am), ("pm", fact_words().pm)):
        if following in names:
            return half, i + 1
    return "", i
