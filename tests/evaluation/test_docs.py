"""What the pages on evaluation show, runs."""

from pathlib import Path

import pytest

from tests.docs import run_page


def test_information_kept(tmp_path: Path) -> None:
    assert run_page("information-kept.md", tmp_path) == 1


@pytest.mark.slow
def test_evaluation(tmp_path: Path) -> None:
    assert run_page("evaluation.md", tmp_path) == 8
    assert (tmp_path / "plots" / "information.svg").is_file()
    assert (tmp_path / "replication" / "replication.md").is_file()
