"""Figures per query and threshold: clusters, validity, agreement, information kept."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from reducepp.cli.command_input import note_missing, profile_of, read_input
from reducepp.cli.output import count_done, note, write_figures
from reducepp.cli.parts import check_output, check_parts, score_in_parts
from reducepp.cluster.part_runs import sweep_part
from reducepp.comparison import Comparison
from reducepp.errors import UsageError
from reducepp.evaluation import sweep
from reducepp.evaluation.advice import Swept
from reducepp.evaluation.figure_tables import pick, write_parquet
from reducepp.evaluation.pair_evaluation import pair_scores
from reducepp.evaluation.sweep import SweepOptions, SweepRow, threshold_range
from reducepp.inputs import QueryPages
from reducepp.io.atomic import write_aside
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import Labels, read_labels
from reducepp.labelled.scoring import count_at, rank_pairs
from reducepp.parallel import map_in_order
from reducepp.types import Bools, Profile

Sweeps = Sequence[tuple[Comparison, list[SweepRow]]]
"""The comparison and the rows of each query."""


def run(args: Namespace) -> int:
    if check_parts(args):
        check_output(args, "csv")
        if args.labels or args.plot or args.overall:
            raise UsageError("--parts: has no --labels, --plot and --overall")
        thresholds = tuple(threshold_range(args.start, args.stop, args.step))
        how = sweep_options(args)
        return score_in_parts(args, "sweep", sweep_part, thresholds=thresholds, how=how)
    if args.format == "parquet" and args.out == "-":
        raise UsageError("--format parquet: name a file with --out")
    swept = sweep_input(args)
    rows = [row for _, found in swept for row in found]
    overall = sweep.whole_set(rows) if args.overall else []
    if args.labels:
        labels = read_labels(args.labels, scale=args.scale)
        rows, overall = add_label_figures(labels, args.labels, swept, overall)
    if args.plot:
        _draw(args, swept, rows)
    columns = (*sweep.COLUMNS, *sweep.LABEL_COLUMNS) if args.labels else sweep.COLUMNS
    columns = (*columns, "against") if args.against or args.format == "json" else columns
    write_rows([*rows, *overall] if args.overall else rows, columns, args)
    return 0


def sweep_input(args: Namespace) -> list[tuple[Comparison, list[SweepRow]]]:
    """The comparison and the rows of every query of the input."""
    thresholds = threshold_range(args.start, args.stop, args.step)
    queries = [group for group in read_input(args) if group.pages]
    profile = profile_of(args, queries)
    work = partial(sweep_query, how=sweep_options(args))
    found = map_in_order(work, queries, profile, thresholds, jobs=args.jobs)
    return list(count_done(found, "sweeping", queries))


def sweep_options(args: Namespace) -> SweepOptions:
    """How a command's options sweep, beside the thresholds."""
    return SweepOptions(vectors=args.vectors, keep=args.keep, against=args.against or "single")


def sweep_query(
    group: QueryPages, profile: Profile, thresholds: Sequence[float], *, how: SweepOptions
) -> tuple[Comparison, list[SweepRow]]:
    return sweep.sweep_pages(group.pages, profile, thresholds, how)


def add_label_figures(
    labels: Labels, path: str, swept: Sweeps, overall: Sequence[SweepRow]
) -> tuple[list[SweepRow], list[SweepRow]]:
    """The rows with precision, recall and F of the labelled pairs of their query, or of all."""
    comparisons = [comparison for comparison, _ in swept]
    pairs = find_pairs([comparison.pages for comparison in comparisons], labels)
    note_missing(pairs.missing, path)
    scores = pair_scores(comparisons, pairs)

    def label(rows: Sequence[SweepRow], chosen: Bools) -> list[SweepRow]:
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


def write_rows(rows: Sequence[object], columns: Sequence[str], args: Namespace) -> None:
    """Print rows in the chosen form; JSON also says why a figure is not defined."""
    if args.format == "json" and rows and hasattr(rows[0], "reason"):
        columns = (*columns, "reason") if "reason" not in columns else columns
    picked = pick(rows, columns)
    if args.format == "parquet":
        write_aside(Path(args.out), lambda path: write_parquet(path, picked, columns))
    else:
        write_figures(picked, columns, args.format, args.out)


def _draw(args: Namespace, swept: Sweeps, rows: Sequence[SweepRow]) -> None:
    from reducepp.evaluation.paper_figures import draw_sweep

    profile = swept[0][0].profile
    at = profile.threshold if args.threshold is None else args.threshold
    one = Swept(profile=profile.name, threshold=at, comparisons=(), rows=tuple(rows), table_rows=())
    for path in draw_sweep(one, Path(args.plot), overwrite=args.overwrite):
        note(f"drawn: {path}")
