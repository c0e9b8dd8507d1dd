"""Files to pages: JSONL, CSV, Parquet, search-API JSON, folders of HTML; gzip by suffix.

What cannot be read is a Failure with its line; the others go on.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reducepp.data import Failure, Page
from reducepp.errors import InputError, MissingExtraError
from reducepp.records import Document, read_record

Read = Page | Document | Failure

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line or cell; a longer one is a Failure."""

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".pdf", ".docx", ".txt")

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
    if source == "-":
        stdin = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), 1 << 16)
        found = _read_stream(stdin, form, where="standard input")
    else:
        path = Path(source)
        if not path.exists():
            raise InputError(f"{source}: no such file or folder")
        found = _read_folder(path) if path.is_dir() else _read_file(path, form)
    yield from settle_names(found)


def read_bytes(data: bytes, *, name: str) -> Iterator[Read]:
    """What a file of that name holds, still without ranks; nothing is unpacked."""
    form = Path(name).suffix.lower().lstrip(".")
    yield from _read_stream(io.BufferedReader(io.BytesIO(data)), form, where=name)


def _read_file(path: Path, form: str) -> Iterator[Read]:
    plain = path.name.removesuffix(".gz")
    form = form or Path(plain).suffix.lower().lstrip(".")
    if form == "parquet":
        yield from _read_parquet(path)
        return
    try:
        with _open(path) as stream:
            yield from _read_stream(stream, form, where=str(path))
    except (gzip.BadGzipFile, EOFError) as error:
        raise InputError(f"{path}: damaged gzip: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _open(path: Path) -> io.BufferedReader[Any]:
    if path.suffix == ".gz":
        return io.BufferedReader(gzip.open(path), 1 << 16)
    return path.open("rb")


def _read_stream(buffered: io.BufferedReader[Any], form: str, *, where: str) -> Iterator[Read]:
    if form not in _READERS:
        form = _recognise(buffered.peek(4096)[:4096])
    yield from _READERS[form](buffered, where)


def _recognise(start: bytes) -> str:
    """The format by its first bytes."""
    text = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        return "html"
    if text.startswith("["):
        return "json"
    if text.startswith("{"):
        first = text.split("\n", 1)[0]
        named = re.match(
            r'\{\s*"(?:pages|results|items|organic_results|web|kind|query)"\s*:', first
        )
        whole = first.rstrip().endswith("}") and '"results"' not in first and '"pages"' not in first
        return "jsonl" if whole or (len(first) >= 4000 and not named) else "json"
    return "csv"


def _read_jsonl(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            while len(stream.readline(LONGEST_LINE)) == LONGEST_LINE:
                pass
            yield _failure(where, number, f"longer than {LONGEST_LINE >> 20} MiB")
        elif line.strip(b"\xef\xbb\xbf \t\r\n"):
            yield _read_line(line, where, number)


def _read_line(line: bytes, where: str, number: int) -> Read:
    try:
        return read_record(json.loads(line.decode("utf-8-sig", "replace")))
    except InputError as error:
        return _failure(where, number, str(error))
    except ValueError as error:
        return _failure(where, number, f"not JSON: {error}")
    except RecursionError:
        return _failure(where, number, "nested too deeply")


def _read_json(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    try:
        data = json.loads(stream.read(LONGEST_LINE * 16).decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    for answer in data if isinstance(data, list) and _is_answers(data) else [data]:
        results = answer if isinstance(answer, list) else find_results(answer)
        if results is None:
            raise InputError(f"{where}: no list of pages or results in it")
        query = _find_query(answer)
        for number, result in enumerate(results, 1):
            yield _read_result(result, query, where, number)


def _is_answers(data: list[Any]) -> bool:
    return bool(data) and all(isinstance(d, dict) and find_results(d) is not None for d in data)


def find_results(answer: Any) -> list[Any] | None:
    """The list of results in a search service's answer; None where there is none."""
    for place in _RESULT_LISTS:
        value = _follow(answer, place)
        if isinstance(value, list):
            return value
    return None


def _find_query(answer: Any) -> str:
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
        known = {"title": result["name"]} if "name" in result and "title" not in result else {}
        rank = {"rank": result["position"]} if "position" in result else {}
        result = {"query": query, **result, **known, **rank}
    try:
        return read_record(result)
    except InputError as error:
        return _failure(where, number, str(error), unit="result")


def _read_csv(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    csv.field_size_limit(LONGEST_LINE)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    rows = csv.DictReader((line.replace("\0", "") for line in text), restkey="_more")
    try:
        yield from _read_rows(rows, where)
    except csv.Error as error:
        yield _failure(where, rows.line_num, f"not CSV: {error}")
    finally:
        text.detach()


def _read_rows(rows: csv.DictReader[str], where: str) -> Iterator[Read]:
    for row in rows:
        if row.get("_more"):
            yield _failure(where, rows.line_num, "more cells than columns")
            continue
        try:
            yield read_record(row)
        except InputError as error:
            yield _failure(where, rows.line_num, str(error))


def _read_parquet(path: Path) -> Iterator[Read]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "tables") from None
    try:
        table = pyarrow.parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not Parquet: {error}") from None
    number = 0
    for batch in table.iter_batches(batch_size=256):
        for row in batch.to_pylist():
            number += 1
            try:
                yield read_record(row)
            except InputError as error:
                yield _failure(str(path), number, str(error), unit="row")


def _read_html(stream: io.BufferedReader[Any], where: str) -> Iterator[Read]:
    yield Document(page=Page(id=where), content=stream.read(LONGEST_LINE))


_READERS = {"jsonl": _read_jsonl, "ndjson": _read_jsonl, "json": _read_json, "csv": _read_csv}
_READERS |= {"html": _read_html, "htm": _read_html}

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
        page = Page(id=str(name), query=name.parts[0] if len(name.parts) > 1 else "")
        if path.stat().st_size > LONGEST_LINE:
            yield Failure(url=str(name), stage="read", reason=f"over {LONGEST_LINE >> 20} MiB")
            continue
        kind = _TYPES.get(path.suffix.lower(), "text/html")
        yield Document(page=page, content=path.read_bytes(), content_type=kind)


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


def _failure(where: str, number: int, reason: str, *, unit: str = "line") -> Failure:
    return Failure(url=where, stage="read", reason=f"{unit} {number}: {reason}")
