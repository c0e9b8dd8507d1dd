"""Commands on data sets in parts: one result file per part, on this machine or on a cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp import __version__
from reducepp.cli.common import note, options_of, progress
from reducepp.errors import ReduceppError, UsageError
from reducepp.input_kinds import AUTO

if TYPE_CHECKING:
    from reducepp.api import ReduceOptions


def add_parts(parser: argparse.ArgumentParser) -> None:
    """Where results in parts go, and who makes them."""
    parser.add_argument(
        "--parts",
        metavar="DIR",
        default="",
        help="every file of INPUT is a part with whole queries; its result is a Parquet file in "
        "DIR; a run that was stopped goes on with what is missing",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        default="",
        help="scheduler of Dask workers that make the parts, as tcp://HOST:8786 (with --parts)",
    )


def check_parts(args: argparse.Namespace) -> bool:
    """Whether the command works in parts; UsageError for a cluster without them."""
    if args.cluster and not args.parts:
        raise UsageError("--cluster: name a folder for the results with --parts")
    return bool(args.parts)


def run_in_parts(
    args: argparse.Namespace, command: str, make: Callable[..., Any], **how: Any
) -> int:
    """Make the results of all parts; 1 where one has none, each named with the reason."""
    from reducepp.cluster import do_part, find_parts, run_parts

    options, folder = _portable(options_of(args)), Path(args.parts).resolve()
    parts = find_parts(args.input)
    asked = {"command": command, "version": __version__, **asdict(options), **how}
    work = partial(do_part, folder=str(folder), make=partial(make, options=options, **how))
    found = run_parts(work, parts, folder, asked=asked, cluster=args.cluster, jobs=args.jobs)
    done = list(progress(found, command, total=len(parts)))
    failed = [one for one in done if one.error]
    for one in failed:
        note(f"failed: {one.part}: {one.error}")
    kept, pages = len(parts) - len(done), sum(one.pages for one in done)
    note(f"{len(done) - len(failed)} parts done ({pages} pages), {kept} were done before")
    if failed:
        raise ReduceppError(f"{len(failed)} of {len(parts)} parts failed, {failed[0].part} first")
    return 0


def _portable(options: ReduceOptions) -> ReduceOptions:
    """Options with the profile itself, so that no worker needs its file."""
    from reducepp.api import find_profile

    named = options.profile if options.profile == AUTO else find_profile(options.profile)
    return replace(options, profile=named)
