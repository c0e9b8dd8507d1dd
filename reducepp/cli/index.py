"""An index of pages seen before: add pages, ask whether a page is new, reduce them all.

example:
  reducepp index add seen.idx monday.jsonl
  reducepp index query seen.idx tuesday.jsonl > answers.jsonl
  reducepp index reduce seen.idx --format json
  reducepp reduce tuesday.jsonl --seen seen.idx --remember

`query` prints one JSON line per page: `new`, and the pages of the index that it duplicates with
their score and where they were shown. One process adds at a time; any number may ask meanwhile.
"""

import argparse
import json
from collections.abc import Iterator
from typing import Any

from reducepp.api import ReduceOptions
from reducepp.cli.command_input import read_input
from reducepp.cli.output import note, write_output
from reducepp.io.writers import FORMATS
from reducepp.scraping.clock import now
from reducepp.types import Page


def read_pages(args: argparse.Namespace) -> Iterator[Page]:
    """The pages of INPUT; what could not be read is noted."""
    for group in read_input(args):
        for failure in group.failures:
            note(f"left out: {failure.url}: {failure.reason}")
        yield from group.pages


def add_pages(args: argparse.Namespace) -> int:
    """Add the pages of INPUT."""
    from reducepp.index import Index

    pages = list(read_pages(args))
    with Index(args.index) as index:
        added = index.add(pages, shown_at=args.shown_at or now())
        note(f"{args.index}: {added} added, {len(pages) - added} known, {len(index)} in all")
    return 0


def ask(args: argparse.Namespace) -> int:
    """Answer for each page of INPUT."""
    from reducepp.index import Index

    with Index(args.index, create=False) as index:
        lines = [
            json.dumps(_answer(index, page, args.threshold), ensure_ascii=False)
            for page in read_pages(args)
        ]
    write_output("".join(line + "\n" for line in lines), args.out)
    return 0


def _answer(index: Any, page: Page, threshold: float | None) -> dict[str, Any]:
    return {"query": page.query, "id": page.id, **index.query(page, threshold=threshold).to_dict()}


def reduce_all(args: argparse.Namespace) -> int:
    """Reduce the whole index."""
    from reducepp.index import Index

    with Index(args.index, create=False) as index:
        reduction = index.reduce(ReduceOptions(threshold=args.threshold))
    write_output(FORMATS[args.format]([reduction]), args.out)
    return 0


ACTIONS = {"add": add_pages, "query": ask, "reduce": reduce_all}
