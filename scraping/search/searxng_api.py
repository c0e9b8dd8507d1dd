"""SearXNG's JSON answers (`format=json`, where an instance allows it)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.json_results import Mapping, plain_text, read_answer, value_at

MAPPING = Mapping(results="results", snippet="content", known=("query",))


def address(ask: Ask) -> str:
    """The same search as the page, answered in JSON."""
    parameters = {"q": ask.query, "format": "json", "pageno": str(ask.page)}
    if ask.language:
        parameters |= {"language": ask.language}
    return f"{ask.base}/search?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The results of an answer; none because no engine answered is an error, not an empty list."""
    reading = read_answer(text, MAPPING)
    silent = _silent_engines(json.loads(text)) if reading.outcome == "empty" else ()
    if not silent:
        return reading
    return Reading(outcome="error", reason=f"no answer from {', '.join(silent)}"[:200])


def _silent_engines(answer: Any) -> tuple[str, ...]:
    """Names of the engines that did not answer, each with the reason where one is given."""
    entries = value_at(answer, "unresponsive_engines")
    if not isinstance(entries, list):
        return ()
    rows = (entry if isinstance(entry, list) else [entry] for entry in entries)
    return tuple(
        plain_text(row[0]) + (f" ({plain_text(row[1])})" if len(row) > 1 else "")
        for row in rows
        if row
    )


ENGINE = Engine(
    name="searxng-api",
    base="",
    address=address,
    read=read,
    marks=('"unresponsive_engines"', '"number_of_results"', '"infoboxes"'),
    is_api=True,
)
