"""Search engines: request URL in, organic hits out. One TOML file per engine."""

import re
from pathlib import Path
from typing import Any

from reducepp.errors import UsageError, did_you_mean
from reducepp.scraping.search import baidu, google
from reducepp.scraping.search.engine import Engine, ResultPage
from reducepp.scraping.search.engine_files import engine_from_file, html_engine
from reducepp.text.urls import host_of

_HTML = (
    *("google", "bing", "duckduckgo", "brave", "yahoo", "mojeek", "startpage", "ecosia"),
    *("yandex", "baidu", "qwant", "swisscows", "searxng"),
)
_CODE: dict[str, dict[str, Any]] = {
    "google": {"find": google.find_google_results},
    "baidu": {"named": baidu.named_urls},
}
"""Engine → what its TOML file cannot express, as fields of HtmlParser."""
_JSON = ("searxng_api", "google_api", "brave_api", "serpapi")
_FILES = Path(__file__).with_name("engines")

ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        *(html_engine(_FILES / f"{name}.toml", **_CODE.get(name, {})) for name in _HTML),
        *(engine_from_file(_FILES / f"{name}.toml") for name in _JSON),
    )
}
"""Name → engine; any other JSON service is read from a file with `engine_from_file`."""
SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
"""The comment that browsers write into a saved page."""
HEAD_CHARS = 5_000
"""Characters in which that comment is looked for; it is before the first element."""
__all__ = ["ENGINES", "Engine", "ResultPage", "detect_engine", "engine_from_file", "find_engine"]


def find_engine(name: str, *others: str) -> Engine:
    """An engine by its name or TOML file; UsageError names the known ones, and `others`."""
    if name.endswith(".toml"):
        return engine_from_file(name)
    if name not in ENGINES:
        known = [*ENGINES, *others]
        near = did_you_mean(name, known)
        raise UsageError(f"unknown engine {name!r}; known: {', '.join(known)}{near}")
    return ENGINES[name]


def detect_engine(text: str, url: str = "") -> str:
    """Name of the engine that a page is from, by its URL or its source; empty if unknown."""
    saved = SAVED_FROM.search(text[:HEAD_CHARS])
    for address in (url, saved[1] if saved else ""):
        host = host_of(address).removeprefix("www.")
        for name, engine in ENGINES.items():
            for known in engine.hosts:
                if host == known or (known.endswith(".") and host.startswith(known)):
                    return name
    is_json = text.lstrip()[:1] in ("{", "[")
    scores = {
        name: sum(fingerprint in text for fingerprint in engine.fingerprints)
        for name, engine in ENGINES.items()
        if engine.is_api == is_json
    }
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else ""
