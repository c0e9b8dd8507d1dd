"""PDF → Page: title, outline or large lines as subtitles, links, and text in reading order.

A PDF has no paragraphs: lines are joined by their distance, width and font size. Right-to-left
text is stored as it is drawn, so its characters are put into reading order first.
"""

import ctypes
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from reducepp.errors import MissingExtraError, SplitError
from reducepp.scraping.extract.page_fields import (
    MAX_SUBTITLES,
    canonical_links,
    collapse_spaces,
    resolve_language,
)
from reducepp.types import Page

MAX_PAGES = 500
MAX_CHARACTERS = 2_000_000
MAX_PAGE_LINKS = 500
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?")
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
_FILE_NAME = re.compile(
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
_RIGHT_TO_LEFT = re.compile(f"[{_RIGHT}]")
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


def split_pdf(data: bytes, url: str = "") -> Page:
    """Content types of a PDF; raises SplitError where it is broken, locked or has no text."""
    try:
        import pypdfium2 as pdfium
    except ImportError:
        raise MissingExtraError("reading PDF", "documents") from None
    try:
        with pdfium.PdfDocument(data) as document:
            return _split_document(document, url)
    except pdfium.PdfiumError as error:
        raise SplitError(f"PDF cannot be read: {error}") from None


def _split_document(document: Any, url: str) -> Page:
    pages, hrefs = _read_pages(document)
    lines = remove_running_heads(pages)
    if not lines:
        raise SplitError("PDF has no text: it may be a scan")
    lines = _join_headings(lines)
    metadata = document.get_metadata_dict()
    title = choose_title(metadata.get("Title", ""), lines)
    bookmarks = islice(document.get_toc(max_depth=6), MAX_SUBTITLES)
    outline = [text for mark in bookmarks if (text := _readable(mark.get_title()))]
    author = collapse_spaces(metadata.get("Author", ""))
    body = "\n".join(_join_paragraphs([line for line in lines if line.text != title]))
    return Page(
        id=url,
        url=url,
        language=resolve_language(body),
        page_title=title,
        subtitles=tuple(t for t in outline or _find_headings(lines) if t != title),
        links=canonical_links(hrefs, url),
        body=body,
        posted_at=_date(metadata.get("ModDate", "")) or _date(metadata.get("CreationDate", "")),
        author="" if _FILE_NAME.search(author) else author,
    )


def _read_pages(document: Any) -> tuple[list[list[Line]], list[str]]:
    """Lines of each page, and the addresses of its links."""
    pages: list[list[Line]] = []
    hrefs: list[str] = []
    characters = 0
    for index in range(min(len(document), MAX_PAGES)):
        page = document[index]
        pages.append(_read_lines(page))
        hrefs += _read_links(document, page)
        page.close()
        characters += sum(len(line.text) for line in pages[-1])
        if characters > MAX_CHARACTERS:
            break
    return pages, hrefs


def _read_lines(page: Any) -> list[Line]:
    import pypdfium2.raw as c

    textpage = page.get_textpage()
    text = textpage.get_text_range()
    lines: list[Line] = []
    start = 0
    for piece in text.splitlines(keepends=True):
        lead = start + len(piece) - len(piece.lstrip())
        if _RIGHT_TO_LEFT.search(piece):  # pdfium reverses some of these words and leaves others
            line = piece.rstrip("\r\n")
            places = [_origin(textpage, start + i)[0] for i in range(len(line))]
            plain = _readable(logical_order(line, places))
        else:
            plain = _readable(piece)
        if plain:
            size = float(c.FPDFText_GetFontSize(textpage.raw, lead))
            lines.append(Line(plain, size, _origin(textpage, lead)[1]))
        start += len(piece)
    textpage.close()
    return lines


def _origin(textpage: Any, index: int) -> tuple[float, float]:
    """Position of a character on its base line, in points from the left and from the foot."""
    import pypdfium2.raw as c

    x, y = ctypes.c_double(0), ctypes.c_double(0)
    c.FPDFText_GetCharOrigin(textpage.raw, index, x, y)
    return x.value, y.value


def _read_links(document: Any, page: Any) -> list[str]:
    """Addresses of the link annotations on a page."""
    import pypdfium2.raw as c

    found: list[str] = []
    position, link = ctypes.c_int(0), c.FPDF_LINK()
    while c.FPDFLink_Enumerate(page.raw, position, link) and len(found) < MAX_PAGE_LINKS:
        action = c.FPDFLink_GetAction(link)
        size = c.FPDFAction_GetURIPath(document.raw, action, None, 0) if action else 0
        if size:
            buffer = ctypes.create_string_buffer(size)
            c.FPDFAction_GetURIPath(document.raw, action, buffer, size)
            found.append(buffer.value.decode("utf-8", "replace"))
    return found


def _date(stated: str) -> str:
    match = _DATE.match(stated)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}:{second}" if hour else "")


def logical_order(text: str, places: Sequence[float]) -> str:
    """The characters of one line in reading order; `places` are their horizontal positions.

    Two characters at one position keep their order, except lam, which precedes its alef.
    """
    from_right = len(_RIGHT_TO_LEFT.findall(text)) >= len(_LEFT_TO_RIGHT.findall(text))
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


def _readable(text: str) -> str:
    """A line with its ligatures and Arabic presentation forms as plain letters."""
    plain = _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)
    plain = plain.replace("\u00ad", "").replace("\ufffe", "-").replace("\x02", "-")
    plain = collapse_spaces(_CONTROL.sub("", plain))
    return _MISPLACED_STOP.sub(r"\2\1", plain) if _RIGHT_TO_LEFT.search(plain) else plain


def remove_running_heads(pages: list[list[Line]]) -> list[Line]:
    """All lines, without page numbers and without lines at the edge of most pages."""
    shapes = Counter(shape for lines in pages for shape in set(map(_shape, _edge(lines))))
    often = {s for s, n in shapes.items() if n >= 2 and n > len(pages) / 2}
    heads = {
        id(line)
        for lines in pages
        for line in _edge(lines)
        if _PAGE_NUMBER.fullmatch(line.text) or _shape(line) in often
    }
    return [line for lines in pages for line in lines if id(line) not in heads]


def _edge(lines: list[Line]) -> list[Line]:
    """The lines at the two upper and the two lowest heights of a page."""
    heights = sorted({line.height for line in lines})
    return [line for line in lines if line.height in (*heights[:2], *heights[-2:])]


def _shape(line: Line) -> str:
    return re.sub(r"\d+", "0", line.text)


def _join_paragraphs(lines: list[Line]) -> list[str]:
    """Join lines to paragraphs, which end with a wide gap, a short line or another font size."""
    if not lines:
        return []
    lengths = [float(len(line.text)) for line in lines]
    width = statistics.quantiles(lengths, n=4)[2] if len(lines) > 1 else 0.0
    gaps = [a.height - b.height for a, b in pairwise(lines) if a.height > b.height]
    gap = statistics.median(gaps or [0.0])
    result = [lines[0].text]
    for before, line in pairwise(lines):
        if _ends_paragraph(before, line, width, gap):
            result.append(line.text)
        elif result[-1].endswith("-") and line.text[:1].islower():
            result[-1] = result[-1][:-1] + line.text
        else:
            result[-1] = f"{result[-1]} {line.text}"
    return result


def _ends_paragraph(before: Line, line: Line, width: float, gap: float) -> bool:
    is_on_next_page = before.height <= line.height
    if abs(before.size - line.size) >= 0.6 or len(before.text) < 0.6 * width:
        return True
    if not is_on_next_page and before.height - line.height > 1.25 * gap:
        return True
    is_end = is_on_next_page or len(before.text) < 0.9 * width
    return is_end and bool(_SENTENCE_END.search(before.text))


def _join_headings(lines: list[Line]) -> list[Line]:
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
    title = _readable(stated)
    if len(title) > 3 and not _FILE_NAME.search(title):
        return title
    head = lines[:TITLE_LINES]
    largest = max(head, key=lambda line: line.size)
    title = largest.text if largest.size > _usual_size(lines) + 0.5 else head[0].text
    return title[:MAX_TITLE_CHARS]


def _usual_size(lines: list[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return max(sizes, key=lambda size: sizes[size])


def _find_headings(lines: list[Line]) -> list[str]:
    """Lines in a font clearly larger than the running text."""
    usual = _usual_size(lines)
    large = (
        line.text
        for line in lines
        if line.size > MIN_HEADING_SIZE * usual and len(line.text) < MAX_HEADING_CHARS
    )
    return list(dict.fromkeys(large))[:MAX_SUBTITLES]
