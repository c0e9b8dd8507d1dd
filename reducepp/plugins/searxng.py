"""SearXNG: a plugin that folds near-duplicate results under the best-ranked one.

It runs inside SearXNG, whose settings.yml names it; options are under a key of their own:

    plugins:
      reducepp.plugins.searxng.SXNGPlugin:
        active: true
    reducepp:
      min_score: 0.57

What is folded is listed under the key `similar` of the result that stays: as a fold-out with links
below it in the web page, as a list in JSON answers.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from reducepp.errors import ReduceppError, UsageError, did_you_mean
from reducepp.plugins.postprocess import PostProcessor, Processed, Shown
from reducepp.text.urls import host_of, registered_domain
from reducepp.translations import translate

try:
    import searx
    from flask_babel import get_locale
    from flask_babel.speaklater import LazyString
    from searx.plugins import Plugin, PluginInfo
except ImportError as error:
    raise ImportError(
        "the SearXNG plugin runs inside SearXNG: install reducepp into SearXNG's environment"
    ) from error

COMPARED = ("profile", "threshold", "min_score", "target_n", "mode", "keep", "linkage")
"""Options that are PostProcessor's."""
OPTIONS = (*COMPARED, "per_site", "max_seconds")
"""Options under `reducepp:` in settings.yml."""
TEMPLATE = "default.html"
"""Only results shown as ordinary pages: images, videos and maps of one title are not one."""
PLAYERS = ("iframe_src", "audio_src", "embedded")
"""Fields of results that play music or a video, which are left alone too."""
MAX_RESULTS = 500
"""Results compared at most, the best-ranked ones: several times what engines return."""
MAX_HOSTS = 3
"""Sites of folded results that the fold-out's line names."""
SAME_SITE = "same site"
"""Level of results that are folded because of `per_site`."""
WARM_UP = [
    {"title": title, "url": url, "snippet": snippet}
    for title, url, snippet in (
        ("Rooftop bees 1", "https://a.example", "Rooftop bees make honey"),
        ("Rooftop bees 1", "https://b.example", "Rooftop bees make honey now"),
        ("نحل السطوح", "https://c.example", "جمع مربو النحل عسلا أكثر."),
    )
]
"""Results with a near-duplicate, in two scripts: everything that a comparison needs is loaded."""
ORIGINAL = "reducepp-original"
FOLD_OUT = files("reducepp.plugins").joinpath("searxng_fold_out.html").read_text("utf-8")
"""SearXNG's own template of a result, and the fold-out below it; its list of results has no
direction of its own."""


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """The options, checked."""

    processor: PostProcessor
    per_site: int = 0
    """Results of one site that are shown, 0 for all."""
    max_seconds: float = 2.0
    """A comparison that takes longer is given up, and the results stay as they are."""


def parse_settings(given: Any) -> PluginSettings:
    """The options under `reducepp:`; a wrong one raises UsageError, which names it."""
    if not isinstance(given, Mapping):
        raise UsageError(f"{given!r}: options with values are needed")
    unknown = sorted(set(given) - set(OPTIONS))
    if unknown:
        near = did_you_mean(unknown[0], OPTIONS)
        raise UsageError(f"{unknown[0]!r}: use some of {', '.join(OPTIONS)}{near}")
    compared = {name: given[name] for name in COMPARED if given.get(name) is not None}
    per_site, seconds = given.get("per_site") or 0, given.get("max_seconds") or 2.0
    if not isinstance(per_site, int) or per_site < 0:
        raise UsageError(f"per_site {per_site!r}: a number of results is needed")
    if not isinstance(seconds, int | float) or seconds <= 0:
        raise UsageError(f"max_seconds {seconds!r}: a number of seconds is needed")
    return PluginSettings(PostProcessor(**compared), per_site, float(seconds))


class SXNGPlugin(Plugin):  # type: ignore[misc,unused-ignore]
    """Folds results that say the same as a better-ranked one under it."""

    id = "reducepp"

    def __init__(self, plg_cfg: Any) -> None:
        super().__init__(plg_cfg)
        self.info = PluginInfo(
            id=self.id,
            name=LazyString(_local, "Fold near-duplicates"),
            description=LazyString(
                _local, "Fold results that say the same under the best-ranked one"
            ),
            preference_section="general",
        )
        self.settings = PluginSettings(PostProcessor())
        self.has_fold_out = False

    def init(self, app: Any) -> bool:
        """Read the options and load everything; a wrong option is logged and leaves it off."""
        try:
            self.settings = parse_settings(searx.get_setting("reducepp", None) or {})
        except ReduceppError as error:
            self.log.error("settings under 'reducepp': %s", error)
            return False
        self.settings.processor(WARM_UP)
        self.has_fold_out = install_fold_out(app)
        return True

    def post_search(self, request: Any, search: Any) -> None:
        """Take near-duplicates out of the container before it is closed and ordered."""
        results: dict[int, Any] = search.result_container.main_results_map
        pages = [
            (key, result)
            for key, result in results.items()
            if result.template == TEMPLATE
            and not any(getattr(result, name, None) for name in PLAYERS)
        ]
        pages = sorted(pages, key=lambda entry: -_score(entry[1]))[:MAX_RESULTS]
        done = self._process([result for _, result in pages], search.search_query.query)
        if done is None:
            return
        folds = fold_results(done, self.settings.per_site)
        if self.settings.processor.mode == "demote":
            demoted = {shown.place for shown in done.shown if shown.demoted}
            for place, (_, result) in enumerate(pages):
                if place not in folds or place in demoted:
                    result["priority"] = "low"
            return
        for place, (key, result) in enumerate(pages):
            if place not in folds:
                del results[key]
            elif folds[place] and self.settings.processor.mode != "drop":
                results[key] = self._attach(result, folds[place])

    def _process(self, results: list[Any], query: str) -> Processed[Any] | None:
        """The results processed, or None where that takes longer than allowed."""
        pool = ThreadPoolExecutor(max_workers=1)
        try:
            work = pool.submit(self.settings.processor, results, query=query)
            return work.result(self.settings.max_seconds)
        except TimeoutError:
            self.log.warning("%d results took too long to compare: left alone", len(results))
            return None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _attach(self, result: Any, similar: list[dict[str, Any]]) -> Any:
        """A result with those folded under it, and with the engines that found them."""
        for entry in similar:
            result.engines.update(entry["engines"])
        if not self.has_fold_out:
            known = getattr(result, "metadata", "")
            result["metadata"] = f"{known} | {summary(similar)}" if known else summary(similar)
        if not isinstance(result, dict):  # the open kind of result takes a new key
            from searx.result_types import LegacyResult

            result = LegacyResult(result.as_dict())
        result["similar"] = similar
        return result


def fold_results(done: Processed[Any], per_site: int) -> dict[int, list[dict[str, Any]]]:
    """Place of each result that is shown → what is folded under it, best-ranked first."""
    folds = {
        shown.place: [
            _describe(s.result, score=s.score, level=s.level, signals=dict(s.signals))
            for s in shown.similar
        ]
        for shown in done.shown
    }
    if per_site:
        for shown, first in beyond_site(done.shown, per_site):
            moved = _describe(shown.result, score=None, level=SAME_SITE, signals={})
            folds[first] += [moved, *folds.pop(shown.place)]
    return folds


def beyond_site(shown: Sequence[Shown[Any]], per_site: int) -> list[tuple[Shown[Any], int]]:
    """Results beyond the number that a site may have, each with the place of the site's first."""
    by_site: dict[str, list[int]] = {}
    beyond = []
    for one in shown:
        places = by_site.setdefault(registered_domain(one.result.url or ""), [])
        places.append(one.place)
        if len(places) > per_site:
            beyond.append((one, places[0]))
    return beyond


def _describe(result: Any, **why: Any) -> dict[str, Any]:
    texts = {name: getattr(result, name) or "" for name in ("url", "title", "content")}
    return {**texts, "engines": sorted(result.engines), **why}


def summary(similar: Sequence[Mapping[str, Any]]) -> str:
    """One line in the reader's language: how many results are folded, and of which sites."""
    hosts = list(dict.fromkeys(filter(None, (host_of(entry["url"]) for entry in similar))))
    plain = [host for host in hosts if host.replace("-", "").replace(".", "").isalnum()]
    names = ", ".join(plain[:MAX_HOSTS]) + (", …" if len(plain) > MAX_HOSTS else "")
    count = _local("{n} similar results", n=len(similar))
    return f"{count} ({names})" if names else count


def reason(entry: Mapping[str, Any]) -> str:
    """Why a result is folded, in the reader's language."""
    same_address = entry["signals"].get("address", 0) > 0
    level = _local("same page" if same_address else entry["level"])
    return level if entry["score"] is None else f"{level}, {entry['score']:.2f}"


def install_fold_out(app: Any) -> bool:
    """Add the fold-out to SearXNG's template of a result; False where its theme is another."""
    from jinja2 import ChoiceLoader, DictLoader, PrefixLoader, TemplateError

    name = f"simple/result_templates/{TEMPLATE}"
    original = getattr(app, "jinja_loader", None)
    try:
        if original is None or name not in original.list_templates():
            return False
        own = DictLoader({name: FOLD_OUT})
        app.jinja_loader = ChoiceLoader([own, PrefixLoader({ORIGINAL: original}), original])
        app.jinja_env.globals.update(reducepp_summary=summary, reducepp_reason=reason)
    except (AttributeError, TypeError, TemplateError):
        return False
    return True


def _local(text: str, **values: Any) -> str:
    locale = get_locale()
    return translate(text, locale.language if locale else "en", **values)


def _score(result: Any) -> float:
    """The score SearXNG will order by, which it works out only when the container is closed."""
    from searx.results import calculate_score

    return float(calculate_score(result, result.priority))
