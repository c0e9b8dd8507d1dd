"""Rows of figures to text and files: CSV, JSON, a table for the terminal, Markdown, Parquet.

A figure that is not defined is empty, or null in JSON; numbers lose their float noise.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reducepp.errors import needs_extra
from reducepp.io.atomic import write_text_file
from reducepp.io.escaping import csv_text, escape_controls, escape_markdown

Rows = Sequence[Mapping[str, Any]]
Cells = Sequence[str]
KEYS = 2
"""Columns at the beginning that say what a row is about: query and threshold."""
DECIMALS = 10
SHOWN_DECIMALS = 4


def rounded(value: Any) -> Any:
    """A value for a machine: None where not defined, without float noise."""
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DECIMALS)
    return value


def pick(rows: Sequence[Any], columns: Sequence[str]) -> list[dict[str, Any]]:
    """The named fields of each value."""
    return [{name: rounded(getattr(row, name)) for name in columns} for row in rows]


def as_csv(rows: Rows, columns: Sequence[str]) -> str:
    """Comma-separated with a header; empty where not defined."""
    return csv_text([columns, *([rounded(row.get(name)) for name in columns] for row in rows)])


def as_json(rows: Rows, columns: Sequence[str]) -> str:
    """`{"rows": [...]}`, null where not defined."""
    data = {"rows": [{name: rounded(row[name]) for name in columns} for row in rows]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def as_table(rows: Rows, columns: Sequence[str], width: int = 0) -> str:
    """Aligned for a terminal; a dash where not defined.

    Columns beyond the width (0 is any) go on below, with the first KEYS columns again.
    """
    lines = [list(columns), *([_cell_text(row[name]) for name in columns] for row in rows)]
    padded = []
    for cells, name in zip(zip(*lines, strict=True), columns, strict=True):
        pad = str.rjust if _is_numeric(rows, name) else str.ljust
        padded.append([pad(cell, max(map(len, cells))) for cell in cells])
    blocks = (zip(*block, strict=True) for block in _blocks(padded, width))
    return "\n".join("".join("  ".join(line).rstrip() + "\n" for line in block) for block in blocks)


def _blocks(padded: Sequence[Cells], width: int) -> list[list[Cells]]:
    """Columns side by side as far as they are no wider than `width`."""
    blocks = [[*padded[:KEYS]]]
    for column in padded[KEYS:]:
        taken = sum(len(other[0]) + 2 for other in blocks[-1]) + len(column[0])
        if width and taken > width and len(blocks[-1]) > KEYS:
            blocks.append([*padded[:KEYS]])
        blocks[-1].append(column)
    return blocks


def as_markdown(rows: Rows, columns: Sequence[str]) -> str:
    """A Markdown table; nothing in a cell is markup."""
    rules = ["---:" if _is_numeric(rows, name) else "---" for name in columns]
    cells = [[escape_markdown(_cell_text(row[name])) for name in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in (columns, rules, *cells))


def _is_numeric(rows: Rows, column: str) -> bool:
    return all(row[column] is None or isinstance(row[column], int | float) for row in rows)


def _cell_text(value: Any) -> str:
    value = rounded(value)
    if value is None:
        return "-"
    if isinstance(value, float):
        short = f"{value:.{SHOWN_DECIMALS}f}".rstrip("0").rstrip(".")
        return short if abs(value) < 1000 else f"{value:.1f}"
    text = escape_controls(" ".join(str(value).split()))
    return text if len(text) <= 60 else text[:59] + "…"


FORMATS: dict[str, Callable[[Rows, Sequence[str]], str]]
FORMATS = {"csv": as_csv, "json": as_json, "table": as_table, "md": as_markdown}


def write_parquet(path: Path, rows: Rows, columns: Sequence[str]) -> None:
    """A Parquet file; null where not defined."""
    with needs_extra("writing Parquet", "tables"):
        import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
        from pyarrow import parquet
    arrays = {name: pa.array([rounded(row[name]) for row in rows]) for name in columns}
    # A column that is defined nowhere has no type of its own, and files must fit each other.
    typed = {n: a.cast(pa.float64()) if pa.types.is_null(a.type) else a for n, a in arrays.items()}
    parquet.write_table(pa.table(typed), path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table or the numbers of one figure; `note` states what differs from the paper."""

    name: str
    """Part of a file name."""
    title: str
    rows: list[dict[str, Any]]
    note: str = ""

    def as_markdown(self) -> str:
        parts = [f"## {self.title}\n"]
        parts.append(as_markdown(self.rows, list(self.rows[0])) if self.rows else "No rows.\n")
        return "\n".join([*parts, *([self.note + "\n"] if self.note else [])])


def page_of(title: str, tables: Sequence[Table]) -> str:
    """All tables as one Markdown page."""
    return "\n".join([f"# {title}\n", *(table.as_markdown() for table in tables)])


def write_tables(page: str, tables: Sequence[Table], folder: Path) -> list[Path]:
    """Every table as CSV, and the page that shows them as `replication.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{t.name}.csv": as_csv(t.rows, list(t.rows[0])) for t in tables if t.rows}
    texts["replication.md"] = page
    return [write_text_file(folder / name, text) for name, text in texts.items()]
