"""The report's page: template, styles, scripts and data put together into one file.

Nothing is loaded when the file opens, and its content security policy forbids it: styles and
script are allowed by their hashes, and whatever came from the web is only ever text.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from reducepp.translations import catalogues

SCRIPTS = (
    *("base.js", "unpack.js", "trees.js", "cutting.js", "query.js", "charts.js", "graph.js"),
    *("score_bars.js", "reasons.js", "results.js", "dropped.js", "controls.js", "overview.js"),
    "report.js",
    "printing.js",
)
"""In the order in which they are joined; each adds to the one name `ReduceReport`."""

MAX_PLAIN_CHARS = 4_000_000
"""Characters of data up to which they stand in the file as they are; more is compressed."""

STYLES = ("colours.css", "frame.css", "controls.css", "results.css", "plots.css", "print.css")


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
    if len(parts["data"]) > MAX_PLAIN_CHARS:
        parts |= {"kind": "application/gzip", "data": compress_text(parts["data"])}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], _asset("report.html"))


def compress_text(text: str) -> str:
    """A text as gzip in base64, which the page unpacks when it opens."""
    return base64.b64encode(gzip.compress(text.encode("utf-8"), 6, mtime=0)).decode("ascii")


def page_title(data: Mapping[str, Any]) -> str:
    """What the browser's tab says."""
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
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _hash(block: str) -> str:
    digest = base64.b64encode(hashlib.sha256(block.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    return (files("reducepp.evaluation.report") / "assets" / name).read_text("utf-8")
