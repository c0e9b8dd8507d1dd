"""Dates that a page shows but does not state: beside its title, in elements named so, labelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from reducepp.scraping.extract.date_formats import find_written, read_written
from reducepp.scraping.extract.html_parsing import Element

_DATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:date|datum|fecha|published|publish|pubdate|posted|postdate|postdatum|dateline"
    r"|timestamp|publi|updated|modified)(?:$|[\s_-])|تاريخ|(?-i:[a-z]Date\b)",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"widget|sidebar|related|recent|latest|popular|comment|footer|teaser|calendar|event|card"
    r"|carousel|ticker|archive",
    re.IGNORECASE,
)
"""Names of boxes whose dates are those of other pages."""
_LABEL = (
    r"publi(?:shed|é|ée|cado|cada|cato|cata|e)?|posted|updated?|modified|revis(?:ed|ion)"
    r"|last\s+(?:change|edited)|mise?\s+à\s+jour|modifiée?|actualisée?|mis\s+en\s+ligne"
    r"|veröffentlicht|aktualisier(?:t|ung)|änderung|stand|erschienen|erstellt|datum|date|actualizado|aggiornato"
    r"|نُ?شر|تاريخ|تحديث|آخر\s+تعديل"
)
_LABELLED = re.compile(
    rf"(?:^|\W)(?:{_LABEL})(?:\s+(?:on|at|le|am|vom|el|il|the|في|بتاريخ|النشر))*\s*[:：]?[\s|–—-]*$",
    re.IGNORECASE,
)
_BYLINE = re.compile(
    rf"^\W*(?:by|par|von|por|di|am|on|le|el|il|{_LABEL}|بقلم|كتب|من)\b|[|·•‧–—>]|\s-\s",
    re.IGNORECASE,
)
"""What a line begins with, or is cut by, that says who wrote a page and when."""
_TIME = re.compile(r"\d{1,2}\s*[:hH.]\s*\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"\b(?:\w{2,6}day|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\w{3,7}tag|mittwoch"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo|الا\w+|الأ\w+|الث\w+|الخ\w+|الج\w+|السبت)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
MAX_SHOWN = 120
"""Characters of a line that is a date; longer ones are text that holds one."""
MAX_LABELLED = 300
MAX_TRIED = 100
MAX_PIECES = 40
BEFORE, AFTER = 3, 6
"""Lines around the title among which its date may stand."""
BARE = 2
"""Words that a date may have beside it where none of them says what it is."""
MOST_WORDS = 12
MAX_LINES = 3_000


def date_by_title(lines: Sequence[str], title: int, *, day_first: bool = False) -> str:
    """The date on a line of its own, or of a byline, beside the title; "" where none stands."""
    if title < 0:
        return ""
    after = lines[title + 1 : title + 1 + AFTER]
    before = lines[max(0, title - BEFORE) : title]
    for line in (*after, *reversed(before)):
        if len(line) <= MAX_SHOWN and (date := _lone_date(line, day_first)):
            return date
    return ""


def _lone_date(line: str, day_first: bool) -> str:
    """The date of a line that has little beside it."""
    date, start, end = find_written(line, day_first=day_first)
    if not date:
        return ""
    rest = _TIME.sub(" ", f"{line[:start]} {line[end:]}")
    words = len(_WORD.findall(rest))
    told = bool(_BYLINE.search(line)) or not _WORD.search(_WEEKDAY.sub("", line[:start]))
    told = (told or _labels(line, start)) and not line.rstrip().endswith((".", "!", "?"))
    return date if words <= (MOST_WORDS if told else BARE) else ""


def _labels(line: str, start: int) -> bool:
    """Whether a word right before the place says that a date follows."""
    return bool(_LABELLED.search(line[max(0, start - 60) : start]))


def labelled_date(lines: Iterable[str], *, day_first: bool = False) -> str:
    """The first date right before which, or on the line before, it says "updated", "publié le"."""
    last = ""
    for line in islice(lines, MAX_LINES):
        if len(line) <= MAX_LABELLED:
            date, start, _ = find_written(line, day_first=day_first)
            if date and (_labels(line, start) or (start == 0 and _labels(last, len(last)))):
                return date
        last = line
    return ""


def date_in_named_element(root: Element, *, day_first: bool = False) -> str:
    """The first date shown in an element that is named as one; dates in running text are not."""
    for element in islice(_named_as_dates(root), MAX_TRIED):
        text = _short_text(element)
        if text and (date := read_written(text, day_first=day_first)):
            return date
    return ""


def is_of_others(element: Element) -> bool:
    """Whether the element stands in a list of other pages, a sidebar or a comment."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    for _, box in zip(range(6), element.iterancestors(), strict=False):
        if box.tag in ("body", "article", "main"):
            break
        names += f" {box.get('class') or ''} {box.get('id') or ''}"
        if box.tag in ("aside", "footer", "nav"):
            return True
    return bool(_OF_OTHERS.search(names[:2000]))


def _named_as_dates(root: Element) -> Iterator[Element]:
    """Elements named as dates; each class is looked at once, as pages repeat them."""
    known: dict[str, bool] = {"": False}
    for element in root.iter():
        names = element.get("class", "")
        if own := element.get("id"):
            names = f"{names} {own}"
        if names not in known:
            known[names] = bool(_DATE_NAMES.search(names))
        if (known[names] or element.tag == "time") and not is_of_others(element):
            yield element


def _short_text(element: Element) -> str:
    """The element's text; "" where it is longer than a line."""
    text = ""
    for piece in islice(element.itertext(), MAX_PIECES):
        text += str(piece)
        if len(text.strip()) > MAX_SHOWN:
            return ""
    return text.strip()
