"""Tables to pages: CSV with any delimiter, and Parquet."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from reducepp.errors import InputError, errors_as, needs_extra
from reducepp.io.bounded_reading import MAX_LINE_BYTES
from reducepp.io.columns import Row, failure
from reducepp.io.escaping import unescape_cell
from reducepp.io.sniff import encoding_of
from reducepp.types import Failure


def find_delimiter(text: str) -> str:
    """What parts the cells of a header: of comma, semicolon, tab and bar the most frequent."""
    return max(",;\t|", key=text.lstrip().split("\n", 1)[0].count)


def read_csv(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Failure]:
    """One row per page; the header names the columns."""
    csv.field_size_limit(MAX_LINE_BYTES)
    start = stream.peek(4096)[:4096]
    encoding = encoding_of(start)
    text = io.TextIOWrapper(stream, encoding, errors="reducepp.cp1252", newline="")
    delimiter = find_delimiter(start.decode(encoding, "replace"))
    lines = (line.replace("\0", "") for line in text)
    rows = csv.DictReader(lines, restkey="_more", delimiter=delimiter)
    try:
        for row in rows:
            if row.get("_more"):
                yield failure(where, rows.line_num, "more cells than columns")
            else:
                record = {name: value and unescape_cell(value) for name, value in row.items()}
                yield Row(record=record, where=where, number=rows.line_num)
    except csv.Error as error:
        yield failure(where, rows.line_num, f"not CSV: {error}")
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
