"""Records of files (JSON objects, table rows) to pages and back; all of it is here."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reducepp.errors import InputError
from reducepp.types import PAGE_FIELDS, POST_FIELDS, Failure, Page, PostDetails

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

_EMPTY = {name: Page(id="").content(name) for name in PAGE_FIELDS}
_LISTS = frozenset(name for name, value in _EMPTY.items() if value == ())
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
"""Fields that `split` prints even if empty."""

_NUMBERS = frozenset(name for name, value in _EMPTY.items() if isinstance(value, float))


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page before extraction: its bytes, and what the record says beside them."""

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
"""Result of reading one record."""


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
    return name in PAGE_FIELDS or name == "html"


def _field_name(key: str) -> str:
    plain = key.strip().lower().replace("-", "_")
    plain = _ALIASES.get(plain, _ALIASES.get(plain.replace("_", " "), plain))
    return plain if plain in PAGE_FIELDS or plain == "html" else plain.replace(" ", "_")


def _make_page(values: Mapping[str, Any]) -> Page:
    known: dict[str, Any] = {}
    for key, value in values.items():
        if key in _LISTS:
            known[key] = _read_list(value, key)
        elif key in _NUMBERS:
            known[key] = _read_number(value)
        elif key == "rank":
            known[key] = _read_rank(value)
        elif key in PAGE_FIELDS:
            known[key] = _read_text(value, key)
    return dict_to_page({"id": known.get("url", ""), **known})


def dict_to_page(values: Mapping[str, Any]) -> Page:
    """A page from the fields that `page_to_dict` gives; others are ignored."""
    known: dict[str, Any] = {
        name: tuple(value) if name in _LISTS else value
        for name, value in values.items()
        if name in PAGE_FIELDS and value is not None
    }
    post = {name: known.pop(name) for name in POST_FIELDS if name in known}
    return Page(**known, post=PostDetails(**post)) if post else Page(**known)


def page_to_dict(page: Page, *, filled: bool = False) -> dict[str, Any]:
    """Fields of a page by name, those of a post among them; a missing number is None.

    With `filled`, only fields that are not empty.
    """
    values = {name: page.content(name) for name in PAGE_FIELDS}
    if filled:
        return {name: v for name, v in values.items() if v == v and v != _EMPTY[name]}
    return {name: v if v == v else None for name, v in values.items()}


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
    """A page as `split` prints it: the main fields always, the others where they are filled."""
    filled = page_to_dict(page, filled=True)
    record = {
        name: filled.get(name, _EMPTY[name])
        for name in PAGE_FIELDS
        if name in _ALWAYS or name in filled
    }
    return {name: list(v) if isinstance(v, tuple) else v for name, v in record.items()}
