"""DOCX as Word, LibreOffice and others write it: styles, fields, text boxes, tracked changes."""

from __future__ import annotations

import io
import zipfile

import pytest

from reducepp.scraping.extract.docx import split_docx
from reducepp.scraping.extract.plain_text import split_text
from reducepp.types import Page

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
STYLES = (
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/>'
    '<w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>'
)


def paragraph(text: str, style: str = "", more: str = "") -> str:
    name = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{name}{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def split(body: str, *, main: str = MAIN, name: str = "word/document.xml", title: str = "") -> Page:
    spaces = f'xmlns:w="{main}" xmlns:mc="{COMPATIBLE}"'
    core = f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, f"<w:document {spaces}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/styles.xml", f"<w:styles {spaces}>{STYLES}</w:styles>")
        archive.writestr("docProps/core.xml", core)
        relation = f'<Relationship Type="http://x/officeDocument" Target="/{name}"/>'
        archive.writestr("_rels/.rels", f"<Relationships>{relation}</Relationships>")
    return split_docx(buffer.getvalue(), "https://a.example/report.docx")


HEAD = paragraph("The Light", "berschrift1")


def test_headings_by_style_base_and_outline_level() -> None:
    level = '<w:outlineLvl w:val="1"/>'
    page = split(
        HEAD
        + paragraph("First part", "Kapitel")
        + paragraph("It burns.", "Loop")
        + paragraph("Second part", more=level)
        + paragraph("Plain", more='<w:outlineLvl w:val="9"/>')
    )
    assert page.page_title == "The Light"
    assert page.subtitles == ("First part", "Second part")


def test_a_text_box_is_read_once_and_apart() -> None:
    inner = f"<w:txbxContent>{paragraph('In a box')}</w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice>{inner}</mc:Choice><mc:Fallback>{inner}</mc:Fallback>"
    page = split(
        HEAD + f"<w:p><w:r><w:t>Around it</w:t></w:r><w:r>{both}</mc:AlternateContent></w:r></w:p>"
    )
    assert page.body == "In a box\nAround it"


def test_what_was_deleted_moved_away_or_hidden_is_not_read() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>"
    deleted = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    gone = f"{deleted}<w:moveFrom>{run.format('away')}</w:moveFrom>"
    new = (
        f"<w:ins>{run.format('new')}</w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
    )
    assert split(HEAD + f"<w:p>{gone}{new}</w:p>").body == "new"


def test_links_that_are_fields() -> None:
    field = r'<w:p><w:r><w:instrText> HYPERLINK \o "tip" "https://b.example/x" </w:instrText></w:r>'
    plain = '<w:r><w:instrText> HYPERLINK "https://c.example/y" \\t "_blank" </w:instrText></w:r>'
    simple = '<w:fldSimple w:instr="HYPERLINK https://d.example/z"><w:r><w:t>z</w:t></w:r></w:fldSimple></w:p>'
    page = split(HEAD + field + plain + simple)
    assert page.links == ("https://b.example/x", "https://c.example/y", "https://d.example/z")


def test_no_table_of_contents_in_the_body() -> None:
    page = split(HEAD + paragraph("First part 3", "Verzeichnis1") + paragraph("Text."))
    assert page.body == "Text."


def test_the_strict_form_and_another_name_of_the_main_part() -> None:
    page = split(HEAD + paragraph("Text."), main=STRICT, name="word/document2.xml")
    assert (page.page_title, page.body) == ("The Light", "Text.")


@pytest.mark.parametrize("made_up", ["Microsoft Word - a.doc", "report.docx", "Document1"])
def test_a_title_that_a_program_made_up(made_up: str) -> None:
    assert split(HEAD + paragraph("Text."), title=made_up).page_title == "The Light"


def test_markdown() -> None:
    text = "# The Light\n\nIt burns\nall night.\n\n## Oil\nSee https://a.example/oil.\n\nWick\n----\n\nLong."
    page = split_text(text, "https://a.example/readme.md")
    assert page.page_title == "The Light"
    assert page.subtitles == ("Oil", "Wick")
    assert page.body == "It burns all night.\nOil\nSee https://a.example/oil.\nWick\nLong."
    assert page.links == ("https://a.example/oil",)


def test_a_plain_text_of_equal_lines_is_no_heading() -> None:
    page = split_text("A first line\nand a second\n\nThe rest.")
    assert (page.page_title, page.subtitles, page.body) == (
        "A first line and a second",
        (),
        "The rest.",
    )
