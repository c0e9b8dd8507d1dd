"""What other extractors make of a page, field by field, beside ours."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.gold import markup_text
from reducepp.errors import SplitError
from reducepp.scraping.extract.html_parsing import parse_html
from reducepp.scraping.extract.metadata import read_metadata
from reducepp.scraping.extract.split import split_html
from reducepp.types import Page


@dataclass(frozen=True, slots=True)
class Sample:
    """A page, and what is known to be true of it."""

    html: str
    url: str
    language: str
    expected: dict[str, Any]


Tool = Callable[[Sample], str]


def safely(extract: Tool, page: Sample) -> str:
    """What a tool says; "" where it fails."""
    try:
        return extract(page)
    except Exception:  # other people's extractors raise what they like
        return ""


def split_or_empty(page: Sample) -> Page:
    """All that we find on a page; a page without anything where it cannot be split."""
    try:
        return split_html(page.html, url=page.url)
    except SplitError:
        return Page(id=page.url)


def _our_body(page: Sample) -> str:
    """Everything we split is done here, not the body alone."""
    return split_html(page.html, url=page.url).body


def _trafilatura_body(page: Sample) -> str:
    import trafilatura

    return trafilatura.extract(page.html, fast=True, include_comments=False) or ""


def _readability_body(page: Sample) -> str:
    from readability import Document

    return markup_text(Document(page.html).summary())


def _resiliparse_body(page: Sample) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(page.html, main_content=True, alt_texts=False))


BODY: dict[str, Tool] = {
    "reducepp": _our_body,
    "trafilatura fast": _trafilatura_body,
    "readability-lxml": _readability_body,
    "resiliparse": _resiliparse_body,
}


def _ours(field: str) -> Tool:
    return lambda page: str(getattr(split_html(page.html, url=page.url), field) or "")


def _trafilatura(field: str) -> Tool:
    def extract(page: Sample) -> str:
        from trafilatura import extract_metadata

        return getattr(extract_metadata(page.html, default_url=page.url), field) or ""

    return extract


def _readability_title(page: Sample) -> str:
    from readability import Document

    return str(Document(page.html).short_title())


def _raw_title(page: Sample) -> str:
    return read_metadata(parse_html(page.html)).title


def _resiliparse_language(page: Sample) -> str:
    from resiliparse.parse.lang import detect_fast

    return str(detect_fast(_resiliparse_body(page))[0])


FIELDS: dict[str, dict[str, Tool]] = {
    "page_title": {
        "reducepp": _ours("page_title"),
        "<title> as it is": _raw_title,
        "trafilatura": _trafilatura("title"),
        "readability-lxml": _readability_title,
    },
    "site_title": {"reducepp": _ours("site_title"), "trafilatura": _trafilatura("sitename")},
    "language": {"reducepp": _ours("language"), "resiliparse": _resiliparse_language},
    "posted_at": {"reducepp": _ours("posted_at"), "trafilatura": _trafilatura("date")},
}
"""Who gives a field at all; "" where the page has none."""
