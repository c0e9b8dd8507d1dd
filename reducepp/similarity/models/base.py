"""What every kind of model can do."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Protocol

from reducepp.types import Array

Explained = tuple[tuple[str, ...], dict[str, float], dict[str, float]]
"""Tests in words; signal to how far it moved the score; signal to its share in the decision."""


class Kind(Protocol):
    """A kind of model: a module with these functions of its table."""

    def check(self, model: Mapping[str, Any], signals: Sequence[str]) -> str: ...
    def score(self, model: Mapping[str, Any], by_signal: Mapping[str, Array]) -> Array: ...
    def explain(self, model: Mapping[str, Any], values: Mapping[str, float]) -> Explained: ...
    def describe(self, model: Mapping[str, Any]) -> Iterable[str]: ...


def is_number(value: Any) -> bool:
    """A number proper: no truth value, no text, finite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_score(value: Any) -> bool:
    """A number in [0, 1]."""
    return is_number(value) and 0 <= value <= 1
