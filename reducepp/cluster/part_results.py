"""What a part becomes: the rows of `reduce`, `sweep` and `split` for the pages of one file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reducepp.api import ReduceOptions, prepare_pages, reduce_pages, resolve_profile
from reducepp.cluster.part_runs import Rows
from reducepp.inputs import read_queries
from reducepp.types import PAGE_FIELDS, Page, Reduction

if TYPE_CHECKING:
    from reducepp.evaluation.sweep import SweepOptions


def reduce_part(part: str, *, options: ReduceOptions) -> tuple[Rows, int]:
    """One row per query: `reduction` is the JSON of `reduce --format jsonl`."""
    groups = read_queries(part, jobs=1)
    found = (reduce_pages(g.pages, options, failures=g.failures, query=g.query) for g in groups)
    return [_reduction_row(one) for one in found], sum(len(group.pages) for group in groups)


def _reduction_row(reduction: Reduction) -> dict[str, Any]:
    from reducepp.io.writers import reduction_to_dict

    return {
        "query": reduction.query,
        "before": reduction.before,
        "after": reduction.after,
        "reduction": json.dumps(reduction_to_dict(reduction), ensure_ascii=False),
    }


def sweep_part(
    part: str, *, options: ReduceOptions, thresholds: Sequence[float], how: SweepOptions
) -> tuple[Rows, int]:
    """One row per query and threshold, as `sweep` prints them."""
    from reducepp.evaluation.figure_tables import pick
    from reducepp.evaluation.sweep import COLUMNS, sweep_pages

    groups = [group for group in read_queries(part, jobs=1) if group.pages]
    profile = resolve_profile([page for group in groups for page in group.pages], options)
    rows = [
        row
        for group in groups
        for row in sweep_pages(prepare_pages(group.pages, profile), profile, thresholds, how)[1]
    ]
    return pick(rows, COLUMNS), sum(len(group.pages) for group in groups)


def split_part(part: str) -> tuple[Rows, int]:
    """One row per page with its content types; where it failed, its address and the `error`."""
    groups = read_queries(part, jobs=1)
    pages = [page for group in groups for page in group.pages]
    rows = [_page_row(page) for page in pages]
    for group in groups:
        rows += [_page_row(Page(url=f.url), error=f.reason) for f in group.failures]
    return rows, len(pages)


def _page_row(page: Page, error: str = "") -> dict[str, Any]:
    return {**{name: page.content(name) for name in PAGE_FIELDS}, "error": error}
