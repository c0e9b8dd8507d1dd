"""Split pages into their content types: titles, subtitles, links, body, language, date."""

import json
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reducepp.cli.parts import check_parts, run_in_parts
from reducepp.cluster.part_runs import split_part
from reducepp.errors import InputError, SandboxError, SplitError, UsageError, errors_as
from reducepp.io.bounded_reading import parse_json, text_lines
from reducepp.io.records import page_to_record
from reducepp.sandbox import run_sandboxed
from reducepp.scraping.extract.split import split_page
from reducepp.scraping.extract.split_many import split_many
from reducepp.types import Failure, RawPage, SearchHit

LINES = (".jsonl", ".jsonl.gz", ".ndjson")


def run(args: Namespace) -> int:
    """Print the split page, or a line for each line; or write a file for each part."""
    if bool(args.file) == bool(args.jsonl):
        raise UsageError("give one page as FILE, or many with --jsonl FILE")
    if args.images and args.jsonl:
        raise UsageError("--images goes with one page as FILE")
    if check_parts(args):
        if args.jsonl or args.images or args.links != "content":
            said = "has no --jsonl, --images and --links; give the folder as FILE"
            raise UsageError(f"--parts: {said}")
        return run_in_parts(args, [args.file], split_part, {"command": "split"})
    if args.file and args.file.endswith(LINES):
        raise UsageError(f"{args.file} holds many pages: use --jsonl {args.file}")
    return _split_lines(args) if args.jsonl else _split_file(args)


def _split_file(args: Namespace) -> int:
    with errors_as(InputError, f"{args.file} cannot be read", OSError):
        data = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    raw = RawPage(hit=SearchHit(url=args.url), fetched=data)
    with errors_as(SplitError, args.file, SplitError, SandboxError):
        page = run_sandboxed(partial(split_page, links=args.links, images=args.images), raw)
    print(_as_json(page_to_record(page)))
    return 0


def _split_lines(args: Namespace) -> int:
    names: deque[tuple[str, str]] = deque()
    """What each line that is being split is called, and what is wrong with it."""

    def read_lines() -> Iterator[Mapping[str, Any]]:
        for number, line in enumerate(text_lines(args.jsonl), start=1):
            if line.strip():
                item, problem = _read_line(line, number)
                name = item.get("id") or item.get("url") or f"line {number}"
                names.append((str(name), problem))
                yield item

    for result in split_many(read_lines(), jobs=args.jobs, links=args.links):
        name, problem = names.popleft()
        if isinstance(result, Failure) or problem:
            reason = problem or getattr(result, "reason", "")
            print(_as_json({"id": name, "error": reason}))
        else:
            print(_as_json({**page_to_record(result), "id": name}))
    return 0


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


def _as_json(record: Mapping[str, Any]) -> str:
    """One line of JSON; escaped throughout where an id holds what UTF-8 cannot."""
    text = json.dumps(record, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(record)
    return text
