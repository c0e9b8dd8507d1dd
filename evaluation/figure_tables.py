"""Rows of figures to text and files: CSV, JSON, a table for the terminal, Markdown, Parquet.

A figure that is not defined is empty, or null in JSON; numbers lose their float noise.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reducepp.errors import MissingExtraError
from reducepp.io.escaping import escape_cells, escape_controls, escape_markdown

Rows = Sequence[Mapping[str, Any]]
DECIMALS = 10
SHOWN = 4


def plain(value: Any) -> Any:
    """A value for a machine: None where not defined, without float noise."""
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DECIMALS)
    return value


def pick(rows: Sequence[Any], columns: Sequence[str]) -> list[dict[str, Any]]:
    """The named fields of each value."""
    return [{name: plain(getattr(row, name)) for name in columns} for row in rows]


def as_csv(rows: Rows, columns: Sequence[str]) -> str:
    """Comma-separated with a header; empty where not defined."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(escape_cells(plain(row.get(name)) for name in columns) for row in rows)
    return text.getvalue()


def as_json(rows: Rows, columns: Sequence[str]) -> str:
    """`{"rows": [...]}`, null where not defined."""
    data = {"rows": [{name: plain(row[name]) for name in columns} for row in rows]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def as_table(rows: Rows, columns: Sequence[str]) -> str:
    """Aligned for a terminal; a dash where not defined."""
    cells = [[_shown(row[name]) for name in columns] for row in rows]
    widths = [
        max(len(name), *(len(line[i]) for line in cells), 1) if cells else len(name)
        for i, name in enumerate(columns)
    ]
    numeric = [all(_is_number(row[name]) for row in rows) for name in columns]
    lines = [_line(columns, widths, numeric)]
    lines += [_line(line, widths, numeric) for line in cells]
    return "".join(line.rstrip() + "\n" for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    return "  ".join(
        cell.rjust(width) if number else cell.ljust(width)
        for cell, width, number in zip(cells, widths, numeric, strict=True)
    )


def as_markdown(rows: Rows, columns: Sequence[str]) -> str:
    """A Markdown table; nothing in a cell is markup."""
    numeric = [all(_is_number(row[name]) for row in rows) for name in columns]
    lines = [
        "| " + " | ".join(columns) + " |",
        "| " + " | ".join("---:" if number else "---" for number in numeric) + " |",
    ]
    lines += [
        "| " + " | ".join(escape_markdown(_shown(row[c])) for c in columns) + " |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, int | float)


def _shown(value: Any) -> str:
    value = plain(value)
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{SHOWN}f}".rstrip("0").rstrip(".") if abs(value) < 1000 else f"{value:.1f}"
    text = escape_controls(" ".join(str(value).split()))
    return text if len(text) <= 60 else text[:59] + "…"


FORMATS: dict[str, Callable[[Rows, Sequence[str]], str]] = {
    "csv": as_csv,
    "json": as_json,
    "table": as_table,
    "md": as_markdown,
}


def write_parquet(path: Path, rows: Rows, columns: Sequence[str]) -> None:
    """A Parquet file; null where not defined."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("writing Parquet", "tables") from None
    arrays = {name: pa.array([plain(row[name]) for row in rows]) for name in columns}
    # A column that is defined nowhere has no type of its own, and files must fit each other.
    typed = {n: a.cast(pa.float64()) if pa.types.is_null(a.type) else a for n, a in arrays.items()}
    parquet.write_table(pa.table(typed), path)
