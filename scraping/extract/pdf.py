"""PDF → Page: title, outline or large lines as subtitles, links, and text in reading order."""

import ctypes
import re
from itertools import islice
from typing import Any

from reducepp.errors import MissingExtraError, SplitError
from reducepp.scraping.extract.page_fields import (
    MAX_SUBTITLES,
    canonical_links,
    collapse_spaces,
    resolve_language,
)
from reducepp.scraping.extract.pdf_text import (
    FILE_NAME,
    RIGHT_TO_LEFT,
    Line,
    choose_title,
    find_headings,
    join_headings,
    join_paragraphs,
    logical_order,
    readable,
    remove_running_heads,
)
from reducepp.types import Page

MAX_PAGES = 500
MAX_CHARACTERS = 2_000_000
MAX_PAGE_LINKS = 500
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?")


def split_pdf(data: bytes, url: str = "") -> Page:
    """Content types of a PDF; raises SplitError where it is broken, locked or has no text."""
    try:
        import pypdfium2 as pdfium
    except ImportError:
        raise MissingExtraError("reading PDF", "documents") from None
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
    pages, hrefs = _read_pages(document)
    lines = remove_running_heads(pages)
    if not lines:
        raise SplitError("PDF has no text: it may be a scan")
    lines = join_headings(lines)
    metadata = document.get_metadata_dict()
    title = choose_title(metadata.get("Title", ""), lines)
    author = collapse_spaces(metadata.get("Author", ""))
    body = "\n".join(join_paragraphs([line for line in lines if line.text != title]))
    return Page(
        id=url,
        url=url,
        language=resolve_language(body),
        page_title=title,
        subtitles=tuple(t for t in _outline(document) or find_headings(lines) if t != title),
        links=canonical_links(hrefs, url),
        body=body,
        posted_at=_date(metadata.get("ModDate", "")) or _date(metadata.get("CreationDate", "")),
        author="" if FILE_NAME.search(author) else author,
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
        plain = readable(_reading_order(textpage, piece, start))
        if plain:
            size = float(c.FPDFText_GetFontSize(textpage.raw, lead))
            lines.append(Line(plain, size, _origin(textpage, lead)[1]))
        start += len(piece)
    textpage.close()
    return lines


def _reading_order(textpage: Any, piece: str, start: int) -> str:
    """A line in reading order: pdfium reverses some right-to-left words and leaves others."""
    if not RIGHT_TO_LEFT.search(piece):
        return piece
    line = piece.rstrip("\r\n")
    return logical_order(line, [_origin(textpage, start + i)[0] for i in range(len(line))])


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


def _outline(document: Any) -> list[str]:
    """Titles of the outline, in order."""
    bookmarks = islice(document.get_toc(max_depth=6), MAX_SUBTITLES)
    return [title for mark in bookmarks if (title := readable(mark.get_title()))]


def _date(stated: str) -> str:
    match = _DATE.match(stated)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}:{second}" if hour else "")
