"""The default profile on labelled pages, beside the paper's setting and common baselines.

    python -m benchmarks labelled

Every labelled set, `paper` under both preparations. Each line has F1 at the method's own or
customary threshold, the best F1 that hindsight could have given it on this very set, and average
precision over all pairs. Baselines see the main text, and all visible text, of the same pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.data import ALL_SETS, DATA, has_labelled_data
from reducepp.api import find_profile
from reducepp.evaluation.methods import BASELINES, compare_baseline
from reducepp.evaluation.pair_evaluation import Evaluation, Resampling, evaluate
from reducepp.inputs import read_queries
from reducepp.labelled.pairs import find_pairs
from reducepp.labelled.reading import read_labels
from reducepp.pipeline import Comparison, compare_pages
from reducepp.types import Page

PROFILES = (("default", ""), ("paper", "syntactic"), ("paper", "semantic"), ("reduce", ""))
"""Profile and preparation; "" is the profile's own."""


def main() -> None:
    """A table per set, then the default with a threshold from the other sets."""
    if not has_labelled_data():
        return
    own: dict[str, Comparison] = {}
    for name in ALL_SETS:
        source = str(DATA / f"{name}.jsonl.gz")
        pages = [page for group in read_queries(source) for page in group.pages]
        print(f"\n{name}: {len(pages)} pages")
        print(f"  {'method':<26} {'F1':>6} {'at':>6} {'best F1':>8} {'at':>6} {'AP':>7}")
        for method, comparison in comparisons(pages):
            print(_line(method, figures_of(name, comparison)))
            own |= {name: comparison} if method == "default" else {}
    print("\ndefault, threshold chosen on the other sets:")
    for name in own:
        threshold = choose_on([other for other in own if other != name], own)
        figures = figures_of(name, own[name], threshold)
        print(f"  {name}: threshold {threshold:.2f}, F1 {figures['f1']:.3f}")


def choose_on(names: Sequence[str], own: dict[str, Comparison]) -> float:
    """The middle of the thresholds with the best mean F1 on those sets."""
    grid = [step / 100 for step in range(20, 81)]
    means = [sum(figures_of(name, own[name], t)["f1"] for name in names) for t in grid]
    best = [t for t, mean in zip(grid, means, strict=True) if mean == max(means)]
    return best[len(best) // 2]


def comparisons(pages: Sequence[Page]) -> list[tuple[str, Comparison]]:
    """Profiles on the pages as they are, baselines on main and on all visible text."""
    found = [
        (f"{name} {prepare}".strip(), compare_pages(pages, find_profile(name, prepare=prepare)))
        for name, prepare in PROFILES
    ]
    whole = [replace(page, body=page.visible or page.body) for page in pages]
    for name in BASELINES:
        found.append((f"{name}, main text", compare_baseline(pages, name)))
        found.append((f"{name}, with all visible", compare_baseline(whole, name)))
    return found


def figures_of(name: str, comparison: Comparison, threshold: float | None = None) -> Evaluation:
    """How right one comparison is on the labels of that set."""
    pairs = find_pairs([comparison.pages], read_labels(str(DATA / f"{name}.labels.csv")))
    resampling = Resampling(samples=0)
    return evaluate([comparison], pairs, threshold=threshold, by=(), resampling=resampling)[0]


def _line(method: str, f: Evaluation) -> str:
    return (
        f"  {method:<26} {f['f1']:6.3f} {f.threshold:6.2f} {f.best_f1:8.3f} "
        f"{f.best_threshold:6.2f} {f['average_precision']:7.4f}"
    )


if __name__ == "__main__":
    main()
