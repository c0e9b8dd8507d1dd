"""Files to pages: JSONL, CSV, Parquet, search-API JSON, folders of HTML; gzip by its first bytes.

What cannot be read is a Failure with its line; the others go on.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reducepp.errors import InputError
from reducepp.io.records import Document, Read, is_known, read_record
from reducepp.io.sniff import GZIP, recognise
from reducepp.io.tables import LONGEST_CELL, failure, read_csv, read_parquet
from reducepp.types import Failure, Page

LONGEST_LINE = LONGEST_CELL
"""Bytes of one line; a longer one is a Failure."""

STDIN = "-"
TEXT = "txt"
PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".mhtml", ".mht", ".pdf", ".docx", ".txt")

_RESULT_LISTS = (
    ("pages",),
    ("results",),
    ("items",),
    ("organic_results",),
    ("web", "results"),
    ("webPages", "value"),
    ("data", "result", "items"),
)
"""Where search services put their results."""

_QUERY_PLACES = (
    ("query",),
    ("query", "original"),
    ("search_parameters", "q"),
    ("queries", "request", 0, "searchTerms"),
    ("queryContext", "originalQuery"),
)


def read_pages(source: str, *, form: str = "") -> Iterator[Read]:
    """Read any input: a path, or `-` for standard input; `form` names the format where needed.

    Ranks follow the order within each query, and an id is the address, where they are absent.
    """
    yield from settle_names(read_source(source, form=form))


def read_source(source: str, *, form: str = "") -> Iterator[Read]:
    """What one input holds, still without ranks."""
    path = Path(source)
    if source == STDIN:
        stdin = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), 1 << 16)
        yield from _read_packed(stdin, form, where="standard input")
    elif not path.exists():
        raise InputError(f"{source}: no such file or folder")
    elif path.is_dir():
        yield from _read_folder(path)
    else:
        yield from _read_file(path, form)


def read_bytes(data: bytes, *, name: str) -> Iterator[Read]:
    """What a file of that name holds, still without ranks; nothing is unpacked."""
    form = Path(name).suffix.lower().lstrip(".")
    yield from _read_stream(io.BufferedReader(io.BytesIO(data)), form, where=name)


def _read_file(path: Path, form: str) -> Iterator[Read]:
    form = form or Path(path.name.removesuffix(".gz")).suffix.lower().lstrip(".")
    if f".{form}" in (".pdf", ".docx"):
        yield _read_document(path, str(path))
        return
    try:
        with path.open("rb") as stream:
            yield from _read_packed(stream, form, where=str(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _read_packed(stream: io.BufferedReader[Any], form: str, *, where: str) -> Iterator[Read]:
    """A stream that may be gzip."""
    if stream.peek(2)[:2] == GZIP:
        stream = io.BufferedReader(gzip.GzipFile(fileobj=stream), 1 << 16)
    try:
        yield from _read_stream(stream, form, where=where)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{where}: damaged gzip: {error}") from None


def _read_stream(buffered: io.BufferedReader[Any], form: str, *, where: str) -> Iterator[Read]:
    if form not in _READERS or form == TEXT:
        found = recognise(buffered.peek(4096)[:4096], where=where)
        form = TEXT if form == TEXT and found == "csv" else found
    yield from _READERS[form](buffered, where)


def _read_jsonl(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            while len(stream.readline(LONGEST_LINE)) == LONGEST_LINE:
                pass
            yield failure(where, number, f"longer than {LONGEST_LINE >> 20} MiB")
        elif line.strip(b"\xef\xbb\xbf \t\r\n"):
            yield _read_line(line, where, number)


def _read_line(line: bytes, where: str, number: int) -> Read:
    try:
        return read_record(json.loads(line.decode("utf-8-sig", "replace")))
    except InputError as error:
        return failure(where, number, str(error))
    except ValueError as error:
        return failure(where, number, f"not JSON: {error}")
    except RecursionError:
        return failure(where, number, "nested too deeply")


def _read_json(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    text = stream.read(LONGEST_LINE * 16)
    try:
        data = json.loads(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        if _is_lines(text):
            yield from _read_jsonl(io.BufferedReader(io.BytesIO(text)), where)
            return
        raise InputError(f"{where}: not JSON: {error}") from None
    for answer in data if isinstance(data, list) and _is_answers(data) else [data]:
        results = answer if isinstance(answer, list) else find_results(answer)
        if results is None:
            raise InputError(f"{where}: no list of pages or results in it")
        query = find_query(answer)
        for number, result in enumerate(results, 1):
            yield _read_result(result, query, where, number)


def _is_lines(text: bytes) -> bool:
    """Whether what is no JSON as a whole begins with a line that is an object."""
    try:
        return isinstance(json.loads(text.lstrip().partition(b"\n")[0]), dict)
    except (ValueError, RecursionError):
        return False


def _is_answers(data: list[Any]) -> bool:
    return bool(data) and all(isinstance(d, dict) and find_results(d) is not None for d in data)


def find_results(answer: Any) -> list[Any] | None:
    """The list of results in a search service's answer; None where there is none."""
    for place in _RESULT_LISTS:
        value = _follow(answer, place)
        if isinstance(value, list):
            return value
    return None


def find_query(answer: Any) -> str:
    """The query that a search service's answer repeats; "" where it does not."""
    for place in _QUERY_PLACES:
        value = _follow(answer, place)
        if isinstance(value, str):
            return value
    return ""


def _follow(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _read_result(result: Any, query: str, where: str, number: int) -> Read:
    if isinstance(result, Mapping):
        result = {"query": query, **result}
    try:
        return read_record(result)
    except InputError as error:
        return failure(where, number, str(error), unit="result")


def _read_html(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    yield Document(page=Page(id=where), content=stream.read(LONGEST_LINE))


def _read_text(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    """A table if its header says so, else one page of plain text."""
    head = stream.peek(4096)[:4096].decode("utf-8", "replace").split("\n", 1)[0]
    if any(is_known(name.strip('"\r ')) for name in re.split(r"[,;\t|]", head)):
        yield from read_csv(stream, where)
    else:
        text = stream.read(LONGEST_LINE)
        yield Document(page=Page(id=where), content=text, content_type="text/plain")


_READERS = {"jsonl": _read_jsonl, "ndjson": _read_jsonl, "json": _read_json, "csv": read_csv}
_READERS |= {"tsv": read_csv, "parquet": read_parquet, TEXT: _read_text}
_READERS |= dict.fromkeys(("html", "htm", "xhtml", "mhtml", "mht"), _read_html)

_TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".txt": "text/plain",
}


def _read_folder(folder: Path) -> Iterator[Read]:
    """Page files in natural order; a sub-folder's name is the query of the files in it."""
    paths = [p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in PAGE_SUFFIXES]
    if not paths:
        raise InputError(f"{folder}: no page files ({', '.join(PAGE_SUFFIXES)}) in it")
    for path in sorted(paths, key=lambda p: _natural(str(p.relative_to(folder)))):
        name = path.relative_to(folder)
        query = name.parts[0] if len(name.parts) > 1 else ""
        yield _read_document(path, str(name), query=query)


def _read_document(path: Path, name: str, *, query: str = "") -> Read:
    if path.stat().st_size > LONGEST_LINE:
        return Failure(url=name, stage="read", reason=f"over {LONGEST_LINE >> 20} MiB")
    kind = _TYPES.get(path.suffix.lower(), "text/html")
    page = Page(id=name, query=query)
    return Document(page=page, content=path.read_bytes(), content_type=kind)


def _natural(name: str) -> list[tuple[int, str]]:
    """So that page10 comes after page9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def settle_names(found: Iterable[Read]) -> Iterator[Read]:
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
        settled = replace(
            page, rank=page.rank or place, id=name if times == 1 else f"{name}#{times}"
        )
        yield settled if isinstance(read, Page) else replace(read, page=settled)
