"""Models as plain data: scores by hand, missing values, what is refused and explained."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reducepp.comparison import compare_pages
from reducepp.errors import ProfileError
from reducepp.pipeline import Cut, cut
from reducepp.similarity.combine import combine, explain_pairs
from reducepp.similarity.models import Explanation, check_model
from reducepp.types import Page, Profile, Signal, Similarities

NAN = math.nan

LOGISTIC = {
    "kind": "logistic",
    "intercept": -2.0,
    "coefficients": {"body": 4.0, "title": -1.0},
    "missing": {"body": 0.25, "title": 0.5},
}
TREE = {
    "kind": "tree",
    "nodes": [
        {"score": 0.1, "signal": "body", "over": 0.5, "no": 1, "yes": 2, "missing": "no"},
        {"score": 0.02},
        {"score": 0.6, "signal": "title", "over": 0.3, "no": 3, "yes": 4, "missing": "yes"},
        {"score": 0.2},
        {"score": 0.9},
    ],
}
RULES = {
    "kind": "rules",
    "otherwise": 0.05,
    "rules": [
        {
            "score": 0.9,
            "tests": [{"signal": "body", "over": 0.5}, {"signal": "title", "over": 0.3}],
        },
        {"score": 0.7, "tests": [{"signal": "title", "under": 0.1}]},
    ],
}
MODELS = [LOGISTIC, TREE, RULES]


def chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def explain(similarities: Similarities, profile: Profile) -> Explanation:
    return next(explain_pairs(similarities, profile, [(0, 1)]))


def profile(model: dict[str, Any]) -> Profile:
    signals = tuple(
        Signal(name=name, content=content, measure="cosine", weight=0.5)
        for name, content in (("body", "body"), ("title", "page_title"))
    )
    return Profile(name="m", signals=signals, threshold=0.5, model=model, missing="left out")


def pair(body: float, title: float) -> Similarities:
    def both(value: float) -> np.ndarray:
        return np.array([[1.0, value], [value, 1.0]])

    return Similarities(ids=("a", "b"), by_signal={"body": both(body), "title": both(title)})


@pytest.mark.parametrize(
    ("model", "body", "title", "expected"),
    [
        (LOGISTIC, 0.9, 0.5, chance(-2 + 3.6 - 0.5)),
        (LOGISTIC, NAN, 0.0, chance(-2 + 1)),
        (LOGISTIC, 0.9, NAN, chance(-2 + 3.6 - 0.5)),
        (TREE, 0.9, 0.4, 0.9),
        (TREE, 0.9, 0.3, 0.2),  # not over
        (TREE, 0.5, 0.9, 0.02),
        (TREE, NAN, 0.9, 0.02),
        (TREE, 0.9, NAN, 0.9),
        (RULES, 0.9, 0.4, 0.9),
        (RULES, 0.9, 0.1, 0.7),
        (RULES, NAN, 0.4, 0.05),  # a test of a missing signal never holds
        (RULES, 0.9, NAN, 0.05),
        *((model, 1.0, 1.0, 1.0) for model in MODELS),  # the same page
        *((model, 1.0, NAN, 1.0) for model in MODELS),
        *((model, NAN, NAN, 0.0) for model in MODELS),  # nothing to compare
    ],
)
def test_scores_by_hand(model: dict[str, Any], body: float, title: float, expected: float) -> None:
    scores = combine(pair(body, title), profile(model))
    assert scores[0, 1] == scores[1, 0] == pytest.approx(expected, abs=1e-12)
    assert scores[0, 0] == scores[1, 1] == 1.0


@pytest.mark.parametrize(
    ("model", "start"), [(LOGISTIC, chance(-2 + 1 - 0.5)), (TREE, 0.1), (RULES, 0.05)]
)
@pytest.mark.parametrize(("body", "title"), [(0.9, 0.4), (0.2, 0.05), (0.9, NAN), (0.25, 0.5)])
def test_contributions_add_up_to_how_far_the_score_moved(
    model: dict[str, Any], start: float, body: float, title: float
) -> None:
    similarities = pair(body, title)
    score = combine(similarities, profile(model))[0, 1]
    given = explain(similarities, profile(model))[0]
    assert sum(share.contribution for share in given.values()) == pytest.approx(score - start)
    assert set(given) == {"body", "title"}
    np.testing.assert_equal(given["title"].similarity, title)


def test_tests_in_words() -> None:
    assert explain(pair(0.9, 0.4), profile(TREE))[1] == (
        "body 0.900 is over 0.500",
        "title 0.400 is over 0.300",
    )
    assert explain(pair(0.9, NAN), profile(TREE))[1][1] == "title is missing"
    assert explain(pair(0.5, NAN), profile(LOGISTIC))[1] == ("body 0.500 gives +1.00",)
    assert explain(pair(0.2, 0.05), profile(RULES))[1] == ("title 0.050 is not over 0.100",)
    assert explain(pair(0.2, 0.4), profile(RULES))[1] == ("no rule holds",)
    assert explain(pair(0.2, 0.4), profile({}))[1] == ()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model["kind"])
def test_order_changes_nothing_and_every_drop_has_its_tests(model: dict[str, Any]) -> None:
    pages = [
        Page(id=str(i), rank=i, body=body, page_title=title)
        for i, (body, title) in enumerate(
            [("red sea fish", "fish"), ("red sea fish", "fish"), ("tax law", ""), ("red sea", "x")]
        )
    ]
    done = compare_pages(pages, profile(model))
    turned = compare_pages([replace(page, rank=9 - page.rank) for page in pages], profile(model))
    np.testing.assert_array_equal(done.scores, turned.scores[::-1, ::-1])
    reduction = cut(done, Cut(threshold=0.5))
    assert reduction.dropped
    assert all(dropped.tests for dropped in reduction.dropped)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ({"kind": "forest"}, "use one of logistic, log_odds, tree, rules"),
        ({}, "kind = None"),
        ({**LOGISTIC, "intercept": "x"}, "intercept"),
        ({**LOGISTIC, "coefficients": {"body": 1}}, "one number for each"),
        ({**LOGISTIC, "missing": {"body": 0.1, "title": 2}}, "title = 2"),
        ({"kind": "tree", "nodes": []}, "at least one node"),
        ({"kind": "tree", "nodes": [{"score": 3}]}, "node 0: a table with a score"),
        ({**TREE, "nodes": [{**TREE["nodes"][0], "signal": "x"}]}, "signal = 'x'"),  # type: ignore[index]
        ({**TREE, "nodes": [{**TREE["nodes"][0], "yes": 0}]}, "later node"),  # type: ignore[index]
        ({"kind": "rules", "otherwise": 0.1, "rules": "x"}, "rules: a list"),
        ({"kind": "rules", "otherwise": 2, "rules": []}, "otherwise = 2"),
        (
            {"kind": "rules", "otherwise": 0, "rules": [{"score": 1, "tests": []}]},
            "rule 1: tests: at least one",
        ),
        (
            {
                "kind": "rules",
                "otherwise": 0,
                "rules": [{"score": 1, "tests": [{"signal": "body", "over": 1, "under": 1}]}],
            },
            "either over or under",
        ),
    ],
)
def test_what_is_refused(model: dict[str, Any], message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        check_model(model, ["body", "title"], "here")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model["kind"])
def test_a_model_goes_through_toml(model: dict[str, Any]) -> None:
    from reducepp.weights.profile import dump_profile, parse_profile

    written = dump_profile(profile(model))
    assert parse_profile(written, where="x") == profile(model)


def test_models_in_words() -> None:
    from reducepp.similarity.models import KINDS, describe_model

    assert all(callable(kind.describe) for kind in KINDS.values())
    cascade = {"kind": "cascade", "first": "copied", "then": RULES}
    assert describe_model(cascade)[0] == "copied is 1: score 1.000; otherwise rules"
    assert describe_model(cascade)[1:] == describe_model(RULES)

    assert describe_model(TREE) == [
        "body over 0.500?",
        "  yes: title over 0.300?",
        "    yes or missing: score 0.900",
        "    no: score 0.200",
        "  no or missing: score 0.020",
    ]
    assert describe_model(RULES) == [
        "body over 0.500 and title over 0.300: score 0.900",
        "title not over 0.100: score 0.700",
        "otherwise: score 0.050",
    ]
    assert describe_model(LOGISTIC)[1] == "  +4.000 × body (missing: 0.250)"


def test_a_missing_signal_has_no_weight_and_the_others_have_it_all() -> None:
    by_signal = {name: np.full((2, 2), value) for name, value in (("a", 0.5), ("b", 1.0))}
    by_signal["c"] = np.full((2, 2), NAN)
    signals = tuple(Signal(name=n, content="body", measure="cosine", weight=w) for n, w in WEIGHTS)
    given, _ = explain(
        Similarities(ids=("x", "y"), by_signal=by_signal),
        Profile(name="mean", signals=signals, threshold=0.5),
    )
    assert {name: (s.weight, s.contribution) for name, s in given.items()} == {
        "a": (0.75, 0.375),
        "b": (0.25, 0.25),
        "c": (0.0, 0.0),
    }


WEIGHTS = (("a", 3.0), ("b", 1.0), ("c", 4.0))
