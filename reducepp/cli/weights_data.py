"""Pages and judgements for the weights commands."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from reducepp.cli.common import FORMS, add_jobs
from reducepp.data import Page
from reducepp.labels import Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Pages of each query, what people said of them, and ids of pages that could not be read."""

    queries: list[list[Page]]
    judgements: list[Judgement]
    failed: frozenset[str]


def add_labelled(parser: argparse.ArgumentParser) -> None:
    """INPUT... and --labels."""
    parser.add_argument("input", nargs="+", metavar="INPUT", help="pages, as reduce reads them")
    parser.add_argument("--input-format", choices=FORMS, default="", help="where names tell not")
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="FILE",
        help="judged pairs, CSV or JSONL: query, a, b, duplicate; may be given several times",
    )
    add_jobs(parser)


def read_labelled(args: argparse.Namespace) -> LabelledSet:
    """Read what `add_labelled` names."""
    from reducepp.intake import read_queries
    from reducepp.labels import read_labels

    groups = [
        group
        for source in args.input
        for group in read_queries(source, jobs=args.jobs, form=args.input_format)
    ]
    return LabelledSet(
        queries=[sorted(group.pages, key=lambda page: (page.rank, page.id)) for group in groups],
        judgements=[judgement for path in args.labels for judgement in read_labels(path)],
        failed=frozenset(failure.url for group in groups for failure in group.failures),
    )
