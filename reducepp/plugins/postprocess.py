"""The one post-processor that every host wraps: ordered results in, the same objects out.

What is dropped is attached to its representative, the best-ranked copy.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from reducepp.api import ReduceOptions, compare_query, keep_apart, lowest_score, resolve_cut
from reducepp.errors import InputError, UsageError
from reducepp.inputs import split_documents
from reducepp.io.columns import check_is_list, is_frame
from reducepp.io.readers import assign_ids
from reducepp.io.records import ALIASES, Document, page_of, read_record, with_page
from reducepp.io.writers import reduction_to_dict
from reducepp.pipeline import cut
from reducepp.types import Bools, Failure, Page, Reduction

T = TypeVar("T")

MIN_SCORE_APART = 1e-9
"""Any score above 0, which pairs that are never duplicates have: no chain joins them."""
Pairs = Bools
"""n×n, true where two results are never duplicates."""
Accessor = Callable[[Any], Any]
"""A result to one of its fields: a text, or nothing."""
FIELDS = {
    "id": "id",
    "title": "page_title",
    "url": "url",
    "snippet": "snippet",
    "text": "body",
    "html": "html",
    "language": "language",
    "date": "posted_at",
}
"""Fields that a caller may read with functions of their own, to ours."""
_NAMES = (name for field in FIELDS.values() for name in (field, *ALIASES.get(field, ())))
DATA = (int, float, list, tuple)
"""Types of values besides texts and dates that a field may have: numbers, and lists of texts."""
ATTRIBUTES = (*filter(str.isidentifier, _NAMES), "publishedDate")
"""Names under which the fields of an object that is no mapping are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar(Generic[T]):
    """A result that is dropped, or moved to the end, for its representative."""

    result: T
    place: int
    """Its place among the results, from 0 on."""
    kept: int
    """Place of its representative."""
    score: float
    level: str
    signals: Mapping[str, float]
    """Contribution of each signal to the score."""
    differs: str = ""
    """Facts in which it differs from its representative, its own before the other's."""

    def reason(self) -> dict[str, Any]:
        """Why it is dropped, as plain data."""
        names = ("place", "kept", "score", "level", "differs")
        return {**{name: getattr(self, name) for name in names}, "signals": dict(self.signals)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Generic[T]):
    """A result that is shown, with those dropped for it."""

    result: T
    place: int
    similar: tuple[Similar[T], ...] = ()
    """Its near-duplicates in mode `collapse`; empty in the other modes."""
    demoted: Similar[T] | None = None
    """Set where this result was moved to the end as a near-duplicate of an earlier one."""

    @property
    def note(self) -> str:
        """One line for a result list, such as "2 similar hidden"; "" where nothing is."""
        return f"{len(self.similar)} similar hidden" if self.similar else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed(Generic[T]):
    """What is shown, in the order given, and everything that is not."""

    shown: tuple[Shown[T], ...]
    hidden: tuple[Similar[T], ...]
    """All near-duplicates of a shown result, in every mode, in the order given."""
    cut: tuple[T, ...]
    """Results left out only because of `target_n`, in the order given."""
    reduction: Reduction

    @property
    def results(self) -> list[T]:
        return [shown.result for shown in self.shown]

    def report(self) -> dict[str, Any]:
        """The reduction as plain data: the form of `reducepp reduce --format json`."""
        return reduction_to_dict(self.reduction)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostProcessor(ReduceOptions):
    """Drop near-duplicates among ordered results of any kind.

    The options are those of `ReduceOptions`. `distinct_by` names keys: results that differ in one
    of them are never duplicates. `fields` maps a field's name to a function that reads it from a
    result.
    """

    explain: bool = False
    distinct_by: Sequence[str] = ()
    fields: Mapping[str, Accessor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ReduceOptions.__post_init__(self)
        unknown = sorted(set(self.fields) - set(FIELDS))
        if unknown:
            raise UsageError(f"fields {unknown[0]!r}: use some of {', '.join(FIELDS)}")
        if isinstance(self.distinct_by, str):
            raise UsageError(f"distinct_by {self.distinct_by!r}: a list of keys is needed")

    def __call__(self, results: Iterable[T], *, query: str = "") -> Processed[T]:
        """Process one list of results; nothing is kept from call to call."""
        check_is_list(results)
        if is_frame(results):
            raise UsageError("a list of results is needed, not a DataFrame: use reducepp.filter")
        objects = list(results)
        reads = [self.read(result) for result in objects]
        reduction = self.reduce(reads, query=query, apart=self.never_duplicates(objects))
        return arrange(objects, reduction)

    def read(self, result: Any) -> Page | Document:
        """What is compared of a result."""
        return read_result(result, self.fields)

    def reduce(
        self, reads: Iterable[Page | Document], *, query: str = "", apart: Pairs | None = None
    ) -> Reduction:
        """Reduce results that were read; the pairs of `apart` are never duplicates."""
        pages = as_ranked_pages(reads, query=query)
        floor = lowest_score(pages, self) if apart is None else 0.0
        comparison = compare_query(pages, self, query=query, floor=floor)
        if apart is not None:
            comparison = keep_apart(comparison, apart)
        how = resolve_cut(comparison, self)
        least = self.default_min_score(how.threshold) or (0.0 if apart is None else MIN_SCORE_APART)
        return cut(comparison, replace(how, min_score=how.min_score or least))

    def default_min_score(self, threshold: float) -> float:
        """The `min_score` of calls that give none: 0, no promise."""
        return 0.0

    def never_duplicates(self, results: Sequence[Any]) -> Pairs | None:
        """Pairs of results that differ in one of the keys of `distinct_by`."""
        if not self.distinct_by:
            return None
        found = map(self.metadata, results)
        return unequal([tuple(repr(m.get(key)) for key in self.distinct_by) for m in found])

    def metadata(self, result: Any) -> Mapping[str, Any]:
        """Where the keys of `distinct_by` are looked for."""
        return result if isinstance(result, Mapping) else getattr(result, "__dict__", {})


def unequal(values: Sequence[Any]) -> Pairs:
    """Where two values differ."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    found = np.array([numbers[value] for value in values], dtype=np.int64)
    differ: Pairs = found[:, None] != found
    return differ


def postprocess(results: Iterable[T], *, query: str = "", **options: Any) -> Processed[T]:
    """Process one list of results; the options are those of `PostProcessor`."""
    return PostProcessor(**options)(results, query=query)


def arrange(objects: Sequence[T], reduction: Reduction) -> Processed[T]:
    """The objects in the order and under the representatives of a reduction of their pages."""
    places = {page.id: place for place, page in enumerate(reduction.pages)}
    hidden = {
        dropped.id: Similar(
            result=objects[places[dropped.id]],
            place=places[dropped.id],
            kept=places[dropped.kept],
            score=dropped.score,
            level=dropped.level,
            signals={name: share.contribution for name, share in dropped.by_signal.items()},
            differs=str(dropped.facts.get("summary", "")),
        )
        for dropped in reduction.dropped
    }
    shown = []
    for kept, listed in reduction.listed.items():
        similar, place = tuple(hidden[name] for name in listed), places[kept]
        shown.append(Shown(result=objects[place], place=place, similar=similar))
    if reduction.mode == "demote":
        shown += [Shown(result=h.result, place=h.place, demoted=h) for h in hidden.values()]
    beyond = tuple(objects[places[name]] for name in reduction.cut)
    every = tuple(hidden.values())
    return Processed(shown=tuple(shown), hidden=every, cut=beyond, reduction=reduction)


def read_result(result: Any, fields: Mapping[str, Accessor]) -> Page | Document:
    """Read a result as every door reads a record; values that are no data count as empty, and no
    result fails: one with a list where a text belongs goes by its texts.
    """
    record = {**_record_of(result), **{FIELDS[name]: read(result) for name, read in fields.items()}}
    texts = {name: value for name, value in record.items() if _is_text(value)}
    data = {name: v for name, v in record.items() if name in texts or isinstance(v, DATA)}
    for known in (data, texts):
        with suppress(InputError):
            return read_record(known)
    return Page(id="")


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes) or hasattr(value, "isoformat")


def _record_of(result: Any) -> Mapping[str, Any]:
    if isinstance(result, str):
        return {"body": result}
    if isinstance(result, Mapping):
        return {str(key): value for key, value in result.items()}
    found = {name: getattr(result, name, None) for name in ATTRIBUTES}
    return {name: value for name, value in found.items() if not callable(value)}


def as_ranked_pages(reads: Iterable[Page | Document], *, query: str = "") -> list[Page]:
    """One page per result, ranked as given; one that cannot be split goes by its other fields."""
    ranked = (
        with_page(read, replace(page_of(read), query=query, rank=rank))
        for rank, read in enumerate(reads, 1)
    )
    named = [read for read in assign_ids(ranked) if not isinstance(read, Failure)]
    done = split_documents(named, jobs=1)
    return [
        split if isinstance(split, Page) else _known(read)
        for read, split in zip(named, done, strict=True)
    ]


def _known(read: Page | Document) -> Page:
    if isinstance(read, Page):
        return read
    return replace(read.page, body=read.page.body or read.page.snippet)
