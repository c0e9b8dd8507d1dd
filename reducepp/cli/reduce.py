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
    add_scoring,
    positive,
    progress,
    write_output,
)

EXPLAINED = ("json", "jsonl")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    add_scoring(parser)
    parser.add_argument(
        "--target-n", type=positive, metavar="N", help="choose the threshold that leaves at most N"
    )
    parser.add_argument(
        "--mode",
        default="collapse",
        choices=("collapse", "demote", "drop"),
        help="fold the others under it, move them to the end, or leave them out",
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
    from reducepp.api import choose_threshold, find_profile
    from reducepp.inputs import read_queries
    from reducepp.io.writers import FORMATS, as_table
    from reducepp.pipeline import Cut, compare_pages, cut

    profile = find_profile(args.profile, linkage=args.linkage)
    queries = read_queries(args.input, jobs=args.jobs, form=args.input_format)
    explain = args.explain or args.format in EXPLAINED
    reductions = []
    for group in progress(queries, "reducing"):
        comparison = compare_pages(group.pages, profile, failures=group.failures, query=group.query)
        threshold = choose_threshold(
            comparison, threshold=args.threshold, target_n=args.target_n, keep=args.keep
        )
        how = Cut(threshold=threshold, keep=args.keep, mode=args.mode, explain=explain)
        reductions.append(cut(comparison, how))
    if args.format == "table":
        write_output(as_table(reductions, explain=args.explain), args.out)
    else:
        write_output(FORMATS[args.format](reductions), args.out)
    return 0
