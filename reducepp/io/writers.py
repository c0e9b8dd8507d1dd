"""Reductions to plain data and to text."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reducepp.io.escaping import csv_text, escape_markdown
from reducepp.io.records import page_to_dict
from reducepp.io.terminal_table import (
    differs_from_shown,
    headline,
    readable,
    reasons_of,
    shown_where,
    table_of,
    title_of,
)
from reducepp.text.tokenise import space_signs
from reducepp.types import Cluster, Dropped, Page, Reduction

_SCALARS = (str, int, type(None))


def number(value: float) -> float | None:
    """A number for JSON: NaN is null."""
    return None if math.isnan(value) else value


def plain(value: Any) -> Any:
    """A value as plain data: dataclasses as dicts, tuples as lists, NaN as null."""
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, float):
        return number(value)
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is not None:
        return {name: plain(getattr(value, name)) for name in fields}
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    return {key: plain(entry) for key, entry in value.items()}


def reduction_to_dict(reduction: Reduction) -> dict[str, Any]:
    """A reduction as plain data, the form of `reduce --format json`."""

    def fields(*names: str) -> dict[str, Any]:
        return {name: getattr(reduction, name) for name in names}

    seen = [{**_page_to_dict(seen.page), "shown": plain(seen.match)} for seen in reduction.seen]
    return {
        **fields("query", "profile", "threshold", "before", "after", "reduction"),
        "words": count_words(reduction),
        **fields("mode", "keep", "linkage"),
        "results": results_to_list(reduction),
        "clusters": [cluster_to_dict(cluster) for cluster in reduction.clusters],
        "dropped": [dropped_to_dict(dropped) for dropped in reduction.dropped],
        **({"cut": list(reduction.cut)} if reduction.cut else {}),
        **({"seen": seen} if seen else {}),
        "failures": plain(reduction.failures),
        "warnings": list(reduction.warnings),
    }


def count_words(reduction: Reduction) -> dict[str, int]:
    """Words of all pages' texts, and of those that are shown: what a reader or model is spared.

    Each sign of a script that writes no spaces counts as one.
    """
    pages = (*reduction.pages, *(seen.page for seen in reduction.seen))
    words = {page.id: len(space_signs(page.body or page.snippet).split()) for page in pages}
    shown = sum(words[cluster.kept] for cluster in reduction.clusters)
    return {"before": sum(words.values()), "after": shown}


def results_to_list(reduction: Reduction) -> list[dict[str, Any]]:
    """Representatives in order, with those listed under each; demoted pages at the end."""
    pages = {page.id: page for page in reduction.pages}
    shown: list[dict[str, Any]] = []
    for kept, listed in reduction.listed.items():
        similar = {"similar": list(listed)} if reduction.mode in ("collapse", "auto") else {}
        shown.append({**_page_to_dict(pages[kept]), **similar})
    if reduction.mode == "demote":
        shown += [{**_page_to_dict(pages[d.id]), "demoted": True} for d in reduction.dropped]
    return shown


def _page_to_dict(page: Page) -> dict[str, Any]:
    return {"id": page.id, "rank": page.rank, "url": page.url, "title": page.page_title}


def cluster_to_dict(cluster: Cluster) -> dict[str, Any]:
    found = plain(cluster)
    first = {"kept": found.pop("kept"), "members": found.pop("members")}
    return {**first, "size": len(cluster.members), **found}


def dropped_to_dict(dropped: Dropped) -> dict[str, Any]:
    """A dropped page, its reasons in order: score, level, signals, links, passages, facts; and
    what is lost with it, where that was looked for."""
    found = plain(dropped) | {"weakest_step": plain(dropped.weakest_step)}
    found["signals"] = found.pop("by_signal")
    order = ("id", "kept", "score", "level", "kind", "action", "signals", "background", "tests")
    rest = ("chain", "weakest_step", "passages", "facts")
    lost = {"lost": found["lost"]["texts"]} if dropped.lost else {}
    return {name: found[name] for name in (*order, *rest)} | lost


def _json_item(reduction: Reduction) -> str:
    """One line per field, and per record of a list: result, cluster, dropped page."""
    fields = reduction_to_dict(reduction).items()
    lines = (f'      "{name}": {_json_field(value)}' for name, value in fields)
    return "    {\n" + ",\n".join(lines) + "\n    }"


def _json_field(value: Any) -> str:
    if not value or not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    records = (json.dumps(record, ensure_ascii=False) for record in value)
    return "[\n        " + ",\n        ".join(records) + "\n      ]"


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def kept_pages(reduction: Reduction) -> str:
    """Every page that is shown, one JSON line per page, in the form that any command reads.

    `similar` names the dropped pages listed under it; demoted ones are at the end; `mode` says
    what became of dropped pages.
    """
    pages = {page.id: page_to_dict(page, filled=True) for page in reduction.pages}
    shown = [
        pages[kept] | ({"similar": list(similar)} if similar else {})
        for kept, similar in reduction.listed.items()
    ]
    if reduction.mode == "demote":
        shown += [pages[dropped.id] | {"demoted": True} for dropped in reduction.dropped]
    return json_lines(page | {"mode": reduction.mode} for page in shown)


CUT = "cut"
"""Action of a page that is left out because of `target_n`."""
SEEN = "seen"
"""Action of a page that an earlier run has shown; its representative is that run's page."""
CSV_COLUMNS = (
    *("query", "rank", "id", "url", "title", "shown", "kept", "score", "level", "action"),
    "mode",
)


def page_rows(reduction: Reduction) -> list[dict[str, Any]]:
    """One row per page, in rank order: shown or not, and for which page; then those seen before."""
    why: dict[str, tuple[Any, ...]] = dict.fromkeys(reduction.cut, ("", "", "", CUT))
    why |= {d.id: (d.kept, d.score, d.level, d.action) for d in reduction.dropped}
    rows = [(p, p.id not in why, *why.get(p.id, (p.id, "", "", ""))) for p in reduction.pages]
    rows += [
        (s.page, False, s.match.id, s.match.score, s.match.level, SEEN) for s in reduction.seen
    ]
    query, mode = reduction.query, reduction.mode
    cells = ((query, p.rank, p.id, p.url, p.page_title, *values, mode) for p, *values in rows)
    return [dict(zip(CSV_COLUMNS, row, strict=True)) for row in cells]


def markdown_of(reduction: Reduction, *, explain: bool = False) -> str:
    """A table of clusters and one of dropped pages, with `explain` their reasons as a list."""
    return "\n".join(_markdown_lines(reduction, explain))


def _markdown_lines(reduction: Reduction, explain: bool) -> Iterable[str]:
    pages = {page.id: page for page in reduction.pages}
    yield f"## {escape_markdown(headline(reduction))}\n"
    yield from (f"Note: {escape_markdown(warning)}\n" for warning in reduction.warnings)
    yield "| rank | shown | similar | weakest link |"
    yield "| ---: | --- | ---: | ---: |"
    for cluster in reduction.clusters:
        weakest = "" if math.isnan(cluster.weakest_link) else f"{cluster.weakest_link:.3f}"
        page = pages[cluster.kept]
        others = len(cluster.members) - 1
        yield f"| {page.rank} | {escape_markdown(title_of(page))} | {others or ''} | {weakest} |"
    if reduction.dropped:
        yield "\n| dropped | in favour of | score | level | strongest signal |"
        yield "| --- | --- | ---: | --- | --- |"
        for d in reduction.dropped:
            signal = max(d.by_signal.items(), key=lambda item: item[1].contribution)[0]
            title, kept = map(escape_markdown, (title_of(pages[d.id], 50), d.kept))
            yield f"| {title} | {kept} | {d.score:.3f} | {d.level} | {readable(signal, [signal])} |"
    for number, d in enumerate(reduction.dropped if explain else ()):
        yield ("" if number else "\n") + f"- {escape_markdown(title_of(pages[d.id], 50))}"
        yield from (f"  - {escape_markdown(reason)}" for reason in reasons_of(d))
    for page_id in reduction.cut:
        yield f"\nCut: {escape_markdown(title_of(pages[page_id]))}"
    for seen in reduction.seen:
        said = [title_of(seen.page), shown_where(seen.match), differs_from_shown(seen.match)]
        yield f"\nSeen: {', '.join(escape_markdown(part) for part in said if part)}"
    for failure in reduction.failures:
        yield f"\nFailed: {escape_markdown(failure.url)}: {escape_markdown(failure.reason)}"
    yield ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How reductions are written one after the other."""

    render: Callable[[Reduction], str]
    head: str = ""
    between: str = ""
    tail: str = ""

    def join(self, rendered: Iterable[str]) -> Iterator[str]:
        """The whole document, in parts as they come; nothing before the first is there."""
        before = self.head
        for text in rendered:
            yield before + text
            before = self.between
        yield self.tail

    def __call__(self, reductions: Iterable[Reduction]) -> str:
        return "".join(self.join(map(self.render, reductions)))


FORMATS: dict[str, Form] = {
    "table": Form(render=table_of, between="\n"),
    "json": Form(
        render=_json_item, head='{\n  "reductions": [\n', between=",\n", tail="\n  ]\n}\n"
    ),
    "jsonl": Form(render=lambda reduction: json_lines([reduction_to_dict(reduction)])),
    "csv": Form(
        render=lambda reduction: csv_text(row.values() for row in page_rows(reduction)),
        head=",".join(CSV_COLUMNS) + "\n",
    ),
    "md": Form(render=markdown_of, between="\n"),
    "pages": Form(render=kept_pages),
}
