"""Python values to records: lists of pages, dicts or texts, and tables of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reducepp.errors import UsageError
from reducepp.io.columns import Columns
from reducepp.types import Page

Record = Page | Mapping[str, Any]


def as_records(given: Any) -> list[Record]:
    """The records of a list, a DataFrame or a Series of texts; raises UsageError for others.

    A text becomes a record with that body. Nothing is left out: an element that is no page, no
    mapping and no text is named in the error.
    """
    if isinstance(given, str | bytes | Path | Mapping | Page):
        kind = "path" if isinstance(given, Path) else type(given).__name__
        hint = ": read a file with reducepp.read(path)" if kind in ("path", "str") else ""
        raise UsageError(f"a list of pages is needed, not one {kind}{hint}")
    if is_frame(given):
        return _frame_records(given)
    if not isinstance(given, Iterable):
        raise UsageError(f"a list of pages is needed, not {type(given).__name__}")
    return [_as_record(element, place) for place, element in enumerate(given)]


def is_frame(given: Any) -> bool:
    """Whether a value is a table of pandas, which need not be installed."""
    return hasattr(given, "columns") and hasattr(given, "to_dict") and hasattr(given, "iloc")


def _frame_records(frame: Any) -> list[Record]:
    rows: list[Mapping[str, Any]] = frame.to_dict("records")
    columns = Columns()
    for row in rows[:1]:
        columns.note(row)
    columns.check("the DataFrame")
    return list(rows)


def _as_record(element: Any, place: int) -> Record:
    if isinstance(element, Page | Mapping):
        return element
    if isinstance(element, str):
        return {"body": element}
    kind = type(element).__name__
    raise UsageError(f"element {place}: a page, a dict or a text is needed, not {kind}")
