"""The figures of one method on one group of judged pairs, and how people are shown them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How one method does on one group of judged pairs; NaN where not defined.

    `_low` and `_high` are the ends of a 95 % interval.
    """

    method: str
    group: str
    value: str
    pairs: int
    duplicates: int
    threshold: float
    precision: float
    precision_low: float = math.nan
    precision_high: float = math.nan
    recall: float
    recall_low: float = math.nan
    recall_high: float = math.nan
    f1: float
    f1_low: float = math.nan
    f1_high: float = math.nan
    average_precision: float
    average_precision_low: float = math.nan
    average_precision_high: float = math.nan
    best_threshold: float
    """The threshold that would have been best on these very pairs."""
    best_f1: float
    cluster_precision: float
    """As `precision`, where two pages count as duplicates when they share a cluster."""
    cluster_precision_low: float = math.nan
    cluster_precision_high: float = math.nan
    cluster_recall: float
    cluster_recall_low: float = math.nan
    cluster_recall_high: float = math.nan
    cluster_f1: float
    cluster_f1_low: float = math.nan
    cluster_f1_high: float = math.nan
    b_cubed_precision: float
    b_cubed_precision_low: float = math.nan
    b_cubed_precision_high: float = math.nan
    b_cubed_recall: float
    b_cubed_recall_low: float = math.nan
    b_cubed_recall_high: float = math.nan
    b_cubed_f1: float
    b_cubed_f1_low: float = math.nan
    b_cubed_f1_high: float = math.nan
    adjusted_rand: float
    adjusted_rand_low: float = math.nan
    adjusted_rand_high: float = math.nan
    grade_correlation: float
    """Spearman's, between the grades of all judged pairs and their scores."""
    resampled: str = ""
    """What was drawn for the intervals of pairs: query or page."""
    clusters_resampled: str = ""
    """What was drawn for those of B-cubed and adjusted Rand: query or piece."""
    drawn: int = 0
    """How many of the latter there are."""


COLUMNS = tuple(field.name for field in fields(Figures))

PAIR_FIGURES = (
    "precision",
    "recall",
    "f1",
    "average_precision",
    "cluster_precision",
    "cluster_recall",
    "cluster_f1",
)
"""Those that weigh pairs, in the order in which they are measured."""


def side_by_side(figures: Sequence[Figures]) -> list[dict[str, Any]]:
    """The figures that matter most, for people: intervals beside the figures."""
    return [
        {
            "method": f.method,
            "pairs of": f"{f.group} {f.value}".strip(),
            "pairs": f.pairs,
            "duplicates": f.duplicates,
            "threshold": f.threshold,
            "precision": _with_interval(f, "precision"),
            "recall": _with_interval(f, "recall"),
            "F": _with_interval(f, "f1"),
            "average precision": _with_interval(f, "average_precision"),
            "best F (at)": f"{_figure(f.best_f1)} ({_figure(f.best_threshold)})",
            "cluster F": _with_interval(f, "cluster_f1"),
            "B-cubed F": _with_interval(f, "b_cubed_f1"),
            "adjusted Rand": _with_interval(f, "adjusted_rand"),
        }
        for f in figures
    ]


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _with_interval(figures: Figures, name: str) -> str:
    low, high = getattr(figures, f"{name}_low"), getattr(figures, f"{name}_high")
    ends = "" if math.isnan(low) else f" [{low:.2f} {high:.2f}]"
    return f"{_figure(getattr(figures, name))}{ends}"
