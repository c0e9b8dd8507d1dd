"""Compare given pairs of pages or texts, one JSON line each.

example:
  echo '{"a": {"body": "Rain in Spain"}, "b": {"body": "Rain in Spain today"}}' | reducepp compare -

A line in is {"a": page, "b": page}; pages may be no more than {"body"}. A line out, in the same
order, is {"score", "duplicate", "level", "signals"}, or {"error"} for a line that is none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from reducepp.api import ReduceOptions, compare_two
from reducepp.cli.command_input import options_of
from reducepp.errors import InputError, SplitError
from reducepp.inputs import split_documents
from reducepp.io.bounded_reading import parse_json, text_lines
from reducepp.io.records import read_record
from reducepp.parallel import map_in_order
from reducepp.types import Page

BATCH = 64


def run(args: argparse.Namespace) -> int:
    """Compare line by line, on all cores where there are many lines."""
    options = options_of(args)
    for line in _answers(text_lines(args.input), options, args.jobs):
        sys.stdout.write(line + "\n")
    return 0


def _answers(lines: Iterable[str], options: ReduceOptions, jobs: int) -> Iterator[str]:
    real = (line for line in lines if line.strip())
    batches = iter(lambda: list(islice(real, BATCH)), [])
    for answers in map_in_order(compare_lines, batches, options, jobs=jobs):
        yield from answers


def compare_lines(lines: list[str], options: ReduceOptions) -> list[str]:
    """One answer a line."""
    return [json.dumps(_compare_line(line, options), ensure_ascii=False) for line in lines]


def _compare_line(line: str, options: ReduceOptions) -> dict[str, Any]:
    try:
        pair = parse_json(line)
        if not isinstance(pair, dict) or "a" not in pair or "b" not in pair:
            raise InputError('not an object with "a" and "b"')
        pages = [_page(pair["a"], "a"), _page(pair["b"], "b")]
    except ValueError as error:
        return {"error": f"not JSON: {error}"}
    except (InputError, SplitError) as error:
        return {"error": str(error)}
    return compare_two(pages[0], pages[1], options)


def _page(record: Any, name: str) -> Page:
    if isinstance(record, str):
        record = {"body": record}
    if isinstance(record, dict) and not any(record.values()):
        return Page(id=name)
    done = next(split_documents([read_record(record)], jobs=1))
    if not isinstance(done, Page):
        raise InputError(f"{name}: {done.reason}")
    return replace(done, id=name)
