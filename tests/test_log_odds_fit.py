"""The fit of a log-odds model against its own derivative, and calibration worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.log_odds_fit import (
    FEW_DUPLICATES,
    PENALTY,
    TOTAL,
    calibration_error,
    fit_log_odds,
    fit_share,
    reliability,
)
from reducepp.api import find_profile
from reducepp.labelled.signals import PairSignals
from reducepp.types import Array, Profile, Signal

COEFFICIENTS = {"text": 1.0, "title": 1.0, "same": 40.0, "far": -6.0}


def base() -> Profile:
    signals = tuple(
        Signal(name=n, content="body", measure="cosine", weight=1.0) for n in COEFFICIENTS
    )
    model = {"kind": "log_odds", "background": 0.0, "smoothing": 0.05, "shares": ["text"]}
    model["coefficients"] = COEFFICIENTS
    return replace(find_profile("default"), signals=signals, model=model)


def pairs(seed: int, count: int, share: float) -> PairSignals:
    """Duplicates have more in common; a fifth of the pairs is equal, a quarter far apart."""
    random = np.random.default_rng(seed)
    duplicate = random.random(count) < share
    text = np.clip(random.random(count) * 0.5 + duplicate * 0.4, 0, 1)
    title = np.where(random.random(count) < 0.2, np.nan, random.random(count))
    same = np.where(random.random(count) < 0.2, 1.0, np.nan)
    far = np.where(random.random(count) < 0.25, 0.5, np.nan)
    zeros = np.zeros(count, dtype=np.int64)
    return PairSignals(
        by_signal={"text": text, "title": title, "same": same, "far": far},
        duplicate=duplicate,
        first=zeros,
        second=zeros,
        query=zeros,
        group=zeros,
    )


def gradient(sets: list[PairSignals], background: float, text: float, title: float) -> Array:
    """Derivative of the stated loss by background, text and title, pair by pair."""
    used = [np.isnan(part.by_signal["same"]) for part in sets]
    weigh = [1 / (FEW_DUPLICATES + p.duplicate[u].sum()) for p, u in zip(sets, used, strict=True)]
    scale = TOTAL / sum(w * u.sum() for w, u in zip(weigh, used, strict=True))
    found = np.array([0.0, 2 * PENALTY * text, 2 * PENALTY * title])
    for part, rows, weight in zip(sets, used, weigh, strict=True):
        for i in np.flatnonzero(rows):
            share = part.by_signal["text"][i]
            odds = np.log((share + 0.05) / (1 - share + 0.05))
            named, far = np.nan_to_num([part.by_signal[n][i] for n in ("title", "far")])
            total = background + text * odds + title * named - 6 * far
            error = 1 / (1 + np.exp(-total)) - part.duplicate[i]
            found += scale * weight * error * np.array([1, odds, named])
    return found


def test_the_fit_is_where_the_loss_is_least() -> None:
    sets = [pairs(1, 300, 0.3), pairs(2, 120, 0.05)]
    model = fit_log_odds(sets, base()).model
    fitted = model["coefficients"]
    assert (fitted["same"], fitted["far"]) == (40.0, -6.0)
    assert list(fitted) == list(COEFFICIENTS)
    assert (model["kind"], model["smoothing"]) == ("log_odds", 0.05)
    assert fitted["text"] > 0
    at = gradient(sets, model["background"], fitted["text"], fitted["title"])
    held = fitted["title"] == 0
    assert np.abs(at[:2]).max() < 0.5  # three digits of a loss of about 500
    assert at[2] > 0 if held else abs(at[2]) < 0.5
    assert all(round(v, 3) == v for v in (*fitted.values(), model["background"]))


def test_a_coefficient_is_never_negative() -> None:
    part = pairs(3, 300, 0.3)
    against = {**part.by_signal, "title": np.where(part.duplicate, 0.0, 1.0)}
    model = fit_log_odds([replace(part, by_signal=against)], base()).model
    assert model["coefficients"]["title"] == 0


def test_calibration_by_hand() -> None:
    scores = np.array([0.0, 0.05, 0.1, 0.95, 1.0])
    duplicate = np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    found = reliability(scores, duplicate)
    assert np.array(found) == pytest.approx(
        np.array([(0.025, 0.5, 2), (0.1, 0.0, 1), (0.975, 1.0, 2)])
    )
    assert calibration_error(scores, duplicate) == pytest.approx((0.95 + 0.1 + 0.05) / 5)
    assert calibration_error(np.array([]), np.array([])) == 0
    assert calibration_error(np.array([0.25]), np.array([1.0])) == 0.75


def test_a_share_is_fitted_alone_and_its_neutral_value_with_it() -> None:
    """Duplicates from a share of 0.3 on: the neutral one lies there, all else stays."""
    random = np.random.default_rng(4)
    part = pairs(4, 2000, 0.5)
    share = random.random(2000)
    duplicate = random.random(2000) < 1 / (1 + np.exp(-20 * (share - 0.3)))
    missing = np.full(2000, np.nan)
    alone = {"text": share, "title": missing, "same": missing, "far": missing}
    before = base()
    model = fit_share([replace(part, by_signal=alone, duplicate=duplicate)], before, "text").model
    assert model["neutral"]["text"] == pytest.approx(0.3, abs=0.03)
    assert model["coefficients"]["text"] > 1
    assert {**model["coefficients"], "text": 1.0} == COEFFICIENTS
    assert model["background"] == before.model["background"]


def test_what_is_fitted_with_a_share_keeps_its_sign() -> None:
    """Of the pairs that are far apart, fewer are duplicates: more than stated is found."""
    random = np.random.default_rng(5)
    part = pairs(5, 3000, 0.5)
    share, far = random.random(3000), (random.random(3000) < 0.5).astype(np.float64)
    odds = 10 * (share - 0.5) - 3 * far
    missing = np.full(3000, np.nan)
    alone = {"text": share, "title": missing, "same": missing, "far": far}
    made = replace(part, by_signal=alone, duplicate=random.random(3000) < 1 / (1 + np.exp(-odds)))
    model = fit_share([made], base(), "text", ["far"]).model
    assert model["coefficients"]["far"] == pytest.approx(-3, abs=0.4)
    helped = replace(made, duplicate=share + 0.2 * far > 0.5)
    assert fit_share([helped], base(), "text", ["far"]).model["coefficients"]["far"] == 0
