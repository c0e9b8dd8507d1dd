"""A measure's options and content checked before any page is compared."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any

from reducepp.errors import ProfileError
from reducepp.measures import MEASURES

NUMBERS = ("rank", "followers", "followees")
"""Content types that are a number, and what can compare them."""

OF_NUMBERS = ("log_gap", "same")

_KINDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a text"}


def check_content(content: str, measure: str, where: str) -> None:
    """Numbers and texts are compared by measures of their own."""
    if content in NUMBERS and measure not in OF_NUMBERS:
        raise ProfileError(f"{where}: {content} is a number: use one of {', '.join(OF_NUMBERS)}")
    if measure == "log_gap" and content not in NUMBERS:
        raise ProfileError(f"{where}: log_gap compares numbers: use one of {', '.join(NUMBERS)}")


def check_options(options: Mapping[str, Any], measure: str, where: str) -> None:
    """Every option is one that the measure has, of its default's kind, and not below 0."""
    known = dict(list(inspect.signature(MEASURES[measure]).parameters.items())[1:])
    for name, value in options.items():
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise ProfileError(f"{where}: unknown key {name!r}: allowed are {allowed}")
        kind = type(known[name].default)
        if not _is_of_kind(value, kind):
            raise ProfileError(f"{where}: {name} = {value!r}: {_KINDS[kind]} is needed")
        if kind is not str and not 0 <= value < math.inf:
            raise ProfileError(f"{where}: {name} = {value!r}: 0 or more is needed")


def _is_of_kind(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
