"""One self-contained page on a reduction: results, reasons, curves, graph, what was lost.

example:
  reducepp report results.jsonl --out report.html
  reducepp report results.jsonl --threshold 0.6 --out report.html
  reducepp report results.jsonl --format md

The HTML file opens anywhere, offline. Its sliders cut the tree anew in the page. The size of
the file is on stderr; a hundred pages stay below 6 MB.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING

from reducepp.cli.common import (
    add_clustering,
    add_input,
    add_output,
    add_scoring,
    note,
    profile_of,
    progress,
    read_input,
    write_output,
)
from reducepp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reducepp.evaluation.report import ReportOptions
    from reducepp.pipeline import Comparison

FORMATS = ("html", "md", "json")
LARGE_BYTES = 10_000_000
"""From here on the size is said before the work."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds input, scoring, clustering and output options, `--title` and `--format`."""
    add_input(parser)
    add_scoring(parser)
    add_clustering(parser)
    parser.add_argument("--title", default="", help="heading (default: the query)")
    parser.add_argument("--format", default="html", choices=FORMATS, help="default: html")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Read, compare and write one report over all queries."""
    from reducepp.api import ReduceOptions, compare_query
    from reducepp.evaluation.report import ReportOptions

    if args.format == "html" and args.out == "-" and sys.stdout.isatty():
        raise UsageError("--out FILE: an HTML report is for a file, not for the terminal")
    queries = read_input(args)
    shared = ReduceOptions(profile=profile_of(args, queries))
    comparisons = [
        compare_query(group.pages, shared, failures=group.failures, query=group.query)
        for group in progress(queries, "comparing")
    ]
    options = ReportOptions(
        threshold=math.nan if args.threshold is None else args.threshold,
        keep=args.keep,
        title=args.title,
    )
    if args.format == "html":
        _warn_of_size(comparisons)
    text = _write(args.format, comparisons, options).encode("utf-8", "replace").decode("utf-8")
    write_output(text, args.out)
    if args.out != "-":
        note(f"{args.out}: {len(text.encode('utf-8')) / 1e6:.1f} MB")
    return 0


def _warn_of_size(comparisons: Sequence[Comparison]) -> None:
    """Say beforehand that scores and signals of all pairs will make the file large."""
    pairs = sum(len(c.pages) * (len(c.pages) - 1) // 2 for c in comparisons)
    signals = max(len(c.profile.signals) for c in comparisons)
    size = pairs * (8 + 2 * signals) * 4 / 3
    if size > LARGE_BYTES:
        note(f"{pairs:,} pairs: the report will have more than {size / 1e6:.0f} MB")


def _write(form: str, comparisons: Sequence[Comparison], options: ReportOptions) -> str:
    from reducepp.evaluation.report import report_data, report_html, report_json, report_markdown

    if form == "md":
        return report_markdown(comparisons, options)
    if form == "json":
        return report_json(comparisons, options)
    return report_html(report_data(comparisons, options))
