"""DOCX and plain text → Page of the same shape as an HTML page's."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from lxml import etree

from reducepp.data import Page
from reducepp.errors import SplitError
from scraping.html import settle_language
from scraping.links import canonical_links
from scraping.metadata import squeeze
from scraping.pdf import split_pdf as split_pdf
from scraping.tree import Element

MAX_UNPACKED = 64 * 1024 * 1024
"""A part of a DOCX that would unpack to more is a bomb, and refused before unpacking."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DCTERMS = "{http://purl.org/dc/terms/}"
_HEADING = re.compile(r"(?:heading|titre|überschrift|rubrik)\s*[1-6]|subtitle", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+")


def split_text(text: str, url: str = "") -> Page:
    """A plain text: first short line as title, paragraphs at blank lines."""
    if not text.strip():
        raise SplitError("page is empty")
    paragraphs = _joined_lines(text)
    title = paragraphs[0].lstrip("# ") if len(paragraphs[0]) <= 150 else ""
    return Page(
        id=url,
        url=url,
        language=settle_language(text, ""),
        page_title=title,
        body="\n".join(paragraphs[1:] if title and len(paragraphs) > 1 else paragraphs),
        links=tuple(canonical_links(_ADDRESS.findall(text), url)),
    )


def _joined_lines(text: str) -> list[str]:
    """Paragraphs, each on one line; they end at blank lines."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        plain = squeeze(line)
        if plain:
            found[-1].append(plain)
        elif found[-1]:
            found.append([])
    return [" ".join(lines) for lines in found if lines]


def split_docx(data: bytes, url: str = "") -> Page:
    """A Word document: title from its properties or title style, headings by their styles."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            document = _part(archive, "word/document.xml")
            styles = _style_names(_part(archive, "word/styles.xml"))
            core = _part(archive, "docProps/core.xml")
            targets = _targets(_part(archive, "word/_rels/document.xml.rels"))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise SplitError(f"DOCX cannot be read: {error}") from None
    if document is None:
        raise SplitError("DOCX has no word/document.xml")
    lines = [(s, t) for s, t in _paragraphs(document, styles) if t]
    title = _core_text(core, f"{_DC}title") or _title_line(lines)
    body = "\n".join(t for s, t in lines if t != title)
    if not body and not title:
        raise SplitError("DOCX has no text")
    hrefs = [targets.get(e.get(f"{_R}id") or "", "") for e in document.iter(f"{_W}hyperlink")]
    return Page(
        id=url,
        url=url,
        language=settle_language(body, ""),
        page_title=title,
        subtitles=tuple(dict.fromkeys(t for s, t in lines if _HEADING.search(s) and t != title)),
        links=tuple(canonical_links(hrefs, url)),
        body=body,
        posted_at=_core_text(core, f"{_DCTERMS}modified") or _core_text(core, f"{_DCTERMS}created"),
        author=_core_text(core, f"{_DC}creator"),
    )


def _part(archive: zipfile.ZipFile, name: str) -> Element | None:
    """One part as a tree; None where absent. Sizes are checked before unpacking."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.file_size > MAX_UNPACKED:
        raise SplitError(f"DOCX part {name} unpacks to {info.file_size:,} bytes")
    with archive.open(info) as stream:
        xml = stream.read(MAX_UNPACKED + 1)
    if len(xml) > MAX_UNPACKED:
        raise SplitError(f"DOCX part {name} unpacks to more than {MAX_UNPACKED:,} bytes")
    if b"<!DOCTYPE" in xml[:4096] or b"<!ENTITY" in xml:
        raise SplitError(f"DOCX part {name} declares entities")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    root: Element | None = etree.fromstring(xml, parser)
    return root


def _style_names(styles: Element | None) -> dict[str, str]:
    """Style id to its name: `berschrift1` to `heading 1`."""
    found: dict[str, str] = {}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        name = style.find(f"{_W}name")
        if name is not None:
            found[style.get(f"{_W}styleId") or ""] = name.get(f"{_W}val") or ""
    return found


def _targets(relations: Element | None) -> dict[str, str]:
    if relations is None:
        return {}
    return {e.get("Id") or "": e.get("Target") or "" for e in relations}


def _paragraphs(document: Element, styles: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Style name and text of each paragraph, table cells among them, in order."""
    for paragraph in document.iter(f"{_W}p"):
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        name = (style.get(f"{_W}val") or "") if style is not None else ""
        pieces = [
            (element.text or "") if element.tag == f"{_W}t" else " "
            for element in paragraph.iter(f"{_W}t", f"{_W}tab", f"{_W}br", f"{_W}cr")
        ]
        yield styles.get(name, name), squeeze("".join(pieces))


def _title_line(lines: list[tuple[str, str]]) -> str:
    """The paragraph styled as title, else the first heading, else a short first line."""
    for wanted in (lambda s: s.lower() in ("title", "titre"), _HEADING.search):
        for style, text in lines:
            if wanted(style):
                return text
    return lines[0][1] if lines and len(lines[0][1]) <= 150 else ""


def _core_text(core: Element | None, name: str) -> str:
    element = core.find(name) if core is not None else None
    return squeeze(element.text or "") if element is not None else ""
