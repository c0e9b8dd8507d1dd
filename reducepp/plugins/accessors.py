"""Anybody's search result, read through small accessor functions, to a page to compare."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reducepp.text.tokenise import words
from reducepp.types import Page

Accessor = Callable[[Any], Any]
"""A result to one of its fields: a text, or nothing."""

SNIPPET_WORDS = 50
"""Words of a page's text that stand for its snippet where it has none."""

FEWEST_TITLE_WORDS = 3
"""A shorter title alone says too little to hide a result for."""


def first_of(*names: str) -> Accessor:
    """An accessor that takes the first of these keys or attributes that holds something."""

    def read(result: Any) -> Any:
        get = result.get if isinstance(result, Mapping) else lambda name: getattr(result, name, "")
        found = (get(name) for name in names)
        return next((value for value in found if value and not callable(value)), "")

    return read


FIELDS: dict[str, Accessor] = {
    "id": first_of("id"),
    "title": first_of("title", "page_title", "name"),
    "url": first_of("url", "link", "href", "source"),
    "snippet": first_of("snippet", "content", "description", "summary"),
    "text": first_of("text", "body", "page_text", "raw_content"),
    "html": first_of("html", "page_html"),
    "language": first_of("language", "lang"),
    "date": first_of("posted_at", "publishedDate", "published", "date"),
}
"""What is read of a result, and where it is looked for unless the caller says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """The fields of one result as texts."""

    id: str = ""
    title: str = ""
    url: str = ""
    snippet: str = ""
    text: str = ""
    html: str | bytes = ""
    language: str = ""
    date: str = ""

    @property
    def has_page(self) -> bool:
        """There is more of it than a snippet."""
        return bool(self.text.strip() or self.html)

    @property
    def has_anything(self) -> bool:
        """There is something to compare at all."""
        return self.has_page or bool(self.title or self.snippet)


def read_result(result: Any, accessors: Mapping[str, Accessor]) -> ReadResult:
    """Read a result's fields; what is no text counts as empty."""
    values = {name: read(result) for name, read in accessors.items()}
    texts = {name: _text(value) for name, value in values.items() if name != "html"}
    html = values.get("html")
    return ReadResult(html=html if isinstance(html, str | bytes) else "", **texts)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value.isoformat() if hasattr(value, "isoformat") else ""


def as_result_pages(
    read: Sequence[ReadResult], *, query: str = "", snippets: bool = True
) -> list[Page]:
    """One page a result, ranked as given; a page that cannot be split goes by its snippet."""
    from reducepp.io.readers import settle_names

    make = _snippet_page if snippets else _whole_page
    named = settle_names(
        replace(make(result), query=query, rank=place) for place, result in enumerate(read, 1)
    )
    return [page for page in named if isinstance(page, Page)]


def _snippet_page(result: ReadResult) -> Page:
    """Title and snippet; the beginning of the page's text where there is no snippet.

    Without either, a word made of the whole title stands for text: nothing short of the same
    title makes two such results one.
    """
    page = _known(result)
    text = result.snippet or " ".join(_whole_page(result).body.split()[:SNIPPET_WORDS])
    if not text.strip():
        text = _word_for(words(result.title, digits=True))
        page = page if text else replace(page, page_title="")
    return replace(page, body=text)


def _word_for(title: Sequence[str]) -> str:
    """Letters that are the same for the same words only; "" where they are too few."""
    if len(title) < FEWEST_TITLE_WORDS:
        return ""
    digest = hashlib.blake2b(" ".join(title).encode(), digest_size=12).digest()
    return "".join(chr(97 + byte % 26) for byte in digest)


def _whole_page(result: ReadResult) -> Page:
    if result.html and not result.text.strip():
        split = _split(result)
        if split is not None:
            return split
    return replace(_known(result), body=result.text or result.snippet)


def _known(result: ReadResult) -> Page:
    return Page(
        id=result.id,
        url=result.url,
        page_title=result.title,
        snippet=result.snippet,
        language=result.language,
        posted_at=result.date,
    )


def _split(result: ReadResult) -> Page | None:
    from reducepp.inputs import as_pages

    pages, _failures = as_pages([{"url": result.url, "html": result.html}])
    if not pages or not pages[0].body.strip():
        return None
    known = {name: v for name in ("url", "page_title") if (v := getattr(_known(result), name))}
    return replace(pages[0], id=result.id, snippet=result.snippet, **known)
