"""What the page must show, said by the engine; and when there is a browser to show it."""

import json
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.comparison import Comparison
from reducepp.pipeline import Cut, cut
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.types import Profile, Reduction
from tests.evaluation.made_pages import PROFILE, made_pages

PROGRAMS = find_programs()
BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here"),
]


def profile_named(name: str) -> Profile:
    """The profile of these tests, or one of the package."""
    return PROFILE if name == "made" else find_profile(name)


def numbered(comparison: Comparison, reduction: Reduction) -> list[tuple[int, list[int]]]:
    """Clusters as the page tells them: number of the kept page, numbers of all members."""
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    return [(place[c.kept], [place[m] for m in c.members]) for c in reduction.clusters]


def expected(
    comparison: Comparison, threshold: float, keep: str = "rank"
) -> list[tuple[int, list[int]]]:
    """The engine's clusters at a threshold."""
    how = Cut(threshold=threshold, keep=keep, explain=False)
    return numbered(comparison, cut(comparison, how))


def write_pages(path: Path) -> Path:
    """Two queries as a file of pages, a lone surrogate in each."""
    pages = (*made_pages(8, query="first"), *made_pages(6, seed=2, query="second"))
    lines = [
        {"id": page.id, "query": page.query, "rank": page.rank, "url": page.url}
        | {"page_title": page.page_title, "body": page.body + "\ud800"}
        for page in pages
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path
