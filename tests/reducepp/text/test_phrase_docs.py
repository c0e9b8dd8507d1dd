"""What docs/phrases.md shows is so; its benchmark gives the same answers by index and by scan."""

from pathlib import Path

import pytest

from benchmarks.phrases import main
from tests.docs import run_page


def test_the_page_runs(tmp_path: Path) -> None:
    assert run_page("phrases.md", tmp_path) == 3


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pages", "200", "--phrases", "10"]) == 0
    assert "same answers: yes" in capsys.readouterr().out
