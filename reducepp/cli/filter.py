"""Your own rows, columns, order and format, without near-duplicates."""

import argparse
import sys
from pathlib import Path

from reducepp.cli.command_input import options_of, read_columns
from reducepp.cli.output import note
from reducepp.errors import UsageError
from reducepp.filtering import judge_rows
from reducepp.io.atomic import write_aside
from reducepp.io.own_rows import read_own_rows


def run(args: argparse.Namespace) -> int:
    """Read the rows, judge them, write those that stay."""
    rows = read_own_rows(args.input, form=args.input_format)
    columns = read_columns(args)
    where = "standard input" if args.input == "-" else args.input
    verdicts = judge_rows(rows.records, options_of(args, explain=False), columns, where=where)
    if described := columns.describe():
        note(described)
    taken = [*columns.used, *columns.ignored]
    extras = [verdict.columns(taken) for verdict in verdicts] if args.annotate else None
    kept = [place for place, verdict in enumerate(verdicts) if verdict.kept or args.annotate]
    _write(rows.write(kept, extras), args.out)
    note(f"{len(verdicts)} rows, {sum(verdict.kept for verdict in verdicts)} kept")
    return 0


def _write(data: bytes, out: str) -> None:
    if out == "-":
        if data.startswith(b"PAR1") and sys.stdout.isatty():
            raise UsageError("--out FILE: Parquet is for a file, not for the terminal")
        if sys.stdout.isatty():
            sys.stdout.write(data.decode("utf-8", "backslashreplace"))
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        return

    write_aside(Path(out), lambda path: path.write_bytes(data))
