"""One browser and one report of a hundred pages for all tests of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reducepp.api import find_profile
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.report import ReportOptions, report_data, report_html
from reducepp.types import Failure
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import PROGRAMS

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen


@pytest.fixture(scope="package")
def screen() -> Iterator[Screen]:
    from tests.evaluation.screen import Screen

    assert PROGRAMS is not None
    screen = Screen(PROGRAMS)
    yield screen
    screen.close()


@pytest.fixture(scope="package")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    folder = tmp_path_factory.mktemp("reports")

    def write(comparisons: Sequence[Comparison], **options: object) -> Path:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        data = report_data(comparisons, ReportOptions(**options))  # type: ignore[arg-type]
        path.write_text(report_html(data), "utf-8")
        return path

    return write


@pytest.fixture(scope="package")
def hundred() -> Comparison:
    return compare_pages(made_pages(100), PROFILE)


@pytest.fixture(scope="package")
def report(make: Callable[..., Path], hundred: Comparison) -> Path:
    return make([hundred])


@pytest.fixture(scope="package")
def comparison() -> Comparison:
    failures = [Failure(url="https://x.example/broken", stage="split", reason="binary")]
    return compare_pages(made_pages(30), find_profile("paper"), failures=failures)


@pytest.fixture(scope="package")
def crowd(make: Callable[..., Path]) -> Path:
    """A report of three hundred pages."""
    return make([compare_pages(made_pages(300, seed=9), PROFILE)])
