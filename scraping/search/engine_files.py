"""Search engines from TOML files: `engines/*.toml`, and a user's own JSON service.

The keys are those of docs/engines.md. An engine with HTML pages has `[[layouts]]` and `[[rules]]`,
one with JSON answers has `[paths]`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import partial
from itertools import accumulate
from operator import or_
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, errors_as
from reducepp.io.bounded_reading import read_toml
from reducepp.scraping.search.engine import Engine, ResultParser
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout, read_tables
from reducepp.scraping.search.json_results import JsonParser
from reducepp.scraping.search.result_links import LinkRule, unwrap_link

URL = re.compile(r"(https?://[^/?#]*)?(.*)", re.DOTALL)
"""Origin and the rest."""
OPTIONAL = {
    *("key_variable", "key_form", "language_parameters", "language_path", "next_page_parameters"),
    *("fingerprints", "hosts"),
}
KEYS = {"name", "url", "results_per_page", "headers", "paths", *OPTIONAL}
PATHS = {field.name for field in fields(JsonParser)}


def engine_from_file(where: str | Path) -> Engine:
    """The engine that a file describes; InputError names a key that is unknown or missing."""
    with errors_as(InputError, f"{where}: not a readable TOML file", OSError, ValueError):
        table = read_toml(where)
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
    return _engine(table, JsonParser(**_values(paths, PATHS)), is_api=True)


def html_engine(path: Path, **code: Any) -> Engine:
    """The engine with HTML pages that a packaged file describes.

    `code` are fields of HtmlParser that no selector can express.
    """
    table = tomllib.loads(path.read_text("utf-8"))
    hosts = {"hosts": table.get("link_hosts", [])}
    links = read_tables(LinkRule, (hosts | rule for rule in table.get("links", ())))
    unwrap = partial(unwrap_link, base=table.get("link_base", ""), rules=links)
    parser = HtmlParser(
        # A layout takes what it does not name from the one before.
        layouts=read_tables(ResultLayout, accumulate(table.get("layouts", ()), or_)),
        rules=read_tables(PageRule, table["rules"]),
        unwrap=unwrap,
        **_values(table, ("own", "noise", "breadcrumbs", "dates")),
        **code,
    )
    return _engine(table, parser)


def _engine(table: Mapping[str, Any], parser: ResultParser, *, is_api: bool = False) -> Engine:
    url = URL.fullmatch(str(table["url"]))
    assert url is not None  # both groups may be empty
    return Engine(
        name=str(table["name"]),
        base=url[1] or "",
        path=url[2],
        parse_text=parser,
        results_per_page=int(table.get("results_per_page", 10)),
        headers={str(name): str(value) for name, value in table.get("headers", {}).items()},
        is_api=is_api,
        **_values(table, OPTIONAL),
    )


def _values(table: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Texts and lists of a table under those of the names that it has."""
    found = {name: table[name] for name in names if name in table}
    return {name: tuple(v) if isinstance(v, list) else str(v) for name, v in found.items()}
