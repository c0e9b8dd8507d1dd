"""The one post-processor that every host wraps: ordered results in, the same objects out.

What is hidden is attached to what is shown; the best-ranked copy is the one that stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from reducepp.api import DEFAULT, find_profile, threshold_for
from reducepp.clustering.representatives import find_policy
from reducepp.errors import UsageError
from reducepp.pipeline import MODES, Comparison, Cut, compare_pages, cut
from reducepp.plugins.accessors import FIELDS, Accessor, ReadResult, as_result_pages, read_result
from reducepp.types import Profile, Reduction

T = TypeVar("T")

SNIPPETS = "snippets"
AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar(Generic[T]):
    """A result that is hidden, or moved to the end, for one that is shown."""

    result: T
    place: int
    """Where it stood among the results, from 0 on."""
    kept: int
    """Place of the result that is shown for it."""
    score: float
    level: str
    signals: Mapping[str, float]
    """What each signal gave to the score."""

    def reason(self) -> dict[str, Any]:
        """Why it is hidden, as plain data."""
        return {
            "place": self.place,
            "kept": self.kept,
            "score": self.score,
            "level": self.level,
            "signals": dict(self.signals),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Generic[T]):
    """A result that is shown, with those hidden for it."""

    result: T
    place: int
    similar: tuple[Similar[T], ...] = ()
    """Folded under it in mode `collapse`; empty in the other modes."""
    demoted: Similar[T] | None = None
    """Set where this result stands at the end because it is like an earlier one."""

    @property
    def note(self) -> str:
        """One line for a result list, such as "2 similar hidden"; "" where nothing is."""
        return f"{len(self.similar)} similar hidden" if self.similar else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed(Generic[T]):
    """What is shown, in the order given, and everything that is not."""

    shown: tuple[Shown[T], ...]
    hidden: tuple[Similar[T], ...]
    """All results that are like a shown one, in every mode, in the order given."""
    reduction: Reduction

    @property
    def results(self) -> list[T]:
        """The objects that are shown."""
        return [shown.result for shown in self.shown]

    def report(self) -> dict[str, Any]:
        """The reduction as plain data: the form of `reducepp reduce --format json`."""
        from reducepp.io.writers import reduction_to_dict

        return reduction_to_dict(self.reduction)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostProcessor:
    """Hide near-duplicates among ordered results of any kind.

    `profile` "auto" compares by page text where every result has some, else by title, address
    and snippet. `min_score` is the lowest score at which a result may be hidden (default: the
    profile's threshold). `target_n` asks for at most that many results: as many of the most
    similar ones are hidden as it takes, but none below `min_score` where that is given.
    `fields` maps a field's name to a function that reads it from a result.
    """

    profile: str | Profile = AUTO
    min_score: float | None = None
    target_n: int | None = None
    mode: str = "collapse"
    keep: str = "rank"
    fields: Mapping[str, Accessor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"mode {self.mode!r}: use one of {', '.join(MODES)}")
        if self.min_score is not None and not 0 <= self.min_score <= 1:
            raise UsageError(f"min_score {self.min_score}: a number from 0 to 1 is needed")
        if self.target_n is not None and self.target_n < 1:
            raise UsageError(f"target_n {self.target_n}: at least one result must stay")
        unknown = sorted(set(self.fields) - set(FIELDS))
        if unknown:
            raise UsageError(f"fields {unknown[0]!r}: use some of {', '.join(FIELDS)}")
        find_policy(self.keep)
        if self.profile != AUTO:
            find_profile(self.profile)

    def __call__(self, results: Iterable[T], *, query: str = "") -> Processed[T]:
        """Process one list of results; nothing is kept from call to call."""
        objects = list(results)
        accessors = {**FIELDS, **self.fields}
        read = [read_result(result, accessors) for result in objects]
        profile = None if self.profile == AUTO else find_profile(self.profile)
        comparison = compare_results(read, profile, query=query)
        how = Cut(
            threshold=self._threshold(comparison), keep=self.keep, mode=self.mode, explain=False
        )
        return arrange(objects, cut(comparison, how))

    def _threshold(self, comparison: Comparison) -> float:
        if self.target_n is not None:
            return max(threshold_for(comparison.tree, self.target_n), self.min_score or 0.0)
        return comparison.profile.threshold if self.min_score is None else self.min_score


def compare_results(
    read: Sequence[ReadResult], profile: Profile | None, *, query: str = "", linkage: str = ""
) -> Comparison:
    """Compare results in rank order; without a profile, by page text where every one has some."""
    if profile is None:
        whole = all(result.has_page for result in read if result.has_anything)
        profile = find_profile(DEFAULT if whole else SNIPPETS, linkage=linkage)
    pages = as_result_pages(read, query=query, snippets=profile.name == SNIPPETS)
    return compare_pages(pages, profile)


def postprocess(results: Iterable[T], *, query: str = "", **options: Any) -> Processed[T]:
    """Process one list of results; the options are those of `PostProcessor`."""
    return PostProcessor(**options)(results, query=query)


def arrange(objects: Sequence[T], reduction: Reduction) -> Processed[T]:
    """The objects as a reduction of their pages, in the same order, says they are shown."""
    places = {page.id: place for place, page in enumerate(reduction.pages)}
    hidden = tuple(
        Similar(
            result=objects[places[dropped.id]],
            place=places[dropped.id],
            kept=places[dropped.kept],
            score=dropped.score,
            level=dropped.level,
            signals={name: share.contribution for name, share in dropped.by_signal.items()},
        )
        for dropped in reduction.dropped
    )
    shown = [
        Shown(
            result=objects[place],
            place=place,
            similar=tuple(h for h in hidden if h.kept == place)
            if reduction.mode == "collapse"
            else (),
        )
        for place in (places[kept] for kept in reduction.kept)
    ]
    if reduction.mode == "demote":
        shown += [Shown(result=h.result, place=h.place, demoted=h) for h in hidden]
    return Processed(shown=tuple(shown), hidden=hidden, reduction=reduction)
