"""Commands on data sets in parts: one result file per part, on this machine or on a cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from reducepp import __version__
from reducepp.api import ReduceOptions, find_profile
from reducepp.cli.command_input import options_of
from reducepp.cli.output import note, progress
from reducepp.errors import ReduceppError, UsageError
from reducepp.input_kinds import AUTO


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
    named = options.profile if options.profile == AUTO else find_profile(options.profile)
    return replace(options, profile=named)
