"""Every pair's score and signals, as CSV."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

import numpy as np

from reducepp.cli.command_input import profile_of, read_input
from reducepp.cli.output import PageCounter, write_parts
from reducepp.comparison import rank_pages, score_pairs
from reducepp.io.escaping import csv_text
from reducepp.similarity.compare import drop_empty_signals
from reducepp.types import Page, Profile


def run(args: Namespace) -> int:
    """Print the pairs at or above the threshold; all of them where none is given."""
    queries = read_input(args)
    profile = profile_of(args, queries)
    kinds = (drop_empty_signals(profile, group.pages).signals for group in queries)
    shown = {signal.name for signals in kinds for signal in signals}
    names = [s.name for s in profile.signals if s.weight or s.name in shown]

    def lines() -> Iterator[str]:
        yield csv_text([["query", "a", "b", "score", *names]])
        with PageCounter("pairs") as counter:
            for group in counter.expect(queries):
                rows = pair_rows(group.pages, profile, args.threshold or 0.0, names)
                yield from map(csv_text, rows)
                counter.count("", len(group.pages), group.query)

    write_parts(lines(), args.out)
    return 0


def pair_rows(
    pages: Sequence[Page], profile: Profile, threshold: float, names: Sequence[str]
) -> Iterator[list[list[str]]]:
    """Rows of the pairs that score at least `threshold`, the better ranked page first, in parts.

    A cell for each of the named signals, empty where it is not defined or was not needed.
    """
    ranked = rank_pages(pages, profile).pages
    for (first, second), scores, similarities in score_pairs(pages, profile, threshold):
        none = np.full(len(scores), np.nan)
        columns = [scores, *(similarities.get(name, none) for name in names)]
        yield [
            [
                *(ranked[a].query, ranked[a].id, ranked[b].id),
                *("" if np.isnan(value) else f"{value:.12f}" for value in values),
            ]
            for a, b, *values in zip(
                *(pages_of.tolist() for pages_of in (first, second)),
                *(column.tolist() for column in columns),
                strict=True,
            )
        ]
