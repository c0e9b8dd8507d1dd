"""The report as one HTML page, as JSON with every figure, and as Markdown to paste.

The page is template, styles, scripts and data put together. Nothing is loaded when the file opens,
and its content security policy forbids it: styles and script are allowed by their hashes, and
whatever came from the web is only ever text.
"""

import base64
import gzip
import hashlib
import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from reducepp.comparison import Comparison
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.report.report_data import (
    ReportOptions,
    describe_profile,
    indices_data,
    shared_profile,
    versions,
)
from reducepp.io.escaping import escape_markdown
from reducepp.io.writers import FORMATS, reduction_to_dict
from reducepp.pipeline import Cut, cut
from reducepp.translations import catalogues
from reducepp.types import Reduction

SCRIPTS = (
    *("base.js", "unpack.js", "trees.js", "cutting.js", "query.js", "charts.js", "graph.js"),
    *("score_bars.js", "reasons.js", "results.js", "dropped.js", "controls.js", "overview.js"),
    "report.js",
    "printing.js",
)
"""In the order in which they are joined; each adds to the one name `ReduceReport`."""
MAX_PLAIN_CHARS = 4_000_000
"""Characters of data up to which they are in the file as they are; more is compressed."""
COMPRESSION = 4
"""Level of gzip: half the time of 6, for 4 % more of a report on 4,000 pages."""
STYLES = ("colours.css", "frame.css", "controls.css", "results.css", "plots.css", "print.css")

MAX_LOST_SENTENCES = 3
"""Sentences of a dropped page in the Markdown report."""


LostByPage = dict[str, list[dict[str, Any]]]
"""Dropped page to the sentences lost with it."""


def report_html(data: Mapping[str, Any]) -> str:
    """The whole report as one HTML text."""
    script, style = f"{component_script()}\n{_asset('start.js')}", component_style()
    parts = {
        "policy": content_policy(script, style),
        "title": html.escape(page_title(data)),
        "style": style,
        "kind": "application/json",
        "data": embed_json(data),
        "script": script,
    }
    if len(parts["data"]) > MAX_PLAIN_CHARS:  # the page unpacks it when it opens
        packed = base64.b64encode(
            gzip.compress(parts["data"].encode("utf-8"), COMPRESSION, mtime=0)
        )
        parts |= {"kind": "application/gzip", "data": packed.decode("ascii")}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], _asset("report.html"))


def page_title(data: Mapping[str, Any]) -> str:
    """The text of the browser's tab."""
    queries = data["queries"]
    name = queries[0]["query"] if len(queries) == 1 else f"{len(queries)} queries"
    return data["title"] or f"{name or 'Results'}: reduction report"


def component_script() -> str:
    """The report as a component: defines `ReduceReport.mount(element, data, options)`."""
    texts = f"ReduceReport.catalogues = {embed_json(catalogues())};"
    return "\n".join((*(_asset(name) for name in SCRIPTS), texts))


def component_style() -> str:
    """The component's styles; everything is below the class `reduce-report`."""
    return "\n".join(_asset(name) for name in STYLES)


def content_policy(script: str, style: str) -> str:
    """Nothing may be loaded, sent or framed; only these two blocks count."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )


def embed_json(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _hash(block: str) -> str:
    digest = base64.b64encode(hashlib.sha256(block.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    return (files("reducepp.evaluation.report") / "assets" / name).read_text("utf-8")


def report_json(comparisons: Sequence[Comparison], options: ReportOptions | None = None) -> str:
    """Each query's reduction as `reduce --format json` has it, with what was lost and the curve."""
    options = options or ReportOptions()
    data: dict[str, Any] = {
        "versions": versions(),
        "profile": describe_profile(shared_profile(comparisons)),
        "queries": [],
    }
    for comparison in comparisons:
        reduction, kept, lost = _cut(comparison, options)
        figures = {"information_kept": None if math.isnan(kept) else kept, "lost": lost}
        indices = {"indices": indices_data(comparison)}
        data["queries"].append(reduction_to_dict(reduction) | figures | indices)
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def report_markdown(comparisons: Sequence[Comparison], options: ReportOptions | None = None) -> str:
    """A section per query: the results, the dropped pages, what was lost with them."""
    options = options or ReportOptions()
    parts = []
    for comparison in comparisons:
        reduction, kept, lost = _cut(comparison, options)
        parts.append(FORMATS["md"]([reduction]).rstrip("\n"))
        parts.append("\n".join(_lost_lines(kept, lost)))
    profile = shared_profile(comparisons)
    made = ", ".join(f"{name} {version}" for name, version in versions().items())
    parts.append(f"Profile {profile.name}, linkage {profile.linkage}; made with {made}.")
    return "\n\n".join(part for part in parts if part) + "\n"


def _cut(comparison: Comparison, options: ReportOptions) -> tuple[Reduction, float, LostByPage]:
    """The reduction, the share of the information kept, and what is lost: dropped page to the
    sentences that no shown page holds, heaviest first."""
    threshold, coverage = options.threshold_for(comparison.profile), cover(comparison.pages)
    reduction = cut(comparison, Cut(threshold=threshold, keep=options.keep))
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    shown = [place[id_] for id_ in reduction.kept]
    dropped = [one.id for one in reduction.dropped]
    lost = {id_: [asdict(one) for one in coverage.lost(place[id_], shown)] for id_ in dropped}
    return reduction, coverage.kept_by(shown), {id_: one for id_, one in lost.items() if one}


def _lost_lines(kept: float, lost: LostByPage) -> Iterable[str]:
    if math.isnan(kept):
        return
    yield f"Information kept: {math.floor(1000 * kept) / 10:.1f} %."
    for id_, sentences in lost.items():
        share = math.fsum(sentence["share"] for sentence in sentences)
        count = f"{len(sentences)} sentence{'s' if len(sentences) > 1 else ''}"
        yield f"\nLost with {escape_markdown(id_)}: {count}, {share:.2%} of the information\n"
        for sentence in sentences[:MAX_LOST_SENTENCES]:
            yield f"- {escape_markdown(' '.join(sentence['text'].split()))}"
        if len(sentences) > MAX_LOST_SENTENCES:
            yield f"- and {len(sentences) - MAX_LOST_SENTENCES} more"
