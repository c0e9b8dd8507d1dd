"""The default profile on labelled pages, beside the paper's setting and common baselines.

    python -m benchmarks labelled

One table with a column per labelled set: F1 of pairs in clusters at the method's own or customary
threshold; in the lines "in hindsight" F1 of pairs at the threshold that is best on that very set.
The default stands in it as it is, and fitted to all other sets; then its expected calibration error
and the share of pairs that change sides with a fifth of the pages gone. Baselines see the main
text, and all visible text, of the same pages.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks import calibration
from benchmarks.data import has_labelled_data, labels_of
from reducepp.api import find_profile
from reducepp.clustering.linkage import LINKAGES
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.methods import BASELINES, compare_baseline
from reducepp.evaluation.pair_evaluation import Evaluation, Resampling, evaluate
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.types import Page

PROFILES = (("default", ""), ("paper", "syntactic"), ("paper", "semantic"), ("reduce", ""))
"""Profile and preparation; "" is the profile's own."""
HELD_OUT = ("default, fitted to others", "  calibration error", "  pairs that change sides")
WIDTH = 40


def main() -> None:
    """The table, line by line as far as the sets are known."""
    if not has_labelled_data():
        return
    lines: dict[str, list[float]] = {}
    sets = calibration.load_sets(find_profile("default"))
    for one in sets:
        print(f"comparing {one.name}", file=sys.stderr)
        for method, value in _column(one.pairs):
            lines.setdefault(method, []).append(value)
    rows = calibration.held_out_figures(sets)
    for place, what in enumerate(HELD_OUT, start=len(LINKAGES)):
        lines[what] = [row[place] for row in rows.values()]
    names = [one.name.partition("-") for one in sets]
    print(f"{'':<{WIDTH}}" + "".join(f"{kind:>9}" for kind, _, _ in names))
    print(f"{'':<{WIDTH}}" + "".join(f"{detail:>9}" for _, _, detail in names))
    for method, values in lines.items():
        print(f"{method:<{WIDTH}}" + "".join(f"{value:9.3f}" for value in values))


def _column(pairs: LabelledPairs) -> Iterator[tuple[str, float]]:
    """Every method's F1 on one set; of baselines also the best in hindsight."""
    best = 0.0
    for method, found in comparisons(pairs.pages):
        figures = evaluate(found, pairs, by=(), resampling=Resampling(samples=0))[0]
        yield method, figures["cluster_f1"]
        if method.startswith(tuple(BASELINES)):
            yield f"{method}, in hindsight", figures["best_f1"]
            best = max(best, figures["best_f1"])
    yield "best baseline in hindsight", best


def comparisons(queries: Sequence[Sequence[Page]]) -> Iterator[tuple[str, list[Comparison]]]:
    """Every query by profiles as the pages are, by baselines on main and on all visible text."""
    for name, prepare in PROFILES:
        profile = find_profile(name, prepare=prepare)
        yield f"{name} {prepare}".strip(), [compare_pages(pages, profile) for pages in queries]
    whole = [[replace(page, body=page.visible or page.body) for page in one] for one in queries]
    for name in BASELINES:
        yield f"{name}, main text", [compare_baseline(pages, name) for pages in queries]
        yield f"{name}, with visible text", [compare_baseline(pages, name) for pages in whole]


def figures_of(name: str, found: Sequence[Comparison]) -> Evaluation:
    """Figures of the comparisons of a set's queries on its labels."""
    pairs = find_pairs([comparison.pages for comparison in found], labels_of(name))
    return evaluate(found, pairs, by=(), resampling=Resampling(samples=0))[0]
