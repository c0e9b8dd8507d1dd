"""Which threshold? Advice with its reason."""

import math
from argparse import Namespace
from collections.abc import Iterator, Sequence

from reducepp.cli.command_input import note_missing
from reducepp.cli.output import write_output
from reducepp.cli.sweep_command import sweep_input, write_rows
from reducepp.comparison import Comparison
from reducepp.errors import UsageError
from reducepp.evaluation import advice as rules
from reducepp.evaluation.advice import Advice
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import SweepRow, whole_set
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels

COLUMNS = ("query", "rule", "threshold", "low", "high", "reason")


def run(args: Namespace) -> int:
    if args.precision and not args.labels:
        raise UsageError("--precision P goes with --labels FILE")
    swept = sweep_input(args)
    found = [advice for _, rows in swept for advice in _by_rows(args, rows)]
    if len(swept) > 1:
        if args.keep_results is not None:  # one number for each query
            found.append(rules.for_every_query([a for a in found if a.rule.startswith("keep")]))
        whole = whole_set([row for _, rows in swept for row in rows])
        found += _by_rows(args, whole, keep=False)
    if args.labels:
        found.append(_by_labels(args, [comparison for comparison, _ in swept]))
    if args.format == "table":
        write_text(found, args)
    else:
        write_rows(found, COLUMNS, args)
    return 0


def _by_rows(args: Namespace, rows: Sequence[SweepRow], *, keep: bool = True) -> Iterator[Advice]:
    """Advice by the rules that need no labels; that for a number of results where `keep`."""
    if args.keep_results is not None and keep:
        yield rules.to_keep(rows, args.keep_results)
    if args.information is not None:
        yield rules.to_inform(rows, args.information)
    if args.keep_results is None and args.information is None and not args.labels:
        yield rules.by_validity(rows)


def _by_labels(args: Namespace, comparisons: Sequence[Comparison]) -> Advice:
    labels = read_labels(args.labels, scale=args.scale)
    pairs = find_pairs([comparison.pages for comparison in comparisons], labels)
    note_missing(pairs.missing, args.labels)
    ranking = rank_labelled(comparisons, pairs)
    return rules.by_labels(ranking, pairs.sources(pairs.decided), precision=args.precision)


def write_text(found: Sequence[Advice], args: Namespace) -> None:
    """For a terminal: the threshold first, the reason under it."""
    lines = []
    for advice in found:
        none = math.isnan(advice.threshold)
        threshold = "no threshold" if none else f"{advice.threshold:g}"
        sure = "" if math.isnan(advice.low) else f" (95 %: {advice.low:.3f} to {advice.high:.3f})"
        query = f" for {advice.query!r}" if advice.query else ""
        lines += [f"{threshold}{sure}{query} by {advice.rule}", f"    {advice.reason}"]
    write_output("".join(line + "\n" for line in lines), args.out)
