"""Keyboard, names, contrast, narrow and dark screens, writing from right to left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from reducepp.pipeline import Comparison, compare_pages
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import BROWSER, expected

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys


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
    screen.wait_for(".find").send_keys("no page has this")
    assert "No page has these words" in screen.find(".lost-panel").text
    screen.all("[role=tab]")[1].send_keys(Keys.END)
    screen.wait_for(".curves-panel svg.plot")
    screen.all("[role=tab]")[3].send_keys(Keys.ARROW_LEFT)
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


def test_phone_dark_and_arabic(screen: Screen, make: Callable[..., Path]) -> None:
    pages = made_pages(30, language="ar", query="منارة البحر")
    path = make([compare_pages(pages, PROFILE)])
    try:
        screen.resize(390, 844)
        screen.prefer("dark")
        screen.open(path)
        for tab in screen.all("[role=tab]"):
            tab.click()
            assert screen.run("return document.documentElement.scrollWidth") == 390
        screen.all("[role=tab]")[0].click()
        title = screen.find("li.result .title a")
        assert title.value_of_css_property("direction") == "rtl"
        right = screen.run("return arguments[0].getBoundingClientRect().right", title)
        assert right > 340, "Arabic begins at the right edge"
        assert brightness(screen) < 60
        screen.find("button.theme").click()
        assert brightness(screen) > 200
    finally:
        screen.resize(1280, 900)
        screen.prefer("light")


def brightness(screen: Screen) -> float:
    colour = screen.find(".reduce-report").value_of_css_property("background-color")
    return sum(float(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3]) / 3


CONTRASTS = [("--ink", "--bg"), ("--soft", "--bg"), ("--soft", "--card"), ("--link", "--bg")]
CONTRASTS += [("--warn", "--warn-bg"), ("--information", "--bg"), ("--ink", "--mark")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out(screen: Screen, report: Path, theme: str) -> None:
    """At least 4.5 to 1, as the web's accessibility guidelines ask."""
    screen.open(report)
    screen.run("document.querySelector('.reduce-report').dataset.theme = arguments[0]", theme)
    for front, back in CONTRASTS:
        lights = [luminance(screen, name) for name in (front, back)]
        assert (max(lights) + 0.05) / (min(lights) + 0.05) >= 4.5, (front, back)


def luminance(screen: Screen, name: str) -> float:
    value = screen.run(
        "return getComputedStyle(document.querySelector('.reduce-report'))"
        ".getPropertyValue(arguments[0]).trim()",
        name,
    )
    parts = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))
