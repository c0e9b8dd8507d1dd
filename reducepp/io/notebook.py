"""A reduction in a notebook: as HTML with fold-outs, and as a table of pandas."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from reducepp.errors import needs_extra
from reducepp.io.writers import CSV_COLUMNS, page_rows
from reducepp.types import RENDERERS, Cluster, Page, Reduction

if TYPE_CHECKING:
    import pandas as pd

MAX_CLUSTERS = 200
"""Rows drawn in a notebook; the rest is counted."""


def as_html(reduction: Reduction) -> str:
    """Representatives with the pages dropped for each; texts of pages are escaped."""
    pages = {page.id: page for page in reduction.pages}
    clusters = [_row(reduction, c, pages) for c in reduction.clusters[:MAX_CLUSTERS]]
    if len(reduction.clusters) > MAX_CLUSTERS:
        clusters.append(f"<li>and {len(reduction.clusters) - MAX_CLUSTERS} more</li>")
    others = [f"<li>cut: {_page(pages[name])}</li>" for name in reduction.cut[:MAX_CLUSTERS]]
    failures = reduction.failures[:20]
    others += [f"<li>failed: {escape(f.url)}: {escape(f.reason)}</li>" for f in failures]
    query = escape(reduction.query or "(no query)")
    head = (
        f"<p><b>{query}</b>: {reduction.before} pages, {reduction.after} shown, "
        f"{reduction.reduction:.0%} fewer (profile {escape(reduction.profile)}, threshold "
        f"{reduction.threshold:g})</p>"
    )
    notes = "".join(f"<p>⚠ {escape(warning)}</p>" for warning in reduction.warnings)
    lists = f"<ol>{''.join(clusters)}</ol><ul>{''.join(others)}</ul>"
    return f'<div class="reducepp">{head}{notes}{lists}</div>'


def _row(reduction: Reduction, cluster: Cluster, pages: dict[str, Page]) -> str:
    kept = pages[cluster.kept]
    lines = [
        f"<li>{d.score:.3f} ({escape(d.level)}) {_page(pages[d.id])}</li>"
        for d in reduction.dropped
        if d.kept == cluster.kept
    ]
    listed = f"<summary>{len(lines)} similar</summary><ul>{''.join(lines)}</ul>"
    similar = f"<details>{listed}</details>" if lines else ""
    return f'<li value="{kept.rank}">{_page(kept)}{similar}</li>'


def _page(page: Page) -> str:
    """The title with its address as text: nothing of a page becomes a link or markup."""
    title = " ".join((page.page_title or page.body or "(no title)").split())[:120]
    return f"<bdi>{escape(title)}</bdi> <small><bdi>{escape(page.url or page.id)}</bdi></small>"


def as_frame(reduction: Reduction) -> pd.DataFrame:
    """One row per page, in rank order: whether it is shown, its representative, their score."""
    with needs_extra("to_pandas", "tables"):
        import pandas as pd
    rows = [{**r, "score": None if r["score"] == "" else r["score"]} for r in page_rows(reduction)]
    frame = pd.DataFrame(rows, columns=list(CSV_COLUMNS))
    return frame.astype({"score": "float64", "rank": "int64", "shown": "bool"})


RENDERERS.update(html=as_html, pandas=as_frame)
