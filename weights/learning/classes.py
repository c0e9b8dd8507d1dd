"""Classes of pairs (levels, kinds of duplicates) learned from labels, with held-out figures.

One cost-sensitive logistic regression per class against all others, on standardised signals; the
class with the highest odds is predicted. Tao et al. (2013), Table 6; Radlinski et al. (2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reducepp.labelled.folds import make_folds
from reducepp.labelled.signals import PairSignals
from reducepp.types import Array, Integers
from reducepp.weights.learning.fit import impute_means
from reducepp.weights.learning.regression import regress

PENALTY = 0.01
"""On signals of unit variance: classes of a few pairs stay finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Held-out pairs by their true class (rows) and the predicted one (columns)."""

    names: tuple[str, ...]
    counts: Integers

    def figures(self) -> list[dict[str, Any]]:
        """Precision, recall and F of each class, then their means weighted by its pairs."""
        right = np.diag(self.counts).astype(np.float64)
        true, predicted = self.counts.sum(axis=1), self.counts.sum(axis=0)
        precision = right / np.maximum(predicted, 1)
        recall = right / np.maximum(true, 1)
        f1 = 2 * right / np.maximum(true + predicted, 1)
        rows = [
            {"class": name, "pairs": int(true[i]), "P": precision[i], "R": recall[i], "F": f1[i]}
            for i, name in enumerate(self.names)
        ]
        shares = true / max(int(true.sum()), 1)
        means = {"P": shares @ precision, "R": shares @ recall, "F": shares @ f1}
        rows.append({"class": "weighted", "pairs": int(true.sum()), **means})
        return [{k: float(v) if k in "PRF" else v for k, v in row.items()} for row in rows]

    def matrix(self) -> list[dict[str, Any]]:
        """Rows of a table: the true class, then how many pairs were predicted as each."""
        return [
            {"labelled": name, **dict(zip(self.names, row, strict=True))}
            for name, row in zip(self.names, self.counts.tolist(), strict=True)
        ]


def held_out_classes(
    pairs: PairSignals, classes: Sequence[str], names: Sequence[str], *, seed: int = 0
) -> Confusion:
    """Cross-validated predictions; no page is in both halves of a fold."""
    present = tuple(name for name in names if name in classes)
    numbers = np.array([present.index(name) for name in classes], dtype=np.int64)
    counts = np.zeros((len(present), len(present)), dtype=np.int64)
    values, _ = impute_means(pairs)
    for train, test in make_folds(pairs, seed=seed).halves(pairs):
        middle, spread = values[train].mean(axis=0), np.maximum(values[train].std(axis=0), 1e-9)
        scaled = (values - middle) / spread
        predicted = _predict(scaled[train], numbers[train], scaled[test])
        np.add.at(counts, (numbers[test], predicted), 1)
    return Confusion(names=present, counts=counts)


def _predict(train: Array, numbers: Integers, test: Array) -> Integers:
    """The class with the highest odds; of equals the first."""
    found = np.unique(numbers)
    odds = []
    for number in found.tolist():
        if len(found) == 1:
            return np.full(len(test), number, dtype=np.int64)
        coefficients, intercept = regress(train, numbers == number, penalty=PENALTY)
        odds.append(test @ coefficients + intercept)
    return np.asarray(found[np.argmax(np.stack(odds), axis=0)], dtype=np.int64)
