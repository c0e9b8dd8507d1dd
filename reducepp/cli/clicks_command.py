"""Which results people take for one another, from a click log."""

import heapq
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from reducepp.api import compare_two
from reducepp.cli.command_input import options_of, profile_of
from reducepp.cli.output import note
from reducepp.evidence.click_kinds import ACTIONS, kind_of, one_click_apart
from reducepp.inputs import read_queries
from reducepp.io.escaping import csv_text
from reducepp.io.writers import json_lines
from reducepp.similarity.click_log import LogNotes, normalise_address
from reducepp.similarity.click_scores import ClickPair, read_clicks

COLUMNS = (
    *("query", "u", "v", "u_top", "u_bottom", "u_both", "v_top", "v_bottom", "v_both"),
    *("score", "low", "high", "kind", "action", "right"),
)


def run(args: Namespace) -> int:
    notes = LogNotes()
    pairs: Iterable[ClickPair] = read_clicks(args.log, minimum=args.minimum, notes=notes)
    if args.top:
        pairs = heapq.nlargest(args.top, pairs, key=lambda pair: pair.score)
    level_of_pair = _read_levels(args) if args.pages else lambda _: {}
    rest = iter(pairs)
    first = list(islice(rest, 1))  # a log that cannot be read fails before anything is printed
    notes.check(args.log)
    count = _write(_rows(chain(first, rest), level_of_pair), args.format)
    note(f"{notes.lists} result lists, {count} pairs with {args.minimum} clicks in both orders")
    if notes.skipped_count:
        note(f"{notes.skipped_count} lines skipped: {'; '.join(notes.skipped)}")
    return 0


def _rows(
    pairs: Iterable[ClickPair], level_of_pair: Callable[[ClickPair], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        kind = kind_of(pair, **level_of_pair(pair))
        one, two = pair.u_on_top, pair.v_on_top
        values = (
            *(pair.query, pair.u, pair.v, one.top, one.bottom, one.both),
            *(two.top, two.bottom, two.both, round(pair.score, 6)),
            *(round(bound, 6) for bound in pair.interval),
            *(kind, ACTIONS[kind], pair.right if kind == "navigational" else ""),
        )
        yield dict(zip(COLUMNS, values, strict=True))


def _write(rows: Iterable[dict[str, Any]], form: str) -> int:
    """Print rows as they come; how many they were."""
    count = 0
    sys.stdout.write(csv_text([COLUMNS]) if form == "csv" else "")
    for row in rows:
        sys.stdout.write(csv_text([row.values()]) if form == "csv" else json_lines([row]))
        count += 1
    return count


def _read_levels(args: Namespace) -> Callable[[ClickPair], dict[str, Any]]:
    """A pair to the level and link of its pages; to nothing where a page is not given."""
    queries = read_queries(args.pages, jobs=args.jobs)
    options = options_of(args, profile=profile_of(args, queries))
    pages = {
        (page.query, normalise_address(page.url)): page for group in queries for page in group.pages
    }

    def level_of_pair(pair: ClickPair) -> dict[str, Any]:
        a, b = pages.get((pair.query, pair.u)), pages.get((pair.query, pair.v))
        if a is None or b is None:
            return {}
        level = compare_two(a, b, options)["level"]
        return {"level": level, "linked": one_click_apart(a, b)}

    return level_of_pair
