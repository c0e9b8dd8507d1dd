"""Scores against labelled pairs: precision, recall, F, average precision, with intervals."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from reducepp.api import find_profile
from reducepp.cli.command_input import is_pairs, note_missing, read_labelled
from reducepp.cli.output import note, write_figures
from reducepp.errors import UsageError
from reducepp.evaluation import pair_evaluation
from reducepp.evaluation.methods import BASELINES, Method, compare_all, of_baseline, of_profile
from reducepp.evaluation.pair_evaluation import Evaluation, Resampling
from reducepp.labelled.labelled_pairs import GROUPINGS, LabelledPairs, find_pairs, unlabelled_values
from reducepp.labelled.scoring import rater_rows
from reducepp.types import Array

_MAX_NAMED = 5
"""Groups without labels that a note names."""


def run(args: Namespace) -> int:
    """Score every method on the labelled pairs and print its figures."""
    by = [] if args.by == "none" else args.by.split(",")
    if not set(by) <= set(GROUPINGS):
        raise UsageError(f"--by {args.by}: use {', '.join(GROUPINGS)}, or none")
    profiles = [find_profile(name, prepare=args.prepare) for name in args.profile or ["default"]]
    names = list(BASELINES) if args.baselines == "all" else filter(None, args.baselines.split(","))
    methods = [of_profile(profile, threshold=args.threshold) for profile in profiles]
    methods += map(of_baseline, names)
    pairs = _read_pairs(args, by)
    if not args.labels:
        by = [name for name in by if name != "query"]  # each line is a query of its own
    how = Resampling(samples=args.samples, seed=args.seed, unit=args.resample)
    found: list[Evaluation] = []
    scores = {}
    for method in methods:
        compared = compare_all(method, pairs, jobs=args.jobs)
        scores[method.name] = pair_evaluation.pair_scores(compared, pairs)
        found += pair_evaluation.evaluate(
            compared, pairs, method=method.name, threshold=method.threshold, by=by, resampling=how
        )
    wide = args.format not in ("table", "md")
    rows = found if wide else pair_evaluation.side_by_side(found)
    write_figures(rows, list(rows[0]), args.format, args.out)
    if args.plot:
        _draw(args, scores, pairs, methods)
    return 0


def _read_pairs(args: Namespace, by: Sequence[str]) -> LabelledPairs:
    if not args.labels and (len(args.input) > 1 or not is_pairs(args.input[0])):
        raise UsageError("--labels FILE is needed, or INPUT of labelled pairs with pages in them")
    data = read_labelled(args)
    named = {label.query for label in data.labels}
    wanted = [pages for pages in data.queries if "" in named or (pages and pages[0].query in named)]
    for row in rater_rows(data.labels):
        note(
            f"raters {row['rater']} and {row['against']} agree on {row['agreement']:.1%} of "
            f"{row['pairs']} pairs, kappa {row['kappa']:.3f}; a rater's F {row['F']:.3f}"
        )
    pairs = find_pairs(wanted, data.labels)
    note_missing(pairs.missing, args.labels)
    for grouping in by if args.labels else ():
        none = unlabelled_values(data.queries, pairs, grouping)
        more = f" and {len(none) - _MAX_NAMED} more" if len(none) > _MAX_NAMED else ""
        if none:
            names = ", ".join(none[:_MAX_NAMED])
            note(f"{args.labels}: no labelled pair of {grouping} {names}{more}")
    return pairs


def _draw(
    args: Namespace, scores: Mapping[str, Array], pairs: LabelledPairs, methods: Sequence[Method]
) -> None:
    from reducepp.evaluation.plots import draw_precision_recall, save

    thresholds = {method.name: method.threshold for method in methods}
    figure = draw_precision_recall(scores, pairs, thresholds)
    for path in save(figure, Path(args.plot) / "precision-recall", overwrite=args.overwrite):
        note(f"drawn: {path}")
