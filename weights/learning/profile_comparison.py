"""Profiles side by side on judged pairs: how well each does at its own threshold, and its cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reducepp.labelled.reading import Judgement
from reducepp.similarity.combine import score_values
from reducepp.types import Page, Profile
from reducepp.weights.learning.figures import (
    Figures,
    average_precision,
    choose_threshold,
    count_figures,
    figures,
)
from reducepp.weights.learning.judged import JudgedPairs, judge_pairs
from reducepp.weights.learning.learn import check_labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One profile on a labelled set."""

    profile: Profile
    figures: Figures
    """At the profile's own threshold."""
    average_precision: float
    """Over all pairs, whatever the threshold."""
    best_threshold: float
    """Chosen in hindsight, for what is left to win."""
    best_f: float
    seconds: float
    """For all signals of all pages, text preparation included."""


def stand(
    profile: Profile,
    queries: Sequence[Sequence[Page]],
    judgements: Sequence[Judgement],
    *,
    failed: Iterable[str] = (),
) -> Standing:
    """Score the judged pairs with a profile, as it is."""
    pairs = judge_pairs(queries, judgements, profile, failed=failed)
    check_labels(pairs)
    return score_standing(profile, pairs)


def score_standing(profile: Profile, pairs: JudgedPairs) -> Standing:
    """The same for pairs whose signals are there already."""
    scores = score_values(pairs.by_signal, profile)
    best = choose_threshold(scores, pairs.duplicate)
    return Standing(
        profile=profile,
        figures=figures(scores >= profile.threshold, pairs.duplicate, pairs.unit_pairs),
        average_precision=average_precision(scores, pairs.duplicate),
        best_threshold=best,
        best_f=count_figures(scores >= best, pairs.duplicate, np.ones(len(pairs)))[2],
        seconds=sum(pairs.seconds.values()),
    )
