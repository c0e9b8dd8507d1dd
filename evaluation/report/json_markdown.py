"""The report for machines: JSON with every figure, and Markdown to paste."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reducepp.evaluation.information_kept import Coverage, cover
from reducepp.evaluation.report.report_data import (
    ReportOptions,
    describe_profile,
    shared_profile,
    versions,
)
from reducepp.evaluation.report.validity_data import indices_data
from reducepp.io.escaping import escape_markdown
from reducepp.io.writers import FORMATS, reduction_to_dict
from reducepp.pipeline import Comparison, Cut, cut
from reducepp.types import Reduction

MOST_LOST = 3
"""Sentences of a dropped page in the Markdown report."""


def report_json(comparisons: Sequence[Comparison], options: ReportOptions | None = None) -> str:
    """Each query's reduction as `reduce --format json` has it, with what was lost and the curve."""
    options = options or ReportOptions()
    data = {
        "versions": versions(),
        "profile": describe_profile(shared_profile(comparisons)),
        "queries": [_query_json(comparison, options) for comparison in comparisons],
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def report_markdown(comparisons: Sequence[Comparison], options: ReportOptions | None = None) -> str:
    """A section per query: the results, the dropped pages, what was lost with them."""
    options = options or ReportOptions()
    parts = []
    for comparison in comparisons:
        reduction, coverage = _cut(comparison, options), cover(comparison.pages)
        parts.append(FORMATS["md"]([reduction]).rstrip("\n"))
        parts.append("\n".join(_lost_lines(comparison, reduction, coverage)))
    profile = shared_profile(comparisons)
    made = ", ".join(f"{name} {version}" for name, version in versions().items())
    parts.append(f"Profile {profile.name}, linkage {profile.linkage}; made with {made}.")
    return "\n\n".join(part for part in parts if part) + "\n"


def _cut(comparison: Comparison, options: ReportOptions) -> Reduction:
    return cut(
        comparison, Cut(threshold=options.threshold_for(comparison.profile), keep=options.keep)
    )


def _query_json(comparison: Comparison, options: ReportOptions) -> dict[str, Any]:
    reduction, coverage = _cut(comparison, options), cover(comparison.pages)
    shown = _places(comparison, reduction)
    kept = coverage.kept_by(shown)
    return {
        **reduction_to_dict(reduction),
        "information_kept": None if math.isnan(kept) else kept,
        "lost": {id_: lost for id_, lost in _lost(comparison, reduction, coverage).items() if lost},
        "indices": indices_data(comparison),
    }


def _places(comparison: Comparison, reduction: Reduction) -> list[int]:
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    return [place[id_] for id_ in reduction.kept]


def _lost(
    comparison: Comparison, reduction: Reduction, coverage: Coverage
) -> dict[str, list[dict[str, Any]]]:
    """Dropped page → the sentences that no shown page holds, heaviest first."""
    shown = _places(comparison, reduction)
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    return {
        dropped.id: [
            {"text": lost.text, "share": lost.share, "alone": lost.alone}
            for lost in coverage.lost(place[dropped.id], shown)
        ]
        for dropped in reduction.dropped
    }


def _lost_lines(comparison: Comparison, reduction: Reduction, coverage: Coverage) -> Iterable[str]:
    kept = coverage.kept_by(_places(comparison, reduction))
    if math.isnan(kept):
        return
    yield f"Information kept: {math.floor(1000 * kept) / 10:.1f} %."
    lost = _lost(comparison, reduction, coverage)
    for id_, sentences in lost.items():
        if sentences:
            yield from _lost_of(id_, sentences)


def _lost_of(id_: str, sentences: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    share = math.fsum(sentence["share"] for sentence in sentences)
    count = f"{len(sentences)} sentence{'s' if len(sentences) > 1 else ''}"
    yield f"\nLost with {escape_markdown(id_)}: {count}, {share:.2%} of the information\n"
    for sentence in sentences[:MOST_LOST]:
        yield f"- {escape_markdown(' '.join(sentence['text'].split()))}"
    if len(sentences) > MOST_LOST:
        yield f"- and {len(sentences) - MOST_LOST} more"
