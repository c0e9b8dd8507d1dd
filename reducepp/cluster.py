"""Very many queries as parts of a data set: on this machine, or on a cluster of Dask workers.

A part is a file of pages; all pages of a query are in one part. Its result is one Parquet file of
the same name in the output folder, written aside and renamed: it is there whole or not at all, also
where a lost worker made a part run twice. A run that was stopped goes on with what is missing.

Needs dask.distributed for more than one machine: ``pip install 'reducepp[cluster]'``.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp.api import ReduceOptions, prepare_pages, reduce_pages, resolve_profile
from reducepp.errors import InputError, MissingExtraError, ReduceppError, UsageError
from reducepp.inputs import read_queries
from reducepp.parallel import map_in_order
from reducepp.types import Reduction

if TYPE_CHECKING:
    from reducepp.evaluation.sweep import SweepOptions

RUN = "_run.json"
"""File of the output folder that says what was asked for."""

AHEAD = 4
"""Parts handed to the cluster per thread before the first result is taken."""

RETRIES = 3
"""How often a part is tried again where its worker was lost."""

CONNECT_SECONDS = 20

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of one part."""

    part: str
    pages: int = 0
    error: str = ""
    """Why it has no result; "" where it has one."""


def find_parts(sources: Iterable[str]) -> list[Path]:
    """The files of folders, and files, largest first: the longest work must not begin last."""
    found = []
    for source in map(Path, sources):
        if not source.exists():
            raise InputError(f"{source}: no such file")
        inside = sorted(source.iterdir()) if source.is_dir() else [source]
        found += [path.resolve() for path in inside if path.is_file() and path.name[0] not in "._"]
    names = [path.name for path in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two parts are named {twice}: their results would be one file")
    if not found:
        raise InputError(f"{', '.join(sources)}: no part in it")
    return sorted(found, key=lambda path: (-path.stat().st_size, path.name))


def result_path(folder: Path, part: str | Path) -> Path:
    """Where the result of a part goes."""
    name = Path(part).name
    return folder / (name if name.endswith(".parquet") else f"{name}.parquet")


def run_parts(
    work: Callable[[str], Done],
    parts: Sequence[Path],
    folder: Path,
    *,
    asked: Mapping[str, Any],
    cluster: str = "",
    jobs: int = 0,
) -> Iterator[Done]:
    """Do the work for the parts that have no result yet; what goes wrong is in their `error`.

    `asked` describes the work: a folder with results of other work is refused.
    """
    if any(part.parent == folder for part in parts):
        raise UsageError(f"{folder}: holds the parts themselves; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, asked)
    left = [str(part) for part in parts if not result_path(folder, part).exists()]
    if cluster:
        yield from _run_on_cluster(work, left, cluster)
    else:
        yield from map_in_order(work, left, jobs=jobs)


def _claim(folder: Path, asked: Mapping[str, Any]) -> None:
    text = json.dumps(asked, sort_keys=True, default=str)
    path = folder / RUN
    if path.exists() and path.read_text("utf-8") != text:
        raise UsageError(f"{folder}: has results of other options; name another folder")
    _write(path, lambda aside: aside.write_text(text, "utf-8"))


def _write(path: Path, write: Callable[[Path], object]) -> None:
    """Write aside and rename; the name aside is no other process's on any machine."""
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        write(aside)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _run_on_cluster(
    work: Callable[[str], Done], parts: Sequence[str], address: str
) -> Iterator[Done]:
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise MissingExtraError("--cluster", "cluster") from None
    lost = f"{address}: no scheduler; run it again, the parts that are done stay"
    try:
        client = dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise ReduceppError(lost) from None
    left = iter(parts)
    names: dict[str, str] = {}
    with client:
        running = dask.as_completed(loop=client.loop)

        def submit(count: int) -> None:
            for part in islice(left, count):
                future = client.submit(work, part, pure=False, retries=RETRIES)
                names[future.key] = part
                running.add(future)

        submit(AHEAD * max(sum(client.nthreads().values()), 1))
        for future in running:
            try:
                error = future.exception()
                yield future.result() if error is None else _failed(names[future.key], error)
            except (dask.CancelledError, OSError):
                raise ReduceppError(lost) from None
            submit(1)


def _failed(part: str, error: BaseException) -> Done:
    return Done(part=part, error=" ".join(f"{type(error).__name__}: {error}".split())[:300])


def do_part(part: str, *, folder: str, make: Callable[[str], tuple[Rows, int]]) -> Done:
    """Read one part, write its result; a part that cannot be read is an error of that part."""
    try:
        rows, pages = make(part)
        _write(result_path(Path(folder), part), partial(_write_rows, rows))
    except (ReduceppError, OSError) as error:
        return _failed(part, error)
    return Done(part=part, pages=pages)


def _write_rows(rows: Rows, path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("writing Parquet", "tables") from None
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)


def reduce_part(part: str, *, options: ReduceOptions) -> tuple[Rows, int]:
    """One row per query: `reduction` is the JSON of `reduce --format jsonl`."""
    groups = read_queries(part, jobs=1)
    found = (reduce_pages(g.pages, options, failures=g.failures, query=g.query) for g in groups)
    return [_reduction_row(one) for one in found], sum(len(group.pages) for group in groups)


def _reduction_row(reduction: Reduction) -> dict[str, Any]:
    from reducepp.io.writers import reduction_to_dict

    return {
        "query": reduction.query,
        "before": reduction.before,
        "after": reduction.after,
        "reduction": json.dumps(reduction_to_dict(reduction), ensure_ascii=False),
    }


def sweep_part(
    part: str, *, options: ReduceOptions, thresholds: Sequence[float], how: SweepOptions
) -> tuple[Rows, int]:
    """One row per query and threshold, as `sweep` prints them."""
    from reducepp.evaluation.figure_tables import pick
    from reducepp.evaluation.sweep import COLUMNS, sweep_pages

    groups = [group for group in read_queries(part, jobs=1) if group.pages]
    profile = resolve_profile([page for group in groups for page in group.pages], options)
    rows = [
        row
        for group in groups
        for row in sweep_pages(prepare_pages(group.pages, profile), profile, thresholds, how)[1]
    ]
    return pick(rows, COLUMNS), sum(len(group.pages) for group in groups)
