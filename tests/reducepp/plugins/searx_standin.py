"""A stand-in for SearXNG: its plug-in interface as its source states it.

Written anew for these tests after reading searx/plugins/_core.py, results.py, webutils.py,
searx/result_types and the templates of 2025 and 2026. What the plugin relies on is true here as
there: typed results take no new attributes, legacy ones take any; both hash by address and are
merged by address only; a container that was closed or ordered ignores everything after; settings
are reached with dots; a plugin's configuration takes `active` alone; an exception in a plugin is
logged and the search goes on. real_searxng.py runs the same checks inside SearXNG itself.
"""

from __future__ import annotations

import abc
import importlib
import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import ParseResult, urlparse

from jinja2 import BaseLoader, DictLoader, Environment

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
        *("audio_src", "content", "engine", "engines", "iframe_src", "img_src", "metadata"),
        *("parsed_url", "positions", "priority", "publishedDate", "score", "template"),
        *("title", "url"),
    )

    def __init__(self, *, url: str, title: str = "", content: str = "", **more: Any) -> None:
        self.url, self.title, self.content = url, title, content
        self.parsed_url: ParseResult = urlparse(url)
        self.template = more.get("template", "default.html")
        self.img_src = more.get("img_src", "")
        self.iframe_src = more.get("iframe_src", "")
        self.audio_src = more.get("audio_src", "")
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

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __hash__(self) -> int:
        url = self.parsed_url
        return hash((self.template, url.netloc, url.path, url.params, url.query, self.img_src))

    def __eq__(self, other: object) -> bool:
        return hash(self) == hash(other)


class LegacyResult(dict[str, Any]):
    """A result as engines of old return it: a dict whose keys are attributes too."""

    def __init__(self, given: dict[str, Any] | None = None, **more: Any) -> None:
        values = {**(given or {}), **more}
        super().__init__(
            {"template": "default.html", "title": "", "content": "", "priority": "", "img_src": ""}
            | {"engines": set(), "positions": [], "score": 0.0, "publishedDate": None}
            | {"parsed_url": urlparse(values["url"]), **values}
        )

    def as_dict(self) -> dict[str, Any]:
        return self

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


def get_json_response(search: Search) -> str:
    """The results as SearXNG's JSON format has them."""
    ordered = search.result_container.get_ordered_results()
    return json.dumps({"results": [result.as_dict() for result in ordered]}, default=list)


TEMPLATE = """<article class="result">
<h3><a href="{{ result.url }}">{{ result.title }}</a></h3><p>{{ result.content }}</p>
{%- if result.metadata %}<div class="highlight">{{ result.metadata }}</div>{% endif %}</article>"""
PAGE = """{% for result in results %}{% include "simple/result_templates/" + result.template %}
{% endfor %}"""


class _AppLoader(BaseLoader):
    """Asks the application's loader each time, as Flask's does."""

    def __init__(self, app: App) -> None:
        self.app = app

    def get_source(self, environment: Environment, template: str) -> Any:
        return self.app.jinja_loader.get_source(environment, template)


class App:
    """What the plugin needs of the Flask application: its templates."""

    def __init__(self) -> None:
        self.jinja_loader: BaseLoader = DictLoader(
            {"simple/result_templates/default.html": TEMPLATE, "simple/results.html": PAGE}
        )
        self.jinja_env = Environment(loader=_AppLoader(self), autoescape=True)

    def render(self, search: Search) -> str:
        page = self.jinja_env.get_template("simple/results.html")
        return page.render(results=search.result_container.get_ordered_results())


LOCALE = SimpleNamespace(language="en")


class LazyString:
    """flask_babel's text that is made when it is shown."""

    def __init__(self, make: Callable[[str], str], text: str) -> None:
        self.make, self.text = make, text

    def __str__(self) -> str:
        return self.make(self.text)


def modules() -> dict[str, ModuleType]:
    """The stand-in under SearXNG's and flask_babel's names, for sys.modules."""
    contents: dict[str, dict[str, Any]] = {
        "searx": {"get_setting": get_setting},
        "searx.plugins": {"Plugin": Plugin, "PluginInfo": PluginInfo},
        "searx.results": {"calculate_score": calculate_score},
        "searx.result_types": {"LegacyResult": LegacyResult},
        "flask_babel": {"get_locale": lambda: LOCALE},
        "flask_babel.speaklater": {"LazyString": LazyString},
    }
    made = {name: ModuleType(name) for name in contents}
    for name, module in made.items():
        vars(module).update(contents[name])
    return made
