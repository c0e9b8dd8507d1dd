"""Which threshold do the validity indices advise, read in several ways, and which is right?

    python -m benchmarks advice

Thresholds from 0.05 to 0.99 on each labelled set under the default profile, and F of the labelled
pairs there. "Right" is the range without a wrong pair.
"""

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data import SETS, has_labelled_data, read_set
from reducepp.api import find_profile
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.advice import by_validity, elbow, place
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import SweepOptions, SweepRow, sweep, threshold_range
from reducepp.evaluation.validity import VECTORS
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.scoring import Ranking, count_at
from reducepp.types import Array

THRESHOLDS = threshold_range(0.05, 0.99, 0.01)
Reading = Callable[[Array, Array, Array, Array], Array]
"""Thresholds, silhouette, Davies-Bouldin, Calinski-Harabasz → what is highest is advised."""


def _bend(thresholds: Array, values: Array) -> Array:
    """How sharply a curve turns: its second difference."""
    return np.abs(np.gradient(np.gradient(values, thresholds), thresholds))


READINGS: dict[str, Reading] = {
    "silhouette alone": lambda t, s, d, c: s,
    "Davies-Bouldin alone": lambda t, s, d, c: -d,
    "Calinski-Harabasz alone, its elbow": lambda t, s, d, c: elbow(t, c),
    "the same, of its logarithm": lambda t, s, d, c: elbow(t, np.log1p(c)),
    "the same, sharpest turn of the logarithm": lambda t, s, d, c: _bend(t, np.log1p(c)),
    "worst of three, elbow of the values": lambda t, s, d, c: np.minimum(
        np.minimum(place(s), 1 - place(d)), elbow(t, c)
    ),
    "mean of three, elbow of the logarithm": lambda t, s, d, c: (
        place(s) + 1 - place(d) + elbow(t, np.log1p(c))
    ),
}


def main() -> None:
    """A line a reading, a column a set."""
    if not has_labelled_data():
        return
    comparisons = {name: compare_labelled(name) for name in SETS}
    rows = {
        (name, vectors): sweep(one, THRESHOLDS, how=SweepOptions(vectors=vectors))
        for name, (one, _) in comparisons.items()
        for vectors in VECTORS
    }
    print(f"{'':<46}" + "".join(f"{name:>18}" for name in SETS))
    for title, reading in READINGS.items():
        print_line(title, [_read(rows[name, "rows"], reading) for name in SETS], comparisons)
    for vectors in VECTORS:
        title = f"worst of three, as `advice`, {vectors}"
        advised = [by_validity(rows[name, vectors]).threshold for name in SETS]
        print_line(title, advised, comparisons)
    print(f"{'right':<46}" + "".join(f"{_right(comparisons[name][1]):>18}" for name in SETS))


def print_line(
    title: str, advised: Sequence[float], comparisons: dict[str, tuple[Comparison, Ranking]]
) -> None:
    """The thresholds advised, each with F there."""
    cells = [
        f"{threshold:.2f} (F {_f1(comparisons[name][1], [threshold])[0]:.2f})"
        for name, threshold in zip(SETS, advised, strict=True)
    ]
    print(f"{title:<46}" + "".join(f"{cell:>18}" for cell in cells))


def compare_labelled(name: str) -> tuple[Comparison, Ranking]:
    """The default's comparison of a set, and its labelled pairs by score."""
    (pages,), labels = read_set(name)
    comparison = compare_pages(pages, find_profile("default"))
    return comparison, rank_labelled([comparison], find_pairs([comparison.pages], labels))


def _read(rows: Sequence[SweepRow], reading: Reading) -> float:
    """The highest threshold of those where the reading is highest."""
    names = ("threshold", "silhouette", "davies_bouldin", "calinski_harabasz")
    table = np.array([[getattr(row, name) for name in names] for row in rows if not row.reason])
    good = np.round(reading(*table.T), 9)
    return float(table[np.flatnonzero(good == good.max())[-1], 0])


def _f1(ranking: Ranking, thresholds: Sequence[float]) -> Array:
    f1: Array = count_at(ranking, np.array(thresholds)).f1[0]
    return f1


def _right(ranking: Ranking) -> str:
    best = [t for t, f in zip(THRESHOLDS, _f1(ranking, THRESHOLDS), strict=True) if f == 1]
    return f"{best[0]:.2f} to {best[-1]:.2f}" if best else "none"
