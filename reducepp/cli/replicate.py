"""The REDUCE++ paper's tables and figures on your own pages.

example:
  reducepp replicate pages.jsonl --out replication
  reducepp replicate pages.jsonl --out replication --profile paper --profile mine.toml

Writes Table I, Table III, Fig. 4 to 7, the headline and the curve of information kept as Markdown
(replication.md), CSV, SVG and PNG, for the profiles side by side (default: paper and default).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reducepp.cli.common import (
    add_input,
    add_prepare,
    note,
    progress,
    read_input,
    threshold_value,
)
from reducepp.cli.sweep import add_range, sweep_options, sweep_query
from reducepp.errors import InputError

if TYPE_CHECKING:
    from reducepp.evaluation.advice import Swept
    from reducepp.inputs import QueryPages


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="folder for what is written")
    parser.add_argument(
        "--profile",
        action="append",
        metavar="NAME|FILE",
        help="profile; give it several times (default: paper and default)",
    )
    parser.add_argument(
        "--threshold",
        type=threshold_value,
        metavar="T",
        help="for the headline and Fig. 4 (default: each profile's own)",
    )
    add_prepare(parser)
    add_range(parser)


def run(args: argparse.Namespace) -> int:
    """Sweep every query under every profile, then write."""
    from reducepp.evaluation.replication import headline, headline_line, write_replication

    queries = read_input(args)
    queries = [group for group in queries if group.pages]
    swept = [_sweep(name, queries, args) for name in args.profile or ["paper", "default"]]
    try:
        written = write_replication([group.pages for group in queries], swept, Path(args.out))
    except OSError as error:
        raise InputError(f"{args.out}: cannot write: {error.strerror or error}") from None
    for one in swept:
        print(headline_line(headline(one)))
    note(f"{len(written)} files in {args.out}: begin with replication.md")
    return 0


def _sweep(name: str, queries: Sequence[QueryPages], args: argparse.Namespace) -> Swept:
    from reducepp.api import find_profile
    from reducepp.evaluation.advice import Swept
    from reducepp.evaluation.replication import THRESHOLDS
    from reducepp.evaluation.sweep import threshold_range
    from reducepp.parallel import map_in_order

    profile = find_profile(name, linkage=args.linkage, prepare=args.prepare)
    own = profile.threshold if args.threshold is None else args.threshold
    thresholds = threshold_range(args.start, args.stop, args.step)
    fixed = sorted({*THRESHOLDS, own})
    work = partial(sweep_query, how=sweep_options(args))
    found = list(
        progress(
            map_in_order(work, queries, profile, [*thresholds, *fixed], jobs=args.jobs),
            profile.name,
            total=len(queries),
        )
    )
    return Swept(
        profile=profile.name,
        threshold=own,
        comparisons=tuple(comparison for comparison, _ in found),
        rows=tuple(row for _, rows in found for row in rows[: len(thresholds)]),
        table_rows=tuple(row for _, rows in found for row in rows[len(thresholds) :]),
    )
