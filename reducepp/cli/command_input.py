"""What the commands read: INPUT, labels, and the options of a reduction.

A line of labelled pairs, {"a": page, "b": page, "votes": 5}, is a query of two pages.
"""

from __future__ import annotations

import gzip
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp.api import ReduceOptions, resolve_profile
from reducepp.cli.output import note
from reducepp.errors import LabelsError, ReduceppError, UsageError
from reducepp.inputs import QueryPages, as_pages, read_queries, stream_queries
from reducepp.io.bounded_reading import UNREADABLE, parse_json
from reducepp.io.columns import Columns
from reducepp.types import Failure, Page, Profile

if TYPE_CHECKING:
    from reducepp.labelled.reading import PairLabel

Pair = tuple[Page, Page]
_MAX_FIRST_LINE = 50_000_000
"""Bytes of the first line that are read to detect labelled pairs."""


def read_columns(args: Namespace) -> Columns:
    """The names of columns that `--field` gives."""
    pairs = [text.partition("=") for text in args.field]
    if wrong := [ours for ours, sign, theirs in pairs if not (ours and sign and theirs)]:
        raise UsageError(f"--field {wrong[0]}: FIELD=COLUMN is needed, as in title=Headline")
    return Columns(names={ours: theirs for ours, _, theirs in pairs})


def read_input(args: Namespace) -> list[QueryPages]:
    """The queries of INPUT; pages that cannot be used and ignored columns are noted."""
    found = list(stream_input(args, read=read_queries))
    note_failures(failure for group in found for failure in group.failures)
    return found


def stream_input(
    args: Namespace, *, read: Callable[..., Iterable[QueryPages]] = stream_queries
) -> Iterator[QueryPages]:
    """The queries of INPUT one after the other, then the note on columns."""
    columns = read_columns(args)
    yield from read(args.input, jobs=args.jobs, form=args.input_format, columns=columns)
    if described := columns.describe():
        note(described)


def options_of(args: Namespace, **given: Any) -> ReduceOptions:
    """The options that a command's arguments set; those it does not have keep their defaults."""
    names = {field.name for field in fields(ReduceOptions)} - {"explain"}
    found = {name: value for name, value in vars(args).items() if name in names}
    return ReduceOptions(**{**found, **given})


def profile_of(args: Namespace, queries: Iterable[QueryPages]) -> Profile:
    """The one profile for all queries of a command that prints them in one table or page."""
    return resolve_profile([page for group in queries for page in group.pages], options_of(args))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledInput:
    """Pages of each query, and labels of pairs of them."""

    queries: list[Sequence[Page]]
    labels: list[PairLabel]


def read_labelled(args: Namespace) -> LabelledInput:
    """Pages and labels of a command's inputs; labelled pairs bring their own labels."""
    from reducepp.labelled.reading import read_labels

    found = LabelledInput(queries=[], labels=[])
    others = []
    for source in args.input:
        if not is_pairs(source):
            others.append(source)
            continue
        pairs, own, failures = read_pairs(source, scale=args.scale)
        note_failures(failures)
        found.queries.extend(pairs)
        found.labels.extend(own)
    for path in filter(None, [args.labels] if isinstance(args.labels, str) else args.labels):
        found.labels.extend(read_labels(path, scale=args.scale))
    if others:
        groups = read_input(Namespace(**{**vars(args), "input": others}))
        found.queries.extend(group.pages for group in groups)
    return found


def no_labels(args: Namespace, why: str) -> ReduceppError:
    """What is wrong where a command has no labelled pair: no file named, or nothing in it."""
    if args.labels:
        return LabelsError("there is no labelled pair")
    return UsageError(f"--labels FILE is needed {why}")


def note_failures(failures: Iterable[Failure]) -> None:
    """Name the pages that could not be read."""
    for failure in failures:
        note(f"left out: {failure.url}: {failure.reason}")


def note_missing(count: int, where: str) -> None:
    """Say how many labelled pairs could not be used."""
    if count:
        what = "name a page that is not in the input, or one page twice"
        note(f"{where}: {count} labelled pair(s) {what}: left out")


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
    """Pages `a` and `b` and the label of every line, each a query of its own, and failures."""
    from reducepp.labelled.reading import read_label, read_label_rows

    pairs: list[Pair] = []
    labels: list[PairLabel] = []
    failures: list[Failure] = []
    for line, row in read_label_rows(source):
        where, query = f"{source}:{line}", f"line {line}"
        try:
            label = read_label({**row, "a": "a", "b": "b", "query": query}, where, scale=scale)
        except LabelsError as error:
            failures.append(Failure(url=where, stage="read", reason=str(error)))
            continue
        records = [row.get(name) for name in "ab"]
        pages, wrong = as_pages([r if isinstance(r, Mapping) else {"body": r} for r in records])
        if wrong:
            failures.append(Failure(url=where, stage="read", reason=wrong[0].reason))
            continue
        a, b = (replace(page, query=query, rank=rank) for rank, page in enumerate(pages, 1))
        pairs.append((replace(a, id="a"), replace(b, id="b")))
        labels.append(label)
    return pairs, labels, failures
