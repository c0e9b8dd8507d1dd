"""Files from elsewhere: bounded depth, values and lines."""

import gzip
import io
import json
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, AnyStr

from reducepp.errors import InputError, errors_as

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Bytes of one line, cell or document."""
MAX_TOML_BYTES = 1024 * 1024
"""Bytes of a file of settings or of a search engine."""
UNREADABLE = (OSError, EOFError, zlib.error)
"""What reading a file raises that is missing, or damaged or truncated gzip."""
DAMAGED_GZIP = (gzip.BadGzipFile, EOFError, zlib.error)
MAX_VALUES = 5_000_000
"""Commas and opening brackets of one text: each may be a value of up to 200 bytes, so that
a text of a few packed kilobytes takes 1 GB at most. The longest line of prose that is read (64 MiB)
has a fifth of them."""


def parse_json(text: str | bytes, *, constant: Callable[[str], Any] | None = None) -> Any:
    """`json.loads`, with ValueError also for what nests too deeply or holds too many values.

    `constant` is called with NaN, Infinity and -Infinity; it may raise ValueError.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", "replace")
    if len(text) > MAX_VALUES and sum(map(text.count, ",[{")) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    try:
        return json.loads(text, parse_constant=constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def try_json(text: str | bytes) -> Any:
    """What `parse_json` reads; None for what it does not."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def read_toml(path: str | Path) -> dict[str, Any]:
    """A file of settings; OSError or ValueError for one that is no TOML, too deep or too long."""
    with open(path, "rb") as file:
        data = file.read(MAX_TOML_BYTES + 1)
    if len(data) > MAX_TOML_BYTES:
        raise ValueError(f"over {MAX_TOML_BYTES >> 20} MiB")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def bounded_lines(stream: IO[AnyStr], limit: int = MAX_LINE_BYTES) -> Iterator[AnyStr]:
    """Lines, of which one longer than `limit` loses its end and is then no JSON."""
    while line := stream.readline(limit):
        if len(line) == limit and line[-1:] not in ("\n", b"\n"):
            while len(rest := stream.readline(limit)) == limit and rest[-1:] not in ("\n", b"\n"):
                pass
        yield line


def stdin_text() -> io.TextIOWrapper:
    """Standard input as UTF-8, whatever the terminal's charset is."""
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")


def text_lines(source: str) -> Iterator[str]:
    """The lines of a UTF-8 file, gzip where its name ends in .gz; `-` is standard input."""
    if source == "-":
        yield from bounded_lines(stdin_text())
        return
    opened = gzip.open if source.endswith(".gz") else open
    with (
        errors_as(InputError, f"{source} cannot be read", *UNREADABLE),
        opened(Path(source), "rt", encoding="utf-8-sig", errors="replace") as file,
    ):
        yield from bounded_lines(file)
