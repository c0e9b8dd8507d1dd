"""Records of files (JSON objects, table rows) to pages and back; all of it is here."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from html import unescape
from typing import Any

from reducepp.errors import InputError
from reducepp.io.bounded_reading import parse_json
from reducepp.types import PAGE_FIELDS, POST_FIELDS, Failure, Page, PostDetails

ALIASES: dict[str, tuple[str, ...]] = {
    "url": ("link", "href", "source"),
    "page_title": ("title", "web page title", "name"),
    "site_title": ("website title", "website"),
    "subtitles": ("list of subtitles",),
    "links": ("list of urls", "urls"),
    "body": ("text", "body text", "raw_content", "page_text"),
    "html": ("page_html",),
    "snippet": ("content", "description", "summary"),
    "extra_snippets": ("highlights", "snippets"),
    "language": ("lang",),
    "posted_at": (
        "published",
        "publisheddate",
        "published_date",
        "datepublished",
        "page_age",
        "date",
    ),
    "rank": ("position",),
    "expanded_links": ("expanded_urls",),
    "linked_body": ("linked_text",),
}
"""Other people's names for our fields, in lower case, the first that is filled counts; Table I of
the paper is among them. A field's own name comes before all of these."""
_PREFERENCE: dict[str, tuple[str, int]] = {
    alias: (name, place) for name, names in ALIASES.items() for place, alias in enumerate(names, 1)
}

_PAGE_FIELDS = frozenset(PAGE_FIELDS)
KNOWN_FIELDS = _PAGE_FIELDS | {"html", "extra_snippets"}
MAX_CACHED_NAME = 64
"""Characters of a column's name whose meaning is kept."""
ERROR = "error"
"""Field of a page that `split` could not split: the reason."""
_EMPTY = {name: Page(id="").content(name) for name in PAGE_FIELDS}
_LISTS = frozenset(name for name, value in _EMPTY.items() if value == ())
LIST_FIELDS = _LISTS | {"extra_snippets"}
"""Fields that hold a list of texts."""
_ALWAYS = (
    *("id", "url", "language", "site_title", "page_title", "subtitles", "links", "body"),
    "posted_at",
)
"""Fields that `split` prints even if empty."""
_NUMBERS = frozenset(name for name, value in _EMPTY.items() if isinstance(value, float))


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page before extraction: its bytes, and the other fields of its record."""

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


def page_of(read: Page | Document) -> Page:
    """The page of a record, split or not."""
    return read.page if isinstance(read, Document) else read


def with_page(read: Page | Document, page: Page) -> Page | Document:
    """The record with another page in place of its own."""
    return replace(read, page=page) if isinstance(read, Document) else page


def read_record(record: Any) -> Page | Document:
    """A JSON object or table row to a page; raises InputError with the reason."""
    if not isinstance(record, Mapping):
        raise InputError("not an object with named fields")
    values = _read_fields(record)
    known = {
        key: _READERS[key](value, key) if key in _READERS else _read_text(value, key)
        for key, value in values.items()
        if key in _PAGE_FIELDS
    }
    if "extra_snippets" in values:
        known["snippet"] = _join_snippets(known.get("snippet", ""), values["extra_snippets"])
    if "page_title" not in record:  # not a page that we wrote
        for name in known.keys() & {"page_title", "snippet"}:
            known[name] = _decode_markup(known[name])
    page = dict_to_page({"id": known.get("url", ""), **known})
    html = values.get("html")
    if isinstance(html, str | bytes) and html.strip():
        return Document(page=page, content=html)
    if values.get(ERROR) and not (page.body or page.page_title or page.snippet):
        raise InputError(str(values[ERROR]))
    if not (page.url or page.body or page.page_title or page.id):
        raise InputError("neither url nor html nor body nor title")
    if not (page.body or page.page_title or page.snippet):
        markup = (value for key, value in record.items() if find_field(str(key))[0] == "html")
        if any(isinstance(value, str | bytes) for value in markup):
            return Document(page=page, content="")
    return page if page.body else replace(page, body=page.snippet)


def is_known(column: str) -> bool:
    """Whether a column's name is one of ours, or another's for it."""
    return find_field(column)[0] in KNOWN_FIELDS


def find_field(key: str) -> tuple[str, int]:
    """Our name for a user's field, and its place among the names for it (0 is our own)."""
    return _kept_field(key) if len(key) <= MAX_CACHED_NAME else _find_field(key)


def _find_field(key: str) -> tuple[str, int]:
    plain = key.strip().lower().replace("-", "_")
    own = plain.replace(" ", "_")
    if own in KNOWN_FIELDS:
        return own, 0
    return _PREFERENCE.get(plain) or _PREFERENCE.get(plain.replace("_", " ")) or (own, 0)


_kept_field = lru_cache(maxsize=1024)(_find_field)


def _read_fields(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Our name to value; of several names for one field the preferred one that is filled."""
    found: dict[str, tuple[int, Any]] = {}
    for key, value in record.items():
        if _is_empty(value):
            continue
        name, place = find_field(str(key))
        known = found.get(name)
        is_address = key != "source" or (isinstance(value, str) and "://" in value)
        if is_address and (known is None or place < known[0]):
            found[name] = (place, value)
    values = {name: value for name, (_, value) in found.items()}
    if "href" in record and "body" in record and "snippet" not in values:
        values["snippet"] = values.get("body", "")  # the shape of ddgs
    return values


def _is_empty(value: Any) -> bool:
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or (isinstance(value, float) and math.isnan(value))


def dict_to_page(values: Mapping[str, Any]) -> Page:
    """A page from the fields that `page_to_dict` gives; others are ignored."""
    known: dict[str, Any] = {
        name: tuple(value) if name in _LISTS else value
        for name, value in values.items()
        if name in _PAGE_FIELDS and value is not None
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
    if _is_empty(value):
        return ""
    if isinstance(value, list | dict):
        raise InputError(f"{key}: a text is needed, not a {type(value).__name__}")
    if isinstance(value, date):
        return value.isoformat()
    text = str(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, which no file can hold
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


_EMPHASIS = re.compile(r"<(strong|b|em|mark|span)\b[^<>]*>([^<>]*)</\1>", re.IGNORECASE)
"""Words that search services mark: Brave, Kagi and Google's HTML fields, Qwant, MediaWiki."""
_REFERENCE = re.compile(r"&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)


def _decode_markup(text: str) -> str:
    """A service's text without its emphasis tags, character references decoded once."""
    if "</" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if "&" in text:
        text = _REFERENCE.sub(lambda reference: unescape(reference[0]), text)
    return text


def _join_snippets(snippet: str, more: Any) -> str:
    """The snippet, then each text of a list of further ones that it lacks, on its own line."""
    for text in more if isinstance(more, list) else ():
        if isinstance(text, str) and text.strip() not in snippet:
            snippet = f"{snippet}\n{_read_text(text.strip(), 'extra_snippets')}".lstrip()
    return snippet


def _read_number(value: Any, key: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _read_rank(value: Any, key: str) -> int:
    """A rank from 1 on; 0, which is no rank, for what is none."""
    number = _read_number(value, key)
    return max(int(number), 0) if math.isfinite(number) else 0


def _read_list(value: Any, key: str) -> tuple[str, ...]:
    """A list, or a table's cell: JSON, a Python list, or entries separated by lines or bars."""
    if isinstance(value, str):
        value = _read_cell(value)
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise InputError(f"{key}: a list is needed, not a {type(value).__name__}")
    plain = (
        entry.get("url") or entry.get("href") or entry.get("text")
        if isinstance(entry, Mapping)
        else entry
        for entry in value
    )
    return tuple(filter(None, (_read_text(entry, key).strip() for entry in plain)))


_READERS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(_LISTS, _read_list),
    **dict.fromkeys(_NUMBERS, _read_number),
    "rank": _read_rank,
}
"""Fields whose values are no texts to the functions that read them."""
_QUOTED = re.compile(
    r"""'((?:[^'\\]|\\.)*+)(?:'|\\?\Z)|"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)""", re.DOTALL
)
"""A text inside a list as Python prints it."""


def _read_cell(cell: str) -> list[Any]:
    text = cell.strip()
    if text.startswith("["):
        try:
            value = parse_json(text)
            return value if isinstance(value, list) else [value]
        except ValueError:
            value = [re.sub(r"\\(.)", r"\1", a or b) for a, b in _QUOTED.findall(text)]
        if value:
            return value
    parts = text.splitlines() if "\n" in text else text.split("|")
    return [part.strip() for part in parts if part.strip()]


def page_to_record(page: Page) -> dict[str, Any]:
    """A page as `split` prints it: the main fields always, the others where they are filled."""
    filled = page_to_dict(page, filled=True)
    record = {n: filled.get(n, _EMPTY[n]) for n in PAGE_FIELDS if n in _ALWAYS or n in filled}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in record.items()}
