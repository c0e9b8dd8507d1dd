"""Tables to pages: CSV with any delimiter, and Parquet."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, zip_longest
from typing import Any

from reducepp.errors import InputError, errors_as, needs_extra
from reducepp.io.bounded_reading import MAX_LINE_BYTES, bounded_lines
from reducepp.io.columns import Row, failure
from reducepp.io.escaping import unescape_cell
from reducepp.io.sniff import encoding_of
from reducepp.types import Failure


def find_delimiter(text: str) -> str:
    """What separates the cells of a header: of comma, semicolon, tab and bar the most frequent."""
    return max(",;\t|", key=text.lstrip().removeprefix("sep=").split("\n", 1)[0].count)


def table_rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[str, list[str], int]]:
    """Each row as it is written, which may be over several lines, its cells, and its last line.

    Empty lines, and the line `sep=;` that spreadsheets write before a header, are no rows.
    """
    csv.field_size_limit(MAX_LINE_BYTES)
    taken: list[str] = []

    def read() -> Iterator[str]:
        for line in lines:
            if len(line) > MAX_LINE_BYTES:
                raise csv.Error(f"line longer than {MAX_LINE_BYTES >> 20} MiB")
            taken.append(line)
            yield line.replace("\0", "")

    reader = csv.reader(read(), delimiter=delimiter)
    for cells in reader:
        if reader.line_num == 1 and cells in (["sep=", ""], [f"sep={delimiter}"]):
            continue  # written with the header
        if cells:
            yield "".join(taken), cells, reader.line_num
        taken.clear()


def as_record(names: Sequence[str], cells: Sequence[str]) -> dict[str, str | None] | None:
    """The cells of a row by the names of their columns; None where it has more cells than names."""
    if any(cells[len(names) :]):
        return None
    return dict(zip_longest(names, cells[: len(names)]))


def read_csv(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Failure]:
    """One row per page; the header names the columns."""
    start = stream.peek(4096)[:4096]
    encoding = encoding_of(start)
    text = io.TextIOWrapper(stream, encoding, errors="reducepp.cp1252", newline="")
    lines = bounded_lines(text, MAX_LINE_BYTES + 1)
    rows = table_rows(lines, find_delimiter(start.decode(encoding, "replace")))
    number = 1
    try:
        _, names, _ = next(rows, ("", [], 0))
        for _, cells, number in rows:
            record = as_record(names, list(map(unescape_cell, cells)))
            if record is None:
                yield failure(where, number, "more cells than columns")
            else:
                yield Row(record=record, where=where, number=number)
    except csv.Error as error:
        yield failure(where, number, f"not CSV: {error}")
    finally:
        text.detach()


def read_parquet(stream: io.BufferedReader[Any], where: str) -> Iterator[Row]:
    """One row per page."""
    whole = stream if stream.seekable() else io.BytesIO(stream.read())
    with open_parquet(whole, where) as table:
        batches = (batch.to_pylist() for batch in table.iter_batches(batch_size=256))
        for number, row in enumerate(chain.from_iterable(batches), 1):
            yield Row(record=row, where=where, number=number, unit="row")


@contextmanager
def open_parquet(stream: Any, where: str) -> Iterator[Any]:
    """A table in Parquet as pyarrow opens it; InputError where it is none, or damaged."""
    with needs_extra("reading Parquet", "tables"):
        import pyarrow.parquet
    kinds = (OSError, ValueError, pyarrow.ArrowException)
    with errors_as(InputError, f"{where}: not Parquet", *kinds):
        yield pyarrow.parquet.ParquetFile(stream)


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8 are what spreadsheets of Western Europe write."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("reducepp.cp1252", _as_cp1252)
