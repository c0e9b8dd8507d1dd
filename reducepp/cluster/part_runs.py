"""Parts of a data set, what they become and who makes it: processes here, or Dask workers.

A result is one Parquet file in the output folder, written aside and renamed: it is there whole or
not at all, also where a lost worker made a part run twice. A run that was stopped goes on with what
is missing.

Needs dask.distributed for more than one machine: ``pip install 'reducepp[cluster]'``.
"""

from __future__ import annotations

import json
import logging
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reducepp.api import ReduceOptions, reduce_pages, resolve_profile
from reducepp.errors import InputError, ReduceppError, UsageError, errors_as, needs_extra
from reducepp.inputs import read_queries
from reducepp.io.writers import reduction_to_dict
from reducepp.parallel import map_in_order, release_freed_memory
from reducepp.types import PAGE_FIELDS, Integers, Page

if TYPE_CHECKING:
    from reducepp.evaluation.sweep import SweepOptions

RUN = "_run.json"
"""File of the output folder that holds the options of its run."""
AHEAD = 4
"""Parts handed to the cluster per thread before the first result is taken."""
RETRIES = 3
"""How often a part is tried again where its worker was lost."""
CONNECT_SECONDS = 20

ROW_GROUP = 1000
"""Rows of a result that are read at once, where a task reads a part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Columns whose rows are for several tasks, each of which reads its own (`read_dealt`)."""

    rows: Mapping[str, Any]
    to: Integers
    """Task of each row."""
    of: int


Rows = Sequence[Mapping[str, Any]] | Mapping[str, Any] | Dealt
"""A mapping per row, or one of columns."""
Make = Callable[[str], tuple[Rows, int]]
"""A part to the rows of its result, and its number of pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of one part."""

    part: str
    pages: int = 0
    error: str = ""
    """Why it has no result; "" where it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Who makes the parts: a cluster by the address of its scheduler, else processes here."""

    cluster: str = ""
    jobs: int = 0

    def run(self, make: Make, parts: Sequence[str | Path], folder: Path) -> Iterator[Done]:
        """Make the results that are not in the folder; what goes wrong is in their `error`."""
        _parquet()  # where it is missing no part can be written
        folder.mkdir(parents=True, exist_ok=True)
        work = partial(_do_part, folder=str(folder), make=make)
        left = [str(part) for part in parts if not _is_done(result_path(folder, part))]
        if self.cluster and left:
            return _run_on_cluster(work, left, self.cluster)
        return map_in_order(work, left, jobs=self.jobs)


def find_parts(sources: Iterable[str], folder: Path) -> list[Path]:
    """The files of folders, and files, largest first: the longest work must not begin last."""
    found = []
    for source in map(Path, sources):
        if not source.exists():
            raise InputError(f"{source}: no such file")
        inside = sorted(source.iterdir()) if source.is_dir() else [source]
        found += [path.resolve() for path in inside if path.is_file() and path.name[0] not in "._"]
    names = [result_path(folder, path).name for path in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two parts have the result {twice}: name one of them otherwise")
    if not found:
        raise InputError(f"{', '.join(sources)}: no part in it")
    if any(part.parent == folder for part in found):
        raise UsageError(f"{folder}: holds the parts themselves; name another folder")
    return sorted(found, key=lambda path: (-path.stat().st_size, path.name))


def result_path(folder: Path, part: str | Path) -> Path:
    """Where the result of a part goes."""
    name = Path(part).name
    return folder / (name if name.endswith(".parquet") else f"{name}.parquet")


def claim(folder: Path, options: Mapping[str, Any]) -> None:
    """Write the options of a run; UsageError for a folder with results of other options."""
    text = json.dumps(options, sort_keys=True, default=str).encode()
    path = folder / RUN
    with errors_as(InputError, f"{path}: cannot write", OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_bytes() != text:
            raise UsageError(f"{folder}: has results of other options; name another folder")
        _write(path, lambda aside: aside.write_bytes(text))


def _write(path: Path, write: Callable[[Path], object]) -> None:
    """Write aside and rename; the name aside is no other process's on any machine.

    Without the flush to disk of `write_aside`: what a crash takes is made again.
    """
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        write(aside)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _run_on_cluster(
    work: Callable[[str], Done], parts: Sequence[str], address: str
) -> Iterator[Done]:
    with needs_extra("--cluster", "cluster"):
        dask: Any = import_module("distributed")
    lost = f"{address}: no scheduler; run it again, the parts that are done stay"
    try:
        client = dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise ReduceppError(lost) from None
    try:
        with client:
            if not client.nthreads():
                text = "%s: no worker yet, waiting for one; start it with: dask worker %s"
                logging.getLogger("reducepp").warning(text, address, address)
            yield from _completed(client, dask.as_completed(loop=client.loop), work, parts)
    except (dask.CancelledError, OSError, TimeoutError):
        raise ReduceppError(lost) from None


def _completed(
    client: Any, running: Any, work: Callable[[str], Done], parts: Sequence[str]
) -> Iterator[Done]:
    """Submit parts a few ahead of the workers; each as it is done."""
    left = iter(parts)
    names: dict[str, str] = {}

    def submit(count: int) -> None:
        for part in islice(left, count):
            future = client.submit(work, part, pure=False, retries=RETRIES)
            names[future.key] = part
            running.add(future)

    submit(AHEAD * max(sum(client.nthreads().values()), 1))
    for future in running:
        error = future.exception()
        yield future.result() if error is None else _failed(names[future.key], error)
        submit(1)


def _failed(part: str, error: BaseException) -> Done:
    said = str(error) if isinstance(error, ReduceppError) else f"{type(error).__name__}: {error}"
    return Done(part=part, error=" ".join(said.split())[:300])


def _do_part(part: str, *, folder: str, make: Make) -> Done:
    """Read one part, write its result; a part that cannot be read is an error of that part."""
    try:
        rows, pages = make(part)
        write_result(result_path(Path(folder), part), rows)
    except (ReduceppError, OSError) as error:
        return _failed(part, error)
    finally:
        release_freed_memory()
    return Done(part=part, pages=pages)


def write_result(path: Path, rows: Rows) -> None:
    """Write a result; also for a task that has more than one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, partial(_write_rows, rows))


def _write_rows(rows: Rows, path: Path) -> None:
    parquet, arrow = _parquet(), import_module("pyarrow")
    if isinstance(rows, Dealt):
        order, sizes = np.argsort(rows.to, kind="stable"), np.bincount(rows.to, minlength=rows.of)
        table = arrow.Table.from_pydict(dict(rows.rows)).take(order)
        with parquet.ParquetWriter(path, table.schema, use_dictionary=False) as writer:
            for stop, size in zip(np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
                writer.write_table(table.slice(stop - size, size), row_group_size=max(size, 1))
        return
    make = arrow.Table.from_pydict if isinstance(rows, Mapping) else arrow.Table.from_pylist
    table = make(rows)
    # Of what is empty in all rows the type is not known: all parts must have the same.
    empty = {arrow.null(): arrow.string(), arrow.list_(arrow.null()): arrow.list_(arrow.string())}
    types = [arrow.field(one.name, empty.get(one.type, one.type)) for one in table.schema]
    parquet.write_table(table.cast(arrow.schema(types)), path, row_group_size=ROW_GROUP)


def read_result(path: str | Path, columns: Sequence[str] | None = None) -> Any:
    """A result as a pyarrow table; InputError that names a damaged one."""
    with _damage_named(path), _parquet().ParquetFile(path) as file:
        return file.read(columns=columns, use_threads=False)


def read_all(paths: Iterable[Path], columns: Sequence[str] | None = None) -> Any:
    """Columns of several results, one after the other."""
    return import_module("pyarrow").concat_tables([read_result(path, columns) for path in paths])


def read_rows(path: str | Path, start: int, stop: int) -> Any:
    """Some rows of a result, from the row groups that hold them."""
    with _damage_named(path), _parquet().ParquetFile(path) as file:
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        ends = np.cumsum(sizes)
        mine = np.flatnonzero((ends > start) & (ends - sizes < stop))
        before = int((ends - sizes)[mine[0]]) if len(mine) else start
        return file.read_row_groups(mine.tolist()).slice(start - before, max(stop - start, 0))


def read_dealt(paths: Iterable[Path], task: int, columns: Sequence[str] | None = None) -> Any:
    """The rows of several results that are for a task."""
    found = []
    for path in paths:
        with _damage_named(path), _parquet().ParquetFile(path) as file:
            found.append(file.read_row_group(task, columns=columns))
    return import_module("pyarrow").concat_tables(found)


def _is_done(path: Path) -> bool:
    """Whether a part has its result; InputError for a file that is none."""
    if path.exists():
        with _damage_named(path):
            _parquet().read_metadata(path)
    return path.exists()


@contextmanager
def _damage_named(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (import_module("pyarrow").ArrowException, OSError) as error:
        raise InputError(f"{path}: damaged; delete it and run again ({error})") from None


def _parquet() -> Any:
    with needs_extra("--parts", "tables"):
        return import_module("pyarrow.parquet")


def reduce_part(part: str, *, options: ReduceOptions) -> tuple[Rows, int]:
    """One row per query: `reduction` is the JSON of `reduce --format jsonl`."""
    groups = read_queries(part, jobs=1)
    rows = []
    for group in groups:
        found = reduce_pages(group.pages, options, failures=group.failures, query=group.query)
        row = {"query": found.query, "before": found.before, "after": found.after}
        text = json.dumps(reduction_to_dict(found), ensure_ascii=False)
        rows.append(row | {"reduction": text})
    return rows, sum(len(group.pages) for group in groups)


def sweep_part(
    part: str, *, options: ReduceOptions, thresholds: Sequence[float], how: SweepOptions
) -> tuple[Rows, int]:
    """One row per query and threshold, as `sweep` prints them."""
    from reducepp.evaluation.figure_tables import pick
    from reducepp.evaluation.sweep import COLUMNS, sweep_pages

    groups = [group for group in read_queries(part, jobs=1) if group.pages]
    profile = resolve_profile([page for group in groups for page in group.pages], options)
    rows = [
        row for group in groups for row in sweep_pages(group.pages, profile, thresholds, how)[1]
    ]
    return pick(rows, COLUMNS), sum(len(group.pages) for group in groups)


def split_part(part: str) -> tuple[Rows, int]:
    """One row per page with its content types; where it failed, its address and the `error`."""
    groups = read_queries(part, jobs=1)
    read = [(page, "") for group in groups for page in group.pages]
    failed = [(Page(url=f.url), f.reason) for group in groups for f in group.failures]
    rows = [
        {**{name: page.content(name) for name in PAGE_FIELDS}, "error": error}
        for page, error in (*read, *failed)
    ]
    return rows, len(read)
