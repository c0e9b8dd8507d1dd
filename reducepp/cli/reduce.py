"""Reduce search results: cluster near-duplicates, show one page of each, say why.

example:
  reducepp reduce results.jsonl --format json
  reducepp reduce results.jsonl --threshold 0.6 --explain
  reducepp reduce results.jsonl --format pages > shown.jsonl
  curl -s "$SEARXNG/search?q=whales&format=json" | reducepp reduce - --target-n 10
"""

from __future__ import annotations

import argparse

from reducepp.cli.common import (
    add_clustering,
    add_input,
    add_output,
    add_reducing,
    add_scoring,
    options_of,
    progress,
    read_input,
    write_output,
)
from reducepp.pipeline import MODES

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
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Read, compare and cut each query, then print."""
    from reducepp.api import reduce_pages
    from reducepp.io.writers import FORMATS, as_table

    options = options_of(args, explain=args.explain or args.format in EXPLAINED)
    queries = read_input(args)
    reductions = [
        reduce_pages(group.pages, options, failures=group.failures, query=group.query)
        for group in progress(queries, "reducing")
    ]
    if args.format == "table":
        write_output(as_table(reductions, explain=args.explain), args.out)
    else:
        write_output(FORMATS[args.format](reductions), args.out)
    return 0
