"""Many queries, few pages, several mounts: every view draws itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.evaluation.report.report_data import shared_profile
from reducepp.types import Failure, Page
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
    assert [s.get_attribute("open") for s in screen.all("details.query")] == ["true", None, None]
    assert screen.clusters() == expected(comparisons[0], comparisons[0].profile.threshold)
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
    assert len(screen.all("ol.results")) == 2
    assert screen.clusters() == expected(comparisons[0], 0.6) + expected(comparisons[1], 0.6)
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


def test_a_query_without_pages_lists_failures(screen: Screen, make: Callable[..., Path]) -> None:
    failures = [Failure(url=f"https://x.example/{i}", stage="fetch", reason="gone") for i in (1, 2)]
    paper = find_profile("paper")
    pages = [replace(page, images=("f" * 16,)) for page in made_pages(6)]
    whole = compare_pages(pages, paper, query="light")
    nothing = compare_pages([], paper, failures=failures, query="dark")
    assert "images" in {signal.name for signal in shared_profile([whole, nothing]).signals}
    screen.open(make([whole, nothing]))
    assert names(screen) == ["light", "dark"]
    screen.all(".index tbody button")[1].click()
    section = screen.all("details.query")[1]
    assert "None of this query’s pages could be used" in section.text
    assert "https://x.example/2 fetch gone" in section.text
    for tab in section.find_elements("css selector", "[role=tab]"):
        tab.click()
    assert "NaN" not in screen.find("body").text
    assert "Infinity" not in screen.find("body").text
    screen.open(make([nothing]))
    assert screen.find("h1").text == "dark"
    assert screen.console() == []


def test_without_near_duplicates_the_highest_score_is_offered(
    screen: Screen, make: Callable[..., Path]
) -> None:
    screen.open(make([compare_pages(made_pages(8, seed=7), PROFILE)], threshold=1.0))
    assert (
        "All 8 pages are kept: no two of them score 1 or more"
        in screen.find(".results-panel .note").text
    )
    screen.find(".results-panel .note button").click()
    assert len(screen.clusters()) < 8
    assert screen.all(".results-panel .note") == []


def test_many_pages_leave_the_graph_readable(screen: Screen, crowd: Path) -> None:
    """Dots of 300 pages do not cover each other; only shown ones of a group have a number."""
    screen.open(crowd)
    screen.all("[role=tab]")[2].click()
    screen.wait_for("svg.graph")
    covered = screen.run(
        "const boxes = [...document.querySelectorAll('.dot circle')].map(c => "
        "c.getBoundingClientRect()); let found = 0;"
        "boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => { const d = Math.hypot("
        "a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);"
        "if (d < Math.max(a.width, b.width) / 2) found++ })); return found"
    )
    assert covered == 0
    numbered = screen.run(
        "return [...document.querySelectorAll('.dot text')]"
        ".filter(t => getComputedStyle(t).display !== 'none').length"
    )
    assert 0 < numbered == len(screen.run("return document.querySelectorAll('.kept.grouped')"))


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_nothing_hangs_over_the_edge(screen: Screen, make: Callable[..., Path], width: int) -> None:
    """Long words, addresses and titles of both directions stay inside at every width."""
    pages = [
        Page(id=str(i), rank=i, url=f"https://{'a' * 60}.example/{'b' * 300}", page_title=title)
        for i, title in enumerate(("A" * 400, "مقال عن iPhone في 2026", "x " * 200), 1)
    ]
    bodies = ("w" * 500, "نص " * 90, "lighthouse " * 40)
    pages = [replace(p, body=body, query="q" * 200) for p, body in zip(pages, bodies, strict=True)]
    path = make([compare_pages(pages, PROFILE)], threshold=0.0)
    try:
        screen.resize(width, 800)
        screen.open(path)
        screen.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        screen.wait_for("details.why")
        screen.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        screen.wait_for("details.why .bars")
        assert screen.run("return document.documentElement.scrollWidth") <= width
        assert scrolled_sideways(screen) == []
    finally:
        screen.resize(1280, 900)


def scrolled_sideways(screen: Screen) -> list[str]:
    """Boxes with wider contents, those that scroll or let a panel hang out on purpose aside."""
    found: list[str] = screen.run(
        "const aside = '.scroll, .scroll *, .where, .where *, .unseen';"
        "return [...document.querySelectorAll('.reduce-report *:not(svg *)')].filter(e => {"
        " const style = getComputedStyle(e); return e.clientWidth && !e.matches(aside)"
        " && !e.matches('main, .query-view, .columns')"
        " && (style.overflowX === 'visible' || e.matches('.side'))"
        " && e.scrollWidth > e.clientWidth + 8"
        " && style.display !== 'inline' }).map(e => e.className || e.tagName)"
    )
    return found
