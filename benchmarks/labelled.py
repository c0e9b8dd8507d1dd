"""The default profile on labelled pages, beside the paper's setting and common baselines.

    python -m benchmarks labelled

Every labelled set, `paper` under both preparations. Each line has F1 at the method's own or
customary threshold, the best F1 that hindsight could have given it on this very set, and average
precision over all pairs. Baselines see the main text, and all visible text, of the same pages. The
last table has the default with its coefficients fitted to all other sets: F1 under each linkage and
as `reduce` cuts, expected calibration error, and pairs that change with a fifth of the pages gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks import calibration
from benchmarks.data import ALL_SETS, DATA, has_labelled_data
from reducepp.api import find_profile
from reducepp.evaluation.methods import BASELINES, compare_baseline
from reducepp.evaluation.pair_evaluation import Evaluation, Resampling, evaluate
from reducepp.inputs import read_queries
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.pipeline import Comparison, compare_pages
from reducepp.types import Page

PROFILES = (("default", ""), ("paper", "syntactic"), ("paper", "semantic"), ("reduce", ""))
"""Profile and preparation; "" is the profile's own."""


def main() -> None:
    """A table per set, then the default with coefficients from the other sets."""
    if not has_labelled_data():
        return
    for name in ALL_SETS:
        queries = [group.pages for group in read_queries(str(DATA / f"{name}.jsonl.gz"))]
        print(f"\n{name}: {sum(map(len, queries))} pages")
        print(f"  {'method':<26} {'F1':>6} {'at':>6} {'best F1':>8} {'at':>6} {'AP':>7}")
        for method, found in comparisons(queries):
            print(_line(method, figures_of(name, found)), flush=True)
    print("\ndefault, fitted without the set it is tried on:")
    calibration.main()


def comparisons(queries: Sequence[Sequence[Page]]) -> Iterator[tuple[str, list[Comparison]]]:
    """Every query by profiles as the pages are, by baselines on main and on all visible text."""
    for name, prepare in PROFILES:
        profile = find_profile(name, prepare=prepare)
        yield f"{name} {prepare}".strip(), [compare_pages(pages, profile) for pages in queries]
    whole = [[replace(page, body=page.visible or page.body) for page in one] for one in queries]
    for name in BASELINES:
        yield f"{name}, main text", [compare_baseline(pages, name) for pages in queries]
        yield f"{name}, with all visible", [compare_baseline(pages, name) for pages in whole]


def figures_of(name: str, found: Sequence[Comparison]) -> Evaluation:
    """Figures of the comparisons of a set's queries on its labels."""
    pages = [comparison.pages for comparison in found]
    pairs = find_pairs(pages, read_labels(str(DATA / f"{name}.labels.csv")))
    return evaluate(found, pairs, by=(), resampling=Resampling(samples=0))[0]


def _line(method: str, f: Evaluation) -> str:
    return (
        f"  {method:<26} {f['f1']:6.3f} {f.threshold:6.2f} {f.best_f1:8.3f} "
        f"{f.best_threshold:6.2f} {f['average_precision']:7.4f}"
    )


if __name__ == "__main__":
    main()
