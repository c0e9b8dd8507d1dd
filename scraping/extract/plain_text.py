"""Plain text, Markdown among it → Page of the same shape as an HTML page's."""

import re
from collections.abc import Iterator

from reducepp.errors import SplitError
from reducepp.scraping.extract.page_fields import (
    MAX_SUBTITLES,
    canonical_links,
    collapse_spaces,
    resolve_language,
)
from reducepp.types import Page

MAX_TITLE_CHARS = 150
_HEADING = re.compile(r"#{1,6} ([^\n]{1,300}?)(?: #+)?")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+")


def split_text(text: str, url: str = "") -> Page:
    """A plain text: first heading or short line as title, paragraphs at blank lines.

    Lines that Markdown marks as headings (`# ...`, or underlined) are subtitles.
    """
    if not text.strip():
        raise SplitError("page is empty")
    paragraphs = list(_paragraphs(text))
    headings = [t for heading, t in paragraphs if heading]
    title = headings[0] if paragraphs[0][0] else paragraphs[0][1]
    title = title if len(title) <= MAX_TITLE_CHARS else ""
    rest = [t for _, t in (paragraphs[1:] if title and len(paragraphs) > 1 else paragraphs)]
    return Page(
        id=url,
        url=url,
        language=resolve_language(text),
        page_title=title,
        subtitles=tuple(dict.fromkeys(t for t in headings if t != title))[:MAX_SUBTITLES],
        body="\n".join(rest),
        links=canonical_links((a.rstrip(".,;:!?*_") for a in _ADDRESS.findall(text)), url),
    )


def _paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """Paragraphs and headings in order; paragraphs end at blank lines and are one line each."""
    lines: list[str] = []
    for raw in text.splitlines():
        line = collapse_spaces(raw)
        heading = _HEADING.fullmatch(line)
        if len(lines) == 1 and _UNDERLINE.fullmatch(line):
            yield True, lines.pop()
        elif heading or not line:
            if lines:
                yield False, " ".join(lines)
                lines = []
            if heading:
                yield True, heading[1]
        else:
            lines.append(line)
    if lines:
        yield False, " ".join(lines)
