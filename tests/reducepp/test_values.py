"""Pages and reductions in a Python session: made, read and reported."""

from dataclasses import replace
from pathlib import Path

import pytest

import reducepp
from reducepp import Page
from reducepp.errors import UsageError


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


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("url,text\nhttps://a.example,The storm.\nhttps://b.example,The storm.\n")
    assert reducepp.reduce(path).before == 2
    path.write_text("query,text\none,The storm.\ntwo,The storm.\n")
    with pytest.raises(UsageError, match="2 queries"):
        reducepp.reduce(path)
    with pytest.raises(UsageError, match="not one str"):
        reducepp.reduce(str(path))
