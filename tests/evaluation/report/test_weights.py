"""Weights moved in the page: scores, trees and groups are the engine's with those weights."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.cli import main
from reducepp.comparison import Comparison, compare_pages
from reducepp.io.records import page_to_record
from reducepp.similarity.combine import combine
from reducepp.weights.profile import dump_profile, parse_profile
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import BROWSER, expected, profile_named

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER


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


@pytest.mark.parametrize("checked", [False, True])
def test_settings_can_be_taken_to_the_engine(
    screen: Screen, make: Callable[..., Path], checked: bool
) -> None:
    """The profile that the page writes gives the page's clusters."""
    pages = made_pages(50, seed=5)
    profile_given = replace(PROFILE, check_representative=checked, check_facts=checked)
    screen.open(make([compare_pages(pages, profile_given)]))
    screen.find(".use summary").click()
    command, profile = screen.all(".use pre")
    assert command.text == "reducepp reduce INPUT --profile made --threshold 0.5"
    assert not profile.is_displayed()
    screen.slide('input.weight[data-signal="body_graph"]', 0.2)
    screen.slide("input.threshold", 0.7)
    assert command.text == "reducepp reduce INPUT --profile my-profile.toml --threshold 0.7"
    written = parse_profile(profile.text, where="my-profile")
    assert written.signals[2].options == PROFILE.signals[2].options
    assert (written.check_representative, written.check_facts) == (checked, checked)
    changed = compare_pages(pages, written)
    assert screen.clusters() == expected(changed, written.threshold)
    assert screen.clusters() != expected(compare_pages(pages, PROFILE), 0.7)


def test_combine_in_the_page_is_the_engines_with_missing_content(hundred: Comparison) -> None:
    """The pages the other tests use do lack contents: a signal is missing on both sides."""
    paper = compare_pages(made_pages(60, seed=3), find_profile("paper"))
    assert any(np.isnan(values).any() for values in paper.similarities.by_signal.values())
    assert np.array_equal(combine(paper.similarities, paper.profile), paper.scores)


@pytest.mark.parametrize("seed", range(4))
def test_random_weights_give_what_reduce_gives_with_them(
    screen: Screen, paper: tuple[Path, Path], tmp_path: Path, seed: int
) -> None:
    """Six sliders against the command with a profile of the same weights, at four thresholds."""
    pages, report = paper
    random = np.random.default_rng(seed)
    weights = (random.multinomial(1000, random.dirichlet([1] * 6)) / 1000).tolist()
    profile = find_profile("paper")
    six = [signal for signal in profile.signals if signal.weight]
    named = tuple(replace(s, weight=weight) for s, weight in zip(six, weights, strict=True))
    own = tmp_path / "own.toml"
    own.write_text(dump_profile(replace(profile, signals=named)), "utf-8")
    screen.open(report)
    for signal in named:
        screen.slide(f'input.weight[data-signal="{signal.name}"]', signal.weight)
    found = []
    for threshold in (0.25, 0.4, 0.6, 0.8):
        screen.slide("input.threshold", threshold)
        found.append(screen.clusters())
        assert found[-1] == reduced(pages, own, threshold), (weights, threshold)
    assert len({len(clusters) for clusters in found}) > 1, "thresholds that tell apart"


@pytest.fixture(scope="module")
def paper(make: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Pages as a file, and their report under the paper's six signals."""
    path = tmp_path_factory.mktemp("pages") / "pages.jsonl"
    pages = made_pages(24, seed=6)
    path.write_text("".join(json.dumps(page_to_record(page)) + "\n" for page in pages), "utf-8")
    return path, make([compare_pages(pages, find_profile("paper"))])


def reduced(pages: Path, profile: Path, threshold: float) -> list[tuple[int, list[int]]]:
    """What `reducepp reduce` prints, by the numbers of pages."""
    out = profile.with_suffix(".json")
    words = ["reduce", str(pages), "--profile", str(profile), "--threshold", str(threshold)]
    assert main([*words, "--format", "json", "--out", str(out)]) == 0
    place = {
        json.loads(line)["id"]: i for i, line in enumerate(pages.read_text("utf-8").splitlines())
    }
    clusters = json.loads(out.read_text("utf-8"))["reductions"][0]["clusters"]
    return [(place[c["kept"]], [place[m] for m in c["members"]]) for c in clusters]
