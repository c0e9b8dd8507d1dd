"""Which fields of a user's records are read, under which names, and which are ignored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, UsageError, did_you_mean
from reducepp.io.records import ERROR, KNOWN_FIELDS, Document, Read, find_field, read_record
from reducepp.types import Failure, Page

TEXT_FIELDS = KNOWN_FIELDS - {"id", "query", "rank", "url", "language", "domain", "posted_at"}
"""Fields with the content of a page; without any of them there is nothing to compare."""
MAX_NAMES = 8
"""Names listed in a message; the rest is counted."""
MAX_FAILURES = 10_000
"""Kept per input, some 200 bytes each: a file of junk lines takes no memory per line."""


Record = Page | Mapping[str, Any]
"""A page, or the fields of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record as it was read, and where."""

    record: Any
    where: str
    number: int
    unit: str = "line"


@dataclass(slots=True, kw_only=True)
class Columns:
    """Reads records under given names, and remembers which fields were used and ignored."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Our field (or another's usual name for it) to the column that holds it."""
    used: dict[str, str] = field(default_factory=dict)
    """Column to our field, in order of appearance."""
    ignored: dict[str, None] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    """Columns of `names` in the input that is being read."""

    def __post_init__(self) -> None:
        for name in self.names:
            if find_field(name)[0] not in KNOWN_FIELDS:
                known = ["title", "text", *sorted(KNOWN_FIELDS)]
                near = did_you_mean(name, known)
                raise UsageError(f"field {name!r}: use one of {', '.join(known)}{near}")

    def read(self, record: Any) -> Page | Document:
        """One record to a page; raises InputError with the reason."""
        if isinstance(record, Mapping):
            record = self.rename(record)
        return read_record(record)

    def rename(self, record: Mapping[Any, Any]) -> dict[str, Any]:
        """The record under our names, without what is ignored."""
        if not self.names and self.used.keys() >= record.keys():
            return dict(record)
        own = {theirs: find_field(ours)[0] for ours, theirs in self.names.items()}
        renamed: dict[str, Any] = {}
        for key, value in record.items():
            name = own.get(key) or find_field(str(key))[0]
            is_known = name in KNOWN_FIELDS and (key in own or name not in own.values())
            if key in own:
                self.met.add(key)
            if is_known:
                self.used.setdefault(str(key), name)
                renamed[name if key in own else str(key)] = value
            elif key == ERROR:
                renamed[ERROR] = value
            else:
                self.ignored.setdefault(str(key))
        return renamed

    def check(self, where: str) -> None:
        """Raise InputError for an input without a column that was named, or without any text."""
        self.check_text(where)
        missing = [name for name in self.names.values() if name not in self.met]
        if missing and (self.used or self.ignored):
            columns = (*self.used, *self.ignored)
            near = did_you_mean(missing[0], columns)
            raise InputError(f"{where}: no column {missing[0]!r} in {_listed(columns)}{near}")
        self.met.clear()

    def check_text(self, where: str) -> None:
        """Raise InputError where fields were ignored and none of the others holds text."""
        if self.ignored and not TEXT_FIELDS.intersection(self.used.values()):
            raise InputError(
                f"{where}: no column with text is known among {_listed(self.ignored)}: name it, as "
                "in --field title=NAME --field text=NAME (in Python fields={'title': NAME})"
            )

    def include(self, other: "Columns") -> None:
        """Remember what was used and ignored in one file of several."""
        self.used |= other.used
        self.ignored |= other.ignored
        self.met |= other.met

    def describe(self) -> str:
        """One line on what was used and ignored; "" where nothing was ignored."""
        if not self.ignored:
            return ""
        return f"columns used: {_listed(self.used)}; ignored: {_listed(self.ignored)}"


def _listed(names: Iterable[str]) -> str:
    found = [repr(name[:30])[1:-1] for name in names]
    more = len(found) - MAX_NAMES
    return ", ".join(found[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def rows_to_pages(found: Iterable[Row | Read], columns: Columns, where: str) -> Iterator[Read]:
    """Rows to pages; one that cannot be read is a Failure with its place.

    After MAX_FAILURES failures one more counts the others.
    """
    failures = 0
    for row in found:
        read = _read_row(row, columns) if isinstance(row, Row) else row
        failures += isinstance(read, Failure)
        if failures <= MAX_FAILURES or not isinstance(read, Failure):
            yield read
    if failures > MAX_FAILURES:
        more = f"{failures - MAX_FAILURES} more that cannot be read"
        yield Failure(url=where, stage="read", reason=more)


def _read_row(row: Row, columns: Columns) -> Read:
    try:
        return columns.read(row.record)
    except InputError as error:
        return failure(row.where, row.number, str(error), unit=row.unit)


def failure(where: str, number: int, reason: str, *, unit: str = "line") -> Failure:
    """A line, row or result that cannot be read."""
    return Failure(url=where, stage="read", reason=f"{unit} {number}: {reason}")


def as_records(given: Any, fields: Mapping[str, str] | None = None) -> list[Record]:
    """The records of a list, a DataFrame or a Series of texts; raises UsageError for others.

    A text becomes a record with that body. Nothing is left out: an element that is no page, no
    mapping and no text is named in the error. `fields` maps our names to those of the records.
    """
    check_is_list(given)
    if is_frame(given):
        rows = given.loc[:, ~given.columns.duplicated()].to_dict("records")
        return _rename(rows, fields, "the DataFrame", examined=len(rows) if fields else 1)
    if is_series(given):
        given = given.astype(object).where(given.notna(), "")
    records = [_as_record(element, place) for place, element in enumerate(given)]
    return _rename(records, fields, "the list", examined=len(records)) if fields else records


def check_is_list(given: Any) -> None:
    """Raise UsageError for one page, one text or a path where a list of pages belongs."""
    if isinstance(given, str | bytes | Path | Mapping | Page):
        kind = "path" if isinstance(given, Path) else type(given).__name__
        hint = ": read a file with reducepp.read(path)" if kind in ("path", "str") else ""
        raise UsageError(f"a list of pages is needed, not one {kind}{hint}")
    if not isinstance(given, Iterable):
        raise UsageError(f"a list of pages is needed, not {type(given).__name__}")


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
    renamed = [r if isinstance(r, Page) else columns.rename(r) for r in records[:examined]]
    columns.check(where)
    return list(renamed if fields else records)


def _as_record(element: Any, place: int) -> Record:
    if isinstance(element, Page | Mapping):
        return element
    if isinstance(element, str):
        return {"body": element}
    kind = type(element).__name__
    raise UsageError(f"element {place}: a page, a dict or a text is needed, not {kind}")
