"""The report's page in a real Chromium, used by hand, with many queries or few pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reducepp.data import Page
from reducepp.pipeline import Comparison, compare_pages
from tests.evaluation.in_browser import BROWSER, PROGRAMS, expected
from tests.evaluation.made_pages import PROFILE, made_pages

pytestmark = BROWSER

if PROGRAMS is not None:
    from selenium.webdriver.common.keys import Keys

    from tests.evaluation.screen import Screen


def test_keyboard_alone_is_enough(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    slider = screen.find("input.threshold")
    slider.send_keys(Keys.ARROW_RIGHT * 20)
    assert screen.run("return document.activeElement.type") == "range"
    assert screen.clusters() == expected(hundred, 0.7)
    screen.find("details.fold > summary").send_keys(Keys.ENTER)
    screen.wait_for("details.fold ul.similar li h4")
    screen.find("details.why > summary").send_keys(Keys.SPACE)
    screen.wait_for("details.why .bars")
    assert screen.find(".panes mark").text
    screen.find("[role=tab]").send_keys(Keys.ARROW_RIGHT)
    screen.wait_for("svg.graph")
    first = screen.find("svg.graph .dot")
    first.send_keys(Keys.ARROW_RIGHT)
    assert screen.find(".graph-caption").text.startswith("2. ")
    screen.run("return document.activeElement").send_keys(Keys.ENTER)
    screen.wait_for("ol.results")
    screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert screen.console() == []


def test_tab_reaches_every_control(screen: Screen, report: Path) -> None:
    screen.open(report)
    wanted = {"threshold-number", "threshold", "keep", "step", "reset", "theme"}
    screen.run("document.querySelector('button.theme').focus()")
    for _ in range(10):
        wanted -= set(screen.run("return document.activeElement.className").split())
        screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert wanted == set()
    unnamed = screen.run(
        "return [...document.querySelectorAll('input, select, button')].filter(e => "
        "!e.textContent && !e.labels?.length && !e.getAttribute('aria-label')).length"
    )
    assert unnamed == 0


def test_open_folds_stay_open_while_the_threshold_moves(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.find("details.fold > summary").click()
    screen.wait_for("details.fold li h4")
    screen.slide("input.threshold", 0.52)
    screen.wait_for("details.fold li h4")
    assert screen.all("details.fold")[1].get_attribute("open") is None


def test_pointing_into_a_plot_sets_the_threshold(screen: Screen, report: Path) -> None:
    screen.open(report)
    before = screen.find("input.threshold").get_property("value")
    screen.find("svg.plot.pickable").click()
    after = screen.find("input.threshold").get_property("value")
    assert before != after
    assert 0.4 < float(after) < 0.7, "the middle of the plot"


def names(screen: Screen) -> list[str]:
    return [cell.text for cell in screen.all(".index tbody th")]


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
