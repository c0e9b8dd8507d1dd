"""What every kind of model can do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from reducepp.types import Array

Explained = tuple[tuple[str, ...], dict[str, float], dict[str, float]]
"""Tests in words; signal to how far it moved the score; signal to its share of the say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of model: three functions of its table."""

    check: Callable[[Mapping[str, Any], Sequence[str]], str]
    score: Callable[[Mapping[str, Any], Mapping[str, Array]], Array]
    explain: Callable[[Mapping[str, Any], Mapping[str, float]], Explained]
    equal_is_one: bool = True
    """A pair whose every defined signal is 1 scores 1."""


def is_number(value: Any) -> bool:
    """A number proper: no truth value, no text, finite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_score(value: Any) -> bool:
    """A number in [0, 1]."""
    return is_number(value) and 0 <= value <= 1
