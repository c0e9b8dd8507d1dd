"""Your own rows, columns, order and format, without near-duplicates."""

import sys
from argparse import Namespace
from pathlib import Path

from reducepp.cli.command_input import options_of, read_columns
from reducepp.cli.output import note
from reducepp.errors import UsageError
from reducepp.filtering import row_verdicts
from reducepp.io.atomic import write_aside
from reducepp.io.own_rows import read_own_rows


def run(args: Namespace) -> int:
    rows = read_own_rows(args.input, form=args.input_format)
    columns = read_columns(args)
    where = "standard input" if args.input == "-" else args.input
    verdicts = row_verdicts(rows.records, options_of(args, explain=False), columns, where=where)
    if described := columns.describe():
        note(described)
    taken = [*columns.used, *columns.ignored]
    extras = [verdict.columns(taken) for verdict in verdicts] if args.annotate else None
    kept = [place for place, verdict in enumerate(verdicts) if verdict.kept or args.annotate]
    data = rows.write(kept, extras)
    if args.out != "-":
        write_aside(Path(args.out), lambda path: path.write_bytes(data))
    elif not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    elif data.startswith(b"PAR1"):
        raise UsageError("--out FILE: Parquet is for a file, not for the terminal")
    else:
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    note(f"{len(verdicts)} rows, {sum(verdict.kept for verdict in verdicts)} kept")
    return 0
