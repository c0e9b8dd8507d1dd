"""What a host's documents carry of what was hidden: one metadata key, plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from reducepp.plugins.accessors import Accessor, first_of
from reducepp.plugins.postprocess import Shown, Similar

T = TypeVar("T")

KEY = "reducepp"
"""The one key we add to a host's metadata; every other key stays as it was."""


def attachment(shown: Shown[T], describe: Callable[[T], Mapping[str, Any]]) -> dict[str, Any]:
    """What goes under the key: `similar` (collapse) or `similar_to` (demote); {} for nothing."""
    if shown.demoted is not None:
        return {"similar_to": shown.demoted.reason()}
    if not shown.similar:
        return {}
    return {
        "hidden": len(shown.similar),
        "similar": [{**describe(s.result), **s.reason()} for s in shown.similar],
    }


def removal(similar: Similar[T]) -> dict[str, Any]:
    """What a removed document carries: for which one, and why."""
    return {"similar_to": similar.reason()}


def metadata_fields(metadata: Callable[[Any], Mapping[str, Any]]) -> dict[str, Accessor]:
    """Title, address, language and date from a document's metadata, under their usual names."""
    places = {
        "title": first_of("title", "page_title", "name"),
        "url": first_of("url", "source", "link", "file_path"),
        "snippet": first_of("snippet"),
        "language": first_of("language", "lang"),
        "date": first_of("date", "published", "posted_at", "publishedDate"),
    }

    def through(read: Accessor) -> Accessor:
        return lambda document: read(metadata(document))

    return {name: through(read) for name, read in places.items()} | {"html": lambda _: ""}
