"""Which threshold? Four rules, each with its reason.

Three of them read the rows of a sweep, one reads labelled pairs. A rule that cannot be applied
gives NaN and says why.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from reducepp.comparison import Comparison
from reducepp.errors import UsageError
from reducepp.evaluation.sweep import WHOLE_SET, SweepRow, whole_set
from reducepp.evaluation.validity import INDICES
from reducepp.labelled.intervals import PairSources, draw_weights, intervals
from reducepp.labelled.scoring import Ranking, best_threshold, count_all, count_at, threshold_goals
from reducepp.types import Array

RESAMPLES = 200
"""For the interval of a threshold: its ends are stable to about two decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A threshold for a query, and why; `low` and `high` are a 95 % interval where there is one."""

    query: str
    rule: str
    threshold: float
    low: float = math.nan
    high: float = math.nan
    reason: str


def by_validity(rows: Sequence[SweepRow]) -> Advice:
    """The paper's rule made exact: each of the three indices good, labelled by its worst.

    Silhouette near its highest and Davies-Bouldin near its lowest are places between the lowest
    and highest value seen; an elbow or peak of Calinski-Harabasz, drawn on a logarithmic scale
    since it spans several orders, is the distance of its curve from the straight line between
    its ends, as a share of the largest such distance. All are in [0, 1]; the threshold whose
    worst of the three is best wins, the higher one of equals. There is none where at each
    threshold one of them is at its worst.
    """
    query = rows[0].query if rows else ""
    defined = [row for row in rows if not math.isnan(row.silhouette)]
    if len(defined) < 3:
        why = rows[0].reason if rows else "no rows"
        return _none(query, "validity", f"the indices are defined at too few thresholds ({why})")
    silhouette, davies, calinski = np.array([[getattr(r, n) for r in defined] for n in INDICES])
    thresholds = np.array([row.threshold for row in defined])
    if not any(np.ptp(values) for values in (silhouette, davies, calinski)):
        first, last = defined[0], defined[-1]
        reason = (
            f"no advice: from {first.threshold:g} to {last.threshold:g} the clusters are the same "
            "and elsewhere the indices are not defined, so there is nothing to choose between; "
            f"{last.clusters} of {last.pages} pages stay"
        )
        return _none(query, "validity", reason)
    low = 1 - place(davies) if np.ptp(davies) else place(davies)
    goods = np.stack([place(silhouette), low, elbow(thresholds, np.log1p(calinski))])
    worst = np.round(goods.min(axis=0), 9)
    if worst.max() <= 0:
        reason = "no advice: at each threshold one of the three indices is at its worst"
        return _none(query, "validity", f"{reason}; a smaller --step looks at more")
    best = int(np.flatnonzero(worst == worst.max())[-1])
    row, good = defined[best], goods[:, best]
    reason = (
        f"silhouette {row.silhouette:.3f} is {good[0]:.0%} of the way to its highest "
        f"({silhouette.max():.3f}), Davies-Bouldin {row.davies_bouldin:.3f} {good[1]:.0%} of the "
        f"way to its lowest ({davies.min():.3f}), Calinski-Harabasz {row.calinski_harabasz:.1f} "
        f"at {good[2]:.0%} of its sharpest elbow; {row.clusters} of {row.pages} pages stay"
    )
    return Advice(query=query, rule="validity", threshold=row.threshold, reason=reason)


def place(values: Array) -> Array:
    """Where each value lies between the lowest and the highest; 1 where all are the same."""
    span = float(values.max() - values.min())
    return (values - values.min()) / span if span > 0 else np.ones(len(values))


def elbow(thresholds: Array, values: Array) -> Array:
    """How far a curve is from the line between its ends, as a share of the farthest place.

    In [0, 1]; 0 throughout for a straight line.
    """
    x, y = place(thresholds), place(values)
    far = np.abs(y - (y[0] + (y[-1] - y[0]) * x))
    largest = float(far.max())
    return far / largest if largest > 1e-12 else np.zeros(len(far))


def to_keep(rows: Sequence[SweepRow], results: int) -> Advice:
    """The highest threshold that leaves at most so many results."""
    if results < 1:
        raise UsageError(f"keep {results}: at least one result must stay")
    query, rule = rows[0].query if rows else "", f"keep {results}"
    few = [row for row in rows if row.clusters <= results]
    if not few:
        lowest = min(rows, key=lambda row: row.threshold)
        why = f"even at {lowest.threshold:g} {lowest.clusters} results stay; --from looks lower"
        return _none(query, rule, why)
    row = max(few, key=lambda row: row.threshold)
    reason = f"the highest threshold that leaves at most {results}: {_stay(row)}"
    return Advice(query=query, rule=rule, threshold=row.threshold, reason=reason)


def for_every_query(advice: Sequence[Advice]) -> Advice:
    """One threshold for all queries: the lowest of theirs, which meets the goal of each."""
    found = min(advice, key=lambda a: -math.inf if math.isnan(a.threshold) else a.threshold)
    reason = f"the lowest over {len(advice)} queries ({found.query}): {found.reason}"
    return replace(found, query=WHOLE_SET, reason=reason)


def to_inform(rows: Sequence[SweepRow], share: float) -> Advice:
    """The lowest threshold at which, and above which, so much of the information is kept."""
    if not 0 < share <= 1:
        raise UsageError(f"information {share:g}: a share above 0 and at most 1 is needed")
    query, rule = rows[0].query if rows else "", f"information {share:g}"
    falling = sorted(rows, key=lambda row: -row.threshold)
    enough = [*takewhile(lambda row: row.information_kept >= share - 1e-12, falling)]
    if not enough:
        kept = falling[0].information_kept if falling else math.nan
        why = "pages without text" if math.isnan(kept) else f"{kept:.1%} at the highest threshold"
        return _none(query, rule, f"never reached: {why}")
    row = enough[-1]
    reason = f"the lowest threshold from which on at least {share:.0%} is kept: {_stay(row)}"
    return Advice(query=query, rule=rule, threshold=row.threshold, reason=reason)


def _stay(row: SweepRow) -> str:
    known = not math.isnan(row.information_kept)
    information = f", with {row.information_kept:.1%} of the information" if known else ""
    return f"{row.clusters} of {row.pages} pages stay{information}"


def by_labels(ranking: Ranking, pairs: PairSources, *, precision: float = 0.0) -> Advice:
    """The threshold with the best F on labelled pairs, or the best recall at a wanted precision.

    The interval is that of the best threshold over resamples (of pages or queries).
    """
    rule = f"recall at precision {precision:g}" if precision else "best F"
    chosen = best_threshold(ranking, precision=precision)
    if math.isnan(chosen):
        missing = "no labelled duplicates" if not ranking.duplicate.any() else "never that precise"
        return _none("", rule, missing)
    found = count_at(ranking, np.array([chosen]))
    low, high = _interval(ranking, pairs, precision)
    reason = (
        f"precision {found.precision[0, 0]:.3f}, recall {found.recall[0, 0]:.3f}, F "
        f"{found.f1[0, 0]:.3f} on {len(ranking.order)} labelled pairs, "
        f"{int(ranking.duplicate.sum())} of them duplicates"
    )
    return Advice(query="", rule=rule, threshold=chosen, low=low, high=high, reason=reason)


def _interval(ranking: Ranking, pairs: PairSources, precision: float) -> list[float]:
    """95 % of the thresholds that resamples would have chosen."""
    middles = (ranking.levels + np.append(ranking.levels[1:], 0.0)) / 2

    def choose(weights: Array) -> Array:
        goals = threshold_goals(count_all(ranking, weights), precision)
        chosen = np.where(goals.max(axis=1) > 0, middles[goals.argmax(axis=1)], np.nan)
        return chosen[None]

    ends: list[list[float]] = intervals(choose, draw_weights(pairs, samples=RESAMPLES)).tolist()
    return ends[0]


def _none(query: str, rule: str, reason: str) -> Advice:
    return Advice(query=query, rule=rule, threshold=math.nan, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """One profile on every query: rows at the swept thresholds and at those of the tables."""

    profile: str
    threshold: float
    comparisons: tuple[Comparison, ...]
    rows: tuple[SweepRow, ...]
    table_rows: tuple[SweepRow, ...]
    """At the thresholds of Table III and the profile's own."""

    @property
    def overall(self) -> list[SweepRow]:
        return whole_set(self.rows)

    @property
    def advice(self) -> Advice:
        """The threshold that the paper's rule gives over all queries."""
        return by_validity(self.overall)
