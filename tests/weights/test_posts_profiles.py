"""What the docs show is so, and the profile keeps its distance from plain cosine."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks import clicks as clicks_benchmark
from benchmarks.post_fit import best_cut, cross_validate
from benchmarks.post_strategies import STRATEGIES, make_signals
from benchmarks.posts import BEST, read_pairs
from reducepp.similarity.combine import combine
from reducepp.similarity.compare import compare
from reducepp.types import Page
from reducepp.weights.profile import load_profile
from tests.docs import run_page

ROOT = Path(__file__).parents[2]
POSTS = (
    Path(os.environ.get("REDUCEPP_DATA") or ROOT.parent / "shared" / "data") / "posts-en.jsonl.gz"
)


@pytest.mark.parametrize(("page", "blocks"), [("posts.md", 2), ("levels.md", 1), ("clicks.md", 3)])
def test_the_page_runs(page: str, blocks: int, tmp_path: Path) -> None:
    assert run_page(page, tmp_path) == blocks


def test_the_benchmark_of_clicks_finds_the_redundant_pairs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert clicks_benchmark.main(["--lists", "20000"]) == 0
    means = {
        line.split()[0]: float(line.split()[-1])
        for line in capsys.readouterr().out.splitlines()[2:]
    }
    assert means["redundant"] > means["others"] + 0.25


def test_the_profile_has_the_signals_of_its_strategy() -> None:
    assert load_profile("posts").signals[1:] == make_signals(STRATEGIES[BEST])


def test_cross_validation_tells_a_good_signal_from_noise() -> None:
    rng = np.random.default_rng(0)
    votes = rng.choice([0, 1, 5, 6], size=400)
    pairs = [{"a": {"body": str(i // 5)}, "votes": int(v)} for i, v in enumerate(votes)]
    good = cross_validate(pairs, (votes / 6 + rng.normal(0, 0.1, 400))[:, None])[0][2]
    noise = cross_validate(pairs, rng.random((400, 1)))[0][2]
    assert good > 0.95 > 0.75 > noise


@pytest.mark.slow
def test_far_ahead_of_tfidf_on_labelled_posts() -> None:
    if not POSTS.is_file():
        pytest.skip(f"no {POSTS}")
    from sklearn.feature_extraction.text import TfidfVectorizer

    pairs = [pair for pair in read_pairs(POSTS)[::3] if pair["votes"] != 3]
    duplicate = np.array([pair["votes"] >= 4 for pair in pairs])
    texts = [pair[side]["body"] for pair in pairs for side in "ab"]
    vectors = TfidfVectorizer().fit_transform(texts)
    cosines = np.asarray(vectors[0::2].multiply(vectors[1::2]).sum(axis=1)).ravel()
    profile = load_profile("posts")
    taken = np.zeros(len(pairs), dtype=bool)
    for i, pair in enumerate(pairs):
        two = [Page(id=side, body=pair[side]["body"]) for side in "ab"]
        taken[i] = combine(compare(two, profile), profile)[0, 1] >= profile.threshold
    f1 = 2 * (taken & duplicate).sum() / (taken.sum() + duplicate.sum())
    assert f1 >= 0.74
    assert f1 >= best_cut(cosines, duplicate)[0] + 0.03
