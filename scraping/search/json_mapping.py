"""Any other JSON search service, described in a TOML file.

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
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping as Table
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reducepp.errors import InputError
from reducepp.scraping.search.engine import Ask, Engine
from reducepp.scraping.search.json_results import Mapping, read_answer

KEYS = {"name", "url", "results_per_page", "key_variable", "headers", "paths"}
PATHS = {"results", "url", "title", "snippet", "error"}


def engine_from_file(path: str | Path) -> Engine:
    """The engine that a TOML file describes."""
    try:
        table = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: not a readable TOML file: {error}") from error
    return engine_from_table(table, where=str(path))


def engine_from_table(table: Table[str, Any], *, where: str = "engine") -> Engine:
    """The engine that a table describes; InputError names a key that is unknown or missing."""
    _check(table, where)
    template = str(table["url"])
    count = int(table.get("results_per_page", 10))
    templates = {str(name): str(value) for name, value in table.get("headers", {}).items()}
    paths: dict[str, Any] = {name: str(value) for name, value in table["paths"].items()}
    mapping = Mapping(**paths)

    def address(ask: Ask) -> str:
        return _filled(template, ask, count)

    return Engine(
        name=str(table["name"]),
        base=template,
        address=address,
        read=lambda text: read_answer(text, mapping),
        results_per_page=count,
        key_variable=str(table.get("key_variable", "")),
        headers=lambda key: {k: v.replace("{key}", key) for k, v in templates.items()},
        is_api=True,
    )


def _filled(template: str, ask: Ask, count: int) -> str:
    """The address with each name in braces replaced; other braces stay."""
    values = {
        "query": ask.query,
        "page": ask.page,
        "offset": (ask.page - 1) * count,
        "first": (ask.page - 1) * count + 1,
        "count": count,
        "language": ask.language,
        "key": ask.key,
    }
    for name, value in values.items():
        template = template.replace("{" + name + "}", quote(str(value), safe=""))
    return template


def _check(table: Table[str, Any], where: str) -> None:
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
