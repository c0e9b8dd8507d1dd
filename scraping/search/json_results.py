"""Answers of search APIs: JSON in, results out, by a mapping of paths."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Found, Reading
from reducepp.scraping.search.result_links import is_web_address
from reducepp.scraping.search.result_tree import text_of

MARKUP = re.compile(r"<[a-zA-Z/][^>]*>|&[#a-zA-Z0-9]+;")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """Where an answer keeps its results; paths are keys joined by dots (``web.results``)."""

    results: str
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    error: str = ""
    """Where this path has a value, the service refused the request: its words are the reason."""
    known: tuple[str, ...] = ()
    """An answer without results is an empty one where one of these paths exists."""


def value_at(data: Any, path: str) -> Any:
    """The value at a dotted path; a number picks from a list; None where there is none."""
    for key in path.split(".") if path else ():
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def plain_text(value: Any) -> str:
    """A value as folded text; marks such as `<strong>` and entities are read, not shown."""
    text = "" if value is None else str(value)
    if MARKUP.search(text):
        return text_of(parse_for_css(text).body)
    return " ".join(text.split())


def read_answer(text: str, mapping: Mapping) -> Reading:
    """The results of an answer; an error the service reports is a block."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Reading()
    if mapping.error and (error := value_at(data, mapping.error)):
        return Reading(outcome="blocked", reason=f"block ({plain_text(error)[:200]})")
    results = value_at(data, mapping.results)
    if not isinstance(results, list):
        known = any(value_at(data, path) is not None for path in mapping.known)
        return Reading(outcome="empty") if known else Reading()
    found = [_found(one, mapping) for one in results]
    unique = {one.url: one for one in reversed(found) if one is not None}
    kept = tuple(reversed(unique.values()))
    return Reading(found=kept, outcome="results" if kept else "empty")


def _found(result: Any, mapping: Mapping) -> Found | None:
    url = value_at(result, mapping.url)
    if not isinstance(url, str) or not is_web_address(url):
        return None
    return Found(
        url=url,
        title=plain_text(value_at(result, mapping.title)),
        snippet=plain_text(value_at(result, mapping.snippet)),
    )
