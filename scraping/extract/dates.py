"""Date of a page: when it was last modified or published, as declared or as displayed.

A displayed date stands beside the title, in an element named as a date, or after a label.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.metadata import Metadata, types_of
from reducepp.scraping.extract.vocabulary import alternatives, read_vocabulary, read_words

_META_NAMES = {
    "dateModified": read_words("dates", "modified_tags"),
    "datePublished": read_words("dates", "published_tags"),
}
"""Meta tags that mean the same as a property of JSON-LD."""
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?(?!\d)")
"""The basic format of ISO 8601."""
_OTHER_TYPES = frozenset(
    ("Comment", "UserComments", "Review", "Answer", "Event", "Offer", "Person")
)
"""Types of things on a page that have dates of their own."""
MAX_TIMES = 20
"""Elements that are read; 95 of 100 of the 538 labelled HTML pages have at most 12."""
_IN_PATH = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)")
_MONTH = {
    name.replace("_", " "): number
    for number, names in enumerate(read_vocabulary("dates")["months"], start=1)
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
_EAST_ASIAN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_SHORT = re.compile(
    r"(?<![\d./:-])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d|\s?[./:-]\s?\d)"
)
"""A date whose year has two digits."""
_YEAR = re.compile(r"\d(?:\d{3}|\s?[./-]\s?\d\d?\s?[./-])")
"""What every date has: a year of four digits, or two separators."""
_YEAR_FIRST_LANGUAGES = frozenset(read_words("dates", "year_first_languages"))
_OTHER_CALENDARS = frozenset(read_words("dates", "other_calendars"))
SHORT_YEARS = {**{n: 2000 + n for n in range(50)}, **{n: 1900 + n for n in range(90, 100)}}
"""Years of two digits to those in which web pages are published."""
_DATE_NAMES = re.compile(
    rf"(?:^|[\s_-])(?:{alternatives('dates', 'date_names')})(?:$|[\s_-])|تاريخ|(?-i:[a-z]Date\b)",
    re.IGNORECASE,
)
_OTHER_PAGES = re.compile(alternatives("dates", "other_pages"), re.IGNORECASE)
"""Names of boxes whose dates belong to other pages."""
_LABEL = alternatives("dates", "labels")
_LABELLED = re.compile(
    rf"(?:^|\W)(?:{_LABEL})(?:\s+(?:on|at|le|am|vom|el|il|the|في|بتاريخ|النشر))*\s*[:：]?[\s|–—-]*$",
    re.IGNORECASE,
)
_BYLINE = re.compile(
    rf"^\W*(?:by|par|von|por|di|am|on|le|el|il|{_LABEL}|بقلم|كتب|من)\b|[|·•‧–—>]|\s-\s",
    re.IGNORECASE,
)
"""How a byline begins, or the separators in it."""
_TIME = re.compile(r"\d{1,2}\s*[:hH.]\s*\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(?:{alternatives('dates', 'weekdays')})\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
MAX_DATE_LINE_CHARS = 120
"""A longer line is text that contains a date."""
MAX_LABELLED_LINE_CHARS = 300
MAX_NAMED_ELEMENTS = 100
MAX_TEXT_NODES = 40
LINES_BEFORE_TITLE, LINES_AFTER_TITLE = 3, 6
"""Lines around the title in which its date is searched."""
MAX_WORDS_UNLABELLED = 2
"""Words beside a date, at most, where none of them is a label."""
MAX_WORDS_LABELLED = 12
MAX_LINES = 3_000
"""99 of 100 of the 538 labelled HTML pages have at most 1,261 lines."""
MAX_LABEL_CHARS = 60


@dataclass(slots=True, frozen=True)
class VisibleText:
    """A page's lines, in which a date is searched that its metadata do not declare."""

    lines: Sequence[str] = ()
    title: int = -1
    """Index of the line that is the page's title; -1 for none."""
    language: str = ""
    """Decides whether 3/5/2021 is the third of May, as everywhere but in American English."""


def find_date(metadata: Metadata, root: Element, url: str, visible: VisibleText) -> str:
    """ISO 8601 date: the last declared change, else publication, else as displayed, else ""."""
    in_path = _IN_PATH.search(url)
    times = (e for e in islice(root.iter("time"), MAX_TIMES) if not _is_of_other_page(e))
    named = map(_short_text, islice(_named_as_dates(root), MAX_NAMED_ELEMENTS))
    return (
        _first_date(map(parse_date, _declared_dates(metadata, root)))
        or (_iso(in_path) if in_path else "")
        or _date_by_title(visible)
        or _first_date(parse_date(e.get("datetime") or "") for e in times)
        or _first_date(parse_written_date(t, visible.language) for t in named)
        or _labelled_date(visible)
    )


def _declared_dates(metadata: Metadata, root: Element) -> Iterator[str]:
    """Dates in metadata, the most reliable first."""
    objects = [o for o in metadata.objects if not types_of(o) & _OTHER_TYPES]
    for key in ("dateModified", "datePublished", "uploadDate", "dateCreated"):
        names = _META_NAMES.get(key, ())
        yield from (metadata.meta[name] for name in names if name in metadata.meta)
        yield from (v for o in objects if isinstance(v := o.get(key), str))
    for element in islice(root.iter("time"), MAX_TIMES):
        if element.get("pubdate") is not None or element.get("itemprop"):
            yield element.get("datetime") or ""


def _first_date(dates: Iterable[str]) -> str:
    return next(filter(None, dates), "")


def parse_date(value: str) -> str:
    """A declared date (ISO-like or in mail format) as ISO 8601; "" where it is neither."""
    if match := _ISO.search(_COMPACT.sub(r"\1-\2-\3T\4:\5:\6", value, count=1)):
        return _iso(match)
    try:
        return parsedate_to_datetime(value).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _iso(match: re.Match[str]) -> str:
    """Year, month and day, and where there are any hour, minute, second and time zone."""
    numbers = [int(n or 0) for n in match.groups()[:6]]
    try:
        found = datetime(*numbers[:5])  # type: ignore[arg-type]
    except ValueError:
        return ""
    if len(numbers) == 3 or match[4] is None:
        return found.date().isoformat()
    zone = match[7] or ""
    offset = "+00:00" if zone.upper() in ("Z", "UTC", "GMT") else zone
    if offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:]}"
    return f"{found.isoformat()[:17]}{numbers[5]:02d}{offset}"


def parse_written_date(text: str, language: str = "") -> str:
    """The first date in a text as ISO 8601; "" for none, or where day and month could be either."""
    return _find_written_date(text, language)[0]


def _find_written_date(text: str, language: str) -> tuple[str, int, int]:
    """The same, with where it starts and ends in the text."""
    low = text.lower()
    if len(low) != len(text):  # a letter that is two in lower case would shift the places
        low = text
    match, numbers = _match_date(low, language) if _YEAR.search(text) else (None, ())
    try:
        found = date(*map(int, numbers)) if match else date.min
    except ValueError:
        found = date.min
    if match is None or not 1990 <= found.year <= 2100:
        return "", 0, 0
    return found.isoformat(), match.start(), match.end()


def _match_date(text: str, language: str) -> tuple[re.Match[str] | None, Sequence[str | int]]:
    """A match, and the year, month and day in it."""
    if match := _DAY_FIRST.search(text):
        return match, (match[3], _MONTH[match[2]], match[1])
    if match := _MONTH_FIRST.search(text):
        return match, (match[3], _MONTH[match[1]], match[2])
    if match := _YEAR_FIRST.search(text):
        return match, (match[1], match[3], match[4])
    if match := _EAST_ASIAN.search(text):
        return match, match.groups()
    if match := _NUMBERS.search(text):
        is_day_first = match[2] == "." or language not in ("en", "")
        return match, (match[4], *_month_and_day(int(match[1]), int(match[3]), is_day_first))
    match = _SHORT.search(text)
    return match, _short_date(match, language) if match else ()


def _month_and_day(first: int, second: int, is_day_first: bool) -> tuple[int, int]:
    """Both numbers in order; no month where either could be the day."""
    if first > 12 or first == second or (is_day_first and second <= 12):
        return second, first
    return (first if second > 12 else 0), second


def _short_date(match: re.Match[str], language: str) -> tuple[int, int, int]:
    """The same for a year of two digits; 1.2.10 is more often a version than a date."""
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if language in _OTHER_CALENDARS:
        return 0, 0, 0
    if language in _YEAR_FIRST_LANGUAGES:
        return SHORT_YEARS.get(first, 0) if len(match[1]) > 1 else 0, second, third
    is_date = len(match[4]) > 1 and (match[2] == "/" or len(match[1] + match[3]) == 4)
    month_and_day = _month_and_day(first, second, language not in ("en", ""))
    return SHORT_YEARS.get(third, 0) if is_date else 0, *month_and_day


def _date_by_title(text: VisibleText) -> str:
    """The date on a line of its own, or in a byline, beside the title; "" for none."""
    if text.title < 0:
        return ""
    after = text.lines[text.title + 1 : text.title + 1 + LINES_AFTER_TITLE]
    before = text.lines[max(0, text.title - LINES_BEFORE_TITLE) : text.title]
    for line in (*after, *reversed(before)):
        if len(line) <= MAX_DATE_LINE_CHARS and (found := _lone_date(line, text.language)):
            return found
    return ""


def _lone_date(line: str, language: str) -> str:
    """The date of a line that has little beside it."""
    found, start, end = _find_written_date(line, language)
    if not found:
        return ""
    rest = _TIME.sub(" ", f"{line[:start]} {line[end:]}")
    words = len(_WORD.findall(rest))
    is_labelled = bool(_BYLINE.search(line)) or not _WORD.search(_WEEKDAY.sub("", line[:start]))
    is_labelled = (is_labelled or _ends_with_label(line[:start])) and not line.rstrip().endswith(
        (".", "!", "?")
    )
    return found if words <= (MAX_WORDS_LABELLED if is_labelled else MAX_WORDS_UNLABELLED) else ""


def _ends_with_label(text: str) -> bool:
    """Whether a text ends with a word that announces a date."""
    return bool(_LABELLED.search(text[-MAX_LABEL_CHARS:]))


def _labelled_date(text: VisibleText) -> str:
    """The first date after a label ("updated", "publié le") on its line or the line before."""
    last = ""
    for line in islice(text.lines, MAX_LINES):
        if len(line) <= MAX_LABELLED_LINE_CHARS:
            found, start, _ = _find_written_date(line, text.language)
            if found and _ends_with_label(line[:start] if start else last):
                return found
        last = line
    return ""


def _is_of_other_page(element: Element) -> bool:
    """Whether the element stands in a list of other pages, a sidebar or a comment."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    for _, box in zip(range(6), element.iterancestors(), strict=False):
        if box.tag in ("body", "article", "main"):
            break
        names += f" {box.get('class') or ''} {box.get('id') or ''}"
        if box.tag in ("aside", "footer", "nav"):
            return True
    return bool(_OTHER_PAGES.search(names[:2000]))


def _named_as_dates(root: Element) -> Iterator[Element]:
    """Elements named as dates; each class is looked at once, as pages repeat them."""
    known: dict[str, bool] = {"": False}
    for element in root.iter():
        names = element.get("class", "")
        if own := element.get("id"):
            names = f"{names} {own}"
        if names not in known:
            known[names] = bool(_DATE_NAMES.search(names))
        if (known[names] or element.tag == "time") and not _is_of_other_page(element):
            yield element


def _short_text(element: Element) -> str:
    """The element's text; "" where it is longer than a line."""
    text = ""
    for piece in islice(element.itertext(), MAX_TEXT_NODES):
        text += str(piece)
        if len(text.strip()) > MAX_DATE_LINE_CHARS:
            return ""
    return text.strip()
