"""Which threshold? Advice with its reason.

example:
  reducepp advice results.jsonl                          the paper's rule: three validity indices
  reducepp advice results.jsonl --keep-results 10        at most ten results
  reducepp advice results.jsonl --information 0.95       keep 95 % of what the pages say
  reducepp advice results.jsonl --labels pairs.csv --precision 0.95

One row per query and rule, and where there are several queries one for the whole set ("*").
"""

import argparse
from collections.abc import Iterator, Sequence

from reducepp.cli.command_input import note_missing
from reducepp.cli.sweep import sweep_input, write_rows
from reducepp.errors import UsageError
from reducepp.evaluation.advice import (
    Advice,
    by_labels,
    by_validity,
    for_every_query,
    to_inform,
    to_keep,
)
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import Row, whole_set
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.pipeline import Comparison

COLUMNS = ("query", "rule", "threshold", "low", "high", "reason")


def run(args: argparse.Namespace) -> int:
    """Sweep, apply the rules asked for, print."""
    if args.precision and not args.labels:
        raise UsageError("--precision P goes with --labels FILE")
    swept = sweep_input(args)
    found: list[Advice] = []
    for _, rows in swept:
        found += _by_rows(args, rows)
    if len(swept) > 1:
        found += _for_all(args, [row for _, rows in swept for row in rows], found)
    if args.labels:
        found.append(_by_labels(args, [comparison for comparison, _ in swept]))
    if args.format == "table":
        write_text(found, args)
    else:
        write_rows(found, COLUMNS, args)
    return 0


def _by_rows(args: argparse.Namespace, rows: Sequence[Row]) -> Iterator[Advice]:
    if args.keep_results is not None:
        yield to_keep(rows, args.keep_results)
    if args.information is not None:
        yield to_inform(rows, args.information)
    if args.keep_results is None and args.information is None and not args.labels:
        yield by_validity(rows)


def _for_all(
    args: argparse.Namespace, rows: Sequence[Row], found: Sequence[Advice]
) -> Iterator[Advice]:
    """Advice over all queries; a number of results is one for each query."""
    if args.keep_results is not None:
        yield for_every_query([advice for advice in found if advice.rule.startswith("keep")])
    if args.information is not None:
        yield to_inform(whole_set(rows), args.information)
    if args.keep_results is None and args.information is None and not args.labels:
        yield by_validity(whole_set(rows))


def _by_labels(args: argparse.Namespace, comparisons: Sequence[Comparison]) -> Advice:
    labels = read_labels(args.labels, scale=args.scale)
    pairs = find_pairs([comparison.pages for comparison in comparisons], labels)
    note_missing(pairs.missing, args.labels)
    ranking = rank_labelled(comparisons, pairs)
    return by_labels(ranking, pairs.sources(pairs.decided), precision=args.precision)


def write_text(found: Sequence[Advice], args: argparse.Namespace) -> None:
    """For a terminal: the threshold first, the reason under it."""
    import math

    from reducepp.cli.output import write_output

    lines = []
    for advice in found:
        none = math.isnan(advice.threshold)
        threshold = "no threshold" if none else f"{advice.threshold:g}"
        sure = "" if math.isnan(advice.low) else f" (95 %: {advice.low:.3f} to {advice.high:.3f})"
        query = f" for {advice.query!r}" if advice.query else ""
        lines += [f"{threshold}{sure}{query} by {advice.rule}", f"    {advice.reason}"]
    write_output("".join(line + "\n" for line in lines), args.out)
