"""Commands on data sets in parts: one result file per part, on this machine or on a cluster."""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from reducepp import __version__
from reducepp.api import ReduceOptions, without_file
from reducepp.cli.command_input import options_of
from reducepp.cli.output import PageCounter, note
from reducepp.cluster.part_runs import Done, Make, Workers, claim, find_parts
from reducepp.errors import ReduceppError, UsageError
from reducepp.similarity.candidates import LSH


def check_parts(args: Namespace) -> bool:
    """Whether the command works in parts; UsageError for a cluster without them."""
    if args.cluster and not args.parts:
        raise UsageError("--cluster: name a folder for the results with --parts")
    return bool(args.parts)


def check_output(args: Namespace, default: str) -> None:
    """UsageError for a format or a file that results in parts do not have."""
    if args.format not in (default, "parquet"):
        raise UsageError(f"--format {args.format}: not with --parts, which writes Parquet files")
    if args.out != "-":
        raise UsageError("--out: not with --parts, which names the folder of the results")


def score_in_parts(args: Namespace, command: str, make: Any, **how: Any) -> int:
    """Make the results of all parts of INPUT with the options of a command that scores."""
    options = _portable(options_of(args))
    work = partial(make, options=options, **how)
    return run_in_parts(args, args.input, work, {"command": command, **asdict(options), **how})


def run_in_parts(
    args: Namespace,
    sources: Sequence[str],
    make: Make,
    purpose: Mapping[str, Any],
    *,
    jobs: int = 0,
) -> int:
    """Make the results of all parts of the sources; `purpose` is what the folder is for."""
    folder = Path(args.parts).resolve()
    parts = find_parts(sources, folder)
    claim(folder, {"version": __version__, **purpose})
    done = Workers(cluster=args.cluster, jobs=jobs or args.jobs).run(make, parts, folder)
    return report_parts(done, str(purpose["command"]), len(parts))


def reduce_one_set(args: Namespace) -> int:
    """Reduce the pages of all parts as one set."""
    from reducepp.cluster.one_set import reduce_set

    options, folder = _portable(options_of(args)), Path(args.parts).resolve()
    parts = find_parts(args.input, folder)
    names = [(part.name, part.stat().st_size) for part in parts]
    claim(folder, {"version": __version__, "one set": names, **asdict(options)})
    if options.candidates == LSH:
        note("approximate candidates (lsh): some duplicates may not be found")
    done = reduce_set(parts, folder, options, Workers(cluster=args.cluster, jobs=args.jobs))
    return report_parts(done, "reduce")


def report_parts(found: Iterable[Done], command: str, total: int | None = None) -> int:
    """Count the parts; ReduceppError where one has no result, each named with the reason."""
    done: list[Done] = []
    with PageCounter(command) as counter:
        for one in found:
            counter.count("", one.pages, Path(one.part).name)
            done.append(one)
    failed = [one for one in done if one.error]
    for one in failed:
        note(f"failed: {one.part}: {one.error}")
    pages = sum(one.pages for one in done)
    before = "" if total is None else f", {total - len(done)} were done before"
    made = len(done) - len(failed)
    note(f"{made} part{'' if made == 1 else 's'} done ({pages} pages){before}")
    if failed:
        raise ReduceppError(
            f"{len(failed)} of {total or len(done)} parts failed, {failed[0].part} first"
        )
    return 0


def _portable(options: ReduceOptions) -> ReduceOptions:
    """Options with the profile itself, so that no worker needs its file."""
    return replace(options, profile=without_file(options.profile))
