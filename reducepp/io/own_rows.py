"""A user's own rows: read for comparison, and written back in their own form without some.

What is not annotated is written as it was read, byte for byte where the format has lines.
"""

import codecs
import csv
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from reducepp.errors import InputError, MissingExtraError
from reducepp.io.bounded_reading import LONGEST_LINE, parse_json
from reducepp.io.csv_parquet import DELIMITERS
from reducepp.io.readers import MAX_JSON_BYTES, MAX_ZIP_BYTES
from reducepp.io.search_answers import find_query, find_results, is_answer
from reducepp.io.sniff import GZIP, ZIP, encoding_of, recognise

MAX_GZIP_RATIO = 200
"""Unpacked to packed bytes of a large file; rows of text have 5 to 30."""
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Extra = Mapping[str, Any]
"""Column to value, for one row."""


class OwnRows(Protocol):
    """Rows of one input, in order."""

    records: list[Any]
    """What is compared of each row; None where the row cannot be read."""

    def write(self, kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        """The rows at these places in their own form, each with its columns of `extras`."""


def read_own_rows(source: str, *, form: str = "") -> OwnRows:
    """The rows of a JSONL, CSV, TSV, JSON or Parquet file; `-` is standard input."""
    where = "standard input" if source == "-" else source
    data = _read_all(source, where)
    found = recognise(data[:4096], where=where)
    is_lines = source.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    form = form or ("jsonl" if is_lines and data.lstrip()[:1] == b"{" else found)
    readers = {"jsonl": _read_lines, "json": _read_answer, "csv": _read_table, "tsv": _read_table}
    if form == "parquet":
        return _read_parquet(data, where)
    if form not in readers:
        raise InputError(f"{where}: filter reads JSONL, CSV, TSV, JSON and Parquet, not {form}")
    return readers[form](data, where)


def _read_all(source: str, where: str) -> bytes:
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        if data.startswith(GZIP):
            limit = min(MAX_ZIP_BYTES, max(MAX_JSON_BYTES, MAX_GZIP_RATIO * len(data)))
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(limit + 1)
            if len(data) > limit:
                raise InputError(f"{where}: unpacks to over {limit >> 20} MiB")
        if data.startswith(ZIP):
            raise InputError(f"{where}: an archive: unpack it, filter gives one file back")
        return data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{where}: damaged gzip: {error}") from None
    except OSError as error:
        raise InputError(f"{where}: {error.strerror or error}") from None


@dataclass(slots=True)
class JsonLines:
    """One record per line."""

    lines: list[bytes]
    records: list[Any] = field(default_factory=list)

    def write(self, kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        """The lines as they were, or as objects with more keys."""
        chosen = (
            self.lines[i] if extras is None else _json_line(self.records[i], extras[i])
            for i in kept
        )
        return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in chosen)


def _json_line(record: Any, extra: Extra) -> bytes:
    row = {**record, **extra} if isinstance(record, Mapping) else {"value": record, **extra}
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


def _read_lines(data: bytes, where: str) -> OwnRows:
    lines = [line for line in data.splitlines(keepends=True) if line.strip(b"\xef\xbb\xbf \t\r\n")]
    if len(lines) == 1 and is_answer(_try_json(lines[0])):
        return _read_answer(data, where)
    return JsonLines(lines, [_try_json(line) for line in lines])


def _try_json(line: bytes) -> Any:
    try:
        return parse_json(line)
    except ValueError:
        return None


@dataclass(slots=True)
class JsonAnswer:
    """A list of results, alone or inside a search service's answer."""

    data: Any
    lists: list[list[Any]]
    """The lists of results inside `data`; one per answer."""
    indent: int | None
    records: list[Any] = field(default_factory=list)

    def write(self, kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        """The whole document with fewer results."""
        chosen, place = set(kept), 0
        for results in self.lists:
            places = range(place, place + len(results))
            place += len(results)
            results[:] = [
                {**result, **extras[i]} if extras and isinstance(result, dict) else result
                for i, result in zip(places, results, strict=True)
                if i in chosen
            ]
        text = json.dumps(self.data, ensure_ascii=False, indent=self.indent)
        return (text + "\n").encode("utf-8", "replace")


def _read_answer(data: bytes, where: str) -> OwnRows:
    try:
        parsed = parse_json(data)
    except ValueError as error:
        if _try_json(data.lstrip().partition(b"\n")[0]) is not None:
            return _read_lines(data, where)
        raise InputError(f"{where}: not JSON: {error}") from None
    is_many = isinstance(parsed, list) and bool(parsed) and all(map(is_answer, parsed))
    answers = parsed if is_many else [parsed]
    lists = [answer if isinstance(answer, list) else find_results(answer) for answer in answers]
    found = [results for results in lists if results is not None]
    if len(found) < len(lists):
        raise InputError(f"{where}: no list of pages or results in it")
    records = [
        {**query, **result} if isinstance(result, Mapping) else result
        for answer, results in zip(answers, found, strict=True)
        for query in [{"query": asked} for asked in [find_query(answer)] if asked] or [{}]
        for result in results
    ]
    return JsonAnswer(parsed, found, 2 if b"\n" in data.strip() else None, records)


@dataclass(slots=True)
class DelimitedRows:
    """A table in CSV or TSV: its lines as they were, and their cells by the header's names."""

    head: str
    rows: list[str]
    delimiter: str
    encoding: str
    records: list[Any] = field(default_factory=list)

    def write(self, kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        """The header and the chosen rows, with more cells at their ends."""
        columns = list(extras[0]) if extras else []
        lines = [self._extend(self.head, columns)]
        lines += [
            self._extend(self.rows[i], [_cell(v) for v in extras[i].values()] if extras else [])
            for i in kept
        ]
        return "".join(lines).encode(self.encoding, _escape(self.encoding))

    def _extend(self, line: str, cells: Sequence[str]) -> str:
        if not cells:
            return line
        text = io.StringIO()
        csv.writer(text, delimiter=self.delimiter, lineterminator="").writerow(cells)
        body = line.rstrip("\r\n")
        return f"{body}{self.delimiter}{text.getvalue()}{line[len(body) :] or chr(10)}"


def _cell(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _read_table(data: bytes, where: str) -> OwnRows:
    encoding = encoding_of(data[:4096]) if data.startswith(BYTE_ORDER_MARKS) else "utf-8"
    try:
        text = data.decode(encoding, _escape(encoding))
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: damaged UTF-16: {error.reason}") from None
    first = text.lstrip().split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    csv.field_size_limit(LONGEST_LINE)
    try:
        listed = list(_raw_rows(text, delimiter))
    except (csv.Error, ValueError) as error:
        raise InputError(f"{where}: not CSV: {error}") from None
    if not listed:
        raise InputError(f"{where}: no row in it")
    (head, names), *found = listed
    records = [
        dict(zip(names, (_readable(cell, encoding) for cell in cells), strict=False))
        if len(cells) <= len(names)
        else None
        for _, cells in found
    ]
    rows = [raw for raw, _ in found]
    return DelimitedRows(head, rows, delimiter, encoding, list(records))


def _raw_rows(text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Each row as it is written, which may be over several lines, and its cells."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            taken.append(line)
            yield line.replace("\0", "")

    for cells in csv.reader(lines(), delimiter=delimiter):
        raw = "".join(taken)
        taken.clear()
        if cells:
            yield raw, cells


def _readable(cell: str, encoding: str) -> str:
    """A cell for comparison: bytes that are no UTF-8 are what Western spreadsheets write."""
    return cell.encode("utf-8", _escape(encoding)).decode("utf-8", "reducepp.cp1252")


def _escape(encoding: str) -> str:
    """How Python keeps what is no text in an encoding, so that it is written as it was."""
    return "surrogatepass" if encoding.startswith("utf-16") else "surrogateescape"


@dataclass(slots=True)
class ParquetRows:
    """A table in Parquet."""

    table: Any
    records: list[Any] = field(default_factory=list)

    def write(self, kept: Sequence[int], extras: Sequence[Extra] | None) -> bytes:
        """The same columns and types for the chosen rows, and more columns."""
        import pyarrow
        import pyarrow.parquet

        table = self.table
        for name in extras[0] if extras else ():
            table = table.append_column(name, pyarrow.array([row[name] for row in extras or ()]))
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table.take(pyarrow.array(kept, pyarrow.int64())), sink)
        written: bytes = sink.getvalue().to_pybytes()
        return written


def _read_parquet(data: bytes, where: str) -> OwnRows:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "tables") from None
    try:
        table = pyarrow.parquet.read_table(pyarrow.BufferReader(data))
        return ParquetRows(table, table.to_pylist())
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise InputError(f"{where}: not Parquet: {error}") from None
