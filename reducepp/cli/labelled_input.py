"""Labelled input of the commands: pages with a labels file, or labelled pairs with their pages.

A line of labelled pairs, {"a": page, "b": page, "votes": 5}, is a query of two pages.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reducepp.cli.common import note, read_input
from reducepp.errors import LabelsError
from reducepp.inputs import as_pages
from reducepp.io.bounded_reading import UNREADABLE, parse_json
from reducepp.labelled.reading import PairLabel, read_label, read_labels, read_rows
from reducepp.types import Failure, Page

Pair = tuple[Page, Page]
_MAX_FIRST_LINE = 50_000_000
"""Bytes of the first line that are read to detect labelled pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledInput:
    """Pages of each query, and labels of pairs of them."""

    queries: list[Sequence[Page]]
    labels: list[PairLabel]


def add_labels(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """--labels and --scale."""
    parser.add_argument(
        "--labels",
        metavar="FILE",
        action="append" if several else "store",
        default=[] if several else "",
        help="labelled pairs, CSV or JSONL: query, a, b, duplicate"
        + ("; may be given several times" if several else ""),
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=0.0,
        metavar="N",
        help="highest grade of the labels (default: a field `scale`, else 1, or 6 for votes)",
    )


def read_labelled(args: argparse.Namespace) -> LabelledInput:
    """Pages and labels of a command's inputs; labelled pairs bring their own labels."""
    with_pages = [source for source in args.input if is_pairs(source)]
    found = LabelledInput(queries=[], labels=[])
    for source in with_pages:
        pairs, own, failures = read_pairs(source, scale=args.scale)
        note_failures(failures)
        found.queries.extend(pairs)
        found.labels.extend(own)
    for path in [args.labels] if isinstance(args.labels, str) else args.labels:
        if path:
            found.labels.extend(read_labels(path, scale=args.scale))
    others = [source for source in args.input if source not in with_pages]
    if others:
        groups = read_input(argparse.Namespace(**{**vars(args), "input": others}))
        note_failures(failure for group in groups for failure in group.failures)
        found.queries.extend(group.pages for group in groups)
    return found


def note_failures(failures: Iterable[Failure]) -> None:
    """Name the pages that could not be read."""
    for failure in failures:
        note(f"left out: {failure.url}: {failure.reason}")


def note_missing(count: int, where: str) -> None:
    """Say how many labelled pairs could not be used."""
    if count:
        note(f"{where}: {count} labelled pair(s) name a page that is not in the input: left out")


def is_pairs(source: str) -> bool:
    """Whether a file's first line is an object whose `a` and `b` are pages."""
    path = Path(source)
    if not path.is_file():
        return False
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            row = parse_json(stream.readline(_MAX_FIRST_LINE))
    except (*UNREADABLE, ValueError):
        return False
    return isinstance(row, dict) and all(isinstance(row.get(name), dict) for name in "ab")


def read_pairs(
    source: str, *, scale: float = 0.0
) -> tuple[list[Pair], list[PairLabel], list[Failure]]:
    """Pages and label of every line, and the lines that could not be read.

    A line is a query of its own, named by its number, and its pages are `a` and `b`.
    """
    pairs: list[Pair] = []
    labels: list[PairLabel] = []
    failures: list[Failure] = []
    for line, row in read_rows(source):
        where, query = f"{source}:{line}", f"line {line}"
        try:
            label = read_label({**row, "a": "a", "b": "b", "query": query}, where, scale=scale)
            pairs.append(_pages_of(row, query))
        except LabelsError as error:
            failures.append(Failure(url=where, stage="read", reason=str(error)))
            continue
        labels.append(label)
    return pairs, labels, failures


def _pages_of(row: Mapping[str, Any], query: str) -> Pair:
    records = [row.get(name) for name in "ab"]
    pages, failures = as_pages([r if isinstance(r, Mapping) else {"body": r} for r in records])
    if failures or len(pages) != 2:
        raise LabelsError(failures[0].reason if failures else "two pages are needed")
    first, second = (
        replace(page, id=name, query=query, rank=rank)
        for rank, (name, page) in enumerate(zip("ab", pages, strict=True), 1)
    )
    return first, second
