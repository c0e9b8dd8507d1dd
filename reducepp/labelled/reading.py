"""Judged pairs: from files to pairs of page ids that are duplicates, different, or undecided.

CSV has the columns query, a, b, duplicate; JSONL has the same keys, `votes` or `grade` in the
place of `duplicate`, and may carry whole pages as `a` and `b`. A grade above half of the scale
is a duplicate, below half different, at half undecided: 0 and 1 mean no and yes, and of six
votes four are a duplicate, two are not and three leave it open.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, LabelsError

GRADES = ("duplicate", "votes", "grade", "label")
"""Names a judgement may have, the first found counts."""
_WORDS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
MAX_BYTES = 500_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What people said of two pages; `grade` is 0 to `scale`, `query` "" where ids suffice."""

    query: str = ""
    a: str
    b: str
    grade: float
    scale: float = 1.0

    @property
    def decided(self) -> bool:
        """Not exactly in the middle of the scale."""
        return self.grade * 2 != self.scale

    @property
    def duplicate(self) -> bool:
        """Above the middle of the scale."""
        return self.grade * 2 > self.scale


def read_labels(path: str | Path, *, scale: float = 0.0) -> list[Judgement]:
    """Judgements of a CSV or JSONL file, also gzipped; `scale` is the best grade (0: as found)."""
    rows = read_rows(path)
    return on_one_scale([judge_row(row, f"{path}:{line}") for line, row in rows], scale=scale)


def read_rows(path: str | Path) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """The lines of a labels file with their numbers, as they are."""
    text = _read_text(Path(path))
    is_json = text.lstrip()[:1] == "{"
    return _json_rows(text, str(path)) if is_json else _csv_rows(text, str(path))


def on_one_scale(judgements: Sequence[Judgement], *, scale: float = 0.0) -> list[Judgement]:
    """Give all judgements the same scale: the one named, or the highest grade, at least 1."""
    top = scale or max([1.0, *(judgement.grade for judgement in judgements)])
    beyond = next((j for j in judgements if j.grade > top), None)
    if beyond is not None:
        raise LabelsError(f"pair {beyond.a}, {beyond.b}: grade {beyond.grade:g} is over {top:g}")
    return [replace(judgement, scale=top) for judgement in judgements]


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as stream:
                data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise LabelsError(f"{path}: larger than {MAX_BYTES} bytes, too large for labels")
        return data.decode("utf-8-sig")
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise LabelsError(f"{path}: not UTF-8 text: {error.reason}") from error


def _csv_rows(text: str, where: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    names = reader.fieldnames or []
    if not {"a", "b"} <= set(names) or not set(GRADES) & set(names):
        found = ", ".join(names) or "none"
        raise LabelsError(f"{where}: columns query, a, b, duplicate are needed; found {found}")
    return ((reader.line_num, row) for row in reader)


def _json_rows(text: str, where: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise LabelsError(f"{where}:{number}: not JSON") from None
        if not isinstance(row, dict):
            raise LabelsError(f"{where}:{number}: an object is needed")
        yield number, row


def judge_row(row: Mapping[str, Any], where: str) -> Judgement:
    """What one line says; `where` is named in errors."""
    name = next((name for name in GRADES if row.get(name) not in (None, "")), "")
    a, b = page_id(row.get("a")), page_id(row.get("b"))
    if not a or not b or not name:
        raise LabelsError(f"{where}: a, b and one of {', '.join(GRADES)} are needed")
    query = row.get("query") or ""
    return Judgement(query=str(query), a=a, b=b, grade=_grade(row[name], f"{where}: {name}"))


def page_id(value: Any) -> str:
    """The id of a page that is named, or given whole."""
    if isinstance(value, Mapping):
        value = value.get("id") or value.get("url")
    return "" if value is None else str(value)


def _grade(value: Any, where: str) -> float:
    try:
        grade = float(_WORDS.get(str(value).strip().lower(), value))
    except (TypeError, ValueError):
        grade = math.nan
    if not (0 <= grade < math.inf):
        raise LabelsError(
            f"{where} = {value!r}: a number from 0 is needed, or yes, no, true, false"
        )
    return grade
