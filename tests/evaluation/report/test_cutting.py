"""Cutting the tree in the page: sliders, keepers, buttons give what the engine gives."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from reducepp.clustering.representatives import POLICIES
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.report import large_sets, report_formats
from tests.evaluation.made_pages import PROFILE
from tests.evaluation.report.expected import BROWSER, expected

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER


TEN = (0.2, 0.31, 0.33, 0.36, 0.45, 0.5, 0.67, 0.8, 0.9, 1.0)


def test_slider_gives_engines_clusters(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    assert screen.clusters() == expected(hundred, hundred.profile.threshold)
    sizes = set()
    for threshold in TEN:
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold), threshold
        sizes.add(len(screen.clusters()))
    assert len(sizes) > 6, "the thresholds must tell clusterings apart"
    assert screen.console() == []


def test_a_typed_threshold_counts_to_its_last_digit(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    """An edge stands at its own score and falls just above it."""
    screen.open(report)
    for score in hundred.tree.scores[[20, 30, 60]].tolist():
        for threshold in (score, float(np.nextafter(score, 2.0))):
            screen.type_threshold(threshold)
            assert screen.clusters() == expected(hundred, threshold), threshold
    at, above = (len(expected(hundred, t)) for t in (score, float(np.nextafter(score, 2.0))))
    assert at < above


@pytest.mark.parametrize("keep", list(POLICIES))
def test_every_keeper_keeps_what_the_engine_keeps(
    screen: Screen, report: Path, hundred: Comparison, keep: str
) -> None:
    screen.open(report)
    screen.find(f"select.keep option[value={keep}]").click()
    for threshold in (0.34, 0.5, 0.8):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold, keep), threshold


def test_similarities_carried_in_steps_leave_the_threshold_exact(
    screen: Screen, make: Callable[..., Path], hundred: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["reducepp.evaluation.report.report_data"], "EXACT_VALUES", 0)
    screen.open(make([hundred]))
    for threshold in hundred.tree.scores[[30, 60]].tolist():
        screen.type_threshold(threshold)
        assert screen.clusters() == expected(hundred, threshold)
    screen.slide('input.weight[data-signal="page_title"]', 0.4)
    signals = tuple(
        replace(s, weight=0.4) if s.name == "page_title" else s for s in PROFILE.signals
    )
    changed = compare_pages(hundred.pages, replace(PROFILE, signals=signals))
    screen.slide("input.threshold", 0.62)
    near = np.abs(changed.scores - 0.62).min()
    assert near > 1 / 65534, "no pair lies within a step of this threshold"
    assert screen.clusters() == expected(changed, 0.62)
    assert "1/65534" in screen.find("footer").text


def test_the_buttons_go_to_next_merge(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    fewer, more = screen.all("button.step")
    counts = [len(screen.clusters())]
    for button in (fewer, fewer, more, more, more):
        button.click()
        counts.append(len(screen.clusters()))
    assert counts[1] == counts[0] - 1
    assert counts == sorted(counts[:3], reverse=True) + sorted(counts[3:])
    assert counts[5] > counts[2]
    assert float(screen.find(".threshold-number").get_property("value")) in hundred.tree.thresholds


def test_pointing_into_a_plot_sets_the_threshold(screen: Screen, report: Path) -> None:
    screen.open(report)
    before = screen.find("input.threshold").get_property("value")
    screen.find(".side-curve svg.plot.pickable").click()
    after = screen.find("input.threshold").get_property("value")
    assert before != after
    assert 0.4 < float(after) < 0.7, "the middle of the plot"


def test_open_folds_stay_open_while_the_threshold_moves(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.cluster li h4")
    screen.slide("input.threshold", 0.52)
    screen.wait_for("details.cluster li h4")
    assert screen.all("details.cluster")[1].get_attribute("open") is None


@pytest.mark.parametrize(("pages", "most"), [("report", 10), ("crowd", 30)])
@pytest.mark.parametrize("tab", [0, 1])
def test_cutting_anew_is_quick(
    screen: Screen, request: pytest.FixtureRequest, pages: str, most: float, tab: int
) -> None:
    """Half of thirty moves of the slider, layout included, on 100 and on 300 pages.

    The list of results and that of dropped pages; the best of five for each move, in units of
    what this browser needs to sort 20,000 numbers.
    """
    screen.open(request.getfixturevalue(pages))
    screen.all("[role=tab]")[tab].click()
    times = screen.run(
        "const numbers = Array.from({length: 20000}, (_, i) => (i * 7919) % 20011);"
        "const began = performance.now();"
        "for (let n = 0; n < 5; n++) [...numbers].sort((a, b) => a - b);"
        "const unit = (performance.now() - began) / 5;"
        "const s = document.querySelector('input.threshold'), times = Array(30).fill(Infinity);"
        "for (let n = 0; n < 150; n++) { const i = n % 30; s.value = 0.3 + i / 50;"
        " const start = performance.now(); s.dispatchEvent(new Event('input'));"
        " document.body.offsetHeight;"
        " times[i] = Math.min(times[i], (performance.now() - start) / unit) } return times"
    )
    assert float(np.median(times)) < most, times


def test_a_large_set_is_cut_by_its_strongest_pairs(
    screen: Screen, make: Callable[..., Path], hundred: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_sets, "MAX_WHOLE_PAGES", 20)
    monkeypatch.setattr(report_formats, "MAX_PLAIN_CHARS", 1000)
    screen.open(make([hundred]))
    for threshold in (0.33, 0.5, 0.67, 0.9):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold), threshold
    assert screen.console() == []
