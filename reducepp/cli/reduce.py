"""Reduce search results: cluster near-duplicates, show one page of each, say why.

example:
  reducepp reduce results.jsonl --format json
  reducepp reduce results.jsonl --threshold 0.6 --explain
  reducepp reduce results.jsonl --format pages > shown.jsonl
  curl -s "$SEARXNG/search?q=whales&format=json" | reducepp reduce - --target-n 10
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from reducepp.cli.common import (
    PageCounter,
    add_clustering,
    add_input,
    add_memory,
    add_output,
    add_reducing,
    add_scoring,
    options_of,
    stream_input,
    write_parts,
)
from reducepp.pipeline import MODES

if TYPE_CHECKING:
    from reducepp.inputs import QueryPages

EXPLAINED = ("json", "jsonl")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    add_scoring(parser)
    add_reducing(parser)
    parser.add_argument(
        "--mode",
        default=MODES[0],
        choices=MODES,
        help="collapse dropped pages under their representative, move them to the end, leave them "
        "out, or auto: as each page's own action says, left out or shown as an alternative",
    )
    add_clustering(parser)
    parser.add_argument(
        "--format",
        default="table",
        choices=("table", "json", "jsonl", "csv", "md", "pages"),
        help="how to print it; pages: no reasons, but each page that is shown, as JSONL",
    )
    parser.add_argument("--explain", action="store_true", help="say why, for every page dropped")
    add_memory(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Read, compare and cut each query and print it: query by query, on all cores."""
    from reducepp.io.writers import FORMATS
    from reducepp.parallel import map_in_order

    with PageCounter("reducing", quiet=args.quiet) as counter:
        done = map_in_order(
            _reduce_query, stream_input(args), args, jobs=args.jobs, memory=args.memory
        )
        texts = (counter.count(text, pages, query) for text, pages, query in done)
        write_parts(FORMATS[args.format].join(texts), args.out)
    return 0


def _reduce_query(group: QueryPages, args: argparse.Namespace) -> tuple[str, int, str]:
    """One query as it is printed, its number of pages, and its name; in a worker process."""
    from reducepp.api import reduce_pages
    from reducepp.io.terminal_table import Screen, find_screen, table_of
    from reducepp.io.writers import FORMATS

    options = options_of(args, explain=args.explain or args.format in EXPLAINED)
    found = reduce_pages(group.pages, options, failures=group.failures, query=group.query)
    if args.format == "table":
        screen = find_screen() if args.out == "-" else Screen()
        return table_of(found, explain=args.explain, screen=screen), found.before, group.query
    return FORMATS[args.format].render(found), found.before, group.query
