"""Labels that the page's readers give, kept on disk: one CSV file per set of pages.

The operator names the folder; a caller names a set by a short code of its own, never a path.
"""

import csv
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from reducepp.errors import InputError, UsageError, errors_as
from reducepp.io.atomic import write_text_file
from reducepp.io.escaping import csv_text, unescape_cell
from reducepp.service.limits import ServiceSettings
from reducepp.service.requests import StrictRequest

COLUMNS = ("query", "a", "b", "duplicate")
"""As `reducepp weights learn --labels` reads them."""
MAX_LABELS = 100_000
MAX_NAME_CHARS = 60_000
"""Of a page's id or a query; cells of CSV are read up to 131,072."""
Answer = Annotated[str, Field(max_length=100)]
_SET = re.compile(r"[0-9a-z]{1,12}-[0-9a-f]{1,16}")


class Answers(StrictRequest):
    """What a judge answered to the three questions, and the kind that it gives."""

    relevant: Answer
    utility: Answer
    navigation: Answer
    kind: Answer
    rater: str = Field(default="", max_length=200)


class Label(StrictRequest):
    """A person's label of two pages."""

    query: str = Field(default="", max_length=MAX_NAME_CHARS)
    a: str = Field(max_length=MAX_NAME_CHARS)
    b: str = Field(max_length=MAX_NAME_CHARS)
    duplicate: bool
    answers: Answers | None = None


class LabelsRequest(StrictRequest):
    """The labels of a set to keep; without labels, a request for those that are kept."""

    set: str = Field(pattern=rf"^{_SET.pattern}$")
    labels: list[Label] | None = Field(default=None, max_length=MAX_LABELS)


def make_label_folder(folder: Path) -> Path:
    """The folder by its whole path; InputError where it cannot be made."""
    with errors_as(InputError, f"{folder}: cannot be made", OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def keep_labels(request: LabelsRequest, settings: ServiceSettings) -> dict[str, Any]:
    """POST /labels: keep the labels where there are some, then return what is kept."""
    if settings.labels is None:
        raise UsageError("this service keeps no labels: start it with --labels DIR")
    path = settings.labels / f"labels-{request.set}.csv"
    if request.labels is not None:
        write_text_file(path, _as_csv(request.labels))
    return {"labels": _read(path)}


def _as_csv(labels: list[Label]) -> str:
    more = tuple(Answers.model_fields) if any(one.answers for one in labels) else ()
    rows = (
        (one.query, one.a, one.b, int(one.duplicate), *(getattr(one.answers, n, "") for n in more))
        for one in labels
    )
    return csv_text([(*COLUMNS, *more), *rows])


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [_read_row(row) for row in csv.DictReader(file)]
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise InputError(f"{path.name}: damaged labels: {type(error).__name__}") from None


def _read_row(row: dict[str, str]) -> dict[str, Any]:
    label: dict[str, Any] = {name: unescape_cell(row[name]) for name in COLUMNS}
    label["duplicate"] = row["duplicate"] == "1"
    if row.get("kind"):
        label["answers"] = {name: row.get(name) or "" for name in Answers.model_fields}
    return label
