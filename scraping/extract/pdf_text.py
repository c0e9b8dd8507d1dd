"""Lines of a PDF → reading order, paragraphs, headings and title.

A PDF has no paragraphs: lines are joined by their distance, width and font size. Right-to-left
text is stored as it is drawn, so its characters are put into reading order first.
"""

import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reducepp.scraping.extract.page_fields import MAX_SUBTITLES, collapse_spaces

MIN_HEADING_SIZE = 1.12
"""Font size of a heading, as a multiple of the usual size: 12 pt text has headings from 13.5."""
MAX_HEADING_CHARS = 150
MAX_TITLE_CHARS = 300
TITLE_LINES = 40
"""Lines at the start in which the title is searched."""
_PRESENTATION = re.compile(r"[\ufb50-\ufdff\ufe70-\ufefc\ufb00-\ufb06]+")
_CONTROL = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_MISPLACED_STOP = re.compile(r"(?<!\S)([.،؛:])(\d[\d/,-]*)(?!\S)")
"""A full stop after a number, which visual order puts before the number."""
_SENTENCE_END = re.compile(r"[.!?:؟…۔][\"'»”)\]]*$")
FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|tex|indd|odt|qxd|pptx?)$|^(?:microsoft word|untitled|document\d*$)"
    r"|^\((?:anonymous|unspecified)\)$|^(?:sans titre|unbenannt|بدون عنوان)",
    re.I,
)
_PAGE_NUMBER = re.compile(
    r"(?:(?:https?|file)://\S++\s++|page\s++|seite\s++|p\.\s*+|صفحة\s++)?[-–—]?\s*+\d{1,4}"
    r"\s*+[-–—]?(?:\s*+(?:/|of|sur|von|de|من)\s*+\d{1,4})?",
    re.I,
)
_RIGHT = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_LETTERS = "A-Za-z\u00c0-\u024f\u0370-\u052f"
_DIGITS = "0-9\u0660-\u0669\u06f0-\u06f9"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT}]")
_LEFT_TO_RIGHT = re.compile(f"[{_LETTERS}]")
_RUN_LEFT = re.compile(
    f"[{_LETTERS}{_DIGITS}](?:[{_LETTERS}{_DIGITS}]|[-.,:/'’@&+](?=[{_LETTERS}{_DIGITS}])"
    f"|(?<=[{_LETTERS}]) (?=[{_LETTERS}]))*"
)
_RUN_RIGHT = re.compile(f"[{_RIGHT}](?:[{_RIGHT} ]*[{_RIGHT}])?")
_SWAPPED_STOP = re.compile(f" ([,;:.!?،؛؟])(?=[{_RIGHT}])")
"""A stop that changed places with the space after it."""
_LAM = "\u0644"
_ALEFS = "\u0627\u0623\u0625\u0622"


@dataclass(slots=True)
class Line:
    """A line of a page; sizes in points."""

    text: str
    size: float
    height: float = 0.0
    """Distance of its base line from the foot of the page."""


def logical_order(text: str, places: Sequence[float]) -> str:
    """The characters of one line in reading order; `places` are their horizontal positions.

    Two characters at one position keep their order, except lam, which precedes its alef.
    """
    from_right = len(RIGHT_TO_LEFT.findall(text)) >= len(_LEFT_TO_RIGHT.findall(text))
    sign = -1 if from_right else 1
    order = sorted(range(len(text)), key=lambda i: sign * round(places[i], 1))
    for place in range(len(order) - 1):
        first, second = order[place], order[place + 1]
        tied = text[first] in _ALEFS and text[second] == _LAM
        if tied and abs(places[first] - places[second]) < 0.1:
            order[place], order[place + 1] = second, first
    line = "".join(text[i] for i in order)
    reordered = (_RUN_LEFT if from_right else _RUN_RIGHT).sub(lambda run: run.group()[::-1], line)
    return _SWAPPED_STOP.sub(r"\1 ", reordered)


def readable(text: str) -> str:
    """A line with its ligatures and Arabic presentation forms as plain letters."""
    plain = _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)
    plain = plain.replace("\u00ad", "").replace("\ufffe", "-").replace("\x02", "-")
    plain = collapse_spaces(_CONTROL.sub("", plain))
    return _MISPLACED_STOP.sub(r"\2\1", plain) if RIGHT_TO_LEFT.search(plain) else plain


def remove_running_heads(pages: list[list[Line]]) -> list[Line]:
    """All lines, without page numbers and without lines at the edge of most pages."""
    edges = [_edge(lines) for lines in pages]
    shapes = Counter(
        s for lines, edge in zip(pages, edges, strict=True) for s in _shapes(lines, edge)
    )
    often = {s for s, n in shapes.items() if n >= 2 and n > len(pages) / 2}
    return [
        line
        for lines, edge in zip(pages, edges, strict=True)
        for line in lines
        if not (line.height in edge and _is_running_head(line.text, often))
    ]


def _edge(lines: list[Line]) -> set[float]:
    """Heights of the two uppermost and the two lowest lines of a page."""
    heights = sorted({line.height for line in lines})
    return {*heights[:2], *heights[-2:]}


def _shapes(lines: list[Line], edge: set[float]) -> set[str]:
    return {_shape(line.text) for line in lines if line.height in edge}


def _is_running_head(text: str, often: set[str]) -> bool:
    """Whether a line at the edge of its page is a page number or a running head."""
    return bool(_PAGE_NUMBER.fullmatch(text)) or _shape(text) in often


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def join_paragraphs(lines: list[Line]) -> list[str]:
    """Join lines to paragraphs, which end with a wide gap, a short line or another font size."""
    if not lines:
        return []
    width = _upper_quartile([float(len(line.text)) for line in lines])
    gap = statistics.median(_gaps(lines) or [0.0])
    result = [lines[0].text]
    for before, line in pairwise(lines):
        if _ends_paragraph(before, line, width, gap):
            result.append(line.text)
        elif result[-1].endswith("-") and line.text[:1].islower():
            result[-1] = result[-1][:-1] + line.text
        else:
            result[-1] = f"{result[-1]} {line.text}"
    return result


def _gaps(lines: list[Line]) -> list[float]:
    """Distances from each line down to the next on the same page."""
    return [a.height - b.height for a, b in pairwise(lines) if a.height > b.height]


def _upper_quartile(values: list[float]) -> float:
    return statistics.quantiles(values, n=4)[2] if len(values) > 1 else 0.0


def _ends_paragraph(before: Line, line: Line, width: float, gap: float) -> bool:
    if abs(before.size - line.size) >= 0.6:
        return True
    if before.height > line.height and before.height - line.height > 1.25 * gap:
        return True
    size = len(before.text)
    ended = bool(_SENTENCE_END.search(before.text))
    if ended and before.height <= line.height:
        return True  # the line that closes a page closes its paragraph with a full stop
    return size < 0.6 * width or (size < 0.9 * width and ended)


def join_headings(lines: list[Line]) -> list[Line]:
    """Join neighbouring large lines of one size to one heading."""
    usual = _usual_size(lines)
    result: list[Line] = []
    for line in lines:
        last = result[-1] if result else None
        if last and last.size > MIN_HEADING_SIZE * usual and abs(last.size - line.size) < 0.1:
            result[-1] = Line(f"{last.text} {line.text}", line.size, line.height)
        else:
            result.append(line)
    return result


def choose_title(stated: str, lines: list[Line]) -> str:
    """The title of the metadata unless it is a file's name, else the largest lines at the start."""
    title = readable(stated)
    if len(title) > 3 and not FILE_NAME.search(title):
        return title
    head = lines[:TITLE_LINES]
    largest = max(head, key=lambda line: line.size)
    title = largest.text if largest.size > _usual_size(lines) + 0.5 else head[0].text
    return title[:MAX_TITLE_CHARS]


def _usual_size(lines: list[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0]


def find_headings(lines: list[Line]) -> list[str]:
    """Lines in a font clearly larger than the running text."""
    usual = _usual_size(lines)
    large = (
        line.text
        for line in lines
        if line.size > MIN_HEADING_SIZE * usual and len(line.text) < MAX_HEADING_CHARS
    )
    return list(dict.fromkeys(large))[:MAX_SUBTITLES]
