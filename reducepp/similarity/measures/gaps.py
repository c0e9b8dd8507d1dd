"""Differences of two plain values: times, counts, lengths."""

import math
from datetime import UTC, datetime

import numpy as np

from reducepp.similarity.contents import Contents
from reducepp.types import Array

DAY = 86_400.0


def time_gap(contents: Contents, *, days: float = 14.0) -> Array:
    """1 - time between / `days`, at least 0; NaN for a page without a date it can read.

    Tao et al. (2013), 4.1.4, whose posts span two weeks.
    """
    moments = np.array([moment_of(str(value)) for value in contents.values], dtype=np.float64)
    return _nearness(contents, np.where(moments > -np.inf, moments, np.nan), days * DAY)


def log_gap(contents: Contents, *, largest: float = 7.0) -> Array:
    """1 - |log10(a + 1) - log10(b + 1)| / `largest`, at least 0; NaN where a count is missing.

    Tao et al. (2013), 4.1.4: followers and followees of two authors, up to ten million.
    """
    counts = np.array([_count(value) for value in contents.values], dtype=np.float64)
    return _nearness(contents, np.log10(counts + 1), largest)


def length_gap(contents: Contents, *, longest: float = 140.0) -> Array:
    """1 - |len a - len b| / `longest` in characters, at least 0; NaN for an empty text.

    Tao et al. (2013), equation 2.
    """
    lengths = contents.characters()
    return _nearness(contents, np.where(lengths > 0, lengths, np.nan), longest)


def _nearness(contents: Contents, values: Array, widest: float) -> Array:
    pairs = contents.pairs
    apart = np.abs(pairs.first(values) - pairs.second(values)) / max(widest, 1e-9)
    return pairs.blank(np.maximum(1 - np.nan_to_num(apart), 0.0), np.isnan(values))


def moment_of(date: str) -> float:
    """Seconds since 1970 of a date as ISO 8601 or e-mail write it, UTC without an offset.

    A date in no known form, or none, is before all others.
    """
    from email.utils import parsedate_to_datetime

    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = parse(date.strip())
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
    return -math.inf


def _count(value: float | str) -> float:
    try:
        number = float(value)
    except ValueError:
        return np.nan
    return number if number >= 0 and np.isfinite(number) else np.nan
