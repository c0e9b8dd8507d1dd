"""Figures per query and threshold: clusters, validity, agreement, information kept.

example:
  reducepp sweep results.jsonl --from 0.3 --to 0.99 --step 0.01 > sweep.csv
  reducepp sweep results.jsonl --format table --step 0.1 --plot plots
  reducepp sweep results.jsonl --against average

One row per query and threshold; a figure is empty where it is not defined. With --labels the rows
also have precision, recall and F of the labelled pairs (a pair is predicted a duplicate from the
threshold on). --against average, complete, ward, hdbscan or affinity computes agreement with a
clustering that can disagree; with single linkage it is 1 by construction.
--overall adds rows for the whole set, whose query is "*".
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
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
    threshold_value,
    write_output,
)
from reducepp.cli.labelled_input import add_labels, note_failures, note_missing
from reducepp.cli.parts import add_parts, check_parts, run_in_parts
from reducepp.errors import UsageError
from reducepp.io.atomic import write_aside

if TYPE_CHECKING:
    from reducepp.evaluation.sweep import Row, SweepOptions
    from reducepp.inputs import QueryPages
    from reducepp.labelled.reading import PairLabel
    from reducepp.pipeline import Comparison
    from reducepp.types import Profile


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    add_scoring(parser, threshold="the one marked in plots (default: the profile's)")
    add_range(parser)
    add_labels(parser)
    parser.add_argument(
        "--overall", action="store_true", help='also rows for the whole set, query "*"'
    )
    parser.add_argument(
        "--format", default="csv", choices=("csv", "json", "parquet", "table", "md")
    )
    parser.add_argument(
        "--plot",
        metavar="DIR",
        default="",
        help="also draw the curves there, as PNG and SVG; the threshold in use is marked",
    )
    add_parts(parser)
    add_output(parser)


def add_range(parser: argparse.ArgumentParser) -> None:
    """Which thresholds, and how clusters are made and scored there."""
    for name, dest, default in (("from", "start", 0.3), ("to", "stop", 0.99)):
        parser.add_argument(
            f"--{name}",
            dest=dest,
            type=threshold_value,
            default=default,
            metavar="T",
            help=f"{'first' if name == 'from' else 'last'} threshold (default: {default})",
        )
    parser.add_argument(
        "--step", type=float, default=0.01, metavar="S", help="between two (default: 0.01)"
    )
    add_clustering(parser)
    parser.add_argument(
        "--against",
        choices=("single", "average", "complete", "ward", "hdbscan", "affinity"),
        help="clustering that the agreement scores are computed against; the rows name it where "
        "the option is given (default: single, the paper's check)",
    )
    parser.add_argument(
        "--vectors",
        default="rows",
        choices=("rows", "embedding"),
        help="what Davies-Bouldin and Calinski-Harabasz get: rows of the distance matrix, or an "
        "embedding true to the distances",
    )


def run(args: argparse.Namespace) -> int:
    """Sweep each query, then print the rows and draw."""
    from reducepp.evaluation.sweep import COLUMNS, LABEL_COLUMNS, whole_set
    from reducepp.labelled.reading import read_labels

    if check_parts(args):
        return _sweep_parts(args)
    if args.format == "parquet" and args.out == "-":
        raise UsageError("--format parquet: name a file with --out")
    swept = sweep_input(args)
    rows = [row for _, found in swept for row in found]
    overall = whole_set(rows) if args.overall or args.plot else []
    if args.labels:
        labels = read_labels(args.labels, scale=args.scale)
        rows, overall = label_rows(labels, args.labels, swept, overall)
    if args.plot:
        _draw(args, swept, rows, overall)
    columns = (*COLUMNS, *LABEL_COLUMNS) if args.labels else COLUMNS
    columns = (*columns, "against") if args.against or args.format == "json" else columns
    write_rows([*rows, *overall] if args.overall else rows, columns, args)
    return 0


def _sweep_parts(args: argparse.Namespace) -> int:
    from reducepp.cluster import sweep_part
    from reducepp.evaluation.sweep import threshold_range

    if args.labels or args.plot or args.overall:
        raise UsageError("--parts: has no --labels, --plot and --overall")
    thresholds = tuple(threshold_range(args.start, args.stop, args.step))
    return run_in_parts(args, "sweep", sweep_part, thresholds=thresholds, how=sweep_options(args))


def sweep_input(args: argparse.Namespace) -> list[tuple[Comparison, list[Row]]]:
    """The comparison and the rows of every query of the input."""
    from reducepp.evaluation.sweep import threshold_range
    from reducepp.parallel import map_in_order

    thresholds = threshold_range(args.start, args.stop, args.step)
    queries = read_input(args)
    note_failures(failure for group in queries for failure in group.failures)
    queries = [group for group in queries if group.pages]
    profile = profile_of(args, queries)
    work = partial(sweep_query, how=sweep_options(args))
    found = map_in_order(work, queries, profile, thresholds, jobs=args.jobs)
    return list(progress(found, "sweeping", total=len(queries)))


def sweep_options(args: argparse.Namespace) -> SweepOptions:
    """What `add_range` configures beside the thresholds."""
    from reducepp.evaluation.sweep import SweepOptions

    return SweepOptions(vectors=args.vectors, keep=args.keep, against=args.against or "single")


def sweep_query(
    group: QueryPages, profile: Profile, thresholds: Sequence[float], *, how: SweepOptions
) -> tuple[Comparison, list[Row]]:
    """The comparison and rows of one query."""
    from reducepp.api import prepare_pages
    from reducepp.evaluation.sweep import sweep_pages

    return sweep_pages(prepare_pages(group.pages, profile), profile, thresholds, how)


def label_rows(
    labels: Sequence[PairLabel],
    path: str,
    swept: Sequence[tuple[Comparison, list[Row]]],
    overall: Sequence[Row],
) -> tuple[list[Row], list[Row]]:
    """The rows with precision, recall and F of the labelled pairs of their query, or of all."""
    import numpy as np

    from reducepp.evaluation.pair_evaluation import pair_scores
    from reducepp.labelled.labelled_pairs import find_pairs
    from reducepp.labelled.scoring import count_at, rank_pairs

    comparisons = [comparison for comparison, _ in swept]
    pairs = find_pairs([comparison.pages for comparison in comparisons], labels)
    note_missing(pairs.missing, path)
    scores = pair_scores(comparisons, pairs)

    def label(rows: Sequence[Row], chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[Row]:
        ranking = rank_pairs(scores[chosen], pairs.duplicate[chosen])
        found = count_at(ranking, np.array([row.threshold for row in rows]))
        figures = zip(found.precision[0], found.recall[0], found.f1[0], strict=True)
        return [
            replace(row, precision=float(p), recall=float(r), f1=float(f))
            for row, (p, r, f) in zip(rows, figures, strict=True)
        ]

    labelled = [
        row
        for number, (_, rows) in enumerate(swept)
        for row in label(rows, pairs.decided & (pairs.query == number))
    ]
    return labelled, label(overall, pairs.decided)


def write_rows(rows: Sequence[object], columns: Sequence[str], args: argparse.Namespace) -> None:
    """Print rows in the chosen form; JSON also says why a figure is not defined."""
    from reducepp.evaluation.figure_tables import FORMATS, pick, write_parquet

    if args.format == "json" and rows and hasattr(rows[0], "reason"):
        columns = (*columns, "reason") if "reason" not in columns else columns
    picked = pick(rows, columns)
    if args.format == "parquet":
        write_aside(Path(args.out), lambda path: write_parquet(path, picked, columns))
    else:
        write_output(FORMATS[args.format](picked, columns), args.out)


def _draw(
    args: argparse.Namespace,
    swept: Sequence[tuple[Comparison, list[Row]]],
    rows: Sequence[Row],
    overall: Sequence[Row],
) -> None:
    from reducepp.evaluation.plots import draw_sweep

    threshold = args.threshold
    if threshold is None:
        threshold = swept[0][0].profile.threshold
    for path in draw_sweep(rows, overall, Path(args.plot), threshold=threshold):
        note(f"drawn: {path}")
