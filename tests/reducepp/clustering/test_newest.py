"""Dates are compared as moments, whatever their offsets and forms."""

from __future__ import annotations

import math

import pytest

from reducepp.similarity.measures.gaps import moment_of


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-01-02T23:30:00+05:00", "2026-01-02T20:00:00Z"),
        ("2026-01-02", "2026-01-02T00:00:01"),
        ("Fri, 02 Jan 2026 10:00:00 GMT", "2026-01-02T10:00:01+00:00"),
        ("9 days ago", "1999-01-01"),
        ("", "1999-01-01"),
    ],
)
def test_moments(earlier: str, later: str) -> None:
    assert moment_of(earlier) < moment_of(later)


def test_what_is_no_date_comes_first() -> None:
    assert moment_of("soon") == moment_of("") == -math.inf
