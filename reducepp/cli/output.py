"""Where results go: files written whole, folders, and notes and progress on standard error."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from reducepp.errors import InputError, MissingExtraError, errors_as
from reducepp.io.atomic import refuse_foreign, write_aside
from reducepp.io.escaping import escape_controls

if TYPE_CHECKING:
    from reducepp.inputs import QueryPages

T = TypeVar("T")

_verbosity = {"quiet": False, "verbose": False}


def set_verbosity(*, quiet: bool = False, verbose: bool = False) -> None:
    """Print no notes from now on, or more of them."""
    _verbosity.update(quiet=quiet, verbose=verbose)


def note(text: str) -> None:
    """One line for the person at the terminal, unless `--quiet`."""
    if not _verbosity["quiet"]:
        bars = sys.modules.get("tqdm")
        write = bars.tqdm.write if bars else print
        write(escape_controls(text), file=sys.stderr)


def detail(text: str) -> None:
    """One line with `--verbose` only."""
    if _verbosity["verbose"]:
        note(text)


def check_outputs(args: Namespace) -> None:
    """InputError where a file that is written would replace what is read, or another's file."""
    inputs = getattr(args, "input", None) or []
    read = [Path(name) for name in ([inputs] if isinstance(inputs, str) else inputs)]
    for name in filter(None, (getattr(args, name, None) for name in ("out", "export", "plot"))):
        out = Path(name)
        if str(name) == "-" or not out.is_file():
            continue
        if any(path.is_file() and path.samefile(out) for path in read if str(path) != "-"):
            raise InputError(f"{out}: is the input and is not overwritten: choose another --out")
        if not getattr(args, "overwrite", True):
            refuse_foreign(out, "choose another name or --overwrite")


OUTPUT_PACKAGES = {
    "plot": ("matplotlib", "drawing", "evaluate"),
    "graphml": ("networkx", "the similarity graph", "evaluate"),
    "parquet": ("pyarrow", "writing Parquet", "tables"),
}
"""Option or format of a command's output to the optional package that writes it."""


def check_packages(args: Namespace) -> None:
    """MissingExtraError where the output needs a package: before the work and not after it."""
    wanted = {getattr(args, "format", "")} | ({"plot"} if getattr(args, "plot", "") else set())
    for name in wanted & OUTPUT_PACKAGES.keys():
        from importlib.util import find_spec

        package, what, extra = OUTPUT_PACKAGES[name]
        if find_spec(package) is None:
            raise MissingExtraError(what, extra)


def claim_folder(folder: Path, patterns: Iterable[str], *, mark: str) -> None:
    """Make a folder for output; InputError where files of these names are not ours.

    They are ours where the folder has the file `mark`, which the command writes.
    """
    with errors_as(InputError, f"{folder}: cannot write", OSError):
        folder.mkdir(parents=True, exist_ok=True)
        foreign = [path for pattern in patterns for path in folder.glob(pattern)]
        if foreign and not (folder / mark).exists():
            why = "was not made by this command and is not overwritten: choose another --out"
            raise InputError(f"{foreign[0]}: {why}")


def write_output(text: str, out: str = "-") -> None:
    """Print, or write aside and rename, so that a file is whole or not there."""
    write_parts([text], out)


def write_figures(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], form: str, out: str
) -> None:
    """Rows of figures in a form of `figure_tables`; a table is as wide as the terminal."""
    from reducepp.evaluation.figure_tables import FORMATS, as_table

    table = form == "table"
    text = as_table(rows, columns, table_width(out)) if table else FORMATS[form](rows, columns)
    write_output(text, out)


def table_width(out: str) -> int:
    """How wide a table may be: as the terminal, 0 for any width in a pipe or file."""
    from reducepp.io.terminal_table import find_screen

    return find_screen().width if out == "-" else 0


def write_parts(parts: Iterable[str], out: str = "-") -> None:
    """Print parts as they come, or write them aside and rename."""
    if out == "-":
        sys.stdout.writelines(parts)
        return

    def fill(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)

    write_aside(Path(out), fill)


class PageCounter(AbstractContextManager["PageCounter"]):
    """A bar on stderr, on a terminal unless `--quiet`: pages done of those read, and the query
    done last."""

    def __init__(self, what: str, total: int = 0) -> None:
        self.what, self.bar = what, None
        if sys.stderr.isatty() and not _verbosity["quiet"]:
            from tqdm import tqdm

            self.bar = tqdm(desc=what, total=total, unit=" pages", leave=False, file=sys.stderr)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def expect(self, queries: Iterable[QueryPages]) -> Iterator[QueryPages]:
        """The queries; their pages are to be done once they are read."""
        for group in queries:
            if self.bar is not None:
                self.bar.total = (self.bar.total or 0) + len(group.pages)
                self.bar.refresh()
            yield group

    def count(self, text: str, pages: int, query: str) -> str:
        """Count the pages of a query that is done; its text, which takes the line of the bar."""
        if self.bar is not None:
            self.bar.set_description(f"{self.what} {escape_controls(query)[:40]}", refresh=False)
            self.bar.update(pages)
            self.bar.clear()
        return text


def count_done(done: Iterable[T], what: str, queries: Sequence[QueryPages]) -> Iterator[T]:
    """What is done of each query, in their order, with a bar that counts its pages."""
    with PageCounter(what, sum(len(group.pages) for group in queries)) as counter:
        for group, one in zip(queries, done, strict=True):
            counter.count("", len(group.pages), group.query)
            yield one
