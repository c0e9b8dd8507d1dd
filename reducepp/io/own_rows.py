"""A user's own rows: read for comparison, and written back in their own form without some.

What is not annotated is written as it was read, byte for byte where the format has lines.
"""

import codecs
import csv
import gzip
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, errors_as
from reducepp.io.bounded_reading import DAMAGED_GZIP, parse_json, try_json
from reducepp.io.csv_parquet import as_record, find_delimiter, open_parquet, table_rows
from reducepp.io.readers import MAX_JSON_BYTES, MAX_ZIP_BYTES, is_lines
from reducepp.io.search_answers import find_answers, is_answer
from reducepp.io.sniff import GZIP, ZIP, as_utf8, encoding_of, recognise
from reducepp.io.writers import json_lines

MAX_GZIP_RATIO = 200
"""Unpacked to packed bytes of a large file; rows of text have 5 to 30."""
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Extra = Mapping[str, Any]
"""Column to value, for one row."""


@dataclass(frozen=True, slots=True)
class OwnRows:
    """Rows of one input, in order."""

    records: list[Any]
    """What is compared of each row; None where the row cannot be read."""
    write: Callable[[Sequence[int], Sequence[Extra] | None], bytes]
    """The rows at these places in their own form, each with its columns of the second argument."""


def read_own_rows(source: str, *, form: str = "") -> OwnRows:
    """The rows of a JSONL, CSV, TSV, JSON or Parquet file; `-` is standard input."""
    where = "standard input" if source == "-" else source
    data = _read_all(source, where)
    found = recognise(data[:4096], where=where)
    named_lines = source.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    form = form or ("jsonl" if named_lines and data.lstrip()[:1] == b"{" else found)
    readers = {"jsonl": _read_lines, "json": _read_answer, "csv": _read_table, "tsv": _read_table}
    readers["parquet"] = _read_parquet
    if form not in readers:
        raise InputError(f"{where}: filter reads JSONL, CSV, TSV, JSON and Parquet, not {form}")
    return readers[form](as_utf8(data) if form in ("jsonl", "json") else data, where)


def _read_all(source: str, where: str) -> bytes:
    with errors_as(InputError, where, OSError):
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    if data.startswith(GZIP):
        limit = min(MAX_ZIP_BYTES, max(MAX_JSON_BYTES, MAX_GZIP_RATIO * len(data)))
        with errors_as(InputError, f"{where}: damaged gzip", *DAMAGED_GZIP):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(limit + 1)
        if len(data) > limit:
            raise InputError(f"{where}: unpacks to over {limit >> 20} MiB")
    if data.startswith(ZIP):
        raise InputError(f"{where}: an archive: unpack it, filter gives one file back")
    return data


def _read_lines(data: bytes, where: str) -> OwnRows:
    """One record per line; with more columns every line is an object."""
    lines = [line for line in data.splitlines(keepends=True) if line.strip(b"\xef\xbb\xbf \t\r\n")]
    records = [try_json(line) for line in lines]
    if len(lines) == 1 and is_answer(records[0]):
        return _read_answer(data, where)

    def write(kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        if extras is None:
            return b"".join(row.removesuffix(b"\n") + b"\n" for row in map(lines.__getitem__, kept))
        own = (r if isinstance(r, Mapping) else {"value": r} for r in records)
        rows = [{**row, **extra} for row, extra in zip(own, extras, strict=True)]
        return json_lines(rows[i] for i in kept).encode("utf-8", "replace")

    return OwnRows(records, write)


def _read_answer(data: bytes, where: str) -> OwnRows:
    """A list of results, alone or inside a search service's answer, which is written whole."""
    try:
        parsed = parse_json(data)
    except ValueError as error:
        if is_lines(data):
            return _read_lines(data, where)
        raise InputError(f"{where}: not JSON: {error}") from None
    answers = find_answers(parsed, where)
    records = [
        {"query": query, **result} if query and isinstance(result, Mapping) else result
        for query, results in answers
        for result in results
    ]

    def write(kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        chosen, place = set(kept), 0
        for _, results in answers:
            places = range(place, place + len(results))
            place += len(results)
            results[:] = [
                {**result, **extras[i]} if extras and isinstance(result, dict) else result
                for i, result in zip(places, results, strict=True)
                if i in chosen
            ]
        text = json.dumps(parsed, ensure_ascii=False, indent=2 if b"\n" in data.strip() else None)
        return (text + "\n").encode("utf-8", "replace")

    return OwnRows(records, write)


def _read_table(data: bytes, where: str) -> OwnRows:
    """A table in CSV or TSV: its lines as they were, with more cells at their ends."""
    encoding = encoding_of(data[:4096]) if data.startswith(BYTE_ORDER_MARKS) else "utf-8"
    # how Python keeps what is no text in an encoding, so that it is written as it was
    escape = "surrogatepass" if encoding.startswith("utf-16") else "surrogateescape"
    with errors_as(InputError, f"{where}: damaged UTF-16", UnicodeDecodeError):
        text = data.decode(encoding, escape)
    delimiter = find_delimiter(text)
    with errors_as(InputError, f"{where}: not CSV", csv.Error, ValueError):
        listed = list(table_rows(io.StringIO(text, newline=""), delimiter))
    if not listed:
        raise InputError(f"{where}: no row in it")
    (_, names, _), *rows = listed

    def readable(cell: str) -> str:
        """A cell for comparison: bytes that are no UTF-8 are what Western spreadsheets write."""
        return cell.encode("utf-8", escape).decode("utf-8", "reducepp.cp1252")

    def write(kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        if extras is None:
            chosen = [listed[0][0], *(rows[i][0] for i in kept)]
        else:
            width = max(len(cells) for _, cells, _ in listed)
            added = [(listed[0], list(extras[0]) if extras else [])]
            added += [(rows[i], list(map(_cell, extras[i].values()))) for i in kept]
            chosen = [
                _extend(line, [*[""] * (width - len(cells)), *more], delimiter)
                for (line, cells, _), more in added
            ]
        return "".join(chosen).encode(encoding, escape)

    records = [as_record(names, list(map(readable, cells))) for _, cells, _ in rows]
    return OwnRows(records, write)


def _extend(line: str, cells: Sequence[str], delimiter: str) -> str:
    if not cells:
        return line
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow(cells)
    body = line.rstrip("\r\n")
    return f"{body}{delimiter}{text.getvalue()}{line[len(body) :] or chr(10)}"


def _cell(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _read_parquet(data: bytes, where: str) -> OwnRows:
    """A table in Parquet: the same columns and types, and more columns."""
    with open_parquet(io.BytesIO(data), where) as file:
        table = file.read()

    def write(kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        import pyarrow
        import pyarrow.parquet

        written = table
        for name in extras[0] if extras else ():
            column = pyarrow.array([row[name] for row in extras or ()])
            written = written.append_column(name, column)
        sink = io.BytesIO()
        pyarrow.parquet.write_table(written.take(pyarrow.array(kept, pyarrow.int64())), sink)
        return sink.getvalue()

    return OwnRows(table.to_pylist(), write)
