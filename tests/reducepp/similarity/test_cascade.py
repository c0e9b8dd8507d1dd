"""The cascade: a signal decides a pair alone where it is 1, the second model the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reducepp.api import reduce
from reducepp.errors import ProfileError
from reducepp.similarity.combine import combine
from reducepp.similarity.models import check_model, explain_by_model
from reducepp.types import Page, Profile, Signal, Similarities
from reducepp.weights.profile import dump_profile, load_profile, parse_profile, profile_names

THEN = {
    "kind": "logistic",
    "intercept": -2.0,
    "coefficients": {"words": 4.0},
    "missing": {"words": 0.25},
}
MODEL = {"kind": "cascade", "first": "copied", "then": THEN}
STRATEGIES = (
    "posts-sy",
    "posts-syse",
    "posts-syco",
    "posts-syseco",
    "posts-syseen",
    "posts-syseenco",
)


def both(copied: float, words: float) -> float:
    table = {"copied": copied, "words": words}
    arrays = {k: np.array([[1.0, v], [v, 1.0]]) for k, v in table.items()}
    signals = tuple(Signal(name=k, content="body", measure="cosine", weight=0.0) for k in table)
    profile = Profile(name="x", signals=signals, threshold=0.5, model=MODEL)
    return float(combine(Similarities(ids=("a", "b"), by_signal=arrays), profile)[0, 1])


def test_the_first_signal_settles_at_one_and_only_there() -> None:
    assert both(1.0, 0.0) == 1.0
    assert both(0.0, 0.75) == pytest.approx(1 / (1 + math.exp(-1)))
    assert both(math.nan, 0.75) == both(0.0, 0.75)


def test_contributions_add_up_to_the_move() -> None:
    decided = explain_by_model(MODEL, {"copied": 1.0, "words": 0.75})[0]
    start = 1 / (1 + math.exp(1))
    assert sum(s.contribution for s in decided.values()) == pytest.approx(1 - start)
    asked = explain_by_model(MODEL, {"copied": 0.0, "words": 0.75})[0]
    assert sum(s.contribution for s in asked.values()) == pytest.approx(both(0.0, 0.75) - start)
    assert explain_by_model(MODEL, {"copied": 1.0, "words": 0.75})[1] == ("copied yes",)
    assert explain_by_model(MODEL, {"copied": 0.0, "words": 0.75})[1][0] == "copied no"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": "nothing"}, "first = 'nothing'"),
        ({"then": {"kind": "cascade"}}, "then: a table with a kind"),
        ({"then": {**THEN, "intercept": "x"}}, "then: intercept"),
    ],
)
def test_a_broken_cascade_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        check_model({**MODEL, **change}, ["copied", "words"], "here")


def test_every_strategy_is_a_profile_that_reads_back() -> None:
    assert set(STRATEGIES) | {"posts"} <= set(profile_names())
    for name in (*STRATEGIES, "posts"):
        profile = load_profile(name)
        assert parse_profile(dump_profile(profile), where=name) == profile
    best, posts = load_profile("posts-sy"), load_profile("posts")
    assert (posts.signals, posts.model, posts.threshold) == (
        best.signals,
        best.model,
        best.threshold,
    )


def test_context_counts_only_where_it_is_known() -> None:
    first = {"id": "1", "body": "Mayor Anna Berg resigns after vote"}
    second = {"id": "2", "body": "Mayor Berg quits over the vote in council"}
    plain = reduce([first, second], profile="posts-sy", threshold=0.0).dropped[0].score
    without = reduce([first, second], profile="posts-syco", threshold=0.0).dropped[0].score
    assert without == pytest.approx(plain, abs=1e-4)
    apart = [{**first, "posted_at": "2024-01-01"}, {**second, "posted_at": "2024-01-14"}]
    near = [{**first, "posted_at": "2024-01-01"}, {**second, "posted_at": "2024-01-01"}]
    scores = [
        reduce(p, profile="posts-syco", threshold=0.0).dropped[0].score for p in (apart, near)
    ]
    assert scores[0] < plain < scores[1]


def test_posts_that_say_the_same_are_found_and_others_are_not() -> None:
    pages = (
        Page(id="a", body="Norway becomes the first country to switch off FM radio"),
        Page(id="b", body="Norway is first country to start switching off its FM radio network"),
        Page(id="c", body="What a lovely morning, coffee and a good book by the sea"),
    )
    assert reduce(pages, profile="posts").kept == ("a", "c")
