"""Many queries, few pages, several mounts: every view draws itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reducepp.data import Page
from reducepp.pipeline import compare_pages
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import BROWSER, expected

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys


def test_many_queries_have_a_table_and_are_drawn_when_opened(
    screen: Screen, make: Callable[..., Path]
) -> None:
    profile = PROFILE
    sets = [
        made_pages(12, seed=1, query="b query"),
        made_pages(30, seed=2, query="a query"),
        made_pages(20, seed=3, query="منارة", language="ar"),
    ]
    comparisons = [compare_pages(pages, profile) for pages in sets]
    screen.open(make(comparisons))
    assert screen.all("ol.results") == []
    assert names(screen) == ["b query", "a query", "منارة"]
    pages = screen.all(".index thead button")[1]
    pages.send_keys(Keys.ENTER)
    assert names(screen) == ["a query", "منارة", "b query"]
    assert screen.all(".index th[aria-sort=descending]")[0].text.startswith("Pages")
    pages.send_keys(Keys.ENTER)
    assert names(screen) == ["b query", "منارة", "a query"]
    screen.slide("input.threshold", 0.6)
    shown = [
        row.find_elements("css selector", "td")[1].text for row in screen.all(".index tbody tr")
    ]
    wanted = [len(expected(comparison, 0.6)) for comparison in comparisons]
    assert [int(text) for text in shown] == [wanted[0], wanted[2], wanted[1]]
    screen.all(".index tbody button")[2].send_keys(Keys.ENTER)
    assert len(screen.all("ol.results")) == 1
    assert screen.clusters() == expected(comparisons[1], 0.6)
    assert len(screen.all("svg.spark")) == 3
    assert screen.console() == []


def names(screen: Screen) -> list[str]:
    return [cell.text for cell in screen.all(".index tbody th")]


@pytest.mark.parametrize(
    "pages",
    [
        [Page(id="one", body="A single page.")],
        [Page(id="a"), Page(id="b", rank=1)],
        [Page(id=str(i), rank=i, snippet="Only a snippet.", page_title="T") for i in range(4)],
    ],
    ids=["one page", "no text", "snippets"],
)
def test_small_sets_draw(screen: Screen, make: Callable[..., Path], pages: list[Page]) -> None:
    comparison = compare_pages(pages, PROFILE)
    screen.open(make([comparison]))
    for tab in screen.all("[role=tab]")[::-1]:
        tab.click()
    for step in screen.all("button.step"):
        step.click()
    screen.slide("input.threshold", 0.9)
    assert screen.clusters() == expected(comparison, 0.9)
    screen.slide('input.weight[data-signal="body_graph"]', 0.2)
    assert "NaN" not in screen.find("body").text
    assert screen.console() == []


def test_the_component_mounts_twice_without_sharing_state(screen: Screen, report: Path) -> None:
    screen.open(report)
    found = screen.run(
        "const data = JSON.parse(document.getElementById('report-data').textContent);"
        "const boxes = [0, 1].map(() => document.body.appendChild(document.createElement('div')));"
        "const [a, b] = boxes.map(box => ReduceReport.mount(box, data, {theme: 'dark'}));"
        "a.settings.set({threshold: 0.9});"
        "return [a, b].map(m => m.element.querySelectorAll('li.result').length)"
    )
    assert found[0] > found[1]
    assert screen.run("return document.querySelectorAll('[id]').length") == screen.run(
        "return new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"
    )
