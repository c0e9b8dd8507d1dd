"""Which threshold do the validity indices advise, read in several ways, and which is right?

    python -m benchmarks advice

Thresholds from 0.05 to 0.99 on each labelled set under the default profile, and F of the labelled
pairs there. "Right" is the range without a wrong pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data import DATA, SETS, has_labelled_data
from reducepp.api import find_profile
from reducepp.evaluation.advice import by_validity, elbow, place
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.evaluation.sweep import Row, SweepOptions, sweep, threshold_range
from reducepp.evaluation.validity import VECTORS
from reducepp.inputs import read_queries
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.labelled.scoring import count_at
from reducepp.pipeline import Comparison, compare_pages
from reducepp.types import Array

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
    comparisons = {name: _compare(name) for name in SETS}
    rows = {
        (name, vectors): sweep(
            one, threshold_range(0.05, 0.99, 0.01), how=SweepOptions(vectors=vectors)
        )
        for name, one in comparisons.items()
        for vectors in VECTORS
    }
    print(f"{'':<46}" + "".join(f"{name:>18}" for name in SETS))
    for title, reading in READINGS.items():
        print_line(title, [_read(rows[name, "rows"], reading) for name in SETS], comparisons)
    for vectors in VECTORS:
        title = f"worst of three, as `advice`, {vectors}"
        advised = [by_validity(rows[name, vectors]).threshold for name in SETS]
        print_line(title, advised, comparisons)
    print(f"{'right':<46}" + "".join(f"{_right(comparisons[name], name):>18}" for name in SETS))


def print_line(title: str, advised: Sequence[float], comparisons: dict[str, Comparison]) -> None:
    """The thresholds advised, each with F there."""
    cells = [
        f"{threshold:.2f} (F {_f1(comparisons[name], name, [threshold])[0]:.2f})"
        for name, threshold in zip(SETS, advised, strict=True)
    ]
    print(f"{title:<46}" + "".join(f"{cell:>18}" for cell in cells))


def _compare(name: str) -> Comparison:
    (group,) = read_queries(str(DATA / f"{name}.jsonl.gz"))
    return compare_pages(group.pages, find_profile("default"))


def _read(rows: Sequence[Row], reading: Reading) -> float:
    """The highest threshold of those where the reading is highest."""
    names = ("threshold", "silhouette", "davies_bouldin", "calinski_harabasz")
    table = np.array([[getattr(row, name) for name in names] for row in rows if not row.reason])
    good = np.round(reading(*table.T), 9)
    return float(table[np.flatnonzero(good == good.max())[-1], 0])


def _f1(comparison: Comparison, name: str, thresholds: Sequence[float]) -> Array:
    pairs = find_pairs([comparison.pages], read_labels(str(DATA / f"{name}.labels.csv")))
    f1: Array = count_at(rank_labelled([comparison], pairs), np.array(thresholds)).f1[0]
    return f1


def _right(comparison: Comparison, name: str) -> str:
    thresholds = threshold_range(0.05, 0.99, 0.01)
    best = [t for t, f in zip(thresholds, _f1(comparison, name, thresholds), strict=True) if f == 1]
    return f"{best[0]:.2f} to {best[-1]:.2f}" if best else "none"


if __name__ == "__main__":
    main()
