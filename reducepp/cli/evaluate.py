"""Scores against judged pairs: precision, recall, F, average precision, with intervals.

example:
  reducepp evaluate results.jsonl --labels pairs.csv
  reducepp evaluate results.jsonl --labels pairs.csv --profile default --profile paper --baselines
  reducepp evaluate judged-posts.jsonl --profile default

Labels are CSV with the columns query, a, b, duplicate (0 or 1, or a grade), or JSONL with the same
keys or votes. INPUT may itself be JSONL of judged pairs, {"a": page, "b": page, "votes": 5}; then
each line is a query of two pages. Every method is shown at its own threshold and at the one that
would have been best on these pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reducepp.cli.common import add_input, add_output, note, threshold_value, write_output
from reducepp.cli.sweep import note_missing
from reducepp.errors import UsageError

if TYPE_CHECKING:
    from reducepp.evaluation.figures import Figures
    from reducepp.evaluation.judged import JudgedPairs
    from reducepp.evaluation.methods import Method
    from reducepp.types import Array


_NAMED = 5
"""So many groups without judgements are named."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    parser.add_argument("--labels", metavar="FILE", default="", help="judged pairs, CSV or JSONL")
    parser.add_argument(
        "--profile",
        action="append",
        metavar="NAME|FILE",
        help="profile; give it several times to compare (default: default)",
    )
    parser.add_argument(
        "--threshold",
        type=threshold_value,
        metavar="T",
        help="for all profiles (default: each profile's own)",
    )
    parser.add_argument(
        "--baselines",
        nargs="?",
        const="all",
        default="",
        metavar="NAMES",
        help="also minhash, simhash, tfidf: all, or those named, with commas",
    )
    parser.add_argument(
        "--by",
        default="language,domain,query",
        metavar="NAMES",
        help="groups with lines of their own: language, domain, query, with commas; none",
    )
    parser.add_argument("--scale", type=float, default=0.0, metavar="N", help="the best grade")
    add_resampling(parser)
    parser.add_argument("--format", default="table", choices=("table", "csv", "json", "md"))
    parser.add_argument("--plot", metavar="DIR", default="", help="also draw precision and recall")
    add_output(parser)


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """How intervals are made."""
    parser.add_argument(
        "--samples", type=int, default=1000, metavar="N", help="resamples for intervals; 0: none"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--resample",
        default="auto",
        choices=("auto", "query", "page"),
        help="what is drawn (default: queries where there are 20 or more, else pages)",
    )


def run(args: argparse.Namespace) -> int:
    """Score every method on the judged pairs and print its figures."""
    from reducepp.evaluation.judged import GROUPINGS
    from reducepp.evaluation.labelled import Resampling, evaluate, pair_scores
    from reducepp.evaluation.methods import compare_all

    if args.samples < 0:
        raise UsageError(f"--samples {args.samples}: 0 or more")
    by = [] if args.by == "none" else args.by.split(",")
    if not set(by) <= set(GROUPINGS):
        raise UsageError(f"--by {args.by}: use {', '.join(GROUPINGS)}, or none")
    methods = list(_methods(args))
    pairs = _read_pairs(args, by)
    if not args.labels:
        by = [name for name in by if name != "query"]  # each line is a query of its own
    how = Resampling(samples=args.samples, seed=args.seed, unit=args.resample)
    figures: list[Figures] = []
    scores = {}
    for method in methods:
        comparisons = compare_all(method, pairs, jobs=args.jobs)
        scores[method.name] = pair_scores(comparisons, pairs)
        figures += evaluate(
            comparisons,
            pairs,
            method=method.name,
            threshold=method.threshold,
            by=by,
            resampling=how,
        )
    _write(figures, args)
    if args.plot:
        _draw(args.plot, scores, pairs, methods)
    return 0


def _methods(args: argparse.Namespace) -> Iterator[Method]:
    from reducepp.api import find_profile
    from reducepp.evaluation.baselines import BASELINES
    from reducepp.evaluation.methods import of_baseline, of_profile

    for name in args.profile or ["default"]:
        yield of_profile(find_profile(name), threshold=args.threshold)
    names = list(BASELINES) if args.baselines == "all" else args.baselines.split(",")
    yield from (of_baseline(name) for name in names if name)


def _read_pairs(args: argparse.Namespace, by: Sequence[str]) -> JudgedPairs:
    from reducepp.evaluation.judged import find_pairs, unjudged
    from reducepp.inputs import read_queries
    from reducepp.labelled.reading import on_one_scale, read_labels
    from reducepp.labelled_pages import is_pairs, read_pairs

    if not args.labels:
        if len(args.input) > 1 or not is_pairs(args.input[0]):
            raise UsageError("--labels FILE is needed, or INPUT of judged pairs with pages in them")
        groups, judgements, failures = read_pairs(args.input[0])
        for failure in failures:
            note(f"left out: {failure.url}: {failure.reason}")
        return find_pairs(groups, on_one_scale(judgements, scale=args.scale))
    judgements = read_labels(args.labels, scale=args.scale)
    queries = read_queries(args.input, jobs=args.jobs, form=args.input_format)
    for failure in [failure for group in queries for failure in group.failures]:
        note(f"left out: {failure.url}: {failure.reason}")
    named = {judgement.query for judgement in judgements}
    wanted = [group.pages for group in queries if "" in named or group.query in named]
    pairs = find_pairs(wanted, judgements)
    note_missing(pairs.missing, args.labels)
    for grouping in by:
        none = unjudged([group.pages for group in queries], pairs, grouping)
        more = f" and {len(none) - _NAMED} more" if len(none) > _NAMED else ""
        if none:
            note(f"{args.labels}: no judged pair of {grouping} {', '.join(none[:_NAMED])}{more}")
    return pairs


def _write(figures: Sequence[Figures], args: argparse.Namespace) -> None:
    from reducepp.evaluation.figure_tables import FORMATS, pick
    from reducepp.evaluation.figures import COLUMNS, side_by_side

    if args.format in ("table", "md"):
        rows = side_by_side(figures)
        text = FORMATS[args.format](rows, list(rows[0]))
    else:
        text = FORMATS[args.format](pick(figures, COLUMNS), COLUMNS)
    write_output(text, args.out)


def _draw(
    folder: str, scores: Mapping[str, Array], pairs: JudgedPairs, methods: Sequence[Method]
) -> None:
    from pathlib import Path

    from reducepp.evaluation.plots import save
    from reducepp.evaluation.precision_recall_plot import draw_precision_recall

    thresholds = {method.name: method.threshold for method in methods}
    figure = draw_precision_recall(scores, pairs, thresholds)
    for path in save(figure, Path(folder) / "precision-recall"):
        note(f"drawn: {path}")
