"""The report's page in a real Chromium: phone width, dark, Arabic, contrast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from reducepp.pipeline import compare_pages
from tests.evaluation.in_browser import BROWSER, PROGRAMS
from tests.evaluation.made_pages import PROFILE, made_pages

pytestmark = BROWSER

if PROGRAMS is not None:
    from tests.evaluation.screen import Screen


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
