"""Pages of one site that are copies of one text with scattered changes.

The same share of common runs has two causes. Pages of one template all differ in the same places,
and what they share they all share. Copies of one text differ in other places each: where one was
changed, most others still agree. So the pages of a group are copies where each lacks about as many
runs of the majority as it has runs of its own.
"""

from __future__ import annotations

import numpy as np

from reducepp.similarity.shingles import cells_of_runs, mix
from reducepp.similarity.sparse import cells_of, connect
from reducepp.types import Integers, Sparse

MIN_SHARED = 0.5
"""Runs two pages of a group share, of all runs of both."""
MIN_GROUP = 3
"""Pages a majority needs."""
NEARLY_EQUAL = 0.9
"""Runs that two pages share, of all runs of both, from which on they are one page saved twice."""
MIN_LACKING = 0.5
"""Runs of the majority that copies lack, per run of their own; 0 for pages of one template."""
MAX_TOGETHER = 5
"""Runs that the same pages lack at most: those around one changed word."""
MAX_PRODUCTS = 50_000_000
"""Common runs of page pairs that are counted at most per site; those beyond have a template."""


def copy_groups(runs: Sparse, sites: Integers) -> Integers:
    """Group of each page of `runs` (pages × runs of words by site), -1 for pages in none.

    `sites` has the site of each run.
    """
    found = np.full(runs.shape[0], -1, dtype=np.int64)
    for number, members in enumerate(_near_groups(runs, sites)):
        if _is_copied(runs[members]):
            found[members] = number
    return found


def _near_groups(runs: Sparse, sites: Integers) -> list[Integers]:
    """Pages connected by sharing at least MIN_SHARED of their runs."""
    frequency = np.bincount(runs.indices, minlength=runs.shape[1])[: len(sites)]
    repeated = frequency > 1
    products = np.bincount(sites, weights=repeated * frequency.astype(np.float64) ** 2)
    common = runs[:, np.flatnonzero(repeated & (products[sites] <= MAX_PRODUCTS))]
    labels = _connect_alike(common, np.diff(runs.indptr), MIN_SHARED)
    order, counts = np.argsort(labels, kind="stable"), np.bincount(labels)
    groups = np.split(order, np.cumsum(counts)[:-1])
    return [group for group in groups if len(group) >= MIN_GROUP]


def _connect_alike(common: Sparse, sizes: Integers, least: float) -> Integers:
    """Number of each page's component; pages that share `least` of all runs of both are linked."""
    first, second, shared = cells_of(common @ common.T)
    near = shared >= least * (sizes[first] + sizes[second] - shared)
    return connect(len(sizes), first[near], second[near])


def _is_copied(runs: Sparse) -> bool:
    """Whether the pages of a group are copies of one text; nearly equal ones count once, as a page
    saved twice has no run of its own."""
    labels = _connect_alike(runs, np.diff(runs.indptr), NEARLY_EQUAL)
    if labels.max() > 0:
        runs = runs[np.unique(labels, return_index=True)[1]]
    if runs.shape[0] < MIN_GROUP:
        return False
    frequency = np.bincount(runs.indices, minlength=runs.shape[1])
    own, lacking = frequency == 1, _scattered_lacks(runs, frequency)
    return bool(lacking >= MIN_LACKING * own.sum() and lacking > 0)


def _scattered_lacks(runs: Sparse, frequency: Integers) -> int:
    """Runs of the majority that pages lack, summed over the pages.

    Runs that the same two pages or more lack count up to MAX_TOGETHER: these pages are of another
    version of a template, which lacks whole passages, and not changed each for itself.
    """
    count = runs.shape[0]
    lacked = np.flatnonzero((frequency > count / 2) & (frequency < count))
    rows, columns = cells_of_runs(runs)
    codes = mix(np.arange(1, count + 1))
    holders = np.zeros(runs.shape[1], dtype=np.uint64)
    np.add.at(holders, columns, codes[rows])
    _, first, times = np.unique(holders[lacked], return_index=True, return_counts=True)
    lacking = count - frequency[lacked][first]
    return int((lacking * np.where(lacking > 1, np.minimum(times, MAX_TOGETHER), times)).sum())
