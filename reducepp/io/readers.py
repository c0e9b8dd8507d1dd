"""Files to pages: JSONL, CSV, Parquet, search-API JSON, folders of HTML; gzip by its first bytes.

A record that cannot be read is a Failure with its line; the others are read.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp.errors import InputError, errors_as
from reducepp.io.bounded_reading import (
    DAMAGED_GZIP,
    MAX_LINE_BYTES,
    bounded_lines,
    parse_json,
    try_json,
)
from reducepp.io.columns import Columns, Row, failure, rows_to_pages
from reducepp.io.csv_parquet import read_csv, read_parquet
from reducepp.io.records import Document, Read, find_field, is_known, page_of, with_page
from reducepp.io.search_answers import find_answers, find_query, is_answer
from reducepp.io.sniff import GZIP, ZIP, as_utf8, encoding_of, recognise
from reducepp.types import Failure, Page

if TYPE_CHECKING:
    from zipfile import ZipFile

STDIN = "-"
TEXT = "txt"
MAX_ZIP_BYTES = 16 * MAX_LINE_BYTES
"""Bytes of an archive, packed and unpacked."""
MAX_JSON_BYTES = 4 * MAX_LINE_BYTES
"""Bytes of a JSON document, which is parsed as a whole; JSONL may have any size."""
_NAMED_BY_CONTENT = ("csv", "tsv", "json", "jsonl", "ndjson")
"""Formats that a suffix suggests and the content decides."""


def read_pages(source: str) -> Iterator[Read]:
    """What `read_source` reads, each page with its rank within its query and an id of its own."""
    return assign_ids(read_source(source))


def read_source(source: str, *, form: str = "", columns: Columns | None = None) -> Iterator[Read]:
    """What a path or, for `-`, standard input holds, still without ranks.

    `form` names the format where the file does not show it.
    """
    columns = columns or Columns()
    where = "standard input" if source == STDIN else source
    yield from rows_to_pages(_read_any(source, form, columns), columns, where)
    columns.check(where)


def _read_any(source: str, form: str, columns: Columns) -> Iterator[Row | Read]:
    path = Path(source)
    if source == STDIN:
        stdin = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), 1 << 16)
        yield from _read_packed(stdin, form, where="standard input", columns=columns)
    elif not path.exists():
        raise InputError(f"{source}: no such file or folder")
    elif path.is_dir():
        yield from _read_folder(path, columns)
    else:
        with errors_as(InputError, str(path), OSError), path.open("rb") as stream:
            yield from _read_packed(stream, form, where=str(path), columns=columns)


def read_bytes(data: bytes, *, name: str) -> Iterator[Read]:
    """What a file of that name holds, still without ranks."""
    columns = Columns()
    rows = _read_packed(io.BufferedReader(io.BytesIO(data)), "", where=name, columns=columns)
    yield from rows_to_pages(rows, columns, name)


def _form_of(name: str) -> str:
    return Path(name.removesuffix(".gz")).suffix.lower().lstrip(".")


def _read_packed(
    stream: io.BufferedReader[Any], form: str, *, where: str, columns: Columns
) -> Iterator[Row | Read]:
    """A stream that may be an archive, by its first bytes, or one file."""
    if stream.peek(4)[:4] == ZIP and not form and _form_of(where) != "docx":
        yield from _read_zip(stream, where, columns)
    else:
        yield from _read_file(stream, where, form)


def _read_file(stream: io.BufferedReader[Any], where: str, form: str = "") -> Iterator[Row | Read]:
    """One file: a document, or records that may be packed by gzip."""
    named, start = form or _form_of(where), stream.peek(4)[:4]
    if named in ("pdf", "docx") or (start == b"%PDF" and not form):
        yield _read_document(stream, where, ".docx" if named == "docx" else ".pdf")
        return
    if start.startswith(GZIP):
        stream = io.BufferedReader(gzip.GzipFile(fileobj=stream), 1 << 16)
    with errors_as(InputError, f"{where}: damaged gzip", *DAMAGED_GZIP):
        yield from _read_stream(stream, named, where=where, decided=bool(form))


def _read_zip(stream: io.BufferedReader[Any], where: str, columns: Columns) -> Iterator[Row | Read]:
    """The files of an archive as those of a folder; a DOCX is one page."""
    from zipfile import ZipFile

    from reducepp.io.folders import input_names
    from reducepp.io.zip_members import DAMAGED_ZIP

    data = io.BytesIO(stream.read(MAX_ZIP_BYTES + 1))
    if data.getbuffer().nbytes > MAX_ZIP_BYTES:
        raise InputError(f"{where}: over {MAX_ZIP_BYTES >> 20} MiB")
    with errors_as(InputError, f"{where}: damaged zip", *DAMAGED_ZIP), ZipFile(data) as files:
        names = files.namelist()
        if "word/document.xml" in names:
            yield _read_document(data, where, ".docx")
        else:
            yield from _read_members(files, input_names(names), columns)


def _read_members(files: ZipFile, names: Sequence[str], columns: Columns) -> Iterator[Read]:
    from reducepp.io.folders import common_folder, read_files
    from reducepp.io.zip_members import read_member

    left = MAX_ZIP_BYTES

    def read(name: str) -> Iterator[Row | Read]:
        nonlocal left
        content = read_member(files, name, min(MAX_LINE_BYTES, max(left, 0)))
        left -= len(content)
        if left < 0 or len(content) > MAX_LINE_BYTES:
            raise InputError("unpacks to too much")
        yield from _read_file(io.BufferedReader(io.BytesIO(content)), name)

    return read_files(names, read, columns, top=common_folder(names))


def _read_stream(
    buffered: io.BufferedReader[Any], form: str, *, where: str, decided: bool = False
) -> Iterator[Row | Read]:
    if not decided and (form not in _READERS or form == TEXT or form in _NAMED_BY_CONTENT):
        start = buffered.peek(4096)[:4096]
        found = recognise(start, where=where)
        is_lines = form in ("jsonl", "ndjson") and start.lstrip()[:1] == b"{"
        form = form if form in _READERS and (found == "csv" or is_lines) else found
    if form in ("json", "jsonl", "ndjson") and encoding_of(buffered.peek(2)) == "utf-16":
        text = as_utf8(_read_whole(buffered, where))
        buffered = io.BufferedReader(io.BytesIO(text))
    yield from _READERS[form](buffered, where)


def _read_whole(stream: io.BufferedReader[Any], where: str) -> bytes:
    text = stream.read(MAX_JSON_BYTES + 1)
    if len(text) > MAX_JSON_BYTES:
        raise InputError(
            f"{where}: JSON of over {MAX_JSON_BYTES >> 20} MiB; use one page per line, in UTF-8"
        )
    return text


def _read_jsonl(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Failure]:
    """The record of each line, or the results of a search service's answer on one line."""
    for number, line in enumerate(bounded_lines(stream, MAX_LINE_BYTES), 1):
        if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
            yield failure(where, number, f"longer than {MAX_LINE_BYTES >> 20} MiB")
            continue
        if not line.strip(b"\xef\xbb\xbf \t\r\n"):
            continue
        try:
            record = parse_json(line)
        except ValueError as error:
            yield failure(where, number, f"not JSON: {error}")
        else:
            own = [Row(record=record, where=where, number=number)]
            yield from _answer_rows(record, where) if is_answer(record) else own


def _read_json(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Failure]:
    text = _read_whole(stream, where)
    try:
        data = parse_json(text)
    except ValueError as error:
        if not is_lines(text):
            raise InputError(f"{where}: not JSON: {error}") from None
        yield from _read_jsonl(io.BufferedReader(io.BytesIO(text)), where)
    else:
        yield from _answer_rows(data, where)


def _answer_rows(data: Any, where: str) -> Iterator[Row]:
    for query, results in find_answers(data, where):
        for number, result in enumerate(results, 1):
            record = {"query": query, **result} if isinstance(result, Mapping) else result
            yield Row(record=record, where=where, number=number, unit="result")


def is_lines(text: bytes) -> bool:
    """Whether what is no JSON as a whole begins with a line that is an object."""
    return isinstance(try_json(text.lstrip().partition(b"\n")[0]), dict)


def _read_text(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Read]:
    """A table if its header says so, else one page of plain text."""
    start = stream.peek(4096)[:4096]
    head = start.decode(encoding_of(start), "replace").split("\n", 1)[0]
    if any(is_known(name.strip('"\r ')) for name in re.split(r"[,;\t|]", head)):
        yield from read_csv(stream, where)
    else:
        yield _read_document(stream, where, ".txt")


_READERS: dict[str, Callable[[io.BufferedReader[Any], str], Iterator[Row | Read]]]
_READERS = {"jsonl": _read_jsonl, "ndjson": _read_jsonl, "json": _read_json, "csv": read_csv}
_READERS |= {"tsv": read_csv, "parquet": read_parquet, TEXT: _read_text}
_READERS |= dict.fromkeys(
    ("html", "htm", "xhtml", "mhtml", "mht"),
    lambda stream, where: iter([_read_document(stream, where, ".html")]),
)

TYPES = {
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".txt": "text/plain",
}


def _read_folder(folder: Path, columns: Columns) -> Iterator[Read]:
    """Files of pages and of records; a sub-folder's name is the query of the files in it."""
    from reducepp.io.folders import folder_names, read_files

    return read_files(folder_names(folder), partial(_read_below, folder), columns)


def _read_below(folder: Path, name: str) -> Iterator[Row | Read]:
    with (folder / name).open("rb") as stream:
        yield from _read_file(stream, name)


def _read_document(stream: io.BufferedIOBase, where: str, suffix: str) -> Document:
    content = stream.read(MAX_LINE_BYTES + 1)
    if len(content) > MAX_LINE_BYTES:
        raise InputError(f"{where}: over {MAX_LINE_BYTES >> 20} MiB")
    return Document(page=Page(id=where), content=content, content_type=TYPES[suffix])


def assign_ids(found: Iterable[Read]) -> Iterator[Read]:
    """Give every page a rank and, within its query, an id of its own."""
    places: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    for read in found:
        if isinstance(read, Failure):
            yield read
            continue
        page = page_of(read)
        places[page.query] = place = places.get(page.query, 0) + 1
        name = own = page.id or page.url or f"page-{place}"
        while (page.query, own) in seen:
            seen[page.query, name] += 1
            own = f"{name}#{seen[page.query, name]}"
        seen[page.query, own] = 1
        is_known = page.rank and page.id == own
        ranked = page if is_known else replace(page, rank=page.rank or place, id=own)
        yield with_page(read, ranked)


def is_sorted(source: str, columns: Columns) -> bool:
    """True for a JSONL file with at least one page in which no query comes back after another.

    Such a file can be read query by query.
    """
    path = Path(source)
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return False
    seen: set[str] = set()
    with errors_as(InputError, source, OSError), path.open("rb") as stream:
        lines = iter(partial(stream.readline, MAX_LINE_BYTES), b"")
        queries = (query for line in lines if (query := _query_of(line, columns)) is not None)
        for query, _ in groupby(queries):
            if query in seen:
                return False
            seen.add(query)
    return bool(seen)


def _query_of(line: bytes, columns: Columns) -> str | None:
    """The query that a line names, "" for none; None for a line that is no record."""
    record = try_json(line)
    if not isinstance(record, dict):
        return None
    if is_answer(record):
        return find_query(record)
    named = columns.names.get("query")
    is_query = (lambda key: key == named) if named else (lambda key: find_field(key)[0] == "query")
    return next((str(value) for key, value in record.items() if is_query(key)), "")
