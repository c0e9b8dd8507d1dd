"""Every pair's score and signals, as CSV."""

import argparse
import csv
import io
from collections.abc import Iterator, Set

import numpy as np

from reducepp.api import ReduceOptions, compare_query
from reducepp.cli.command_input import profile_of, read_input
from reducepp.cli.output import progress, write_output
from reducepp.io.escaping import escape_cells
from reducepp.pipeline import Comparison
from reducepp.similarity.pair_matrix import links_at
from reducepp.types import Profile


def run(args: argparse.Namespace) -> int:
    """Print the pairs at or above the threshold; all of them where none is given."""
    queries = read_input(args)
    profile = profile_of(args, queries)
    options = ReduceOptions(profile=profile)
    shown: set[str] = set()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["query", "a", "b", "score", *(signal.name for signal in profile.signals)])
    for group in progress(queries, "pairs"):
        comparison = compare_query(group.pages, options, floor=args.threshold or 0.0)
        shown.update(comparison.similarities.by_signal)
        writer.writerows(pair_rows(comparison, args.threshold or 0.0, profile))
    idle = {s.name for s in profile.signals if not s.weight} - shown
    write_output(without_columns(text, idle) if idle else text.getvalue(), args.out)
    return 0


def without_columns(table: io.StringIO, names: Set[str]) -> str:
    """A table as CSV without the columns of these names."""
    table.seek(0)
    rows = csv.reader(table)
    head = next(rows)
    kept = [i for i, name in enumerate(head) if i < 4 or name not in names]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([head[i] for i in kept])
    writer.writerows([row[i] for i in kept] for row in rows)
    return text.getvalue()


def pair_rows(comparison: Comparison, threshold: float, profile: Profile) -> Iterator[list[str]]:
    """Rows of the pairs that score at least `threshold`, the better ranked page first.

    A cell for each of the profile's signals, empty where the comparison did not need it.
    """
    first, second = links_at(comparison.scores, threshold)
    by_signal = comparison.similarities.by_signal
    none = np.full(len(first), np.nan)
    columns = [comparison.scores[first, second]]
    for signal in profile.signals:
        values = by_signal.get(signal.name)
        columns.append(none if values is None else values[first, second])
    ids = comparison.similarities.ids
    query = comparison.query
    for row, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        values = (column[row] for column in columns)
        cells = ("" if np.isnan(value) else f"{value:.12f}" for value in values)
        yield [*escape_cells((query, ids[a], ids[b])), *cells]
