"""Huffman et al.'s tables on labelled news pages, models learned, and weights without labels.

    python -m benchmarks learning

Out-of-fold figures: by query over the three sets together (each language is learned from the
other two), by page groups within each set. As in the paper, signal sets are compared by the
mean F of a tree and of rules, and the run with the median F of nine is taken.
"""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.data import SETS, has_labelled_data, read_set
from reducepp.api import find_profile
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.replication.paper2 import FETCHED
from reducepp.types import Page, Profile
from reducepp.weights.learning.learn import FITS, cross_validate, held_out_figures
from reducepp.weights.learning.profile_comparison import evaluate_profile
from reducepp.weights.learning.unlabelled import UNLABELLED, weigh_profile

GROUPS = {
    "similarity hash": ("body_simhash",),
    "tf-idf distance": ("body_top_terms",),
    "F": FETCHED,
    "F + snippets": (*FETCHED, "snippet_compression"),
}


Labelled = tuple[str, list[list[Page]], list[PairLabel]]
"""A set: its name, the pages of its queries and their labels."""


def main() -> None:
    """All tables."""
    if not has_labelled_data():
        return
    sets: list[Labelled] = [(name, *read_set(name)) for name in SETS]
    queries = [pages for _, own, _ in sets for pages in own]
    labels = [label for _, _, own in sets for label in own]
    base = find_profile("signals")
    for one in (("together", queries, labels), *sets):
        pairs = measure_pairs(find_pairs(*one[1:]), base)
        print(f"\n{one[0]}: {int(pairs.duplicate.sum())} duplicate, {len(pairs)} pairs")
        there = [name for name in pairs.by_signal if name in pairs.present]
        print_signals(pairs, base, {name: (name,) for name in there})
        print_signals(pairs, base, GROUPS)
        print_models(one, ("default", "paper", "signals"))
    print("\nweights without labels: average precision, F at the threshold that goes with them")
    for one in sets:
        print_unlabelled(one, ("paper", "signals"))


def print_signals(pairs: PairSignals, base: Profile, sets: dict[str, Sequence[str]]) -> None:
    """P, R and F of each set of signals by tree and by rules, best mean F first."""
    rows = []
    for label, names in sets.items():
        found = [held_out_figures(pairs, base, names, FITS[m]) for m in ("tree", "rules")]
        mean = sum(one.f1.value for one in found) / 2
        cells = "  ".join(
            f"{one.precision.value:.2f} {one.recall.value:.2f} {one.f1.value:.2f}" for one in found
        )
        rows.append((mean, f"  {label:<22} tree {cells} rules   mean F {mean:.3f}"))
    print("\n".join(row for _, row in sorted(rows, key=lambda row: -row[0])))


def print_models(one: Labelled, profiles: Sequence[str]) -> None:
    """Each way of learning on the signals of some profiles."""
    for name in profiles:
        base = find_profile(name)
        pairs = measure_pairs(find_pairs(*one[1:]), base)
        for model, fit in FITS.items():
            checked = cross_validate(pairs, replace(base, model={}), fit)
            f = checked.figures
            print(
                f"  {name:<8} {model:<9} P {f.precision}  R {f.recall}  F {f.f1}  by {checked.by}"
            )


def print_unlabelled(one: Labelled, profiles: Sequence[str]) -> None:
    """A profile's own weights, equal ones, and those found without labels."""
    for name in profiles:
        base = find_profile(name)
        pairs = measure_pairs(find_pairs(*one[1:]), base)
        count = len(base.signals)
        equal = tuple(replace(signal, weight=1 / count) for signal in base.signals)
        found = {"own": base, "equal": replace(base, signals=equal, model={})}
        found |= {how: weigh_profile(one[1], base, how=how) for how in UNLABELLED}
        for label, profile in found.items():
            s = evaluate_profile(profile, pairs)
            print(
                f"  {one[0]} {name:<8} {label:<11} AP {s.average_precision:.3f}  "
                f"F {s.figures.f1.value:.3f} at {profile.threshold:.3f}, best F {s.best_f:.3f}"
            )
