"""The one front door: every way in builds `ReduceOptions` and calls `reduce_pages`.

Library, command line, HTTP service, its page, the plug-ins and the estimator read their input
into pages; what those pages are, which profile compares them and where they are cut is decided
here, once.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reducepp.clustering.linkage import LINKAGES
from reducepp.clustering.representatives import POLICIES
from reducepp.clustering.tree import Tree
from reducepp.comparison import Comparison, compare_pages, rank_order, tree_of
from reducepp.errors import UsageError, check_choice
from reducepp.evidence.page_facts import PageFacts
from reducepp.evidence.pair_evidence import PairReaders
from reducepp.input_kinds import AUTO, DEFAULT, INPUT_KINDS, PROFILE_OF_KIND, detect_kind
from reducepp.inputs import as_pages
from reducepp.pipeline import MODES, Cut, choose_clusters, cut
from reducepp.similarity.candidates import CANDIDATES
from reducepp.similarity.pairs import row_parts
from reducepp.similarity.score_matrix import square_array
from reducepp.text.lexicons import without_warnings
from reducepp.types import RENDERERS, Bools, Failure, Page, Profile, Reduction

CHOICES: dict[str, tuple[str, ...]] = {
    "kind": INPUT_KINDS,
    "keep": tuple(POLICIES),
    "mode": MODES,
    "linkage": ("", *LINKAGES),
    "prepare": ("", "syntactic", "semantic", "spacy"),
    "candidates": CANDIDATES,
}
"""What an option may be; the first is the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceOptions:
    """How a list of pages is reduced; wrong values raise UsageError."""

    kind: str = AUTO
    """What the pages are: `auto` detects it; `pages`, `results`, `texts` or `posts`."""
    profile: str | Profile = AUTO
    """Name, path or Profile; `auto` takes the one for the kind."""
    threshold: float | None = None
    """Score from which two pages are duplicates; None is the profile's."""
    min_score: float | None = None
    """A promise: no page is dropped for one with which it scores less. None promises nothing,
    with `target_n` the lower of `threshold` and the profile's own."""
    target_n: int | None = None
    """At most that many results: clusters merge further, down to `min_score`, and what is still
    too much is cut from the end of the ranking."""
    keep: str = "rank"
    """Which page of a cluster is the representative."""
    mode: str = "collapse"
    """What becomes of dropped pages: `collapse`, `demote`, `drop`, or `auto` (its own action)."""
    linkage: str = ""
    """How clusters merge; empty is the profile's."""
    prepare: str = ""
    """How body text is prepared: `syntactic`, `semantic` or `spacy`; empty is the
    profile's."""
    explain: bool = True
    """Find the passages that a dropped page shares with its representative."""
    candidates: str = "exact"
    """Which pairs of a large set are scored: all that can reach the threshold, or `lsh`, those that
    MinHash estimates as similar, which may miss some; the reduction then has a warning."""

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            check_choice(name, getattr(self, name), allowed)
        for name in ("threshold", "min_score"):
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and 0 <= value <= 1):
                raise UsageError(f"{name} {value!r}: a number from 0 to 1 is needed")
        if self.target_n is not None and not isinstance(self.target_n, int | np.integer):
            raise UsageError(f"target_n {self.target_n!r}: a whole number is needed")
        if self.target_n is not None and self.target_n < 1:
            raise UsageError(f"target_n {self.target_n}: at least one result must stay")
        if self.profile != AUTO:
            find_profile(self.profile)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating)


def reduce(
    pages: Any,
    *,
    kind: str = AUTO,
    profile: str | Profile = AUTO,
    threshold: float | None = None,
    min_score: float | None = None,
    target_n: int | None = None,
    keep: str = "rank",
    mode: str = "collapse",
    linkage: str = "",
    prepare: str = "",
    explain: bool = True,
    candidates: str = "exact",
    fields: Mapping[str, str] | None = None,
) -> Reduction:
    """Reduce one list of results: which pages are shown, and why the others are not.

    Pages are a list of `Page` objects, of plain dicts as in a JSONL file or of texts, in rank
    order, a pandas DataFrame or Series, or the Path (or Paths) of files with one query. `fields`
    maps our names (title, url, snippet, text, ...) to those of the records. The options are those
    of `ReduceOptions`.
    """
    given = {name: value for name, value in locals().items() if name not in ("pages", "fields")}
    read, failures = as_pages(pages, fields=fields)
    return reduce_pages(read, ReduceOptions(**given), failures=failures)


def reduce_pages(
    pages: Sequence[Page],
    options: ReduceOptions,
    *,
    failures: Sequence[Failure] = (),
    query: str = "",
) -> Reduction:
    """Reduce the pages of one query; every door ends here."""
    floor = lowest_score(pages, options)
    with PairReaders(rank_order(pages), passages=options.explain) as readers:
        with readers.likely():
            comparison = compare_query(pages, options, failures=failures, query=query, floor=floor)
        return cut(comparison, resolve_cut(comparison, options), readers=readers)


def compare_with_facts(
    pages: Sequence[Page],
    options: ReduceOptions,
    *,
    failures: Sequence[Failure] = (),
    query: str = "",
    floor: float = 0.0,
) -> tuple[Comparison, PageFacts]:
    """Compare the pages of one query, and the facts of the pairs that a cut would merge; in large
    sets these are read beside the comparison."""
    with PairReaders(rank_order(pages), passages=False) as readers:
        with readers.likely():
            comparison = compare_query(pages, options, failures=failures, query=query, floor=floor)
        facts = PageFacts(comparison.pages, readers=readers)
        choose_clusters(comparison, resolve_cut(comparison, options), facts)
    return comparison, facts


def compare_query(
    pages: Sequence[Page],
    options: ReduceOptions,
    *,
    failures: Sequence[Failure] = (),
    query: str = "",
    floor: float = 0.0,
) -> Comparison:
    """Compare the pages of one query by the profile for their kind, once for every threshold.

    A caller that needs no score below `floor` names it: large sets are then compared faster.
    """
    profile = resolve_profile(pages, options)
    with _notes(options):
        return compare_pages(
            pages,
            profile,
            failures=failures,
            query=query,
            floor=floor,
            candidates=options.candidates,
        )


def _notes(options: ReduceOptions) -> AbstractContextManager[None]:
    """Missing packages are named to those who chose what needs them."""
    is_auto = options.profile in (AUTO, DEFAULT) and options.kind == AUTO and not options.prepare
    return without_warnings() if is_auto else nullcontext()


def lowest_score(pages: Sequence[Page], options: ReduceOptions) -> float:
    """The lowest score that a cut with these options needs."""
    threshold, floor = _resolve_scores(resolve_profile(pages, options), options)
    return max(threshold, floor) if options.target_n is None else floor


def _resolve_scores(profile: Profile, options: ReduceOptions) -> tuple[float, float]:
    """The threshold, and the score that no dropped page is below; 0 promises nothing."""
    threshold = profile.threshold if options.threshold is None else options.threshold
    if options.min_score is None and options.target_n is not None:
        return threshold, min(threshold, profile.threshold)
    return threshold, options.min_score or 0.0


def keep_apart(comparison: Comparison, apart: Bools) -> Comparison:
    """The comparison with score 0 for pairs that are never duplicates (n×n, in rank order)."""
    scores = square_array(len(apart))
    for part in row_parts(*apart.shape):
        scores[part] = np.where(apart[part], 0.0, comparison.scores[part])
    tree = tree_of(comparison.tree.ids, scores, comparison.profile)
    return replace(comparison, scores=scores, tree=tree)


def compare_records(pages: Any, *, profile: str | Profile = AUTO) -> Comparison:
    """Compare one list of results once, for every threshold."""
    read, failures = as_pages(pages)
    return compare_query(read, ReduceOptions(profile=profile), failures=failures)


def resolve_profile(pages: Sequence[Page], options: ReduceOptions) -> Profile:
    """The profile that is named; for `auto` and `default` the one for the kind of these pages."""
    profile = options.profile
    if profile in (AUTO, DEFAULT):
        kind = detect_kind(pages) if options.kind == AUTO else options.kind
        profile = PROFILE_OF_KIND[kind]
    return find_profile(profile, linkage=options.linkage, prepare=options.prepare)


def find_profile(profile: str | Profile, *, linkage: str = "", prepare: str = "") -> Profile:
    """A profile by name, path or as it is, with another linkage or preparation where named.

    `auto` is `default`: there are no pages to detect a kind from.
    """
    if not isinstance(profile, Profile):
        from reducepp.weights.profile import load_profile

        profile = load_profile(DEFAULT if profile == AUTO else os.fspath(profile))
    return replace(profile, linkage=linkage or profile.linkage, prepare=prepare or profile.prepare)


def without_file(profile: str | Profile) -> str | Profile:
    """A profile that needs its file no more; `auto` and `default` stay names: the pages decide."""
    return profile if profile in (AUTO, DEFAULT) else find_profile(profile)


def resolve_cut(comparison: Comparison, options: ReduceOptions) -> Cut:
    """Where and how to cut: threshold, promised score, number of results."""
    threshold, floor = _resolve_scores(comparison.profile, options)
    if options.target_n is not None:
        threshold = min(threshold, threshold_for(comparison.tree, options.target_n))
    return Cut(
        threshold=max(threshold, floor),
        min_score=floor,
        max_results=options.target_n or 0,
        keep=options.keep,
        mode=options.mode,
        explain=options.explain,
    )


def threshold_for(tree: Tree, target_n: int) -> float:
    """The highest threshold that leaves at most `target_n` clusters, from the tree's floor to 1."""
    if target_n < 1:
        raise UsageError(f"target_n {target_n}: at least one result must stay")
    merges = len(tree.ids) - target_n
    if merges > len(tree.scores):
        return tree.floor
    return 1.0 if merges <= 0 else float(tree.scores[merges - 1])


def compare_two(a: Page, b: Page, options: ReduceOptions) -> dict[str, Any]:
    """Score, verdict, level and signals of two pages."""
    from reducepp.clustering.levels import OTHER_FACTS
    from reducepp.evidence.facts.fact_comparison import facts_to_dict
    from reducepp.evidence.page_facts import PageFacts
    from reducepp.io.writers import number
    from reducepp.similarity.combine import combine
    from reducepp.similarity.compare import compare, drop_empty_signals

    profile = drop_empty_signals(resolve_profile((a, b), options), (a, b))
    with _notes(options):
        similarities = compare((a, b), profile)
    score = float(combine(similarities, profile)[0, 1])
    threshold = profile.threshold if options.threshold is None else options.threshold
    facts = PageFacts((a, b))
    reached = score >= threshold
    apart = reached and profile.check_facts and facts.contradict(0, 1)
    level = facts.explain(0, 1, passages=False).level_at(score) if reached else "none"
    return {
        "score": score,
        "duplicate": reached and not apart,
        "level": OTHER_FACTS if apart else level,
        "facts": facts_to_dict(facts.compare(0, 1)),
        "signals": {
            name: number(float(values[0, 1])) for name, values in similarities.by_signal.items()
        },
    }


def write_report(reduction: Reduction, path: str, title: str = "") -> None:
    """The report on one reduction as an HTML file; its pages are compared again."""
    from reducepp.evaluation.report.large_sets import report_floor
    from reducepp.evaluation.report.report_data import ReportOptions, report_data
    from reducepp.evaluation.report.report_formats import report_html
    from reducepp.io.atomic import write_aside

    profile = reduction.scored_by or find_profile(reduction.profile)
    comparison, facts = compare_with_facts(
        reduction.pages,
        ReduceOptions(profile=profile, threshold=reduction.threshold, keep=reduction.keep),
        failures=reduction.failures,
        query=reduction.query,
        floor=report_floor(profile, reduction.threshold),
    )
    how = ReportOptions(threshold=reduction.threshold, keep=reduction.keep, title=title)
    html = report_html(report_data([comparison], how, [facts]))
    write_aside(Path(path), lambda aside: aside.write_text(html, "utf-8", "replace"))


RENDERERS["report"] = write_report
