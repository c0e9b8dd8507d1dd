"""What the docs show is so, and the profile keeps its distance from plain cosine."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import clicks as clicks_benchmark
from benchmarks.posts import FAMILY, POSTS, fit_table
from reducepp.cli.command_input import read_pairs
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.scoring import best_threshold, count_at, rank_pairs
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.similarity.combine import score_values
from reducepp.types import Profile
from reducepp.weights.profile import family_model, load_profile
from tests.docs import run_page
from tests.weights.made import made_pairs, made_profile


@pytest.mark.parametrize(("page", "blocks"), [("posts.md", 2), ("levels.md", 1), ("clicks.md", 3)])
def test_the_page_runs(page: str, blocks: int, tmp_path: Path) -> None:
    assert run_page(page, tmp_path) == blocks


def test_the_benchmark_of_clicks_finds_redundant_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert clicks_benchmark.main(["--lists", "20000"]) == 0
    means = {
        line.split()[0]: float(line.split()[-1])
        for line in capsys.readouterr().out.splitlines()[2:]
    }
    assert means["redundant"] > means["others"] + 0.25


@pytest.mark.parametrize("name", FAMILY["profiles"])
def test_a_profile_of_the_family_has_the_signals_of_its_groups(name: str) -> None:
    groups = FAMILY["profiles"][name]["groups"]
    signals = [signal.name for signal in load_profile(name).signals]
    assert signals == [signal for group in groups for signal in FAMILY["groups"][group]]
    model = load_profile(name).model
    assert set(model.get("then", model)["coefficients"]) == set(signals) - {"copied"}


def test_a_published_signal_at_its_mean_leaves_the_odds_as_they_are() -> None:
    fit = {"intercept": -1.0, "signals": {"x": [2.0, 0.5]}}
    model = family_model({"y": [3.0, 0.2]}, fit, ["x", "y"])
    assert model["intercept"] + 3.0 * 0.2 == pytest.approx(-1.0)
    assert model["missing"] == {"x": 0.5, "y": 0.2}


def test_the_intercept_puts_the_best_cut_at_one_half() -> None:
    pairs = made_pairs(noise=0.2).only(["good", "weak"])
    table = fit_table(pairs, made_profile_of(pairs))
    values = sum(c * pairs.by_signal[name] for name, (c, _) in table["signals"].items())
    odds = values + table["intercept"]
    ranking = rank_pairs(1 / (1 + np.exp(-odds)), pairs.duplicate)
    cut = best_threshold(ranking)
    assert count_at(ranking, np.array([0.5])).f1 == count_at(ranking, np.array([cut])).f1


def made_profile_of(pairs: PairSignals) -> Profile:
    base = made_profile()
    signals = tuple(signal for signal in base.signals if signal.name in pairs.by_signal)
    return replace(base, signals=signals)


@pytest.mark.slow
def test_far_ahead_of_tfidf_on_labelled_posts() -> None:
    if not POSTS.is_file():
        pytest.skip(f"no {POSTS}")
    from sklearn.feature_extraction.text import TfidfVectorizer

    posts, labels, _ = read_pairs(str(POSTS))
    chosen = [i for i in range(0, len(posts), 3) if labels[i].decided]
    vectors = TfidfVectorizer().fit_transform([post.body for i in chosen for post in posts[i]])
    cosines = np.asarray(vectors[0::2].multiply(vectors[1::2]).sum(axis=1)).ravel()
    found = find_pairs([posts[i] for i in chosen], [labels[i] for i in chosen])
    profile = load_profile("posts")
    pairs = measure_pairs(found, profile)
    ranking = rank_pairs(score_values(pairs.by_signal, profile), pairs.duplicate)
    f1 = count_at(ranking, np.array([profile.threshold])).f1[0, 0]
    plain = rank_pairs(cosines, np.array([labels[i].duplicate for i in chosen]))
    assert f1 >= 0.74
    assert f1 >= count_at(plain, np.array([best_threshold(plain)])).f1[0, 0] + 0.03
