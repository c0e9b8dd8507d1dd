"""PDF → Page: title, outline or large lines as subtitles, links, and text in reading order."""

from __future__ import annotations

import ctypes
import re
import statistics
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reducepp.errors import MissingExtraError, SplitError
from reducepp.scraping.extract.bidi import RIGHT_TO_LEFT, logical_order
from reducepp.scraping.extract.html import settle_language
from reducepp.scraping.extract.metadata import squeeze
from reducepp.scraping.extract.page_links import canonical_links
from reducepp.scraping.extract.pdf_streams import check_unpacked
from reducepp.types import Page

MAX_PAGES = 500
MAX_CHARACTERS = 2_000_000
_PRESENTATION = re.compile(r"[\ufb50-\ufdff\ufe70-\ufefc\ufb00-\ufb06]+")
_CONTROL = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_STRAY_STOP = re.compile(r"(?<!\S)([.،؛:])(\d[\d/,-]*)(?!\S)")
"""A full stop after a number, which visual order puts before it."""
_SENTENCE_END = re.compile(r"[.!?:؟…۔][\"'»”)\]]*$")
_FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|tex|indd|odt|qxd|pptx?)$|^(?:microsoft word|untitled|document\d*$)"
    r"|^\((?:anonymous|unspecified)\)$|^(?:sans titre|unbenannt|بدون عنوان)",
    re.I,
)
_PAGE_NUMBER = re.compile(
    r"(?:(?:https?|file)://\S+\s+|page\s+|seite\s+|p\.\s*|صفحة\s+)?[-–—]?\s*\d{1,4}\s*[-–—]?"
    r"(?:\s*(?:/|of|sur|von|de|من)\s*\d{1,4})?",
    re.I,
)
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?")


@dataclass(slots=True)
class Line:
    """A line as set on the page; sizes in points."""

    text: str
    size: float
    height: float = 0.0
    """Of its base line above the foot of the page."""


def split_pdf(data: bytes, url: str = "") -> Page:
    """Content types of a PDF; raises SplitError where it is broken, locked or has no text."""
    try:
        import pypdfium2 as pdfium
    except ImportError:
        raise MissingExtraError("reading PDF", "documents") from None
    check_unpacked(data)
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise SplitError(f"PDF cannot be read: {error}") from None
    try:
        return _split_document(document, url)
    except pdfium.PdfiumError as error:
        raise SplitError(f"PDF cannot be read: {error}") from None
    finally:
        document.close()


def _split_document(document: Any, url: str) -> Page:
    sheets, hrefs = _read_pages(document)
    lines = _without_running_heads(sheets)
    if not lines:
        raise SplitError("PDF has no text: it may be a scan")
    lines = _join_headings(lines)
    facts = document.get_metadata_dict()
    title = _title(facts.get("Title", ""), lines)
    author = squeeze(facts.get("Author", ""))
    body = "\n".join(_paragraphs([line for line in lines if line.text != title]))
    return Page(
        id=url,
        url=url,
        language=settle_language(body, ""),
        page_title=title,
        subtitles=tuple(t for t in _outline(document) or _large_lines(lines) if t != title),
        links=tuple(canonical_links(hrefs, url)),
        body=body,
        posted_at=_date(facts.get("ModDate", "")) or _date(facts.get("CreationDate", "")),
        author="" if _FILE_NAME.search(author) else author,
    )


def _read_pages(document: Any) -> tuple[list[list[Line]], list[str]]:
    """Lines of each page, and the addresses its links lead to."""
    sheets: list[list[Line]] = []
    hrefs: list[str] = []
    characters = 0
    for index in range(min(len(document), MAX_PAGES)):
        page = document[index]
        sheets.append(_read_lines(page))
        hrefs += _read_links(document, page)
        page.close()
        characters += sum(len(line.text) for line in sheets[-1])
        if characters > MAX_CHARACTERS:
            break
    return sheets, hrefs


def _read_lines(page: Any) -> list[Line]:
    import pypdfium2.raw as c

    textpage = page.get_textpage()
    text = textpage.get_text_range()
    lines: list[Line] = []
    start = 0
    for piece in text.splitlines(keepends=True):
        lead = start + len(piece) - len(piece.lstrip())
        plain = readable(_in_order(textpage, piece, start))
        if plain:
            size = float(c.FPDFText_GetFontSize(textpage.raw, lead))
            lines.append(Line(plain, size, _origin(textpage, lead)[1]))
        start += len(piece)
    textpage.close()
    return lines


def _in_order(textpage: Any, piece: str, start: int) -> str:
    """A line as it is read: pdfium turns some right-to-left words round and leaves others."""
    if not RIGHT_TO_LEFT.search(piece):
        return piece
    line = piece.rstrip("\r\n")
    return logical_order(line, [_origin(textpage, start + i)[0] for i in range(len(line))])


def _origin(textpage: Any, index: int) -> tuple[float, float]:
    """Where a character stands on its base line, in points from the left and from the foot."""
    import pypdfium2.raw as c

    x, y = ctypes.c_double(0), ctypes.c_double(0)
    c.FPDFText_GetCharOrigin(textpage.raw, index, x, y)
    return x.value, y.value


def readable(text: str) -> str:
    """A line with its ligatures and Arabic presentation forms as plain letters."""
    plain = _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)
    plain = plain.replace("\u00ad", "").replace("\ufffe", "-").replace("\x02", "-")
    plain = squeeze(_CONTROL.sub("", plain))
    return _STRAY_STOP.sub(r"\2\1", plain) if RIGHT_TO_LEFT.search(plain) else plain


def _read_links(document: Any, page: Any) -> list[str]:
    """Addresses of the link annotations on a page."""
    import pypdfium2.raw as c

    found: list[str] = []
    position, link = ctypes.c_int(0), c.FPDF_LINK()
    while c.FPDFLink_Enumerate(page.raw, position, link) and len(found) < 500:
        action = c.FPDFLink_GetAction(link)
        size = c.FPDFAction_GetURIPath(document.raw, action, None, 0) if action else 0
        if size:
            buffer = ctypes.create_string_buffer(size)
            c.FPDFAction_GetURIPath(document.raw, action, buffer, size)
            found.append(buffer.value.decode("utf-8", "replace"))
    return found


def _without_running_heads(sheets: list[list[Line]]) -> list[Line]:
    """All lines, without page numbers and what stands at the edge of most pages."""
    edges = [_edge(lines) for lines in sheets]
    shapes = Counter(
        s for lines, edge in zip(sheets, edges, strict=True) for s in _shapes(lines, edge)
    )
    often = {s for s, n in shapes.items() if n >= 2 and n > len(sheets) / 2}
    return [
        line
        for lines, edge in zip(sheets, edges, strict=True)
        for line in lines
        if not (line.height in edge and _is_head(line.text, often))
    ]


def _edge(lines: list[Line]) -> set[float]:
    """Heights of the two uppermost and the two lowest lines of a page."""
    heights = sorted({line.height for line in lines})
    return {*heights[:2], *heights[-2:]}


def _shapes(lines: list[Line], edge: set[float]) -> set[str]:
    return {_shape(line.text) for line in lines if line.height in edge}


def _is_head(text: str, often: set[str]) -> bool:
    """Whether a line at the edge of its page is a page number or a running head."""
    return bool(_PAGE_NUMBER.fullmatch(text)) or _shape(text) in often


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def _paragraphs(lines: list[Line]) -> list[str]:
    """Lines joined to paragraphs, which end with a wide gap, a short line or another size."""
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


def _join_headings(lines: list[Line]) -> list[Line]:
    """Lines in a row that are set equally large are one heading."""
    usual = _usual_size(lines)
    result: list[Line] = []
    for line in lines:
        last = result[-1] if result else None
        if last and last.size > 1.12 * usual and abs(last.size - line.size) < 0.1:
            result[-1] = Line(f"{last.text} {line.text}", line.size, line.height)
        else:
            result.append(line)
    return result


def _title(stated: str, lines: list[Line]) -> str:
    """The title of the metadata unless it is a file's name, else the largest lines at the start."""
    title = readable(stated)
    if len(title) > 3 and not _FILE_NAME.search(title):
        return title
    head = lines[:40]
    largest = max(head, key=lambda line: line.size)
    title = largest.text if largest.size > _usual_size(lines) + 0.5 else head[0].text
    return title[:300]


def _usual_size(lines: list[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0]


def _outline(document: Any) -> list[str]:
    """Titles of the outline, in order."""
    found = []
    for bookmark in document.get_toc(max_depth=6):
        found.append(readable(bookmark.get_title()))
        if len(found) >= 200:
            break
    return [t for t in found if t]


def _large_lines(lines: list[Line]) -> list[str]:
    """Lines set clearly larger than the running text."""
    usual = _usual_size(lines)
    large = (line.text for line in lines if line.size > 1.12 * usual and len(line.text) < 150)
    return list(dict.fromkeys(large))[:200]


def _date(stated: str) -> str:
    match = _DATE.match(stated)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}:{second}" if hour else "")
