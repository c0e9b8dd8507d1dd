"""Fit the default profile's coefficients and try them on sets that were left out.

    python -m benchmarks calibration                   # leave-one-set-out figures
    python -m benchmarks calibration --write           # new numbers in the profile's file
    python -m benchmarks calibration --diagram docs/reliability.png

For each labelled set: F1 of pairs in clusters with the coefficients fitted to all other sets, under
single, average and complete linkage and as `reduce` cuts (single, then every page is compared with
its representative); the expected calibration error; and the share of pairs that change sides when a
random fifth of the pages is removed.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import ALL_SETS, SETS, has_labelled_data, read_set
from benchmarks.log_odds_fit import calibration_error, fit_log_odds, fit_share, reliability
from benchmarks.made_sets import on_hosts_of_versions, on_own_hosts, plain_set, revised_set
from reducepp.api import find_profile
from reducepp.clustering.linkage import LINKAGES
from reducepp.comparison import Comparison, compare_pages, tree_of
from reducepp.demo import label_rows, read_documents, read_pages_html
from reducepp.inputs import group_reads
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.pipeline import Cut, cluster_labels
from reducepp.similarity.combine import score_values
from reducepp.types import Array, Profile

DEMO = "demo"
AS_PLAIN_TEXT = (*SETS, "web-es", "terms-dating")
"""Sets of which a set of plain texts is made."""
MANUALS = ("docs-sql", "docs-office-es")
"""Sets of which a set with a host for each version is made."""
SHARES = (("text_off_site", ()), ("text_untitled", ("same_frame",)))
"""Shares of text that are fitted to pairs that have them, and what is fitted with them."""
WITH_SHARES = ("other_subject",)
"""Signals that are stated for shares alone: they say nothing about the background, and about pages
of one site, which are named by their titles."""
STATED = ("page_title",)
"""Stated below what would be fitted (1.367): a title alone, without a text, must not outweigh the
background."""
PROFILE = Path(__file__).parents[1] / "weights" / "profiles" / "default.toml"
REMOVED = 0.2
"""Share of the pages that is removed to see which pairs change sides."""


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """The labelled pairs of one set and their signals."""

    name: str
    source: str
    """The set of pages that it is or was made of: these are left out together."""
    pairs: LabelledPairs
    signals: PairSignals


def main(options: Sequence[str] = ()) -> None:
    """Figures of every set, then the fit to all of them."""
    parser = ArgumentParser(prog="python -m benchmarks calibration")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--diagram", default="")
    asked = parser.parse_args(list(options))
    if not has_labelled_data():
        return
    base = find_profile("default")
    sets = load_sets(base)
    heads = (*LINKAGES, "reduce", "error", "unstable")
    print(f"{'set':<20}" + "".join(f"{head:>10}" for head in heads))
    rows = held_out_figures(sets)
    for name, row in rows.items():
        print(f"{name:<20}" + "".join(f"{value:10.3f}" for value in row), flush=True)
    means = np.mean(list(rows.values()), axis=0)
    print(f"{'mean':<20}" + "".join(f"{value:10.3f}" for value in means))
    fitted = fit(sets, base)
    print("\nfitted to all:", _numbers(fitted))
    if asked.write:
        write_profile(fitted)
    if asked.diagram:
        draw_reliability(*_held_out_scores(sets, base), Path(asked.diagram))


def load_sets(profile: Profile) -> list[LabelledSet]:
    """Every set of labelled pages, and their signals."""
    return [
        LabelledSet(name=name, source=source, pairs=pairs, signals=measure_pairs(pairs, profile))
        for name, source, pairs in read_sets()
    ]


def read_sets() -> Iterator[tuple[str, str, LabelledPairs]]:
    """Name, source and pairs of the sets of the data folder, those made of them, and the demo's."""
    for name in ALL_SETS:
        pages, labels = read_set(name)
        pairs = find_pairs(pages, labels)
        yield name, name, pairs
        if name in SETS:
            revised = revised_set([page for one in pages for page in one])
            hosted = tuple(tuple(on_own_hosts(one)) for one in revised.pages)
            yield name.replace("news", "revised"), name, replace(revised, pages=hosted)
            yield name.replace("news", "answers"), name, revised
        if name in AS_PLAIN_TEXT:
            yield f"{name} plain", name, plain_set(name)
        if name in MANUALS:
            hosts = tuple(tuple(on_hosts_of_versions(one)) for one in pairs.pages)
            yield f"{name} hosts", name, replace(pairs, pages=hosts)
    yield DEMO, DEMO, _read_demo()


def _read_demo() -> LabelledPairs:
    queries, labels = [], []
    for query in read_pages_html():
        queries += [group.pages for group in group_reads(read_documents(query), jobs=1)]
        rows = label_rows(query)
        labels += [PairLabel(query=name, a=a, b=b, grade=grade) for name, a, b, grade in rows]
    return find_pairs(queries, labels)


def fit_without(source: str, sets: Sequence[LabelledSet], base: Profile) -> Profile:
    """The profile fitted to all sets but one, and those made of the same pages."""
    return fit([one for one in sets if one.source != source], base)


def fit(sets: Sequence[LabelledSet], base: Profile) -> Profile:
    """Everything fitted to the sets of pages, then shares of text to all sets.

    Texts made of pages have no title and no site, and say something about text alone.
    """
    pages = [one.signals for one in sets if one.name == one.source]
    found = fit_log_odds([_without(signals, WITH_SHARES) for signals in pages], base, STATED)
    for share, others in SHARES:
        found = fit_share([one.signals for one in sets], found, share, others)
    return found


def _without(signals: PairSignals, names: Sequence[str]) -> PairSignals:
    """The pairs as if these signals were missing."""
    blank = {name: np.full_like(signals.by_signal[name], np.nan) for name in names}
    return replace(signals, by_signal={**signals.by_signal, **blank})


def held_out_figures(sets: Sequence[LabelledSet]) -> dict[str, list[float]]:
    """Of each set: F1 under each linkage and as `reduce` cuts, calibration error, instability."""
    base = find_profile("default")
    return {one.name: _figures(one, fit_without(one.source, sets, base)) for one in sets}


def _figures(one: LabelledSet, profile: Profile) -> list[float]:
    scores = score_values(one.signals.by_signal, profile)
    error = calibration_error(scores, one.signals.duplicate.astype(np.float64))
    whole = [compare_pages(pages, profile) for pages in one.pairs.pages]
    by_linkage = [
        cluster_f1(one.pairs, [_relink(c, linkage) for c in whole]) for linkage in LINKAGES
    ]
    return [*by_linkage, cluster_f1(one.pairs, whole), error, instability(whole)]


def _relink(comparison: Comparison, linkage: str) -> Comparison:
    profile = replace(comparison.profile, linkage=linkage)
    tree = tree_of(comparison.tree.ids, comparison.scores, profile)
    return replace(comparison, tree=tree, profile=replace(profile, check_representative=False))


def cluster_f1(pairs: LabelledPairs, comparisons: Sequence[Comparison]) -> float:
    """F1 of the labelled pairs that are in one cluster; 1 without duplicates and wrong pairs."""
    same, duplicate = [*map(_same_cluster, comparisons)], pairs.duplicate[pairs.decided]
    together = np.array([same[q][a, b] for q, a, b in pairs.places()], dtype=bool)[pairs.decided]
    right, wrong = (together & duplicate).sum(), (together != duplicate).sum()
    return float(2 * right / (2 * right + wrong)) if right + wrong else 1.0


def _same_cluster(comparison: Comparison) -> np.ndarray:
    labels = cluster_labels(comparison, Cut(threshold=comparison.profile.threshold))
    return labels[:, None] == labels


def instability(comparisons: Sequence[Comparison]) -> float:
    """Share of pairs that are in one cluster only with, or only without, a fifth of the pages."""
    changed, count = 0, 0
    for number, comparison in enumerate(comparisons):
        pages = comparison.pages
        left = np.random.default_rng(number).random(len(pages)) >= REMOVED
        again = compare_pages(
            [p for p, k in zip(pages, left, strict=True) if k], comparison.profile
        )
        before = _same_cluster(comparison)[np.ix_(left, left)]
        changed += int((before != _same_cluster(again)).sum()) // 2
        count += int(left.sum()) * (int(left.sum()) - 1) // 2
    return changed / max(count, 1)


def _held_out_scores(sets: Sequence[LabelledSet], base: Profile) -> tuple[Array, Array]:
    scores = [
        score_values(one.signals.by_signal, fit_without(one.source, sets, base)) for one in sets
    ]
    labels = [one.signals.duplicate.astype(np.float64) for one in sets]
    return np.concatenate(scores), np.concatenate(labels)


def draw_reliability(scores: Array, duplicate: Array, path: Path) -> None:
    """Share of duplicates by score, each tenth as large as the logarithm of its pairs."""
    from matplotlib.figure import Figure

    found = reliability(scores, duplicate)
    means, shares, counts = zip(*found, strict=True)
    figure = Figure(figsize=(5, 4.6), dpi=110)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot(means, shares, color="tab:blue", linewidth=1)
    axes.scatter(means, shares, s=20 * np.log1p(counts), color="tab:blue")
    style: Any = {"textcoords": "offset points", "xytext": (8, -8), "fontsize": 7}
    for score, share, n in found:
        axes.annotate(f"{n:,}", (score, share), **style)
    axes.set(xlabel="score", ylabel="share of labelled duplicates")
    axes.set(xlim=(-0.03, 1.08), ylim=(-0.03, 1.06))
    axes.set_title("Scores of pairs in sets that were left out of the fit", fontsize=9)
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


def _numbers(profile: Profile) -> dict[str, float]:
    """The model's numbers by the names they have in the profile's file."""
    model = profile.model
    neutral = {f"neutral.{name}": value for name, value in model["neutral"].items()}
    return {"background": model["background"], **neutral, **model["coefficients"]}


def write_profile(profile: Profile) -> None:
    """Put the fitted numbers into the profile's file, everything else unchanged."""
    text = PROFILE.read_text("utf-8")
    for name, value in _numbers(profile).items():
        text = re.sub(rf"(?m)^{re.escape(name)} = -?\d[\d.]*$", f"{name} = {value}", text, count=1)
    PROFILE.write_text(text, "utf-8")
    print(f"wrote {PROFILE.name}")
