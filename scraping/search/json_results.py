"""JSON search services, each described by a TOML file.

name = "intranet"
url = "https://search.example/api?q={query}&from={offset}&size={count}&lang={language}"
results_per_page = 20
key_variable = "INTRANET_KEY"        # optional: the environment variable of a key
headers = { Authorization = "Bearer {key}" }   # optional

[paths]
results = "data.items"               # the list
url = "link"                         # then inside each result
title = "name"
snippet = "summary"
error = "error.message"              # optional

`brave_api.toml`, `google_api.toml`, `searxng_api.toml` and `serpapi.toml` use the other keys.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from reducepp.errors import InputError
from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import Engine, ParsedPage, Result
from reducepp.scraping.search.result_links import is_web_address
from reducepp.scraping.search.result_tree import text_of

MARKUP = re.compile(r"<[a-zA-Z/][^<>]*+>|&[#a-zA-Z0-9]+;")
URL = re.compile(r"(https?://[^/?#]*)?(.*)", re.DOTALL)
"""Origin and the rest."""
TEXT_KEYS = {"key_variable", "key_form", "language_parameters", "next_page_parameters"}
LIST_KEYS = {"fingerprints", "hosts"}
KEYS = {"name", "url", "results_per_page", "headers", "paths", *TEXT_KEYS, *LIST_KEYS}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonParser:
    """Parser of a service's answers; paths are keys joined by dots (``web.results``)."""

    results: str
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    error: str = ""
    """A value at this path means that the service rejected the request; it is the reason."""
    no_results: str = ""
    """An error that contains this means that nothing was found."""
    known: tuple[str, ...] = ()
    """An answer without a list of results is empty if one of these paths exists."""
    unresponsive: str = ""
    """List of sources that did not answer: no results because of them is an error."""

    def __call__(self, text: str, /) -> ParsedPage:
        """The results of an answer."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return ParsedPage()
        error = plain_text(value_at(data, self.error)) if self.error else ""
        nothing_found = bool(self.no_results) and self.no_results in error
        if error and not nothing_found:
            return ParsedPage(outcome="blocked", reason=f"block ({error[:200]})")
        results = value_at(data, self.results)
        if isinstance(results, list) and (found := self._results(results)):
            return ParsedPage(results=found, outcome="results")
        if silent := _source_names(value_at(data, self.unresponsive) if self.unresponsive else ()):
            return ParsedPage(outcome="error", reason=f"no answer from {', '.join(silent)}"[:200])
        known = any(value_at(data, path) is not None for path in self.known)
        is_empty = isinstance(results, list) or nothing_found or known
        return ParsedPage(outcome="empty") if is_empty else ParsedPage()

    def _results(self, items: list[Any]) -> tuple[Result, ...]:
        """Results with a web address, the first of each URL."""
        found: dict[str, Result] = {}
        for item in items:
            url = value_at(item, self.url)
            if isinstance(url, str) and is_web_address(url):
                title = plain_text(value_at(item, self.title))
                snippet = plain_text(value_at(item, self.snippet))
                found.setdefault(url, Result(url=url, title=title, snippet=snippet))
        return tuple(found.values())


PATHS = {field.name for field in fields(JsonParser)}


def value_at(data: Any, path: str) -> Any:
    """The value at a dotted path; a number indexes a list; None where there is none."""
    for key in path.split(".") if path else ():
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def plain_text(value: Any) -> str:
    """A value as text with single spaces, without tags such as `<strong>`; entities decoded."""
    text = "" if value is None else str(value)
    if MARKUP.search(text):
        return text_of(parse_for_css(text).body)
    return " ".join(text.split())


def _source_names(entries: Any) -> tuple[str, ...]:
    """Names in a list of names or of [name, reason] pairs, as SearXNG writes it."""
    if not isinstance(entries, list):
        return ()
    rows = (entry if isinstance(entry, list) else [entry] for entry in entries)
    return tuple(
        plain_text(row[0]) + (f" ({plain_text(row[1])})" if len(row) > 1 else "")
        for row in rows
        if row
    )


def engine_from_file(path: str | Path) -> Engine:
    """The engine that a TOML file describes."""
    try:
        table = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: not a readable TOML file: {error}") from error
    return engine_from_table(table, where=str(path))


def engine_from_table(table: Mapping[str, Any], *, where: str = "engine") -> Engine:
    """The engine that a table describes; InputError names a key that is unknown or missing."""
    _check(table, where)
    paths: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else str(value)
        for name, value in table["paths"].items()
    }
    url = URL.fullmatch(str(table["url"]))
    assert url is not None  # both groups may be empty
    optional: dict[str, Any] = {name: str(table[name]) for name in TEXT_KEYS & table.keys()}
    optional |= {name: tuple(table[name]) for name in LIST_KEYS & table.keys()}
    return Engine(
        name=str(table["name"]),
        base=url[1] or "",
        path=url[2],
        parse_text=JsonParser(**paths),
        results_per_page=int(table.get("results_per_page", 10)),
        headers={str(name): str(value) for name, value in table.get("headers", {}).items()},
        is_api=True,
        **optional,
    )


def _check(table: Mapping[str, Any], where: str) -> None:
    paths = table.get("paths")
    missing = [name for name in ("name", "url", "paths") if name not in table]
    if missing or not isinstance(paths, dict):
        raise InputError(f"{where}: needs name, url and a [paths] table; missing {missing}")
    if "results" not in paths:
        raise InputError(f"{where}: [paths] needs results, the path of the list")
    if unknown := sorted((set(table) - KEYS) | {f"paths.{p}" for p in set(paths) - PATHS}):
        raise InputError(f"{where}: unknown {unknown}; allowed {sorted(KEYS)}, {sorted(PATHS)}")
    if "{query}" not in str(table["url"]):
        raise InputError(f"{where}: url has no {{query}}")
