"""Tables of a replication: rows with a title, as Markdown and as CSV files."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from reducepp.evaluation.figure_tables import as_csv, as_markdown
from reducepp.io.atomic import write_text_file

PUBLISHED: dict[str, Any] = tomllib.loads(
    (files("reducepp.replication") / "published.toml").read_text("utf-8")
)
"""What the papers print: `paper1` to `paper5`, then the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table or the numbers of one figure; `note` states what differs from the paper."""

    name: str
    """Part of a file name."""
    title: str
    rows: list[dict[str, Any]]
    note: str = ""

    def as_markdown(self) -> str:
        """Title, rows, note."""
        parts = [f"## {self.title}\n"]
        parts.append(as_markdown(self.rows, list(self.rows[0])) if self.rows else "No rows.\n")
        return "\n".join([*parts, *([self.note + "\n"] if self.note else [])])


def page_of(title: str, tables: Sequence[Table]) -> str:
    """All tables as one Markdown page."""
    return "\n".join([f"# {title}\n", *(table.as_markdown() for table in tables)])


def write_tables(title: str, tables: Sequence[Table], folder: Path) -> list[Path]:
    """Every table as CSV, and all as `replication.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{t.name}.csv": as_csv(t.rows, list(t.rows[0])) for t in tables if t.rows}
    texts["replication.md"] = page_of(title, tables)
    return [write_text_file(folder / name, text) for name, text in texts.items()]
