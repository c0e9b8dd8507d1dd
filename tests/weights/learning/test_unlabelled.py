"""Weights from the pages alone."""

import numpy as np
import pytest

from reducepp.errors import UsageError
from reducepp.types import Page
from reducepp.weights.learning.unlabelled import (
    UNLABELLED,
    nearest_values,
    otsu,
    unlabelled_weights,
    weigh_profile,
)
from reducepp.weights.profile import load_profile


def matrices(seed: int = 0, pages: int = 30) -> dict[str, np.ndarray]:
    """Ten groups of three pages: two signals that know them, one of noise, one nearly constant."""
    random = np.random.default_rng(seed)
    same = np.arange(pages)[:, None] // 3 == np.arange(pages)[None, :] // 3
    same[15:] = same[:, 15:] = False  # half of the pages stand alone

    def made(high: float, low: float, spread: float) -> np.ndarray:
        noise = random.normal(0, spread, (pages, pages))
        values = np.clip(np.where(same, high, low) + (noise + noise.T) / 2, 0, 1)
        np.fill_diagonal(values, 1.0)
        return values

    noise = random.random((pages, pages))
    noise = np.triu(noise, 1) + np.triu(noise, 1).T + np.eye(pages)
    return {
        "clear": made(0.9, 0.1, 0.1),
        "fair": made(0.7, 0.2, 0.1),
        "noise": noise,
        "flat": made(0.95, 0.95, 0.01),
    }


@pytest.mark.parametrize("how", sorted(UNLABELLED))
def test_signals_that_know_the_groups_get_most_of_the_weight(how: str) -> None:
    weights = unlabelled_weights([matrices(0), matrices(1)], how=how)
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["clear"] + weights["fair"] > 0.75
    assert weights["noise"] < 0.15


def test_otsu_by_hand() -> None:
    """(0, 0, 1, 1): half way at 0.5, means 0 and 1, all of the variance is between them."""
    assert otsu(np.array([1.0, 0.0, 1.0, 0.0])) == (0.5, 1.0, 1.0)
    assert otsu(np.array([0.3, 0.3])) == (0.3, 0.0, 0.0)
    where, gap, explained = otsu(np.array([0.0, 0.2, 1.0]))
    assert (where, gap) == (0.6, 0.9)
    assert explained == pytest.approx((2 / 9 * 0.81) / np.var([0, 0.2, 1]))


def test_nearest_neighbours_leave_out_pages_without_any() -> None:
    nan = np.nan
    values = np.array([[1, 0.4, nan], [0.4, 1, nan], [nan, nan, nan]])
    assert nearest_values(values).tolist() == [0.4, 0.4]


def test_a_profile_from_pages_alone() -> None:
    texts = ["red sea fish swim far", "green tea is hot now", "tax law is long and dull"]
    pages = [
        Page(id=f"{i}{copy}", body=text + tail, page_title=text[:5])
        for i, text in enumerate(texts)
        for copy, tail in enumerate(("", " indeed"))
    ]
    profile = weigh_profile([pages], load_profile("paper"), how="separation")
    assert sum(s.weight for s in profile.signals) == pytest.approx(1)
    assert 0 <= profile.threshold <= 1
    assert "without labels, from 6 pages of 1 queries" in profile.provenance
    with pytest.raises(UsageError, match="at least 4 pages"):
        weigh_profile([pages[:2]], load_profile("paper"), how="separation")
