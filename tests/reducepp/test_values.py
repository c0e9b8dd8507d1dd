"""Pages and reductions in a Python session: made, read and reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import reducepp
from reducepp import Page


def test_pages_take_a_title_and_are_short_to_read() -> None:
    page = Page(title="Storm", url="https://a.example", body="word " * 1000)
    assert page.page_title == "Storm"
    assert page == Page(page_title="Storm", url=page.url, body=page.body, post=page.post)
    assert replace(page, page_title="Calm").page_title == "Calm"
    assert len(repr(page)) < 150
    with pytest.raises(TypeError, match="give one"):
        Page(title="a", page_title="b")


def test_a_reduction_writes_its_report(tmp_path: Path) -> None:
    pages = [Page(title="Storm", url=f"https://{x}.example", body="The storm.") for x in "ab"]
    found = reducepp.reduce(pages)
    found.report(str(tmp_path / "report.html"), title="Weather")
    assert "Weather" in (tmp_path / "report.html").read_text("utf-8")
    assert repr(found).startswith("<Reduction '': 2 pages, 1 shown, 1 dropped")
