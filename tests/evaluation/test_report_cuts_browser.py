"""The report's page in a real Chromium cuts as the engine cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reducepp.combine import combine
from reducepp.keep import KEEPERS
from reducepp.library import find_profile
from reducepp.pipeline import Comparison, compare_pages
from tests.evaluation.in_browser import BROWSER, PROGRAMS, expected, profile_named
from tests.evaluation.made_pages import PROFILE, made_pages
from weights.profile import parse_profile

pytestmark = BROWSER

if PROGRAMS is not None:
    from tests.evaluation.screen import Screen


TEN = (0.2, 0.31, 0.33, 0.36, 0.45, 0.5, 0.67, 0.8, 0.9, 1.0)


def test_slider_gives_the_engines_clusters(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
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


@pytest.mark.parametrize("keep", list(KEEPERS))
def test_every_keeper_keeps_what_the_engine_keeps(
    screen: Screen, report: Path, hundred: Comparison, keep: str
) -> None:
    screen.open(report)
    screen.find(f"select.keep option[value={keep}]").click()
    for threshold in (0.34, 0.5, 0.8):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold, keep), threshold


@pytest.mark.parametrize("name", ["made", "paper"])
def test_scores_and_tree_worked_out_in_the_page_are_the_engines(
    screen: Screen, make: Callable[..., Path], name: str
) -> None:
    """Bit for bit, from the carried signals, at the profile's own weights."""
    comparison = compare_pages(made_pages(60, seed=3), profile_named(name))
    screen.open(make([comparison]))
    n = len(comparison.pages)
    found = screen.work_out(
        "const own = data.profile.signals.map(s => s.weight);"
        "const signals = data.profile.signals.map(s => "
        f"R.unpackTriangle(data.queries[0].signals[s.name], {n}));"
        f"const scores = R.combine(signals, own, {n});"
        f"return {{scores: [...scores], tree: R.buildTree(scores, {n}, 'single')}}"
    )
    assert found["scores"] == comparison.scores.ravel().tolist()
    assert found["tree"]["first"] == comparison.tree.first.tolist()
    assert found["tree"]["second"] == comparison.tree.second.tolist()
    assert found["tree"]["scores"] == comparison.tree.scores.tolist()


@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
def test_weight_sliders_cut_as_the_engine_with_those_weights(
    screen: Screen, make: Callable[..., Path], linkage: str
) -> None:
    profile = replace(PROFILE, linkage=linkage)
    pages = made_pages(50, seed=5)
    screen.open(make([compare_pages(pages, profile)]))
    screen.slide('input.weight[data-signal="body_graph"]', 0.1)
    screen.slide('input.weight[data-signal="page_title"]', 0.7)
    weights = {"page_title": 0.7, "body_graph": 0.1}
    signals = tuple(replace(s, weight=weights.get(s.name, s.weight)) for s in profile.signals)
    changed = compare_pages(pages, replace(profile, signals=signals))
    for threshold in (0.3, 0.45, 0.6, 0.9):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(changed, threshold), threshold
    assert expected(changed, 0.6) != expected(compare_pages(pages, profile), 0.6)
    screen.find(".weights summary").click()
    screen.find(".weights button").click()
    assert screen.clusters() == expected(compare_pages(pages, profile), 0.9)


def test_settings_can_be_taken_to_the_engine(screen: Screen, make: Callable[..., Path]) -> None:
    """The profile that the page writes gives the page's clusters."""
    pages = made_pages(50, seed=5)
    screen.open(make([compare_pages(pages, PROFILE)]))
    screen.find(".use summary").click()
    command, profile = screen.all(".use pre")
    assert command.text == "reducepp reduce INPUT --profile made --threshold 0.5"
    assert not profile.is_displayed()
    screen.slide('input.weight[data-signal="body_graph"]', 0.2)
    screen.slide("input.threshold", 0.7)
    assert command.text == "reducepp reduce INPUT --profile my-profile.toml --threshold 0.7"
    written = parse_profile(profile.text, where="my-profile")
    assert written.signals[2].options == PROFILE.signals[2].options
    changed = compare_pages(pages, written)
    assert screen.clusters() == expected(changed, written.threshold)
    assert screen.clusters() != expected(compare_pages(pages, PROFILE), 0.7)


def test_similarities_carried_in_steps_leave_the_threshold_exact(
    screen: Screen,
    make: Callable[..., Path],
    hundred: Comparison,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluation.report.data.EXACT_VALUES", 0)
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


def test_the_buttons_go_to_the_next_merge(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    fewer, more = screen.all("button.step")
    counts = [len(screen.clusters())]
    for button in (fewer, fewer, more, more, more):
        button.click()
        counts.append(len(screen.clusters()))
    assert counts[1] == counts[0] - 1
    assert counts == sorted(counts[:3], reverse=True) + sorted(counts[3:])
    assert counts[5] > counts[2]
    threshold = float(screen.find(".threshold-number").get_property("value"))
    assert threshold in hundred.tree.thresholds


def test_cutting_anew_is_quick(screen: Screen, report: Path) -> None:
    """Half of thirty moves of the slider on 100 pages, layout included, take under 50 ms."""
    screen.open(report)
    times = screen.run(
        "const s = document.querySelector('input.threshold'), times = [];"
        "for (let i = 0; i < 30; i++) { s.value = 0.3 + i / 50; const start = performance.now();"
        " s.dispatchEvent(new Event('input')); document.body.offsetHeight;"
        " times.push(performance.now() - start) } return times"
    )
    assert float(np.median(times)) < 50, times


def test_combine_in_the_page_is_the_engines_with_missing_content(hundred: Comparison) -> None:
    """The pages the other tests use do lack contents: a signal is missing on both sides."""
    paper = compare_pages(made_pages(60, seed=3), find_profile("paper"))
    assert any(np.isnan(values).any() for values in paper.similarities.by_signal.values())
    assert np.array_equal(combine(paper.similarities, paper.profile), paper.scores)
