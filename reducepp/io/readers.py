"""Files to pages: JSONL, CSV, Parquet, search-API JSON, folders of HTML; gzip by its first bytes.

A record that cannot be read is a Failure with its line; the others are read.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

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
from reducepp.io.records import Document, Read, find_field, is_known
from reducepp.io.search_answers import find_answers, find_query, is_answer
from reducepp.io.sniff import GZIP, ZIP, as_utf8, encoding_of, recognise
from reducepp.types import Failure, Page

STDIN = "-"
TEXT = "txt"
MAX_ZIP_BYTES = 16 * MAX_LINE_BYTES
"""Bytes of an archive, packed and unpacked."""
MAX_JSON_BYTES = 4 * MAX_LINE_BYTES
"""Bytes of a JSON document, which is parsed as a whole; JSONL may have any size."""
PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".mhtml", ".mht", ".pdf", ".docx", ".txt")

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
    yield from rows_to_pages(_read_any(source, form), columns, where)
    columns.check(where)


def _read_any(source: str, form: str) -> Iterator[Row | Read]:
    path = Path(source)
    if source == STDIN:
        stdin = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), 1 << 16)
        yield from _read_packed(stdin, form, where="standard input")
    elif not path.exists():
        raise InputError(f"{source}: no such file or folder")
    elif path.is_dir():
        yield from _read_folder(path)
    elif (named := form or _form_of(path.name)) in ("pdf", "docx"):
        yield _read_document(path, str(path))
    else:
        with errors_as(InputError, str(path), OSError), path.open("rb") as stream:
            yield from _read_packed(stream, form, where=str(path), named=named)


def read_bytes(data: bytes, *, name: str) -> Iterator[Read]:
    """What a file of that name holds, still without ranks."""
    rows = _read_packed(io.BufferedReader(io.BytesIO(data)), "", where=name, named=_form_of(name))
    yield from rows_to_pages(rows, Columns(), name)


def _form_of(name: str) -> str:
    return Path(name.removesuffix(".gz")).suffix.lower().lstrip(".")


def _read_packed(
    stream: io.BufferedReader[Any], form: str, *, where: str, named: str = ""
) -> Iterator[Row | Read]:
    """A stream that may be gzip, zip or PDF, by its first bytes."""
    start = stream.peek(4)[:4]
    if start.startswith(GZIP):
        stream = io.BufferedReader(gzip.GzipFile(fileobj=stream), 1 << 16)
    elif start == ZIP and not form:
        yield from _read_zip(stream, where)
        return
    elif start == b"%PDF" and not form:
        yield _document(where, stream.read(MAX_LINE_BYTES), ".pdf")
        return
    with errors_as(InputError, f"{where}: damaged gzip", *DAMAGED_GZIP):
        yield from _read_stream(stream, form or named, where=where, decided=bool(form))


def _read_zip(stream: io.BufferedReader[Any], where: str) -> Iterator[Row | Read]:
    """The files of an archive in natural order; a DOCX is one page."""
    from zipfile import ZipFile

    from reducepp.io.zip_members import DAMAGED_ZIP, read_member

    data = io.BytesIO(stream.read(MAX_ZIP_BYTES + 1))
    if data.getbuffer().nbytes > MAX_ZIP_BYTES:
        raise InputError(f"{where}: over {MAX_ZIP_BYTES >> 20} MiB")
    with errors_as(InputError, f"{where}: damaged zip", *DAMAGED_ZIP), ZipFile(data) as files:
        names = files.namelist()
        if "word/document.xml" in names:
            yield _document(where, data.getvalue(), ".docx")
            return
        left = MAX_ZIP_BYTES
        known = (*PAGE_SUFFIXES, *(f".{form}" for form in _NAMED_BY_CONTENT))
        read = [n for n in names if n.lower().endswith(known) and not n.startswith("__MACOSX")]
        for name in sorted(read, key=_natural):
            content = read_member(files, name, min(MAX_LINE_BYTES, left))
            left -= len(content)
            if left < 0 or len(content) > MAX_LINE_BYTES:
                yield Failure(url=name, stage="read", reason="unpacks to too much")
                return
            if (suffix := Path(name).suffix.lower()) in (".pdf", ".docx"):
                yield _document(name, content, suffix)
            else:
                member = io.BufferedReader(io.BytesIO(content))
                yield from _read_stream(member, _form_of(name), where=name)


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
    head = stream.peek(4096)[:4096].decode("utf-8", "replace").split("\n", 1)[0]
    if any(is_known(name.strip('"\r ')) for name in re.split(r"[,;\t|]", head)):
        yield from read_csv(stream, where)
    else:
        yield _document(where, stream.read(MAX_LINE_BYTES), ".txt")


_READERS: dict[str, Callable[[io.BufferedReader[Any], str], Iterator[Row | Read]]]
_READERS = {"jsonl": _read_jsonl, "ndjson": _read_jsonl, "json": _read_json, "csv": read_csv}
_READERS |= {"tsv": read_csv, "parquet": read_parquet, TEXT: _read_text}
_READERS |= dict.fromkeys(
    ("html", "htm", "xhtml", "mhtml", "mht"),
    lambda stream, where: iter([_document(where, stream.read(MAX_LINE_BYTES))]),
)

TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".txt": "text/plain",
}


def _read_folder(folder: Path) -> Iterator[Read]:
    """Page files in natural order; a sub-folder's name is the query of the files in it."""
    found = (p for p in folder.rglob("*") if p.is_file() or not p.exists())
    paths = [p for p in found if p.suffix.lower() in PAGE_SUFFIXES]
    if not paths:
        raise InputError(f"{folder}: no page files ({', '.join(PAGE_SUFFIXES)}) in it")
    for path in sorted(paths, key=lambda p: _natural(str(p.relative_to(folder)))):
        name = path.relative_to(folder)
        query = name.parts[0] if len(name.parts) > 1 else ""
        yield _read_document(path, str(name), query=query)


def _read_document(path: Path, name: str, *, query: str = "") -> Read:
    try:
        if path.stat().st_size > MAX_LINE_BYTES:
            return Failure(url=name, stage="read", reason=f"over {MAX_LINE_BYTES >> 20} MiB")
        return _document(name, path.read_bytes(), path.suffix.lower(), query=query)
    except OSError as error:
        return Failure(url=name, stage="read", reason=error.strerror or str(error))


def _document(name: str, content: bytes, suffix: str = "", *, query: str = "") -> Document:
    kind = TYPES.get(suffix, "text/html")
    return Document(page=Page(id=name, query=query), content=content, content_type=kind)


def _natural(name: str) -> list[tuple[int, str]]:
    """So that page10 comes after page9; a number may have any length."""
    parts = [part.lstrip("0") if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
    return [(len(part) if part.isdecimal() else 0, part) for part in parts]


def assign_ids(found: Iterable[Read]) -> Iterator[Read]:
    """Give every page a rank and, within its query, an id of its own."""
    places: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    for read in found:
        if isinstance(read, Failure):
            yield read
            continue
        page = read if isinstance(read, Page) else read.page
        places[page.query] = place = places.get(page.query, 0) + 1
        name = page.id or page.url or f"page-{place}"
        seen[page.query, name] = times = seen.get((page.query, name), 0) + 1
        own = name if times == 1 else f"{name}#{times}"
        if page.rank and page.id == own:
            yield read
            continue
        ranked = replace(page, rank=page.rank or place, id=own)
        yield ranked if isinstance(read, Page) else replace(read, page=ranked)


def is_sorted(source: str, columns: Columns) -> bool:
    """True for a JSONL file with at least one page in which no query comes back after another.

    Such a file can be read query by query.
    """
    path = Path(source)
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return False
    seen: set[str] = set()
    with path.open("rb") as stream:
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
