"""SearXNG: a plugin that folds near-duplicate results under the best-ranked one.

It runs inside SearXNG, whose settings.yml names it; options stand under a key of their own:

    plugins:
      reducepp.plugins.searxng.SXNGPlugin:
        active: true
    reducepp:
      min_score: 0.57
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from reducepp.errors import ReduceppError
from reducepp.plugins.postprocess import PostProcessor, Processed, Shown

try:
    import searx
    from searx.plugins import Plugin, PluginInfo
except ImportError as error:
    raise ImportError(
        "the SearXNG plugin runs inside SearXNG: install reducepp into SearXNG's environment"
    ) from error

OPTIONS = ("profile", "threshold", "min_score", "target_n", "mode", "keep", "linkage")
"""Read from `reducepp:` in settings.yml; what they mean is PostProcessor's."""

TEMPLATE = "default.html"
"""Only results shown as ordinary pages: images, videos and maps of one title are not one."""


MOST_HOSTS = 3
"""Sites of hidden results that the kept one names."""


class SXNGPlugin(Plugin):  # type: ignore[misc,unused-ignore]
    """Hides results that say the same as a better-ranked one; the kept one says how many."""

    id = "reducepp"

    def __init__(self, plg_cfg: Any) -> None:
        super().__init__(plg_cfg)
        self.info = PluginInfo(
            id=self.id,
            name="Fold near-duplicates",
            description="Fold results that say the same under the best-ranked one",
            preference_section="general",
        )
        self.processor = PostProcessor()

    def init(self, app: Any) -> bool:
        """Read the options; a wrong one is logged and leaves the plugin off."""
        found = {name: searx.get_setting(f"reducepp.{name}", None) for name in OPTIONS}
        given = {name: value for name, value in found.items() if value is not None}
        try:
            self.processor = PostProcessor(**given)
        except (ReduceppError, TypeError) as error:
            self.log.error("settings under 'reducepp': %s", error)
            return False
        return True

    def post_search(self, request: Any, search: Any) -> None:
        """Take near-duplicates out of the container before it is closed and ordered."""
        results: dict[int, Any] = search.result_container.main_results_map
        pages = [(key, r) for key, r in list(results.items()) if r.template == TEMPLATE]
        pages.sort(key=lambda entry: -_score(entry[1]))
        done = self.processor((r for _, r in pages), query=search.search_query.query)
        keys = [key for key, _ in pages]
        if self.processor.mode == "demote":
            _demote(done)
        else:
            _fold(done, keys, results)


def _fold(done: Processed[Any], keys: list[int], results: dict[int, Any]) -> None:
    for hidden in done.hidden:
        results.pop(keys[hidden.place], None)
    for shown in done.shown:
        if shown.note:
            known = getattr(shown.result, "metadata", "")
            note = f"{shown.note}: {_hosts(shown)}"
            shown.result["metadata"] = f"{known} | {note}" if known else note


def _hosts(shown: Shown[Any]) -> str:
    """Where what is hidden stands, so that nothing is gone without a trace."""
    found = [urlsplit(similar.result.url or "").netloc for similar in shown.similar]
    names = list(dict.fromkeys(name for name in found if name))
    return ", ".join(names[:MOST_HOSTS]) + (", …" if len(names) > MOST_HOSTS else "")


def _demote(done: Processed[Any]) -> None:
    """SearXNG puts what has a low priority behind everything else."""
    for hidden in done.hidden:
        hidden.result["priority"] = "low"


def _score(result: Any) -> float:
    """The score SearXNG will order by, which it works out only when the container is closed."""
    from searx.results import calculate_score

    return float(calculate_score(result, result.priority))
