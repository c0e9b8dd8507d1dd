"""Paper 1, REDUCE++ (Chreim et al. 2022): tables, figures and headline for any pages and profiles.

Figures are in `evaluation.paper_figures`; `write_replication` puts all of it into a folder, as
Markdown, CSV and SVG.
"""

import csv
import math
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from reducepp.evaluation.advice import Swept
from reducepp.evaluation.agreement import SCORES
from reducepp.evaluation.figure_tables import Table, as_markdown, write_tables
from reducepp.evaluation.sweep import SweepRow, mean_defined, whole_set
from reducepp.io.escaping import escape_markdown
from reducepp.replication import PUBLISHED
from reducepp.text.language_detection import detect_language
from reducepp.types import Page, Queries

THRESHOLDS = (0.67, 0.7, 0.8)
"""Those of Table III."""
QUERIES_FILE = "table-3-queries.csv"
"""The 17 queries of Table III, with accents that the print lost, and its counts."""


def count_data(queries: Queries) -> list[dict[str, Any]]:
    """Table I: queries and records by language and by domain, most first, beside the paper's."""
    languages = [_most([_language(page) for page in pages]) for pages in queries]
    domains = [_most([page.domain or "not given" for page in pages]) for pages in queries]
    sizes = [len(pages) for pages in queries]
    rows = []
    for count, weights in (("queries", [1] * len(sizes)), ("records", sizes)):
        for by, names in (("language", languages), ("domain", domains)):
            sums = Counter(n for n, w in zip(names, weights, strict=True) for _ in range(w))
            ordered = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
            published = PUBLISHED["paper1"][count]
            rows += [
                {"count": count, "by": by, "of": name, "number": n, "paper": published.get(name)}
                for name, n in ordered
            ]
    return rows


def _language(page: Page) -> str:
    return page.language[:2].lower() or detect_language(page.body or page.page_title) or "unknown"


def _most(values: Sequence[str]) -> str:
    """The most frequent value; the first in the alphabet of equals."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else "unknown"


def table_three(swept: Swept) -> list[dict[str, Any]]:
    """Table III: each query before and after, at each threshold, the most reduced first."""
    by_query: dict[str, list[SweepRow]] = {}
    for row in swept.table_rows:
        by_query.setdefault(row.query, []).append(row)
    languages = {
        comparison.pages[0].query: _most([_language(page) for page in comparison.pages])
        for comparison in swept.comparisons
        if comparison.pages
    }
    lines = []
    for query, rows in by_query.items():
        line: dict[str, Any] = {"language": languages.get(query, "unknown"), "query": query}
        line["before"] = rows[0].pages
        for row in sorted(rows, key=lambda row: row.threshold):
            line[f"after {row.threshold:g}"] = row.clusters
            line[f"reduction % {row.threshold:g}"] = round(100 * row.reduction, 1)
        lines.append(line)
    first = f"reduction % {min(row.threshold for row in swept.table_rows):g}" if lines else ""
    return sorted(lines, key=lambda line: (line["language"], -line[first], line["query"]))


def headline_figures(swept: Swept) -> dict[str, Any]:
    """The abstract's figures at the profile's threshold: sums over pages, means over queries."""
    rows = [row for row in swept.table_rows if row.threshold == swept.threshold]
    (overall,) = whole_set(rows)
    return {
        "profile": swept.profile,
        "threshold": swept.threshold,
        "before": overall.pages,
        "after": overall.clusters,
        **indices(overall),
        "agreement": mean_defined([getattr(overall, name) for name in SCORES]),
        "information kept %": round(100 * overall.information_kept, 1),
    }


def indices(row: SweepRow) -> dict[str, float]:
    """Reduction and validity indices, by the names of tables."""
    return {
        "fewer pages %": round(100 * row.reduction, 1),
        "silhouette": row.silhouette,
        "Davies-Bouldin": row.davies_bouldin,
        "Calinski-Harabasz": row.calinski_harabasz,
    }


def headline_line(line: dict[str, Any]) -> str:
    """The headline as a sentence."""

    def figure(name: str, form: str = ".4f") -> str:
        return "not defined" if math.isnan(line[name]) else format(line[name], form)

    kept = line["information kept %"]
    known = f"{kept:.0f} % of the information kept"
    agreed = figure("agreement", ".0%").replace("%", " %")
    return (
        f"{line['profile']} at {line['threshold']:g}: {line['fewer pages %']:.0f} % fewer pages "
        f"({line['before']} to {line['after']}), silhouette {figure('silhouette')}, "
        f"Davies-Bouldin {figure('Davies-Bouldin')}, Calinski-Harabasz "
        f"{figure('Calinski-Harabasz', '.1f')}, agreement with agglomerative clustering "
        f"{agreed}, {'pages without text' if math.isnan(kept) else known}"
    )


def published_queries() -> list[dict[str, Any]]:
    """The 17 queries that Table III prints, with its counts before and after."""
    text = (files("reducepp.replication") / QUERIES_FILE).read_text("utf-8")
    return [dict(row) for row in csv.DictReader(text.splitlines())]


def beside_published(swept: Swept) -> Table:
    """Table III for the queries that the paper prints: its counts beside ours."""
    ours = {line["query"]: line for line in table_three(swept)}
    rows = []
    for published in (row for row in published_queries() if row["query"] in ours):
        names = [name for name in published if name not in ("query", "language")]
        row = {"language": published["language"], "query": published["query"]}
        row |= {f"{name} (paper)": int(published[name]) for name in names}
        rows.append(row | {name: ours[published["query"]][name] for name in names})
    return Table(
        name=f"table-3-beside-{as_file_name(swept.profile)}",
        title=f"Table III, its own queries: the paper's counts beside ours, {swept.profile}",
        rows=rows,
        note="The paper collected from Google in 2021; today's results are other pages.",
    )


def write_replication(
    queries: Queries, swept: Sequence[Swept], folder: Path, *, more: Sequence[Table] = ()
) -> list[Path]:
    """All tables and figures into a folder; `replication.md` shows them in order."""
    from reducepp.evaluation.paper_figures import CAPTIONS, draw_all
    from reducepp.evaluation.plots import save

    lines = Table(name="headline", title="", rows=[headline_figures(s) for s in swept])
    tables = [Table(name="table-1", title="Table I: the data", rows=count_data(queries))]
    for s in swept:
        title = f"Table III: before and after, profile {escape_markdown(s.profile)}"
        name = f"table-3-{as_file_name(s.profile)}"
        tables.append(Table(name=name, title=title, rows=table_three(s)))
    tables += [t for t in (*(beside_published(s) for s in swept), *more) if t.rows]
    parts = [*headline_parts(swept, lines.rows), *(table.as_markdown() for table in tables)]
    figures = draw_all(swept)
    parts += [f"## {CAPTIONS[name]}\n\n![{CAPTIONS[name]}]({name}.svg)\n" for name in figures]
    written = write_tables("\n".join(parts), [lines, *tables], folder)
    return written + [p for name, drawn in figures.items() for p in save(drawn, folder / name)]


def headline_parts(swept: Sequence[Swept], lines: Sequence[dict[str, Any]]) -> list[str]:
    """How the page begins: the headlines, beside the published one, and the paper's rule."""
    published = PUBLISHED["paper1"]["headline"]
    parts = ["# The paper's tables and figures on these pages\n"]
    parts += [f"- {escape_markdown(headline_line(line))}" for line in lines]
    parts += ["", as_markdown([published, *lines], list(published))]
    for s in swept:
        advice, name = s.advice, escape_markdown(s.profile)
        found = "no threshold" if math.isnan(advice.threshold) else f"{advice.threshold:g}"
        parts.append(f"- By the paper's rule, {name}: {found}; {advice.reason}.")
    return [*parts, ""]


def as_file_name(profile: str) -> str:
    """A profile's name as part of a file name."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in profile) or "profile"
