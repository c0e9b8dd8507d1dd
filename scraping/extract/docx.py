"""DOCX → Page of the same shape as an HTML page's."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lxml import etree

from reducepp.errors import SplitError
from reducepp.io.zip_members import DAMAGED_ZIP, read_member
from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.page_fields import canonical_links, collapse_spaces, resolve_language
from reducepp.types import Page

MAX_PART_BYTES = 32 * 1024 * 1024
"""Unpacked size of a part."""
MAX_FIELD_CHARS = 4000
MAX_STYLE_DEPTH = 20
"""Length of a chain of styles that are based on each other."""
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": _MAIN.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": _RELATIONS.encode(),
}
"""Namespaces of the strict form of the standard, and the usual ones."""
_W = f"{{{_MAIN}}}"
_R = f"{{{_RELATIONS}}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DCTERMS = "{http://purl.org/dc/terms/}"
_REMOVED = (
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
    f"{_W}del",
    f"{_W}moveFrom",
)
"""A second copy of each text box for old readers, and what was deleted or moved away."""
_HEADING = re.compile(r"(?:heading|titre|überschrift|rubrik|عنوان)\s*[1-9]|subtitle", re.IGNORECASE)
_CONTENTS = re.compile(r"toc\b|table of (?:contents|figures)", re.IGNORECASE)
_DEFAULT_TITLE = re.compile(
    r"\.(?:docx?|odt|rtf)$|^(?:microsoft word|word document$|untitled|document\d*$)", re.IGNORECASE
)
_ADDRESS = re.compile(r"""https?://[^"”\s]+""")
_SIGNS = {
    **dict.fromkeys((f"{_W}tab", f"{_W}br", f"{_W}cr"), " "),
    **dict.fromkeys((f"{_W}noBreakHyphen", f"{_W}softHyphen"), "-"),
}


@dataclass(slots=True)
class Paragraph:
    """A paragraph: the name of its style, its text, and whether it is a heading."""

    style: str
    text: str = ""
    heading: bool = False


def split_docx(data: bytes, url: str = "") -> Page:
    """A Word document: title from its properties or title style, headings by their styles."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            name = _main_part(archive)
            document = _part(archive, name)
            styles = _read_styles(_part(archive, "word/styles.xml"))
            core = _part(archive, "docProps/core.xml")
            folder, _, file = name.rpartition("/")
            relations = _part(archive, f"{folder}/_rels/{file}.rels")
    except DAMAGED_ZIP as error:
        raise SplitError(f"DOCX cannot be read: {error}") from None
    if document is None:
        raise SplitError("DOCX has no word/document.xml")
    etree.strip_elements(document, *_REMOVED, with_tail=False)
    lines = [line for line in _paragraphs(document, styles) if line.text]
    stated = _core_text(core, f"{_DC}title")
    title = stated if stated and not _DEFAULT_TITLE.search(stated) else _title_line(lines)
    body = "\n".join(line.text for line in lines if line.text != title)
    if not body and not title:
        raise SplitError("DOCX has no text")
    headings = (line.text for line in lines if line.heading and line.text != title)
    return Page(
        id=url,
        url=url,
        language=resolve_language(body),
        page_title=title,
        subtitles=tuple(dict.fromkeys(headings)),
        links=canonical_links(_addresses(document, relations), url),
        body=body,
        posted_at=_core_text(core, f"{_DCTERMS}modified") or _core_text(core, f"{_DCTERMS}created"),
        author=_core_text(core, f"{_DC}creator"),
    )


def _main_part(archive: zipfile.ZipFile) -> str:
    """The part that holds the text, which some programs call otherwise than usual."""
    for relation in _children(_part(archive, "_rels/.rels")):
        if (relation.get("Type") or "").endswith("/officeDocument"):
            return (relation.get("Target") or "").lstrip("/")
    return "word/document.xml"


def _children(root: Element | None) -> Iterable[Element]:
    return () if root is None else root


def _part(archive: zipfile.ZipFile, name: str) -> Element | None:
    """One part as a tree; None where it is absent or no XML."""
    try:
        xml = read_member(archive, name, MAX_PART_BYTES)
    except KeyError:
        return None
    if len(xml) > MAX_PART_BYTES:
        raise SplitError(f"DOCX part {name} unpacks to more than {MAX_PART_BYTES:,} bytes")
    for strict, usual in _STRICT.items():
        xml = xml.replace(strict, usual)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        root: Element | None = etree.fromstring(xml, parser)
    except etree.LxmlError:
        return None
    return root


def _read_styles(styles: Element | None) -> dict[str, Paragraph]:
    """Style id to its name (`berschrift1` to `heading 1`) and whether it, or its base, heads."""
    found: dict[str, Paragraph] = {}
    bases: dict[str, str] = {}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        key = style.get(f"{_W}styleId") or ""
        name = _value(style, f"{_W}name")
        found[key] = Paragraph(name, heading=bool(_HEADING.search(name)) or _has_level(style))
        bases[key] = _value(style, f"{_W}basedOn")
    for key, line in found.items():
        base = key
        for _ in range(MAX_STYLE_DEPTH):
            base = bases.get(base, "")
            line.heading = line.heading or (base in found and found[base].heading)
    return found


def _has_level(element: Element) -> bool:
    """Whether a style or a paragraph stands in the document's outline."""
    level = _value(element, f"{_W}pPr/{_W}outlineLvl")
    return len(level) == 1 and level in "012345678"


def _value(element: Element, path: str) -> str:
    found = element.find(path)
    return (found.get(f"{_W}val") or "") if found is not None else ""


def _addresses(document: Element, relations: Element | None) -> Iterator[str]:
    """Where the links lead, be they elements or fields."""
    targets = {e.get("Id"): e.get("Target") or "" for e in _children(relations)}
    for element in document.iter(f"{_W}hyperlink", f"{_W}instrText", f"{_W}fldSimple"):
        if element.tag == f"{_W}hyperlink":
            yield targets.get(element.get(f"{_R}id"), "")
        else:
            field = (element.get(f"{_W}instr") or element.text or "")[:MAX_FIELD_CHARS]
            address = _ADDRESS.search(field.partition("HYPERLINK")[2])
            yield address.group() if address else ""


def _paragraphs(document: Element, styles: dict[str, Paragraph]) -> Iterator[Paragraph]:
    """Each paragraph in order, those of table cells and text boxes too; no table of contents."""
    unclosed: list[tuple[Paragraph, list[str]]] = []
    is_hidden = False
    for event, element in etree.iterwalk(document, events=("start", "end")):
        if element.tag == f"{_W}r" and event == "start":
            is_hidden = element.find(f"{_W}rPr/{_W}vanish") is not None
        elif element.tag == f"{_W}p":
            if event == "start":
                key = _value(element, f"{_W}pPr/{_W}pStyle")
                style = styles.get(key) or Paragraph(key, heading=bool(_HEADING.search(key)))
                is_heading = style.heading or _has_level(element)
                unclosed.append((replace(style, heading=is_heading), []))
                continue
            paragraph, texts = unclosed.pop()
            paragraph.text = collapse_spaces("".join(texts))
            if not _CONTENTS.match(paragraph.style):
                yield paragraph
        elif event == "start" and unclosed and not (is_hidden and element.tag == f"{_W}t"):
            is_text = element.tag == f"{_W}t"
            unclosed[-1][1].append((element.text or "") if is_text else _SIGNS.get(element.tag, ""))


def _title_line(lines: list[Paragraph]) -> str:
    """The paragraph styled as title, else the first heading, else a short first line."""
    for line in lines:
        if line.style.lower() in ("title", "titre", "titel", "título", "العنوان"):
            return line.text
    heading = next((line.text for line in lines if line.heading), "")
    return heading or (lines[0].text if lines and len(lines[0].text) <= 150 else "")


def _core_text(core: Element | None, name: str) -> str:
    element = core.find(name) if core is not None else None
    return collapse_spaces(element.text or "") if element is not None else ""
