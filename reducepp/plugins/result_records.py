"""Anybody's search results to pages: one page per result, in the order given."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from reducepp.errors import InputError
from reducepp.inputs import split_documents
from reducepp.io.readers import settle_names
from reducepp.io.records import ALIASES, Document, read_record
from reducepp.types import Failure, Page

Accessor = Callable[[Any], Any]
"""A result to one of its fields: a text, or nothing."""

FIELDS = {
    "id": "id",
    "title": "page_title",
    "url": "url",
    "snippet": "snippet",
    "text": "body",
    "html": "html",
    "language": "language",
    "date": "posted_at",
}
"""Fields that a caller may read with functions of their own, to ours."""

_NAMES = (name for field in FIELDS.values() for name in (field, *ALIASES.get(field, ())))
ATTRIBUTES = (*filter(str.isidentifier, _NAMES), "publishedDate")
"""Names under which the fields of an object that is no mapping are looked for."""

HOST_FIELDS = {
    "page_title": ("title", "page_title", "name"),
    "url": ("url", "source", "link", "file_path"),
    "snippet": ("snippet",),
    "language": ("language", "lang"),
    "posted_at": ("date", "published", "posted_at", "publishedDate"),
}
"""Our fields to their usual names in the metadata of a document; a source may be a file."""


def read_result(result: Any, fields: Mapping[str, Accessor]) -> Page | Document:
    """Read a result; values that are no texts count as empty, and no result fails."""
    record = {**_record_of(result), **{FIELDS[name]: read(result) for name, read in fields.items()}}
    texts = {
        name: value
        for name, value in record.items()
        if isinstance(value, str | bytes) or hasattr(value, "isoformat")
    }
    try:
        return read_record(texts)
    except InputError:
        return Page(id="")


def _record_of(result: Any) -> Mapping[str, Any]:
    if isinstance(result, str):
        return {"body": result}
    if isinstance(result, Mapping):
        return {str(key): value for key, value in result.items()}
    found = {name: getattr(result, name, None) for name in ATTRIBUTES}
    return {name: value for name, value in found.items() if not callable(value)}


def read_metadata(metadata: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The record of a host's document: its text, and what its metadata says of it."""
    found = {
        field: next((metadata[name] for name in names if metadata.get(name)), "")
        for field, names in HOST_FIELDS.items()
    }
    return {**found, "body": text}


def as_ranked_pages(reads: Iterable[Page | Document], *, query: str = "") -> list[Page]:
    """One page per result, ranked as given; one that cannot be split goes by its other fields."""
    ranked = [_with_rank(read, query, rank) for rank, read in enumerate(reads, 1)]
    named = [read for read in settle_names(ranked) if not isinstance(read, Failure)]
    done = split_documents(named, jobs=1)
    return [
        split if isinstance(split, Page) and split.body.strip() else _known(read)
        for read, split in zip(named, done, strict=True)
    ]


def _with_rank(read: Page | Document, query: str, rank: int) -> Page | Document:
    page = read if isinstance(read, Page) else read.page
    ranked = replace(page, query=query, rank=rank)
    return ranked if isinstance(read, Page) else replace(read, page=ranked)


def _known(read: Page | Document) -> Page:
    if isinstance(read, Page):
        return read
    return replace(read.page, body=read.page.body or read.page.snippet)
