"""What docs/learning.md and docs/paper2-signals.md show runs."""

from pathlib import Path

import pytest

from reducepp.weights.profile import load_profile
from tests.docs import run_page


@pytest.mark.slow
def test_learning(tmp_path: Path) -> None:
    assert run_page("learning.md", tmp_path) == 2
    learned = load_profile(str(tmp_path / "mine.toml"))
    assert sum(signal.weight for signal in learned.signals) == pytest.approx(1)
    assert (tmp_path / "compared.png").stat().st_size > 1000
    assert (tmp_path / "results.txt").read_text("utf-8")


def test_signals(tmp_path: Path) -> None:
    assert run_page("paper2-signals.md", tmp_path) == 2
