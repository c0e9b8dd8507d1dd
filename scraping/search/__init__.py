"""Search engines, one small file each: request address in, organic hits out."""

from __future__ import annotations

import re

from reducepp.scraping.search import (
    baidu,
    bing,
    brave,
    brave_api,
    duckduckgo,
    ecosia,
    google,
    google_api,
    mojeek,
    qwant,
    searxng_api,
    searxng_html,
    serpapi,
    startpage,
    swisscows,
    yahoo,
    yandex,
)
from reducepp.scraping.search.engine import Engine, ResultPage
from reducepp.scraping.search.json_mapping import engine_from_file
from reducepp.text.urls import host_of

ENGINES: dict[str, Engine] = {
    module.ENGINE.name: module.ENGINE
    for module in (
        google,
        bing,
        duckduckgo,
        brave,
        yahoo,
        mojeek,
        startpage,
        ecosia,
        yandex,
        baidu,
        qwant,
        swisscows,
        searxng_html,
        searxng_api,
        google_api,
        brave_api,
        serpapi,
    )
}
"""Name to engine; one more JSON service is read from a file with `engine_from_file`."""

SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
"""The comment that browsers write at the head of a saved page."""

__all__ = ["ENGINES", "Engine", "ResultPage", "engine_from_file", "recognise"]


def recognise(text: str, url: str = "") -> str:
    """Name of the engine whose answer this is, by its address or its source; else empty."""
    saved = SAVED_FROM.search(text[:5000])
    for address in (url, saved[1] if saved else ""):
        if address and (name := _by_host(host_of(address))):
            return name
    is_json = text.lstrip()[:1] in ("{", "[")
    scores = {
        name: sum(mark in text for mark in engine.marks)
        for name, engine in ENGINES.items()
        if engine.is_api == is_json
    }
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else ""


def _by_host(host: str) -> str:
    host = host.removeprefix("www.")
    for name, engine in ENGINES.items():
        for known in engine.hosts:
            if host == known or (known.endswith(".") and host.startswith(known)):
                return name
    return ""
