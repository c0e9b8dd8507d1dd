"""Filter mode: the user's own rows, in their order and form, without near-duplicates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reducepp.api import ReduceOptions, reduce_pages
from reducepp.errors import InputError
from reducepp.inputs import split_documents
from reducepp.io.columns import Columns, as_records, is_frame, is_series
from reducepp.io.records import Read, page_of, page_to_dict, with_page
from reducepp.types import Dropped, Failure, Page, Reduction

ANNOTATIONS = ("cluster", "kept", "score", "level", "why")
"""Columns that annotation adds; one that the rows have already is called reducepp_NAME."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What becomes of one row."""

    cluster: int | None = None
    """Number of its cluster, from 1 on in the order of the representatives of its query."""
    kept: bool = True
    score: float | None = None
    """Score with the row it is dropped for."""
    level: str = ""
    why: str = ""

    def columns(self, taken: Sequence[str]) -> dict[str, Any]:
        """The verdict by column name."""
        names = (f"reducepp_{name}" if name in taken else name for name in ANNOTATIONS)
        values = (getattr(self, name) for name in ANNOTATIONS)
        return dict(zip(names, values, strict=True))


def row_verdicts(
    rows: Sequence[Any],
    options: ReduceOptions,
    columns: Columns | None = None,
    *,
    where: str = "the rows",
) -> list[Verdict]:
    """A verdict per row, each query on its own; a row that cannot be read is kept."""
    columns = columns or Columns()
    reads = [_read(row, place, columns) for place, row in enumerate(rows)]
    done = list(split_documents(reads, jobs=0))
    columns.check(where)
    verdicts = [
        Verdict(why=f"not compared: {r.reason}" if isinstance(r, Failure) else "") for r in done
    ]
    queries: dict[str, list[Page]] = {}
    for page in done:
        if isinstance(page, Page):
            queries.setdefault(page.query, []).append(page)
    for pages in queries.values():
        for place, verdict in _verdicts(reduce_pages(pages, options)):
            verdicts[place] = verdict
    return verdicts


def _read(row: Any, place: int, columns: Columns) -> Read:
    """A row as a page whose id is its place."""
    try:
        read = row if isinstance(row, Page) else columns.read(row)
    except InputError as error:
        return Failure(url=str(place), stage="read", reason=str(error))
    page = page_of(read)
    return with_page(read, replace(page, id=f"{place:09d}", rank=page.rank or place + 1))


def _verdicts(reduction: Reduction) -> Iterator[tuple[int, Verdict]]:
    """Place of each row of a query, and what becomes of it."""
    pages = {page.id: page for page in reduction.pages}
    dropped = {page.id: page for page in reduction.dropped}
    for number, cluster in enumerate(reduction.clusters, 1):
        for member in cluster.members:
            yield int(member), _verdict(number, dropped.get(member), pages)
    for name in reduction.cut:
        why = "cut: beyond the number of results asked for"
        yield int(name), Verdict(kept=False, why=why)


def _verdict(number: int, dropped: Dropped | None, pages: Mapping[str, Page]) -> Verdict:
    if dropped is None:
        return Verdict(cluster=number)
    kept, level = pages[dropped.kept], dropped.level
    name = kept.url or kept.page_title or f"row {int(kept.id) + 1}"
    facts = str(dropped.facts.get("summary", "")).removeprefix("same text, ")
    why = f"duplicate of {name} ({level})" + (f": {facts} (dropped / kept)" if facts else "")
    return Verdict(cluster=number, kept=False, score=dropped.score, level=level, why=why)


def filter_rows(
    rows: Any, *, annotate: bool = False, fields: Mapping[str, str] | None = None, **options: Any
) -> Any:
    """The given rows without near-duplicates: same objects, same order, nothing renamed.

    `rows` is a list of dicts, pages or texts, or a pandas DataFrame or Series, and so is what comes
    back. With `annotate` all rows come back with the columns cluster, kept, score, level and why (a
    text becomes a dict with the key text, a Series a DataFrame). `fields` maps our names (title,
    url, snippet, text, ...) to those of the rows. Rows that name a `query` are compared within it.
    The other options are those of `ReduceOptions`.
    """
    rows = list(rows) if isinstance(rows, Iterator) else rows
    records = as_records(rows, fields)
    verdicts = row_verdicts(records, ReduceOptions(**{"explain": False, **options}))
    kept = [place for place, verdict in enumerate(verdicts) if verdict.kept]
    if is_frame(rows) or is_series(rows):
        return _annotate_frame(rows, verdicts) if annotate else rows.iloc[kept]
    objects = list(rows)
    if not annotate:
        return [objects[place] for place in kept]
    return [_annotate(entry, v) for entry, v in zip(objects, verdicts, strict=True)]


def _annotate(entry: Any, verdict: Verdict) -> dict[str, Any]:
    if isinstance(entry, Page):
        entry = page_to_dict(entry, filled=True)
    record = {"text": entry} if isinstance(entry, str) else dict(entry)
    return {**record, **verdict.columns(list(record))}


def _annotate_frame(frame: Any, verdicts: Sequence[Verdict]) -> Any:
    frame = frame if is_frame(frame) else frame.to_frame(frame.name or "text")
    taken = list(frame.columns)
    columns = [verdict.columns(taken) for verdict in verdicts]
    return frame.assign(**{n: [row[n] for row in columns] for n in Verdict().columns(taken)})
