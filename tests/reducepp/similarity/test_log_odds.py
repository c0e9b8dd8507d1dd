"""The log-odds model by hand, what it rejects, and how a pair's contributions add up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from reducepp.similarity.models import KINDS, describe_model, explain_by_model, model_scores
from reducepp.similarity.models.log_odds import check, evidence, explain, share_of

MODEL: dict[str, Any] = {
    "kind": "log_odds",
    "background": -2.0,
    "smoothing": 0.05,
    "shares": ["text"],
    "coefficients": {"text": 2.0, "title": 1.5},
}


def odds(share: float) -> float:
    return math.log((share + 0.05) / (1 - share + 0.05))


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        (0.9, 1.0, -2 + 2 * odds(0.9) + 1.5),
        (0.5, 0.0, -2.0),
        (math.nan, 1.0, -0.5),
        (0.2, math.nan, -2 + 2 * odds(0.2)),
    ],
)
def test_scores_and_contributions_by_hand(text: float, title: float, expected: float) -> None:
    by_signal = {"text": np.array([text]), "title": np.array([title])}
    score = float(model_scores(by_signal, MODEL)[0])
    assert score == pytest.approx(1 / (1 + math.exp(-expected)))
    given = explain_by_model(MODEL, {"text": text, "title": title})[0]
    total = sum(share.contribution for share in given.values()) + MODEL["background"]
    assert total == pytest.approx(math.log(score / (1 - score)))
    sizes = {name: abs(share.contribution) for name, share in given.items()}
    for name, share in given.items():
        assert share.weight == pytest.approx(sizes[name] / (sum(sizes.values()) or 1))


def test_no_signal_scores_nothing_and_equal_signals_are_no_certainty() -> None:
    missing, one = np.array([math.nan]), np.array([1.0])
    assert model_scores({"text": missing, "title": missing}, MODEL)[0] == 0
    assert model_scores({"text": missing, "title": one}, MODEL)[0] < 0.5


def test_words_name_the_strongest_signal_first_and_the_background_last() -> None:
    assert explain_by_model(MODEL, {"text": 0.9, "title": 1.0})[1] == (
        "text 0.900 gives +3.69",
        "title 1.000 gives +1.50",
        "background gives -2.00",
    )
    assert describe_model(MODEL)[:2] == [
        "log odds = -2.000 (background)",
        "  +2.000 × log odds of text (neutral: 0.500)",
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"background": "x"}, "background"),
        ({"smoothing": 0}, "smoothing"),
        ({"smoothing": None}, "smoothing"),
        ({"shares": ["none"]}, "shares"),
        ({"shares": "text"}, "shares"),
        ({"coefficients": {"text": 1.0}}, "one number for each of text, title"),
        ({"coefficients": {"text": 1.0, "title": True}}, "title = True"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], said: str) -> None:
    assert said in KINDS["log_odds"].check({**MODEL, **change}, ["text", "title"])
    assert KINDS["log_odds"].check(MODEL, ["text", "title"]) == ""


def test_a_neutral_share_is_no_evidence_and_the_inverse_finds_the_share() -> None:
    model = {**MODEL, "neutral": {"text": 0.3}}
    assert float(evidence(model, "text", np.array(0.3))) == 0.0
    assert float(evidence(model, "text", np.array(np.nan))) == 0.0
    by_hand = math.log((0.8 + 0.05) / (0.2 + 0.05)) - math.log((0.3 + 0.05) / (0.7 + 0.05))
    assert float(evidence(model, "text", np.array(0.8))) == pytest.approx(by_hand)
    assert share_of(model, "text", by_hand) == pytest.approx(0.8)
    _, terms, _ = explain(model, {"text": 0.8, "title": math.nan})
    assert terms["text"] == pytest.approx(model["coefficients"]["text"] * by_hand)


@pytest.mark.parametrize("neutral", [0.3, {"title": 0.3}, {"text": 0.0}, {"text": "half"}])
def test_a_wrong_neutral_share_is_named(neutral: object) -> None:
    assert "neutral" in check({**MODEL, "neutral": neutral}, ("text", "title"))


def test_what_adds_nothing_is_a_plain_zero() -> None:
    model = {**MODEL, "coefficients": {"text": -2.0, "title": -1.5}}
    _, terms, _ = explain(model, {"text": math.nan, "title": math.nan})
    assert [str(term) for term in terms.values()] == ["0.0", "0.0"]
