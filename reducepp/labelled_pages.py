"""Judged pairs that carry their pages: each line is a small query of two pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reducepp.errors import LabelsError
from reducepp.inputs import as_pages
from reducepp.labelled.reading import Judgement, judge_row, read_rows
from reducepp.types import Failure, Page

Pair = tuple[Page, Page]
_FIRST_LINE = 50_000_000


def is_pairs(source: str) -> bool:
    """Whether a file's first line is an object whose `a` and `b` are pages."""
    path = Path(source)
    if not path.is_file():
        return False
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            row = json.loads(stream.readline(_FIRST_LINE))
    except (OSError, EOFError, ValueError):
        return False
    return isinstance(row, dict) and all(isinstance(row.get(name), dict) for name in "ab")


def read_pairs(source: str) -> tuple[list[Pair], list[Judgement], list[Failure]]:
    """Pages and judgement of every line, and the lines that could not be read.

    A line is a query of its own, named by its number, and its pages are `a` and `b`.
    """
    pairs: list[Pair] = []
    judgements: list[Judgement] = []
    failures: list[Failure] = []
    for line, row in read_rows(source):
        try:
            pages, judgement = _make_pair(row, f"{source}:{line}", f"line {line}")
        except LabelsError as error:
            failures.append(Failure(url=f"{source}:{line}", stage="read", reason=str(error)))
            continue
        pairs.append(pages)
        judgements.append(judgement)
    return pairs, judgements, failures


def _make_pair(row: Mapping[str, Any], where: str, query: str) -> tuple[Pair, Judgement]:
    judgement = judge_row({**row, "a": "a", "b": "b", "query": query}, where)
    records = [row.get(name) for name in "ab"]
    pages, failures = as_pages([r if isinstance(r, Mapping) else {"body": r} for r in records])
    if failures or len(pages) != 2:
        reason = failures[0].reason if failures else "two pages are needed"
        raise LabelsError(reason)
    first, second = (
        replace(page, id=name, query=query, rank=rank)
        for rank, (name, page) in enumerate(zip("ab", pages, strict=True), 1)
    )
    return (first, second), judgement
