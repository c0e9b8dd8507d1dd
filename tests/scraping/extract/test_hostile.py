"""Pages made to break a reader end in a Failure with its reason, in bounded time and memory."""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
import zlib
from collections.abc import Callable

import pytest

from reducepp.errors import SandboxError
from reducepp.sandbox import Worker, WorkLimits
from reducepp.scraping.extract.html_parsing import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS
from reducepp.scraping.extract.split_many import split_failure, split_one
from reducepp.types import Failure, Page, RawPage, SearchHit
from tests.machine_units import units_of

URL = "https://hostile.example/"
TEXT = b"<p>The keeper counted every ship that passed in January, and wrote them all down.</p>"
MOST_UNITS = 200
"""About ten seconds; most of these take well below one."""


def split(data: bytes, content_type: str = "text/html") -> Page | Failure:
    results = []
    raw = RawPage(hit=SearchHit(url=URL), fetched=data, content_type=content_type)
    assert units_of(lambda: results.append(split_one(raw))) < MOST_UNITS
    return results[0]


def split_sandboxed(data: bytes) -> Page | Failure:
    """What every command makes of a page: its parser is stopped at the limits of a worker."""
    raw = RawPage(hit=SearchHit(url=URL), fetched=data)
    worker = Worker(WorkLimits(seconds=10, memory_bytes=500_000_000))
    try:
        return worker.run(split_one, raw)
    except SandboxError as error:
        return split_failure(raw, str(error))
    finally:
        worker.close()


def reason(result: Page | Failure) -> str:
    assert isinstance(result, Failure)
    return result.reason


def docx(document: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document)
    return buffer.getvalue()


def test_hundred_thousand_nested_elements() -> None:
    data = b"<html><body>" + b"<div>" * 100_000 + b"x" + b"</div>" * 100_000 + TEXT
    assert f"{MAX_DEPTH:,} levels" in reason(split(data))


def test_deep_but_readable_nesting_is_read_to_the_end() -> None:
    result = split(b"<html><body>" + b"<div>" * 1_500 + TEXT + b"</div>" * 1_500 + b"<p>end</p>")
    assert isinstance(result, Page)
    assert "counted every ship" in result.body


def test_twenty_megabytes() -> None:
    assert f"{MAX_BYTES:,}" in reason(split(TEXT * (20 * 2**20 // len(TEXT))))


def test_the_largest_page_that_is_read() -> None:
    result = split(b"<html><body>" + TEXT * (MAX_BYTES // len(TEXT) - 10))
    assert isinstance(result, Page)


def test_a_million_links() -> None:
    link = b"<a href=b>c</a>"
    assert f"{MAX_BYTES:,}" in reason(split(b"<html><body>" + link * 1_000_000))
    assert f"{MAX_ELEMENTS:,} elements" in reason(split(b"<html><body>" + link * 300_000))


def test_many_links_are_cut_off() -> None:
    links = b"".join(b"<p>A sentence about ships. <a href=/%d>c</a></p>" % n for n in range(50_000))
    result = split(b"<html><body>" + links)
    assert isinstance(result, Page)
    assert len(result.links) == 2_000


def test_null_bytes_and_lone_surrogates() -> None:
    page = split(b"<html><body>\x00<h1>Sh\x00ips</h1>" + TEXT.replace(b"ship", b"sh\x00ip"))
    assert isinstance(page, Page)
    assert page.page_title == "Ships"
    assert "every ship" in page.body
    line = json.loads('{"url": "u", "html": "<html><body><h1>A\\ud800B</h1><p>Text \\udfff.</p>"}')
    text = split_one(line)
    assert isinstance(text, Page)
    assert text.page_title == "AB"
    text.body.encode("utf-8")


def test_json_ld_deeper_than_any_reader() -> None:
    deep = b'<script type="application/ld+json">' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    result = split(b"<html><head><title>Ships</title>" + deep + b"</script></head><body>" + TEXT)
    assert isinstance(result, Page)
    assert "every ship" in result.body


def test_billion_laughs() -> None:
    entities = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    bomb = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">' + entities + b"]><d>&l9;</d>"
    assert "no text" in reason(split(docx(bomb)))
    result = split(bomb, "application/xml")
    assert isinstance(result, Failure) or len(result.body) < 10_000


def test_zip_bomb() -> None:
    assert "unpacks to" in reason(split(docx(b"<w>" + b" " * (100 * 2**20) + b"</w>")))


def test_zip_that_lies_about_its_size() -> None:
    data = bytearray(docx(b"<w>" + b" " * (80 * 2**20) + b"</w>"))
    size = (80 * 2**20 + 7).to_bytes(4, "little")
    while (place := data.find(size)) >= 0:
        data[place : place + 4] = (100).to_bytes(4, "little")
    assert reason(split(bytes(data)))


@pytest.mark.parametrize("cut", [20, 300, 1500])
def test_broken_documents(cut: int) -> None:
    assert reason(split(docx(b"<w/>" * 1000)[:cut]))
    assert "PDF" in reason(split(b"%PDF-1.7\n" + b"1 0 obj <</Type /Catalog" * cut))


@pytest.mark.parametrize(
    "piece",
    [b"<b><i>", b"<table><tr><td>", b"<p class='", b"<!--", b"&#x", b"<![CDATA[", b"<a href='x"],
)
def test_unclosed_markup_ends_in_time(piece: bytes) -> None:
    assert isinstance(split(b"<html><body>" + TEXT + piece * 20_000), Page | Failure)


def test_a_million_words_in_one_block() -> None:
    assert isinstance(split(b"<html><body><p>" + b"ships and cookies " * 500_000), Page)


@pytest.mark.parametrize("value", [b"", b"=x", b"='y z'"])
def test_two_hundred_thousand_attributes_on_one_element(value: bytes) -> None:
    attributes = b" ".join(b"a%d%s" % (n, value) for n in range(200_000))
    result = split(b"<html><body>" + TEXT + b"<p " + attributes + b">")
    assert "more than 5,000 attributes" in reason(result)


def test_attributes_that_escape_the_check_end_at_the_limit_of_the_worker() -> None:
    attributes = b" ".join(b"a%d='>'" % n for n in range(100_000))
    result = split_sandboxed(b"<html><body>" + TEXT + b"<p " + attributes + b">")
    assert "more than 10 s" in reason(result)


def test_text_after_an_unclosed_quote_is_no_reason_to_reject_a_page() -> None:
    result = split(b"<html><body>" + TEXT * 3 + b"<p title='Ships' of the > line" + TEXT * 900)
    assert isinstance(result, Page)
    assert "keeper" in result.body


def test_less_than_signs_in_scripts_and_texts_are_no_attributes() -> None:
    script = b"<script>for (i=0; i <n; i++) { " + b"a b c d " * 10_000 + b"}</script>"
    result = split(b"<html><body>" + script + TEXT + b"<p>1 < 2 and " + b"so on " * 10_000)
    assert isinstance(result, Page)
    assert result.body.count("so on") == 10_000


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("k\u200bee\u2060p\ufeffer", "keeper"),
        ("keeper" + "".join(chr(0xE0000 + ord(c)) for c in "obey me"), "keeper"),
        ("kee\u202eper\u2066\x1b[31m &#x1b;[2J&#x202d;\uffff", "keeper"),
        ("ภาษา\u200bไทย", "ภาษา\u200bไทย"),
        ("keeper went home.</p><p>\u200b</p><p>The keeper", "keeper"),
    ],
)
def test_invisible_characters_are_no_text(written: str, read: str) -> None:
    result = split(b"<html><body>" + TEXT + f"<p>The {written} went home.</p>".encode())
    assert isinstance(result, Page)
    assert result.body.splitlines()[-1].split() == ["The", read, "went", "home."]
    assert "\n\n" not in result.body


@pytest.mark.parametrize("name", ["shadowrootmode", "shadowroot"])
def test_the_shadow_tree_of_an_element_is_displayed_and_other_templates_are_not(name: str) -> None:
    shadow = f"<my-page><template {name}=open><h1>The keeper</h1>".encode() + TEXT * 3
    hidden = b"</template></my-page><template><p>A text that nobody can see here.</p></template>"
    result = split(b"<html><head><title>The keeper</title></head><body>" + shadow + hidden)
    assert isinstance(result, Page)
    assert "counted every ship" in result.body
    assert "nobody" not in result.body


def test_a_base_address_that_every_link_would_be_joined_to() -> None:
    links = b"".join(
        b"<p>A sentence about ships. <a href=../%d>c</a></p>" % n for n in range(9_000)
    )
    base = b"<base href='http://a.example/" + b"a/" * 100_000 + b"'>"
    result = split(b"<html><head>" + base + b"</head><body>" + links)
    assert isinstance(result, Page)
    assert result.links[0] == f"{URL}0"


@pytest.mark.parametrize("piece", [b" ", b"\t \t", b"\n", b"\n \t", b"\r\n\x0b"])
def test_a_plain_text_of_spaces(piece: bytes) -> None:
    result = split(b"x" + piece * 1_000_000 + b"y", "text/plain")
    assert isinstance(result, Page)
    assert len(result.body) <= 3


def pdf(content: bytes, filters: bytes) -> bytes:
    """A document of one page; readers find its objects without a table of their places."""
    objects = (
        b"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj ",
        b"2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj ",
        b"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>> endobj ",
        b"4 0 obj <</Length %d/Filter[%s]>>stream\n%s\nendstream endobj "
        % (len(content), filters, content),
    )
    return b"%PDF-1.5\n" + b"".join(objects) + b"trailer <</Root 1 0 R>>"


def test_a_pdf_that_unpacks_to_more_than_a_document() -> None:
    twice = zlib.compress(zlib.compress(b" " * 700_000_000, 9), 9)
    result = split_sandboxed(pdf(twice, b"/FlateDecode/FlateDecode"))
    assert "too large" in reason(result)
    assert "no text" in reason(split(pdf(zlib.compress(b"0 0 m 10 10 l S "), b"/FlateDecode")))


def test_a_docx_of_very_many_tags_or_nested_paragraphs() -> None:
    head = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    assert reason(split_sandboxed(docx(head + b"<w:p/>" * 1_100_000 + b"</w:document>")))
    nested = b"<w:p>" * 240 + b"<w:r><w:t>word </w:t></w:r>" * 1_000 + b"</w:p>" * 240
    result = split(docx(head + nested * 10 + b"</w:document>"))
    assert isinstance(result, Page)
    assert len(result.body) < 60_000


def three_times(data: bytes) -> bytes:
    return zlib.compress(zlib.compress(zlib.compress(data, 9), 9), 9)


def in_hex(data: bytes) -> bytes:
    return binascii.hexlify(zlib.compress(data, 9)) + b">"


def in_ascii85(data: bytes) -> bytes:
    return base64.a85encode(zlib.compress(data, 9)) + b"~>"


@pytest.mark.parametrize(
    ("encode", "filters"),
    [
        (three_times, b"/FlateDecode/FlateDecode/FlateDecode"),
        (in_hex, b"/ASCIIHexDecode/FlateDecode"),
        (in_ascii85, b"/ASCII85Decode/FlateDecode"),
    ],
)
def test_a_pdf_with_filters_before_and_inside_each_other(
    encode: Callable[[bytes], bytes], filters: bytes
) -> None:
    assert reason(split_sandboxed(pdf(encode(b"0 0 m 10 10 l S " * 2_500_000), filters)))
    assert "no text" in reason(split(pdf(encode(b"0 0 m 10 10 l S "), filters)))


def pdf_of_forms(levels: int, times: int) -> bytes:
    """A page that draws a form, which draws another so many times, and so on."""
    form = b"%d 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 9 9]%s/Length %d>>"
    form += b"stream\n%s\nendstream endobj "
    resources = b"/Resources<</XObject<</A %d 0 R>>>>"
    calls = b"/A Do " * times
    numbers = range(5, 5 + levels)
    forms = [form % (n, resources % (n + 1), len(calls), calls) for n in numbers]
    last = form % (5 + levels, b"", 14, b"0 0 m 9 9 l S ")
    page = pdf(b"/A Do ", b"").replace(b"/Filter[]", b"")
    page = page.replace(b"/MediaBox", resources % 5 + b"/MediaBox")
    head, trailer, tail = page.partition(b"trailer")
    return head + b"".join(forms) + last + trailer + tail


def test_pdf_forms_that_draw_each_other() -> None:
    assert reason(split_sandboxed(pdf_of_forms(levels=8, times=10)))
    assert "no text" in reason(split(pdf_of_forms(levels=3, times=10)))
    assert "no text" in reason(split(pdf_of_forms(levels=1, times=1_000)))


WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">%s'


def test_a_docx_run_of_many_empty_texts_is_searched_once() -> None:
    result = split(docx(WORD % (b"<w:p><w:r>" + b"<w:t/>" * 300_000 + b"<w:t>x</w:t>")))
    assert isinstance(result, Page)
    assert result.page_title == "x"


@pytest.mark.parametrize("level", ["1" * 5_000, "²", "-1", ""])
def test_a_docx_paragraph_whose_outline_level_is_no_number(level: str) -> None:
    style = f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'.encode()
    result = split(
        docx(WORD % (b"<w:p>" + style + b"<w:r><w:t>The light burns.</w:t></w:r></w:p>"))
    )
    assert isinstance(result, Page)
    assert not result.subtitles


@pytest.mark.parametrize("junk", [b"", b"junk", b"<", b"\x00" * 100])
def test_a_docx_with_a_junk_part_is_read_without_it(junk: bytes) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "word/document.xml",
            WORD % b"<w:p><w:r><w:t>The light burns.</w:t></w:r></w:p></w:document>",
        )
        for name in ("word/styles.xml", "docProps/core.xml", "word/_rels/document.xml.rels"):
            archive.writestr(name, junk)
    result = split(buffer.getvalue())
    assert isinstance(result, Page)
    assert "The light burns." in (result.page_title, result.body)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_docx_compressed_as_no_program_does(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("word/document.xml", WORD % b"<w:p/>")
    damaged = bytearray(buffer.getvalue())
    damaged[60:70] = bytes(10)
    assert "DOCX" in reason(split(bytes(buffer.getvalue())))
    assert reason(split(bytes(damaged)))


def test_titles_and_headings_cannot_steer_a_terminal() -> None:
    title = "\x1b[31mShips\x1b]0;x\x07 \u202eand\u2066 \x9b2Jtides\x7f"
    name = "<meta property=og:site_name content='The \x1b[2JBay\u202e'>"
    text = (
        TEXT.decode() * 5
        + "<p>\u202eThe bay\u202c is \x9b2J<a href='/\x1b[2J\u202eb'>open</a>.</p>"
    )
    name += "<meta name=author content='Ann \x1b[1mBerg\u2066'>"
    html = f"<title>{title}</title>{name}</head><body><h1>{title}</h1>{text}"
    result = split_one({"url": URL, "html": f"{html}<h2>More\x1b[1m of\u202d it</h2>{text}"})
    assert isinstance(result, Page)
    assert result.page_title.startswith("Ships")
    assert result.subtitles == ("More of it",)
    assert result.author == "Ann Berg"
    assert result.links[-1].endswith("/%1B[2J%E2%80%AEb")
    printed = (result.page_title, result.site_title, *result.subtitles, *result.links)
    assert not [c for text in printed for c in text if not c.isprintable()]
    assert not [c for c in result.body if not c.isprintable() and c != "\n"]
