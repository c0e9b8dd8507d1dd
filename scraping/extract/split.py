"""RawPage → Page: a pure function of bytes. Everything the engine compares comes through here."""

import re
from dataclasses import replace
from typing import Any

from reducepp.errors import NoticeError, SplitError, UsageError
from reducepp.io.sniff import is_saved_page
from reducepp.scraping.decode.charset import decode, remove_nulls, repair_mojibake
from reducepp.scraping.extract.html import split_markup
from reducepp.scraping.extract.html_parsing import check_size
from reducepp.scraping.extract.page_fields import remove_controls
from reducepp.scraping.extract.plain_text import split_text
from reducepp.types import Page, RawPage, SearchHit

LINKS = ("content", "all")
MIN_FETCHED_CHARS = 200
"""Characters from which the fetched page's text is the body, though the rendered one has more."""
MAX_CONTROL_CHARS, MAX_CONTROL_SHARE = 20, 0.01
"""Control characters above which bytes are no text: a few stray ones, or a share of the sample."""
_MARKUP = re.compile(
    rb"<\s*(?:!doctype|html|head|body|div|p|a|meta|title|table|span|script|h1|br|ul|article|section|font|center|img)\b",
    re.I,
)
_BINARY = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"ID3": "an audio file",
    b"OggS": "an audio or video file",
    b"\x7fELF": "a program",
}
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def split_page(raw: RawPage, *, links: str = "content", images: bool = False) -> Page:
    """Content types of one page; raises SplitError, with the reason, for what is no page.

    Where the page was rendered, titles and links are those of the rendered page; `body` is the
    fetched text where there is one, and `rendered_body` what the browser adds. With `images`,
    those that a page saved as one file carries are hashed.
    """
    if links not in LINKS:
        raise UsageError(f"links must be one of {', '.join(LINKS)}, not {links!r}")
    if is_saved_page(raw.fetched):
        from reducepp.scraping.extract.mhtml import open_saved

        raw = open_saved(raw, images=images)
    check_size(len(raw.fetched))
    check_size(len(raw.rendered))
    if not raw.fetched.strip() and not raw.rendered.strip():
        raise SplitError("page is empty")
    url = raw.final_url or raw.hit.url
    page = _split_bytes(raw, url, links)
    if raw.images:
        from reducepp.scraping.extract.images import hash_images

        page = replace(page, images=hash_images(raw.images))
    return _finish(page, raw.hit, url)


def split_html(
    html: str | bytes,
    *,
    url: str = "",
    id: str = "",  # noqa: A002
    query: str = "",
    rank: int = 0,
    language: str = "",
    links: str = "content",
) -> Page:
    """Content types of an HTML text; a stated language wins over the detected one."""
    hit = SearchHit(url=url, query=query, rank=rank)
    if isinstance(html, bytes):
        page = split_page(RawPage(hit=hit, fetched=html), links=links)
    else:
        page = _split_string(html, hit, links)
    return replace(page, id=id or url, language=language or page.language)


def _split_string(html: str, hit: SearchHit, links: str) -> Page:
    if not html.strip():
        raise SplitError("page is empty")
    check_size(len(html))
    page = split_markup(repair_mojibake(remove_nulls(html)), hit.url, links=links)
    return _finish(page, hit, hit.url)


def _finish(page: Page, hit: SearchHit, url: str) -> Page:
    """With what the hit says; a page saved without its hit has the address that it states."""
    address = hit.url or url
    known: dict[str, Any] = {"query": hit.query, "rank": hit.rank, "snippet": hit.snippet}
    return remove_controls(replace(page, id=address, url=address, **known))


def _split_bytes(raw: RawPage, url: str, links: str) -> Page:
    form = detect_format(raw.fetched, raw.content_type)
    if form == "pdf":
        from reducepp.scraping.extract.pdf import split_pdf

        return split_pdf(raw.fetched, url)
    if form == "docx":
        from reducepp.scraping.extract.docx import split_docx

        return split_docx(raw.fetched, url)
    if not raw.rendered:
        _check_is_text(raw.fetched)
        text = decode(raw.fetched, raw.content_type)
        return split_text(text, url) if form == "text" else split_markup(text, url, links=links)
    try:
        rendered = split_markup(remove_nulls(raw.rendered), url, links=links)
    except NoticeError:
        if not raw.fetched:
            raise
        return _split_bytes(replace(raw, rendered=""), url, links)
    try:
        fetched = split_markup(decode(raw.fetched, raw.content_type), url)
    except SplitError:  # only the rendered page can be read
        fetched = Page(id=url)
    is_short = len(fetched.body) < MIN_FETCHED_CHARS and len(fetched.body) < len(rendered.body)
    return replace(
        rendered,
        body=rendered.body if is_short else fetched.body,
        rendered_body=rendered.body,
        rendered_title=rendered.page_title,
        fetched_body=fetched.body,
        fetched_title=fetched.page_title,
    )


def _check_is_text(data: bytes) -> None:
    """Reject bytes with too many control characters, unless they are UTF-16."""
    sample = data[:20_000]
    wide = (
        data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0.3 < sample.count(0) / (len(sample) or 1) < 0.7
    )
    most = MAX_CONTROL_CHARS + MAX_CONTROL_SHARE * len(sample)
    if not wide and len(_CONTROL.findall(sample)) > most:
        raise SplitError("page is not text: it holds binary data")


def detect_format(data: bytes, content_type: str = "") -> str:
    """`html`, `text`, `pdf` or `docx`, by the first bytes, then by the content type.

    Raises SplitError for any other format.
    """
    head = data[:1024]
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        if b"word/" in data or b"officedocument" in data[:4096]:
            return "docx"
        raise SplitError("not a page: a zip archive")
    for mark, name in _BINARY.items():
        if head.startswith(mark):
            raise SplitError(f"not a page: {name}")
    stated = content_type.partition(";")[0].strip().lower()
    if stated.startswith(("image/", "audio/", "video/", "font/")):
        raise SplitError(f"not a page: {stated}")
    if _MARKUP.search(data[:65536].replace(b"\x00", b"")):
        return "html" if stated != "text/plain" or b"<html" in data[:2048].lower() else "text"
    return "text" if stated in ("", "text/plain", "text/markdown", "text/csv") else "html"
