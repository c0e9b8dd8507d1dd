"""RawPage → Page: a pure function of bytes. Everything the engine compares comes through here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reducepp.errors import NoticeError, SplitError, UsageError
from reducepp.io.sniff import is_saved_page
from reducepp.scraping.decode.charset import clean, decode, repair
from reducepp.scraping.decode.content_kind import check_is_text, kind_of
from reducepp.scraping.extract.docx import split_docx
from reducepp.scraping.extract.html import split_markup
from reducepp.scraping.extract.html_parsing import check_size
from reducepp.scraping.extract.pdf import split_pdf
from reducepp.scraping.extract.plain_text import split_text
from reducepp.types import Page, RawPage, SearchHit

LINKS = ("content", "all")
ENOUGH = 200
"""Characters from which the text of the page as fetched is its body though a browser shows more."""
_DOCUMENTS: dict[str, Callable[[bytes, str], Page]] = {"pdf": split_pdf, "docx": split_docx}


def split_page(raw: RawPage, *, links: str = "content", images: bool = False) -> Page:
    """Content types of one page; raises SplitError, with the reason, for what is no page.

    Where the page was rendered, titles and links are those a browser shows; `body` is the
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
    return replace(page, **_identity(raw.hit, url))


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
    raw = RawPage(
        hit=SearchHit(url=url, query=query, rank=rank),
        fetched=html if isinstance(html, bytes) else b"",
    )
    page = (
        split_page(raw, links=links)
        if isinstance(html, bytes)
        else _split_string(html, raw.hit, links)
    )
    return replace(page, id=id or url, language=language or page.language)


def _split_string(html: str, hit: SearchHit, links: str) -> Page:
    if not html.strip():
        raise SplitError("page is empty")
    check_size(len(html))
    page = split_markup(repair(clean(html)), hit.url, links=links)
    return replace(page, **_identity(hit, hit.url))


def _identity(hit: SearchHit, url: str) -> dict[str, Any]:
    """What the hit says; a page saved without its hit has the address that it states."""
    return {
        "id": hit.url or url,
        "url": hit.url or url,
        "query": hit.query,
        "rank": hit.rank,
        "snippet": hit.snippet,
    }


def _split_bytes(raw: RawPage, url: str, links: str) -> Page:
    kind = kind_of(raw.fetched, raw.content_type)
    if kind in _DOCUMENTS:
        return _DOCUMENTS[kind](raw.fetched, url)
    if not raw.rendered:
        check_is_text(raw.fetched)
        text = decode(raw.fetched, raw.content_type)
        return split_text(text, url) if kind == "text" else split_markup(text, url, links=links)
    try:
        rendered = split_markup(clean(raw.rendered), url, links=links)
    except NoticeError:
        if not raw.fetched:
            raise
        return _split_bytes(replace(raw, rendered=""), url, links)
    body = _fetched_body(raw, url) if raw.fetched else ""
    if len(body) < ENOUGH and len(body) < len(rendered.body):
        body = rendered.body
    return replace(rendered, body=body, rendered_body=rendered.body)


def _fetched_body(raw: RawPage, url: str) -> str:
    """Main text of the page as fetched; "" where only the rendered page can be read."""
    try:
        return split_markup(decode(raw.fetched, raw.content_type), url).body
    except SplitError:
        return ""
