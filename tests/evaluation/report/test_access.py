"""Keyboard, names, contrast, narrow and dark screens, writing from right to left."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from reducepp.comparison import Comparison, compare_pages
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import BROWSER, expected

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys


def test_keyboard_alone_is_enough(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    screen.find("input.threshold").send_keys(Keys.ARROW_RIGHT * 20)
    assert screen.run("return document.activeElement.type") == "range"
    assert screen.clusters() == expected(hundred, 0.7)
    screen.find("details.cluster > summary").send_keys(Keys.ENTER)
    screen.wait_for("details.cluster ul.similar li h4")
    screen.find("details.why > summary").send_keys(Keys.SPACE)
    screen.wait_for("details.why .bars")
    assert screen.find(".panes mark").text
    screen.find("[role=tab]").send_keys(Keys.ARROW_RIGHT)
    screen.wait_for(".find").send_keys("no page has this")
    assert "No page has these words" in screen.find(".dropped-panel").text
    screen.all("[role=tab]")[1].send_keys(Keys.END)
    screen.wait_for(".curves-panel svg.plot")
    screen.all("[role=tab]")[3].send_keys(Keys.ARROW_LEFT)
    screen.wait_for("svg.graph")
    screen.find("svg.graph .dot").send_keys(Keys.ARROW_RIGHT)
    assert screen.find(".graph-caption").text.startswith("2. ")
    screen.run("return document.activeElement").send_keys(Keys.ENTER)
    screen.wait_for("ol.results")
    screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert screen.console() == []


def test_tab_reaches_every_control(screen: Screen, report: Path) -> None:
    screen.open(report)
    wanted = {"threshold-number", "threshold", "keep", "step", "reset", "theme"}
    screen.run("document.querySelector('button.theme').focus()")
    for _ in range(14):
        wanted -= set(screen.run("return document.activeElement.className").split())
        screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert wanted == set()
    unnamed = screen.run(
        "return [...document.querySelectorAll('input, select, button')].filter(e => "
        "!e.textContent && !e.labels?.length && !e.getAttribute('aria-label')).length"
    )
    assert unnamed == 0


def test_phone_dark_and_arabic(screen: Screen, make: Callable[..., Path]) -> None:
    path = make([compare_pages(made_pages(30, language="ar", query="منارة البحر"), PROFILE)])
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


TEXTS = [("--ink", "--bg"), ("--soft", "--bg"), ("--soft", "--card"), ("--link", "--bg")]
TEXTS += [("--warn", "--warn-bg"), ("--information", "--bg"), ("--ink", "--mark")]
TEXTS += [("--ink", "--chosen"), ("--accent", "--bg"), ("--link", "--card")]
SIGNS = [("--field", "--card"), ("--reduction", "--card"), ("--information", "--card")]
SIGNS += [("--index", "--bg"), ("--mark-line", "--card"), ("--accent", "--bg")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_signs_stand_out(screen: Screen, report: Path, theme: str) -> None:
    """Texts at least 4.5 to 1, lines and borders 3 to 1, as the web's guidelines ask."""
    screen.open(report)
    screen.run("document.querySelector('.reduce-report').dataset.theme = arguments[0]", theme)
    for front, back in TEXTS:
        assert contrast(screen, f"var({front})", f"var({back})") >= 4.5, (front, back)
    for front, back in SIGNS:
        assert contrast(screen, f"var({front})", f"var({back})") >= 3, (front, back)
    screen.run("document.querySelector('.brand').classList.add('cluster')")
    for hue in range(0, 360, 24):
        screen.run("document.querySelector('.brand').style.setProperty('--hue', arguments[0])", hue)
        assert contrast(screen, "var(--group-ink)", "var(--group)") >= 4.5, hue
        assert contrast(screen, "var(--bg)", "var(--group)") >= 3, hue


def contrast(screen: Screen, front: str, back: str) -> float:
    """The ratio of two colours as the browser paints them."""
    parts = screen.run(
        "const box = document.querySelector('.brand'), paper = new OffscreenCanvas(1, 1)"
        ".getContext('2d'); return [...arguments].map(colour => { box.style.color = colour;"
        "paper.fillStyle = getComputedStyle(box).color; paper.fillRect(0, 0, 1, 1);"
        "return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3) })",
        front,
        back,
    )
    shares = np.array(parts) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    lights = linear @ np.array([0.2126, 0.7152, 0.0722])
    return float((lights.max() + 0.05) / (lights.min() + 0.05))


def test_a_reader_hears_what_a_control_does(screen: Screen, make: Callable[..., Path]) -> None:
    """Landmarks, headings without gaps, the slider's value in words, the sorted column."""
    screen.open(make([compare_pages(made_pages(12, seed=k), PROFILE) for k in (1, 2)]))
    screen.find(".index tbody button").click()
    screen.all(".index thead button")[2].click()
    assert len(screen.all("main")) == 1
    levels = screen.run(
        "return [...document.querySelectorAll('h1, h2, h3, h4, h5')]"
        ".filter(h => h.checkVisibility()).map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    screen.slide("input.threshold", 0.6)
    said = screen.find("input.threshold").get_attribute("aria-valuetext") or ""
    assert said == f"0.6, {screen.find('output.shown').text}"
    sorts = [th.get_attribute("aria-sort") for th in screen.all(".index th[aria-sort]")]
    assert sorts.count("descending") == 1
    names = [s.get_attribute("aria-label") for s in screen.all("section.controls")]
    assert len(set(names)) == len(names) == 2


def test_focus_is_seen_on_everything_that_takes_it(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.why > summary").click()
    screen.wait_for("details.why mark")
    kinds = ("button", "input", "select", "summary", "a", "mark", ".text")
    for kind in kinds:
        screen.run("document.querySelector('.query-view ' + arguments[0]).focus()", kind)
        screen.driver.switch_to.active_element.send_keys(Keys.SHIFT)
        outline = screen.driver.switch_to.active_element.value_of_css_property("outline-style")
        assert outline == "solid", kind
    screen.all("[role=tab]")[2].click()
    screen.find("svg.graph .dot").send_keys(Keys.ARROW_RIGHT)
    widths = [c.value_of_css_property("stroke-width") for c in screen.all(".dot circle")[:2]]
    assert widths[1] == "3px" != widths[0]
