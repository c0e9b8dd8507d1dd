"""What the commands share: input, profile and threshold, output, progress."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp.cli.notes import note as note
from reducepp.cli.output import PageCounter as PageCounter
from reducepp.cli.output import claim_folder as claim_folder
from reducepp.cli.output import progress as progress
from reducepp.cli.output import write_output as write_output
from reducepp.cli.output import write_parts as write_parts
from reducepp.clustering.representatives import GREEDY, POLICIES
from reducepp.clustering.tree import LINKAGES
from reducepp.errors import InputError, UsageError
from reducepp.input_kinds import AUTO, KINDS
from reducepp.parallel import LEAST_MEMORY

if TYPE_CHECKING:
    from reducepp.api import ReduceOptions
    from reducepp.inputs import QueryPages
    from reducepp.io.columns import Columns
    from reducepp.types import Profile

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
    parser.add_argument(
        "--overwrite", action="store_true", help="replace a file that reducepp did not write, too"
    )


def _out_path(text: str) -> str:
    """Where a file can be written, told before the work and not after it."""
    path = Path(text)
    if path.is_dir():
        raise InputError(f"{text}: cannot write: it is a folder")
    if not path.parent.is_dir():
        raise InputError(f"{text}: cannot write: there is no folder {path.parent}")
    return text


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
