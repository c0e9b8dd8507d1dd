"""The library's door: pages in any form and a profile by name, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reducepp.clustering.representatives import GREEDY
from reducepp.errors import UsageError
from reducepp.inputs import as_pages
from reducepp.pipeline import Comparison, Cut, compare_pages, cut
from reducepp.types import Page, Profile, Reduction, Tree

DEFAULT = "default"


def reduce(
    pages: Iterable[Page | Mapping[str, Any]],
    *,
    profile: str | Profile = DEFAULT,
    threshold: float | None = None,
    target_n: int | None = None,
    keep: str = "rank",
    mode: str = "collapse",
    explain: bool = True,
) -> Reduction:
    """Reduce one list of results: which pages are shown, and why the others are not.

    Pages are `Page` objects or plain dicts as in a JSONL file, in rank order. `threshold`
    overrides the profile's; `target_n` instead takes the highest one that leaves at most that
    many results.
    """
    comparison = compare_records(pages, profile=profile)
    chosen = choose_threshold(comparison, threshold=threshold, target_n=target_n, keep=keep)
    return cut(comparison, Cut(threshold=chosen, keep=keep, mode=mode, explain=explain))


def compare_records(
    pages: Iterable[Page | Mapping[str, Any]], *, profile: str | Profile = DEFAULT
) -> Comparison:
    """Compare one list of results once, for every threshold."""
    read, failures = as_pages(pages)
    return compare_pages(read, find_profile(profile), failures=failures)


def find_profile(profile: str | Profile, *, linkage: str = "") -> Profile:
    """A profile by name, path or as it is, with another linkage where one is named."""
    if isinstance(profile, str):
        from reducepp.weights.profile import load_profile

        profile = load_profile(profile)
    return replace(profile, linkage=linkage) if linkage else profile


def choose_threshold(
    comparison: Comparison,
    *,
    threshold: float | None = None,
    target_n: int | None = None,
    keep: str = "rank",
) -> float:
    """The threshold to cut at: the one given, the one for a number of results, the profile's."""
    if threshold is not None and target_n is not None:
        raise UsageError("give a threshold or a number of results, not both")
    if target_n is not None and keep == GREEDY:
        raise UsageError("a walk down the ranking takes a threshold, not a number of results")
    if target_n is not None:
        return threshold_for(comparison.tree, target_n)
    chosen = comparison.profile.threshold if threshold is None else threshold
    if not 0 <= chosen <= 1:
        raise UsageError(f"threshold {chosen}: a number from 0 to 1 is needed")
    return chosen


def threshold_for(tree: Tree, target_n: int) -> float:
    """The highest threshold that leaves at most `target_n` clusters; 1 where nothing need merge."""
    if target_n < 1:
        raise UsageError(f"target_n {target_n}: at least one result must stay")
    merges = len(tree.ids) - target_n
    return 1.0 if merges <= 0 else float(tree.scores[merges - 1])


def compare_two(a: Page, b: Page, profile: Profile) -> dict[str, Any]:
    """Score, verdict, level and signals of two pages."""
    from reducepp.clustering.levels import level_of
    from reducepp.io.writers import number
    from reducepp.similarity.combine import combine
    from reducepp.similarity.compare import compare, drop_empty_signals

    profile = drop_empty_signals(profile, (a, b))
    similarities = compare((a, b), profile)
    score = float(combine(similarities, profile)[0, 1])
    return {
        "score": score,
        "duplicate": score >= profile.threshold,
        "level": level_of(a, b, score, profile.threshold),
        "signals": {
            name: number(float(values[0, 1])) for name, values in similarities.by_signal.items()
        },
    }
