"""A measure's options and content checked before any page is compared."""

import inspect
from collections.abc import Mapping
from typing import Any

from reducepp.errors import ProfileError
from reducepp.similarity.measures import find_measure
from reducepp.similarity.measures.compression import MOST_BYTES

NUMBERS = ("rank", "followers", "followees")
"""Content types that are a number, and what can compare them."""

OF_NUMBERS = ("log_gap", "same")

LARGE = 1_000_000

RANGES: dict[str, dict[str, tuple[int, int]]] = {
    "graphlets": {
        "window": (0, 100),
        "size": (3, 5),
        "samples": (1, LARGE),
        "seed": (0, 2**32 - 1),
    },
    "edges": {"window": (0, 100)},
    "overlap": {"window": (0, 100), "short": (0, LARGE), "long": (0, LARGE)},
    "simhash": {"bits": (8, 512)},
    "top_terms": {"top": (1, 1000)},
    "compression": {"most_bytes": (1, MOST_BYTES), "level": (1, 9)},
    "levenshtein": {"longest": (0, LARGE), "enough": (0, 1)},
    "opening": {"words": (1, LARGE)},
    "length_gap": {"longest": (0, LARGE)},
    "time_gap": {"days": (0, LARGE)},
    "log_gap": {"largest": (0, LARGE)},
    "same_text": {"least": (0, LARGE)},
    "clicks": {"minimum": (0, LARGE)},
}
"""Every number among the measures' options, from and to: more would take memory or time without
end, or mean nothing."""

_KINDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a text"}


def check_content(content: str, measure: str, where: str) -> None:
    """Numbers and texts are compared by measures of their own."""
    if content in NUMBERS and measure not in OF_NUMBERS:
        raise ProfileError(f"{where}: {content} is a number: use one of {', '.join(OF_NUMBERS)}")
    if measure == "log_gap" and content not in NUMBERS:
        raise ProfileError(f"{where}: log_gap compares numbers: use one of {', '.join(NUMBERS)}")


def check_options(options: Mapping[str, Any], measure: str, where: str) -> None:
    """Every option is one that the measure has, of its default's kind and within its range."""
    known = dict(list(inspect.signature(find_measure(measure)).parameters.items())[1:])
    for name, value in options.items():
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise ProfileError(f"{where}: unknown key {name!r}: allowed are {allowed}")
        kind = type(known[name].default)
        if not _is_of_kind(value, kind):
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {_KINDS[kind]} is needed")
        low, high = RANGES.get(measure, {}).get(name, (value, value))
        if not low <= value <= high:
            wanted = f"{_KINDS[kind]} from {low:,} to {high:,} is needed"
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {wanted}")


def _is_of_kind(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
