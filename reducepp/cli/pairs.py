"""Every pair's score and signals, as CSV.

example:
  reducepp pairs results.jsonl --profile paper > pairs.csv

Columns: query, a, b, score, then one a signal; empty where the content type is missing.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterable

import numpy as np

from reducepp.cli.common import add_input, add_output, add_scoring, progress, write_output
from reducepp.pipeline import Comparison


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    add_scoring(parser, threshold="only pairs of this score and more (default: all)")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Print the pairs at or above the threshold; all of them where none is given."""
    from reducepp.intake import read_queries
    from reducepp.library import find_profile
    from reducepp.pipeline import compare_pages

    profile = find_profile(args.profile)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["query", "a", "b", "score", *(signal.name for signal in profile.signals)])
    for group in progress(
        read_queries(args.input, jobs=args.jobs, form=args.input_format), "pairs"
    ):
        writer.writerows(pair_rows(compare_pages(group.pages, profile), args.threshold or 0.0))
    write_output(text.getvalue(), args.out)
    return 0


def pair_rows(comparison: Comparison, threshold: float) -> Iterable[list[str]]:
    """Rows of the pairs that score at least `threshold`, the better ranked page first."""
    first, second = np.triu_indices(len(comparison.pages), 1)
    above = comparison.scores[first, second] >= threshold
    first, second = first[above], second[above]
    columns = [comparison.scores[first, second]]
    columns += [values[first, second] for values in comparison.similarities.by_signal.values()]
    ids = comparison.similarities.ids
    query = comparison.pages[0].query if comparison.pages else ""
    for row, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        yield [query, ids[a], ids[b], *(_cell(column[row]) for column in columns)]


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.12f}"
