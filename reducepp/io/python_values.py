"""Python values to records: lists of pages, dicts or texts, and tables of pandas."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reducepp.errors import UsageError
from reducepp.io.columns import Columns
from reducepp.types import Page

Record = Page | Mapping[str, Any]


def as_records(given: Any, fields: Mapping[str, str] | None = None) -> list[Record]:
    """The records of a list, a DataFrame or a Series of texts; raises UsageError for others.

    A text becomes a record with that body. Nothing is left out: an element that is no page, no
    mapping and no text is named in the error. `fields` maps our names to those of the records.
    """
    if isinstance(given, str | bytes | Path | Mapping | Page):
        kind = "path" if isinstance(given, Path) else type(given).__name__
        hint = ": read a file with reducepp.read(path)" if kind in ("path", "str") else ""
        raise UsageError(f"a list of pages is needed, not one {kind}{hint}")
    if is_frame(given):
        rows = given.loc[:, ~given.columns.duplicated()].to_dict("records")
        return _rename(rows, fields, "the DataFrame", examined=len(rows) if fields else 1)
    if is_series(given):
        given = given.astype(object).where(given.notna(), "")
    if not isinstance(given, Iterable):
        raise UsageError(f"a list of pages is needed, not {type(given).__name__}")
    records = [_as_record(element, place) for place, element in enumerate(given)]
    return _rename(records, fields, "the list", examined=len(records)) if fields else records


def is_frame(given: Any) -> bool:
    """Whether a value is a table of pandas, which need not be installed."""
    return hasattr(given, "columns") and hasattr(given, "to_dict") and hasattr(given, "iloc")


def is_series(given: Any) -> bool:
    """Whether a value is one column of pandas."""
    return hasattr(given, "to_frame") and hasattr(given, "iloc")


def _rename(
    records: Sequence[Record], fields: Mapping[str, str] | None, where: str, *, examined: int
) -> list[Record]:
    """The records under our names where `fields` gives others; unknown columns are an error."""
    columns = Columns(names=fields or {})
    renamed = [
        record if isinstance(record, Page) else columns.rename(record)
        for record in records[:examined]
    ]
    columns.check(where)
    return list(renamed if fields else records)


def _as_record(element: Any, place: int) -> Record:
    if isinstance(element, Page | Mapping):
        return element
    if isinstance(element, str):
        return {"body": element}
    kind = type(element).__name__
    raise UsageError(f"element {place}: a page, a dict or a text is needed, not {kind}")
