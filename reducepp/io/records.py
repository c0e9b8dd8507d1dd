"""One record of somebody's file to a Page, or to a Document that has yet to be split."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from reducepp.errors import InputError
from reducepp.types import Failure, Page

_ALIASES = {
    "title": "page_title",
    "web page title": "page_title",
    "website title": "site_title",
    "website": "site_title",
    "text": "body",
    "body text": "body",
    "list of subtitles": "subtitles",
    "list of urls": "links",
    "urls": "links",
    "expanded_urls": "expanded_links",
    "linked_text": "linked_body",
    "content": "snippet",
    "description": "snippet",
    "published": "posted_at",
    "publisheddate": "posted_at",
    "date": "posted_at",
    "link": "url",
    "raw_content": "body",
}
"""Other people's names for our fields, in lower case; Table I of the paper among them."""

_FIELDS = frozenset(field.name for field in fields(Page))
_LISTS = frozenset({"subtitles", "links", "expanded_links", "images"})
_ALWAYS = (
    "id",
    "url",
    "language",
    "site_title",
    "page_title",
    "subtitles",
    "links",
    "body",
    "posted_at",
)
"""Fields that are printed though empty; the others only where they say something."""

_NUMBERS = frozenset({"followers", "followees"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page that has yet to be split: what is known of it, and its bytes."""

    page: Page
    content: bytes | str
    content_type: str = "text/html"

    def with_parts(self, split: Page) -> Page:
        """The split page under this document's own id, query and rank."""
        known = {
            key: value
            for key in ("id", "query", "rank", "url", "language", "domain", "snippet", "posted_at")
            if (value := getattr(self.page, key))
        }
        return replace(split, **known)


Read = Page | Document | Failure
"""What one record comes to."""


def read_record(record: Any) -> Page | Document:
    """A JSON object or table row to a page; raises InputError with the reason."""
    if not isinstance(record, Mapping):
        raise InputError("not an object with named fields")
    values = {_field_name(str(key)): value for key, value in record.items()}
    page = _make_page(values)
    html = values.get("html")
    if isinstance(html, str | bytes) and html.strip():
        return Document(page=page, content=html)
    if not (page.url or page.body or page.page_title or page.id):
        raise InputError("neither url nor html nor body nor title")
    return page if page.body else replace(page, body=page.snippet)


def is_known(column: str) -> bool:
    """Whether a column's name is one of ours, or another's for it."""
    name = _field_name(column)
    return name in _FIELDS or name == "html"


def _field_name(key: str) -> str:
    plain = key.strip().lower().replace("-", "_")
    plain = _ALIASES.get(plain, _ALIASES.get(plain.replace("_", " "), plain))
    return plain if plain in _FIELDS or plain == "html" else plain.replace(" ", "_")


def _make_page(values: Mapping[str, Any]) -> Page:
    known: dict[str, Any] = {}
    for key, value in values.items():
        if key in _LISTS:
            known[key] = _read_list(value, key)
        elif key in _NUMBERS:
            known[key] = _read_number(value)
        elif key == "rank":
            known[key] = _read_rank(value)
        elif key in _FIELDS:
            known[key] = _read_text(value, key)
    return Page(**{"id": known.get("url", ""), **known})


def _read_text(value: Any, key: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | dict):
        raise InputError(f"{key}: a text is needed, not a {type(value).__name__}")
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _read_number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _read_rank(value: Any) -> int:
    number = _read_number(value)
    if math.isnan(number) or math.isinf(number):
        return 0
    return int(number)


def _read_list(value: Any, key: str) -> tuple[str, ...]:
    """A list, or a table's cell: JSON, a Python list, or entries parted by line or bar."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ()
    if isinstance(value, str):
        value = _read_cell(value)
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise InputError(f"{key}: a list is needed, not a {type(value).__name__}")
    return tuple(text for entry in value if (text := _entry_text(entry, key)))


def _entry_text(entry: Any, key: str) -> str:
    if isinstance(entry, Mapping):
        entry = entry.get("url") or entry.get("href") or entry.get("text")
    return _read_text(entry, key).strip()


def _read_cell(cell: str) -> list[Any]:
    text = cell.strip()
    if text.startswith("["):
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(value, list):
                return value
    parts = text.splitlines() if "\n" in text else text.split("|")
    return [part.strip() for part in parts if part.strip()]


def page_to_record(page: Page) -> dict[str, Any]:
    """A page as a JSON object: the main fields always, the others where they say something."""
    record: dict[str, Any] = {}
    for field in fields(page):
        value = getattr(page, field.name)
        empty = value in ("", (), 0) or (isinstance(value, float) and math.isnan(value))
        if field.name in _ALWAYS or not empty:
            record[field.name] = list(value) if isinstance(value, tuple) else value
    return record
