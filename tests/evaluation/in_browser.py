"""What tests of the report in a real Chromium share: when to skip, and what the engine cuts."""

from __future__ import annotations

import pytest

from reducepp.data import Profile, Reduction
from reducepp.library import find_profile
from reducepp.pipeline import Comparison, Cut, cut
from scraping.chromium import find_programs
from tests.evaluation.made_pages import PROFILE

PROGRAMS = find_programs()
BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here"),
]


def profile_named(name: str) -> Profile:
    return PROFILE if name == "made" else find_profile(name)


def numbered(comparison: Comparison, reduction: Reduction) -> list[tuple[int, list[int]]]:
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    return [(place[c.kept], [place[m] for m in c.members]) for c in reduction.clusters]


def expected(
    comparison: Comparison, threshold: float, keep: str = "rank"
) -> list[tuple[int, list[int]]]:
    how = Cut(threshold=threshold, keep=keep, explain=False)
    return numbered(comparison, cut(comparison, how))
