"""Labels of pairs, read from files.

CSV has the columns query, a, b and one of `LABEL_FIELDS` or `CLASS_FIELDS`; JSONL has the same keys
and may carry whole pages as `a` and `b`. A label is a grade from 0 to its scale: above half of the
scale is a duplicate, below half a negative pair, exactly half undecided. The scale is stated, never
guessed from the grades that happen to occur: by the option, by a field `scale` of the line, or by
the field's name (`FIELD_SCALES`).
"""

import csv
import gzip
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reducepp.clustering.levels import LEVELS
from reducepp.errors import InputError, LabelsError, check_choice, errors_as
from reducepp.evidence.click_kinds import CLICK_KINDS
from reducepp.io.bounded_reading import UNREADABLE, parse_json
from reducepp.io.csv_parquet import find_delimiter
from reducepp.io.escaping import unescape_cell
from reducepp.io.sniff import as_utf8

QUESTIONS: dict[str, tuple[str, ...]] = {
    "relevant": ("both", "left", "right", "neither", "different intents"),
    "utility": ("identical", "very similar", "related", "different"),
    "navigation": ("within", "across", "no"),
}
"""Field of a label to the answers that it may have; `within` is easy navigation inside one site,
`across` from one site to another."""
DUPLICATE_KINDS = ("exact", "navigational", "content")
"""Kinds that count as duplicates; a weak content duplicate gives related information only."""
_BY_UTILITY = {"very similar": "content", "related": "weak"}


def kind_of_answers(relevant: str, utility: str, navigation: str) -> str:
    """The kind of duplicate, after the paper's table; `none` for all other combinations."""
    if relevant in ("neither", "different intents") or navigation == "across":
        return "none"
    if relevant == "both" and utility == "identical":
        return "exact"
    if navigation == "within":
        return "navigational"
    return _BY_UTILITY.get(utility, "content" if utility == "identical" else "none")


FIELD_SCALES: dict[str, float] = {"duplicate": 1.0, "votes": 6.0, "grade": 1.0, "label": 1.0}
"""Names of the field that holds the label, the first found counts, with the highest grade where
none is stated. Six votes are those of the Twitter-URL corpus (Lan et al. 2017)."""
LABEL_FIELDS = tuple(FIELD_SCALES)
CLASS_FIELDS = ("level", "kind", *QUESTIONS)
"""Fields that classify a pair further, and give its label where no field above does."""
_WORDS = {"true": 1.0, "yes": 1.0, "duplicate": 1.0, "false": 0.0, "no": 0.0, "different": 0.0}
MAX_BYTES = 500_000_000
"""Of a labels file, unpacked: a hundred times the largest of the benchmarks' sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLabel:
    """Label of two pages by id; `grade` is 0 to `scale`, `query` is "" where ids suffice."""

    query: str = ""
    a: str
    b: str
    grade: float
    scale: float = 1.0
    rater: str = ""
    """Who labelled the pair; "" where it is not stated."""
    level: str = ""
    """Level of Tao et al. that a person gave it; "" where none is stated."""
    kind: str = ""
    """Kind of Radlinski et al., stated or by a judge's three answers; "" without."""

    @property
    def decided(self) -> bool:
        """Not exactly in the middle of the scale."""
        return self.grade * 2 != self.scale

    @property
    def duplicate(self) -> bool:
        """Above the middle of the scale."""
        return self.grade * 2 > self.scale


Labels = Sequence[PairLabel]


def read_labels(path: str | Path, *, scale: float = 0.0) -> list[PairLabel]:
    """Labels of a CSV or JSONL file, also gzipped; `scale` is the highest grade (0: as stated)."""
    rows = read_label_rows(path)
    return [read_label(row, f"{path}:{line}", scale=scale) for line, row in rows]


def read_label_rows(path: str | Path) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """The rows of a labels file with their line numbers, unchanged."""
    text = _read_text(Path(path))
    is_json = text.lstrip()[:1] == "{"
    return _json_rows(text, str(path)) if is_json else _csv_rows(text, str(path))


def _read_text(path: Path) -> str:
    with errors_as(InputError, f"{path}: cannot be read", *UNREADABLE):
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as stream:
                data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise LabelsError(f"{path}: larger than {MAX_BYTES} bytes, too large for labels")
    with errors_as(LabelsError, f"{path}: not UTF-8 text", UnicodeDecodeError):
        return as_utf8(data).decode("utf-8-sig")


def _csv_rows(text: str, where: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=find_delimiter(text))
    names = reader.fieldnames or []
    if not {"a", "b"} <= set(names) or not {*LABEL_FIELDS, *CLASS_FIELDS} & set(names):
        found = ", ".join(names) or "none"
        raise LabelsError(f"{where}: columns query, a, b, duplicate are needed; found {found}")
    for row in reader:
        texts = {key: unescape_cell(v) if isinstance(v, str) else v for key, v in row.items()}
        yield reader.line_num, texts


def _json_rows(text: str, where: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
        except ValueError:
            raise LabelsError(f"{where}:{number}: not JSON") from None
        if not isinstance(row, dict):
            raise LabelsError(f"{where}:{number}: an object is needed")
        yield number, row


def read_label(row: Mapping[str, Any], where: str, *, scale: float = 0.0) -> PairLabel:
    """The label of one row; `where` is named in errors."""
    row = {**row, **_classes(row, where)}
    name = next((name for name in LABEL_FIELDS if row.get(name) not in (None, "")), "")
    a, b = page_id(row.get("a")), page_id(row.get("b"))
    if not a or not b or not name:
        raise LabelsError(f"{where}: a, b and one of {', '.join(LABEL_FIELDS)} are needed")
    grade = _number(row[name], f"{where}: {name}")
    stated = row.get("scale") not in (None, "")
    top = scale or (_number(row["scale"], f"{where}: scale") if stated else FIELD_SCALES[name])
    if grade > top:
        raise LabelsError(
            f"{where}: {name} {grade:g} is over {top:g}: state the highest grade with --scale N "
            "or in a field `scale`"
        )
    text = {key: str(row.get(key) or "") for key in ("query", "rater", "level", "kind")}
    return PairLabel(a=a, b=b, grade=grade, scale=top, **text)


def _classes(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Level and kind of a row, checked; they decide `duplicate` where no label field does.

    A judge's answers decide the kind where there are any.
    """
    stated = {name: str(row.get(name) or "").strip().lower() for name in CLASS_FIELDS}
    level, kind, *answers = stated.values()
    check_choice(f"{where}: level =", level, ("", *LEVELS), LabelsError)
    if any(answers):
        for name, allowed in QUESTIONS.items():
            check_choice(f"{where}: {name} =", stated[name], allowed, LabelsError)
        kind = kind_of_answers(*answers)
    check_choice(f"{where}: kind =", kind, ("", *CLICK_KINDS), LabelsError)
    found: dict[str, Any] = {"level": level, "kind": kind}
    if (level or kind) and not any(row.get(name) not in (None, "") for name in LABEL_FIELDS):
        found["duplicate"] = level != "none" if level else kind in DUPLICATE_KINDS
    return found


def page_id(value: Any) -> str:
    """The id of a page that is named, or given whole."""
    if isinstance(value, Mapping):
        value = value.get("id") or value.get("url")
    return "" if value is None else str(value)


def _number(value: Any, where: str) -> float:
    try:
        number = float(_WORDS.get(str(value).strip().lower(), value))
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (0 <= number < math.inf):
        raise LabelsError(
            f"{where} = {value!r}: a number from 0 is needed, or one of {', '.join(_WORDS)}"
        )
    return number
