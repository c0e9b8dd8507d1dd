"""What several tests of this room begin with."""

from pathlib import Path

import pytest

from tests.scraping.stores import fill


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A small store."""
    return fill(tmp_path / "pages.sqlite")
