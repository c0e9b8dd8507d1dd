"""One self-contained page on a reduction: results, reasons, curves, graph, what was lost."""

import math
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

from reducepp.api import ReduceOptions, compare_query, compare_with_facts
from reducepp.cli.command_input import profile_of, read_input
from reducepp.cli.output import count_done, note, write_output
from reducepp.comparison import Comparison
from reducepp.errors import UsageError
from reducepp.evaluation.report import large_sets, report_formats
from reducepp.evaluation.report.report_data import ReportOptions, report_data
from reducepp.evidence.page_facts import PageFacts
from reducepp.inputs import QueryPages
from reducepp.types import Profile

LARGE_BYTES = 10_000_000
"""Estimated size from which a note comes before the work."""


def run(args: Namespace) -> int:
    if args.format == "html" and args.out == "-" and sys.stdout.isatty():
        raise UsageError("--out FILE: an HTML report is for a file, not for the terminal")
    queries = read_input(args)
    profile = profile_of(args, queries)
    shared = ReduceOptions(profile=profile, threshold=args.threshold, keep=args.keep)
    floor = large_sets.report_floor(profile, args.threshold)
    if args.format == "html":
        _warn_of_size(queries, profile)
    compare: Callable[..., Any] = compare_with_facts if args.format == "html" else compare_query
    compared = (
        compare(g.pages, shared, failures=g.failures, query=g.query, floor=floor) for g in queries
    )
    found = list(count_done(compared, "comparing", queries))
    threshold = math.nan if args.threshold is None else args.threshold
    options = ReportOptions(threshold=threshold, keep=args.keep, title=args.title)
    write: dict[str, Callable[[Sequence[Any], ReportOptions], str]] = {
        "md": report_formats.report_markdown,
        "json": report_formats.report_json,
        "html": _html_of,
    }
    text = write[args.format](found, options).encode("utf-8", "replace").decode("utf-8")
    write_output(text, args.out)
    if args.out != "-":
        note(f"{args.out}: {len(text.encode('utf-8')) / 1e6:.1f} MB")
    return 0


def _html_of(found: Sequence[tuple[Comparison, PageFacts]], options: ReportOptions) -> str:
    comparisons, facts = zip(*found, strict=True)
    return report_formats.report_html(report_data(comparisons, options, facts))


def _warn_of_size(queries: Sequence[QueryPages], profile: Profile) -> None:
    """Say beforehand that the file will be large, and what of large queries is left out."""
    sizes = [len(group.pages) for group in queries]
    size = large_sets.estimate_bytes(sizes, len(profile.signals))
    if max(sizes) > large_sets.MAX_WHOLE_PAGES:
        note(f"{max(sizes):,} pages of one query: the report has its strongest pairs only")
    if size > LARGE_BYTES:
        note(f"{sum(sizes):,} pages: the report will have up to {size / 1e6:.0f} MB")
