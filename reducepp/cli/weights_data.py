"""Pages and judgements for the weights commands."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from reducepp.cli.common import FORMS, add_jobs, note
from reducepp.labelled.reading import Judgement
from reducepp.types import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Pages of each query, what people said of them, and ids of pages that could not be read."""

    queries: list[list[Page]]
    judgements: list[Judgement]
    failed: frozenset[str]


def add_labelled(parser: argparse.ArgumentParser) -> None:
    """INPUT... and --labels."""
    parser.add_argument(
        "input", nargs="+", metavar="INPUT", help="pages as reduce reads them, or pairs"
    )
    parser.add_argument("--input-format", choices=FORMS, default="", help="where names do not tell")
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="FILE",
        help="judged pairs, CSV or JSONL: query, a, b, duplicate; may be given several times",
    )
    add_jobs(parser)


def read_labelled(args: argparse.Namespace) -> LabelledSet:
    """Read what `add_labelled` names; a file of judged pairs brings its own labels."""
    from reducepp.inputs import read_queries
    from reducepp.labelled.reading import on_one_scale, read_labels
    from reducepp.labelled_pages import is_pairs, read_pairs

    queries: list[list[Page]] = []
    judgements: list[Judgement] = []
    failed: set[str] = set()
    for source in args.input:
        if is_pairs(source):
            pairs, judged, failures = read_pairs(source)
            for failure in failures:
                note(f"left out: {failure.url}: {failure.reason}")
            queries += [list(pages) for pages in pairs]
            judgements += on_one_scale(judged)
            continue
        for group in read_queries(source, jobs=args.jobs, form=args.input_format):
            queries.append(sorted(group.pages, key=lambda page: (page.rank, page.id)))
            failed |= {failure.url for failure in group.failures}
    judgements += [judgement for path in args.labels for judgement in read_labels(path)]
    return LabelledSet(queries=queries, judgements=judgements, failed=frozenset(failed))
