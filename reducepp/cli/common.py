"""What the commands share: input, profile and threshold, output, progress."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sized
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from reducepp.cli.notes import note as note
from reducepp.clustering.representatives import GREEDY, POLICIES
from reducepp.clustering.tree import LINKAGES
from reducepp.errors import InputError, UsageError
from reducepp.input_kinds import AUTO, KINDS
from reducepp.io.escaping import escape_controls
from reducepp.parallel import LEAST_MEMORY

if TYPE_CHECKING:
    from reducepp.api import ReduceOptions
    from reducepp.inputs import QueryPages
    from reducepp.io.columns import Columns
    from reducepp.types import Profile

T = TypeVar("T")

FORMS = ("jsonl", "json", "csv", "tsv", "parquet", "html", "warc", "store")


def add_input(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """INPUT and how to read it."""
    parser.add_argument(
        "input",
        metavar="INPUT",
        nargs="*" if optional else "+",
        help="JSONL, CSV, Parquet, JSON of a search service, saved pages or a folder of them, WARC "
        "or store; several are read as one; - is standard input",
    )
    parser.add_argument(
        "--input-format", choices=FORMS, default="", help="where the content does not show it"
    )
    add_fields(parser)
    add_jobs(parser)


def add_fields(parser: argparse.ArgumentParser) -> None:
    """Names of columns that are not the usual ones."""
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="read a field (title, url, snippet, text, ...) from the column of that name; "
        "may be repeated",
    )


def read_columns(args: argparse.Namespace) -> Columns:
    """The names of columns that `--field` gives."""
    from reducepp.io.columns import Columns

    pairs = [text.partition("=") for text in args.field]
    if wrong := [ours for ours, sign, theirs in pairs if not (ours and sign and theirs)]:
        raise UsageError(f"--field {wrong[0]}: FIELD=COLUMN is needed, as in title=Headline")
    return Columns(names={ours: theirs for ours, _, theirs in pairs})


def read_input(args: argparse.Namespace) -> list[QueryPages]:
    """The queries of INPUT; which columns were used is noted where some were ignored."""
    from reducepp.inputs import read_queries

    columns = read_columns(args)
    queries = read_queries(args.input, jobs=args.jobs, form=args.input_format, columns=columns)
    if described := columns.describe():
        note(described)
    return queries


def stream_input(args: argparse.Namespace) -> Iterator[QueryPages]:
    """The queries of INPUT one after the other, then the note on columns."""
    from reducepp.inputs import stream_queries

    columns = read_columns(args)
    yield from stream_queries(args.input, jobs=args.jobs, form=args.input_format, columns=columns)
    if described := columns.describe():
        note(described)


def add_memory(parser: argparse.ArgumentParser) -> None:
    """How much memory all processes together may take."""
    parser.add_argument(
        "--memory",
        type=_memory_size,
        default=0,
        metavar="SIZE",
        help="memory of all processes together, as 2G or 500M: fewer processes are used where it "
        "is small, and a query that needs more fails (default: no limit)",
    )


def _memory_size(text: str) -> int:
    """Bytes of a size such as 2G, for argparse."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    size = int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")) if found else 0
    if not found or 0 < size < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"{text!r}: a size from 256M on is needed, as 2G")
    return size


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """How many processes."""
    parser.add_argument(
        "--jobs", type=_positive, default=0, metavar="N", help="processes (default: all cores)"
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """The profile alone."""
    parser.add_argument(
        "--profile",
        default=AUTO,
        metavar="NAME|FILE",
        help="profile (default: auto: posts for posts and short texts, else default)",
    )
    add_prepare(parser)


def add_prepare(parser: argparse.ArgumentParser) -> None:
    """How body text is prepared."""
    parser.add_argument(
        "--prepare",
        default="",
        choices=("syntactic", "semantic", "spacy"),
        help="body text as its words, or without stop words and by lemmas and synonyms, the "
        "lemmas from tables or an installed spaCy model (default: the profile's)",
    )


def add_scoring(
    parser: argparse.ArgumentParser,
    *,
    threshold: str = "score from which two pages are one (default: the profile's)",
) -> None:
    """Profile and threshold, and what the threshold means here."""
    add_profile(parser)
    parser.add_argument("--threshold", type=threshold_value, metavar="T", help=threshold)


def add_reducing(parser: argparse.ArgumentParser) -> None:
    """How much is dropped at most, and what the input is."""
    parser.add_argument(
        "--min-score",
        type=threshold_value,
        metavar="S",
        help="drop no page for one with which it scores less (default: no such promise; with "
        "--target-n the profile's threshold)",
    )
    parser.add_argument(
        "--target-n",
        type=_positive,
        metavar="N",
        help="at most N results: merge further, down to --min-score, then cut the lowest ranked",
    )
    parser.add_argument(
        "--kind", default=KINDS[0], choices=KINDS, help="what the input is (default: detect it)"
    )


def add_clustering(parser: argparse.ArgumentParser, *, walk: bool = True) -> None:
    """How clusters merge, and which page of each is shown; `walk` where no tree is needed."""
    words = "which page of a cluster is shown (default: rank)"
    if walk:
        words += "; walk makes no clusters but drops, from the top down, what duplicates a page "
        words += "above it"
    parser.add_argument(
        "--linkage",
        default="",
        choices=LINKAGES,
        help="how clusters merge (default: the profile's)",
    )
    parser.add_argument(
        "--keep",
        default="rank",
        choices=[name for name in POLICIES if walk or name != GREEDY],
        help=words,
    )


def options_of(args: argparse.Namespace, **given: Any) -> ReduceOptions:
    """The options that a command's arguments set; those it does not have keep their defaults."""
    from reducepp.api import ReduceOptions

    names = {field.name for field in fields(ReduceOptions)} - {"explain"}
    found = {name: value for name, value in vars(args).items() if name in names}
    return ReduceOptions(**{**found, **given})


def profile_of(args: argparse.Namespace, queries: Iterable[QueryPages]) -> Profile:
    """The one profile for all queries of a command that prints them in one table or page."""
    from reducepp.api import resolve_profile

    return resolve_profile([page for group in queries for page in group.pages], options_of(args))


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where the result goes."""
    parser.add_argument(
        "--out", metavar="FILE", default="-", type=_out_path, help="file (default: standard output)"
    )


def _out_path(text: str) -> str:
    """Where a file can be written, told before the work and not after it."""
    path = Path(text)
    if path.is_dir():
        raise InputError(f"{text}: cannot write: it is a folder")
    if not path.parent.is_dir():
        raise InputError(f"{text}: cannot write: there is no folder {path.parent}")
    return text


def refuse_own_input(args: argparse.Namespace) -> None:
    """InputError where the output would replace what is read."""
    out, inputs = getattr(args, "out", "-"), getattr(args, "input", [])
    if not out or str(out) == "-" or not Path(out).is_file():
        return
    for name in [inputs] if isinstance(inputs, str) else inputs or []:
        if name != "-" and Path(name).is_file() and Path(name).samefile(out):
            raise InputError(f"{out}: is the input and is not overwritten: choose another --out")


def claim_folder(folder: Path, patterns: Iterable[str], *, mark: str) -> None:
    """Make a folder for output; InputError where files of these names are somebody else's.

    They are ours where the folder has the file `mark`, which the command writes.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = [path for pattern in patterns for path in folder.glob(pattern)]
        if foreign and not (folder / mark).exists():
            raise InputError(
                f"{foreign[0]}: was not made by this command and is not overwritten: "
                "choose another --out"
            )
    except OSError as error:
        raise InputError(f"{folder}: cannot write: {error.strerror or error}") from None


def threshold_value(text: str) -> float:
    """A score from 0 to 1, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 0 to 1 is needed")
    return value


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 1 on is needed")
    return int(text)


positive = _positive
"""A whole number from 1 on, for argparse."""


def write_output(text: str, out: str = "-") -> None:
    """Print, or write aside and rename, so that a file is whole or not there."""
    if out == "-":
        sys.stdout.write(text)
        return
    from reducepp.io.atomic import write_text_file

    write_text_file(Path(out), text)


def write_parts(parts: Iterable[str], out: str = "-") -> None:
    """Print parts as they come, or write them aside and rename."""
    if out == "-":
        sys.stdout.writelines(parts)
        return
    from reducepp.io.atomic import write_aside

    def fill(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)

    write_aside(Path(out), fill)


class PageCounter:
    """A line on stderr that counts pages and names the query that is done, on a terminal."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self.what, self.bar = what, None
        if sys.stderr.isatty() and not quiet:
            from tqdm import tqdm

            self.bar = tqdm(desc=what, unit=" pages", leave=False, file=sys.stderr)

    def __enter__(self) -> PageCounter:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def count(self, text: str, pages: int, query: str) -> str:
        """Count the pages of a query that is done; hands its text on."""
        if self.bar is not None:
            self.bar.set_description(f"{self.what} {escape_controls(query)[:40]}", refresh=False)
            self.bar.update(pages)
        return text


def progress(items: Iterable[T], what: str, *, total: int | None = None) -> Iterable[T]:
    """A bar on stderr where that is a terminal and the work is more than one thing."""
    size = len(items) if isinstance(items, Sized) else total
    if not sys.stderr.isatty() or (size is not None and size < 2):
        return items
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(items, desc=what, total=size, leave=False, file=sys.stderr)
    return bar
