"""A stand-in for SearXNG, which is not on PyPI: its plug-in interface as its source states it.

Written anew for these tests after reading searx/plugins/_core.py, searx/results.py and
searx/result_types of 2025 and 2026. What the plugin relies on is true here as there: results take
no new attributes, hash by address, are merged by address only; a container that was closed or
ordered ignores everything after; settings are reached with dots; a plugin's configuration takes
`active` alone; an exception in a plugin is logged and the search goes on.
"""

from __future__ import annotations

import abc
import importlib
import logging
import re
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from urllib.parse import ParseResult, urlparse

SETTINGS: dict[str, Any] = {}
_UNSET = object()


def get_setting(name: str, default: Any = _UNSET) -> Any:
    value: Any = SETTINGS
    for step in name.split("."):
        value = value.get(step, _UNSET) if isinstance(value, dict) else _UNSET
        if value is _UNSET:
            if default is _UNSET:
                raise KeyError(name)
            return default
    return value


@dataclass
class PluginInfo:
    id: str
    name: str
    description: str
    preference_section: str | None = "general"
    examples: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)


@dataclass
class PluginCfg:
    active: bool = False


class Plugin(abc.ABC):
    id: str = ""
    keywords: list[str] = []  # noqa: RUF012
    log: logging.Logger
    info: PluginInfo

    def __init__(self, plg_cfg: PluginCfg) -> None:
        for name, value in vars(plg_cfg).items():
            setattr(self, name, value)
        if not re.match("[a-z][a-z0-9].*", self.id):
            raise ValueError(f"plugin ID {self.id}")
        self.log = logging.getLogger(f"searx.plugins.{self.id}")

    def init(self, app: Any) -> bool:
        return True

    def post_search(self, request: Any, search: Any) -> Any:
        return None


class PluginStorage:
    def __init__(self) -> None:
        self.plugin_list: list[Plugin] = []

    def load_settings(self, configured: dict[str, dict[str, Any]]) -> None:
        for path, options in configured.items():
            module, name = path.rsplit(".", 1)
            self.plugin_list.append(
                getattr(importlib.import_module(module), name)(PluginCfg(**options))
            )

    def init(self, app: Any) -> None:
        self.plugin_list = [plugin for plugin in self.plugin_list if plugin.init(app)]

    def post_search(self, request: Any, search: Search) -> None:
        for plugin in self.plugin_list:
            try:
                added = plugin.post_search(request=request, search=search) or []
            except Exception:
                plugin.log.exception("Exception while calling post_search")
                continue
            search.result_container.extend(f"plugin: {plugin.id}", added)


class MainResult:
    """A result that takes no attribute it does not know."""

    __slots__ = (
        "content",
        "engine",
        "engines",
        "img_src",
        "metadata",
        "parsed_url",
        "positions",
        "priority",
        "publishedDate",
        "score",
        "template",
        "title",
        "url",
    )

    def __init__(self, *, url: str, title: str = "", content: str = "", **more: Any) -> None:
        self.url, self.title, self.content = url, title, content
        self.parsed_url: ParseResult = urlparse(url)
        self.template = more.get("template", "default.html")
        self.img_src = more.get("img_src", "")
        self.metadata = more.get("metadata", "")
        self.priority = more.get("priority", "")
        self.engine = ""
        self.engines: set[str] = set()
        self.positions: list[int] = []
        self.publishedDate = None
        self.score = 0.0

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __hash__(self) -> int:
        url = self.parsed_url
        return hash((self.template, url.netloc, url.path, url.params, url.query, self.img_src))

    def __eq__(self, other: object) -> bool:
        return hash(self) == hash(other)


class LegacyResult(dict[str, Any]):
    """A result as engines of old return it: a dict whose keys are attributes too."""

    def __init__(self, *, url: str, **more: Any) -> None:
        super().__init__(
            {"url": url, "template": "default.html", "title": "", "content": "", "priority": ""}
            | {"engines": set(), "positions": [], "score": 0.0, "parsed_url": urlparse(url)}
            | {"publishedDate": None, "img_src": "", **more}
        )

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"LegacyResult object has no field named: {name}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __hash__(self) -> int:  # type: ignore[override]
        return MainResult.__hash__(self)  # type: ignore[arg-type]


def calculate_score(result: Any, priority: str) -> float:
    weight = float(len(result["positions"]))
    if priority == "low":
        return 0.0
    return sum(weight if priority == "high" else weight / p for p in result["positions"])


class ResultContainer:
    def __init__(self) -> None:
        self.main_results_map: dict[int, Any] = {}
        self._closed = False
        self._sorted: list[Any] | None = None

    def extend(self, engine: str, results: list[Any]) -> None:
        if self._closed:
            return
        for position, result in enumerate(results, 1):
            known = self.main_results_map.setdefault(hash(result), result)
            known.engines.add(engine)
            known.positions.append(position)

    def get_ordered_results(self) -> list[Any]:
        self._closed = True
        for result in self.main_results_map.values():
            result.score = calculate_score(result, result.priority)
        if self._sorted is None:
            found = self.main_results_map.values()
            self._sorted = sorted(found, key=lambda result: result.score, reverse=True)
        return self._sorted


@dataclass
class SearchQuery:
    query: str


class Search:
    def __init__(self, query: str) -> None:
        self.search_query = SearchQuery(query)
        self.result_container = ResultContainer()


def modules() -> dict[str, ModuleType]:
    """The stand-in under SearXNG's names, for sys.modules."""
    searx, plugins, results = (ModuleType(n) for n in ("searx", "searx.plugins", "searx.results"))
    searx.get_setting = get_setting  # type: ignore[attr-defined]
    plugins.Plugin, plugins.PluginInfo = Plugin, PluginInfo  # type: ignore[attr-defined]
    results.calculate_score = calculate_score  # type: ignore[attr-defined]
    return {"searx": searx, "searx.plugins": plugins, "searx.results": results}
