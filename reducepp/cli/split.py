"""Split pages into their content types: titles, subtitles, links, body, language, date.

One page (HTML, a page saved as one .mhtml file, PDF, DOCX or plain text), printed as a JSON object:

  reducepp split article.html --url https://example.org/article
  reducepp split saved.mhtml --images

Many pages, one line in and one line out, in order, with their ids ('-' is standard input,
a name that ends in .gz is unpacked); a page that cannot be split is {"id", "error"}:

  reducepp split --jsonl pages.jsonl.gz > split.jsonl

A data set in parts, on this machine or on a cluster: every file (JSONL, Parquet, WARC, store, ...)
becomes a Parquet file of split pages, with an `error` where a page cannot be split:

  reducepp split pages/ --parts split/ --cluster tcp://HOST:8786
"""

import argparse
import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reducepp.cli.parts import check_parts, run_in_parts
from reducepp.errors import InputError, SandboxError, SplitError, UsageError
from reducepp.io.bounded_reading import parse_json, text_lines
from reducepp.io.records import page_to_record
from reducepp.sandbox import run_sandboxed
from reducepp.types import Failure, Page, RawPage, SearchHit

LINES = (".jsonl", ".jsonl.gz", ".ndjson")


def run(args: argparse.Namespace) -> int:
    """Print the split page, or a line for each line; or write a file for each part."""
    if bool(args.file) == bool(args.jsonl):
        raise UsageError("give one page as FILE, or many with --jsonl FILE")
    if args.images and args.jsonl:
        raise UsageError("--images goes with one page as FILE")
    if args.jobs < 0:
        raise UsageError(f"--jobs must be 0 or more, not {args.jobs}")
    if args.parts or args.cluster:
        return _split_parts(args)
    if args.file and args.file.endswith(LINES):
        raise UsageError(f"{args.file} holds many pages: use --jsonl {args.file}")
    return _split_lines(args) if args.jsonl else _split_file(args)


def _split_parts(args: argparse.Namespace) -> int:
    from reducepp.cluster.part_results import split_part

    check_parts(args)
    if args.jsonl or args.images or args.links != "content":
        raise UsageError("--parts: has no --jsonl, --images and --links; give the folder as FILE")
    return run_in_parts(args, [args.file], split_part, {"command": "split"})


def _split_file(args: argparse.Namespace) -> int:
    from reducepp.scraping.extract.split import split_page

    raw = RawPage(hit=SearchHit(url=args.url), fetched=_read_bytes(args.file))
    try:
        page = run_sandboxed(partial(split_page, links=args.links, images=args.images), raw)
    except (SplitError, SandboxError) as error:
        raise SplitError(f"{args.file}: {error}") from None
    print(_as_json(page_to_record(page)))
    return 0


def _read_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None


def _split_lines(args: argparse.Namespace) -> int:
    from reducepp.scraping.extract.split_many import split_many

    names: deque[tuple[str, str]] = deque()
    lines = _read_lines(text_lines(args.jsonl), names)
    for result in split_many(lines, jobs=args.jobs, links=args.links):
        print(_as_json(_as_line(*names.popleft(), result)))
    return 0


def _read_lines(lines: Iterator[str], names: deque[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
    """Each line as a mapping; what it is called, and what is wrong with it, go to `names`."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        item, problem = _read_line(line, number)
        names.append((str(item.get("id") or item.get("url") or f"line {number}"), problem))
        yield item


def _read_line(line: str, number: int) -> tuple[dict[str, Any], str]:
    try:
        item = parse_json(line)
    except ValueError as error:
        return {}, f"line {number} is not JSON: {error}"
    if not isinstance(item, dict):
        return {}, f"line {number} is not a JSON object"
    html = item.get("html")
    if not isinstance(html, str) or not html.strip():
        return {**item, "html": ""}, f'line {number} has no "html"'
    return item, ""


def _as_line(name: str, problem: str, result: Page | Failure) -> dict[str, Any]:
    if problem:
        return {"id": name, "error": problem}
    if isinstance(result, Failure):
        return {"id": name, "error": result.reason}
    return {**page_to_record(result), "id": name}


def _as_json(record: Mapping[str, Any]) -> str:
    """One line of JSON; escaped throughout where an id holds what UTF-8 cannot."""
    text = json.dumps(record, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(record)
    return text
