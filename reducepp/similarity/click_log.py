"""A click log to counts of adjacent results, in memory that does not grow with the log.

A line is one result list that somebody saw: the query, the results in the order shown, and which
of them were clicked. JSONL: {"query", "shown": [...], "clicked": [...]}. CSV: the same names as
columns, several addresses in a cell separated by blanks. gzip by suffix.
"""

import csv
import gzip
import io
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, TextIO

from reducepp.errors import InputError
from reducepp.io.bounded_reading import UNREADABLE, bounded_lines, stdin_text, try_json
from reducepp.text.urls import canonical_url

IN_MEMORY = 100_000
"""Pairs held at once; more go to a temporary SQLite file, which sorts and sums them in the end.
About 40 MB."""
LONGEST_LINE = 1_000_000
MOST_SHOWN = 200
"""Results of one list that are looked at."""

Key = tuple[str, str, str]
"""Query, and the two addresses in alphabetical order."""

Counts = list[int]
"""With the first on top: clicks on the top one only, the bottom one only, both; times shown. Then
the same with the second on top."""


@dataclass(slots=True)
class LogNotes:
    """What was read, and what could not be."""

    lists: int = 0
    skipped: list[str] = field(default_factory=list)
    """The first few lines that are no result list, with the reason."""
    skipped_count: int = 0

    def skip(self, line: int, reason: str) -> None:
        """Remember a line that cannot be used."""
        self.skipped_count += 1
        if len(self.skipped) < 3:
            self.skipped.append(f"line {line}: {reason}")

    def check(self, log: str) -> None:
        """InputError where no line of the log is a result list."""
        if not self.lists:
            why = f" ({self.skipped[0]})" if self.skipped else ""
            raise InputError(f"{log}: no result list in it{why}")


def count_pairs(source: str, notes: LogNotes | None = None) -> Iterator[tuple[Key, Counts]]:
    """Counts of every two results that were shown next to each other for a query, by key."""
    notes = notes if notes is not None else LogNotes()
    held: dict[Key, Counts] = {}
    with closing(sqlite3.connect("")) as disk:  # a temporary file of its own
        disk.execute(f"CREATE TABLE held (query, a, b, {', '.join(_COLUMNS)})")
        for query, shown, clicked in read_lists(source, notes):
            notes.lists += 1
            _count(held, query, shown, clicked)
            if len(held) >= IN_MEMORY:
                _move_to_disk(held, disk)
        if not disk.total_changes:
            yield from sorted(held.items())
            return
        _move_to_disk(held, disk)
        sums = ", ".join(f"sum({column})" for column in _COLUMNS)
        by_key = f"SELECT query, a, b, {sums} FROM held GROUP BY query, a, b ORDER BY query, a, b"
        for row in disk.execute(by_key):  # SQLite sorts in files where memory is short
            query, a, b = (part.decode("utf-8", "surrogatepass") for part in row[:3])
            yield (query, a, b), list(row[3:])


def _count(held: dict[Key, Counts], query: str, shown: Sequence[str], clicked: set[str]) -> None:
    for top, bottom in pairwise(shown):
        if top == bottom:
            continue
        key = (query, top, bottom) if top < bottom else (query, bottom, top)
        if (counts := held.get(key)) is None:
            counts = held[key] = [0] * 8
        start = 0 if top < bottom else 4
        counts[start + 3] += 1
        if top in clicked:
            counts[start + (2 if bottom in clicked else 0)] += 1
        elif bottom in clicked:
            counts[start + 1] += 1


_COLUMNS = [f"n{place}" for place in range(8)]


def _move_to_disk(held: dict[Key, Counts], disk: sqlite3.Connection) -> None:
    # Bytes, as a JSON log may hold half a surrogate pair, which is no text for SQLite.
    rows = ((*(part.encode("utf-8", "surrogatepass") for part in k), *n) for k, n in held.items())
    disk.executemany(f"INSERT INTO held VALUES ({', '.join('?' * 11)})", rows)
    held.clear()


def read_lists(source: str, notes: LogNotes) -> Iterator[tuple[str, list[str], set[str]]]:
    """Query, addresses shown, addresses clicked, of every line that has them."""
    if source == "-":
        yield from _read_stream(stdin_text(), "standard input", notes)
        return
    path = Path(source)
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as raw:
            text = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="")
            yield from _read_stream(text, source, notes)
    except UNREADABLE as error:
        raise InputError(f"{source}: {getattr(error, 'strerror', None) or error}") from None


def _read_stream(
    stream: TextIO, source: str, notes: LogNotes
) -> Iterator[tuple[str, list[str], set[str]]]:
    suffix = Path(source.removesuffix(".gz")).suffix.lower()
    lines = bounded_lines(stream, LONGEST_LINE)
    first = next(lines, "")
    if suffix == ".csv" or (suffix not in (".jsonl", ".json") and not first.startswith("{")):
        columns = [name.strip().lower() for name in next(csv.reader([first]), [])]
        if not {"query", "shown", "clicked"} <= set(columns):
            raise InputError(f"{source}: the columns query, shown and clicked are needed")
        rows: Iterable[Any] = (dict(zip(columns, row, strict=False)) for row in csv.reader(lines))
    else:
        rows = map(try_json, filter(str.strip, chain([first], lines)))
    for number, row in enumerate(rows, 1):
        try:
            yield _read_row(row)
        except InputError as error:
            notes.skip(number, str(error))


def _read_row(row: Any) -> tuple[str, list[str], set[str]]:
    if not isinstance(row, Mapping):
        raise InputError("not a JSON object")
    shown = _addresses(row.get("shown", row.get("results")))
    if not shown:
        raise InputError("nothing shown")
    return str(row.get("query") or ""), shown[:MOST_SHOWN], set(_addresses(row.get("clicked")))


def _addresses(value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, list | tuple):
        return []
    named = (v.get("url", v.get("id", "")) if isinstance(v, Mapping) else v for v in value)
    return [normalise_address(str(v)) for v in named if v not in ("", None)]


_PLAIN = re.compile(r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+/[!-~]*")


def normalise_address(address: str) -> str:
    """One spelling of an address; what is none stays as it is."""
    if _PLAIN.fullmatch(address) and "?" not in address and "#" not in address:
        return address  # most are; to take them apart costs more than all the rest
    return _canonical(address)


@lru_cache(maxsize=65536)
def _canonical(address: str) -> str:
    return canonical_url(address) or address
