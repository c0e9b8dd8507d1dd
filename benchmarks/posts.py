"""Strategies for short posts on labelled pairs, cross-validated by post, beside the paper's.

    python -m benchmarks.posts            # the table
    python -m benchmarks.posts --write    # fits the strategies on all pairs, writes the profiles

Reads posts-en.jsonl.gz in the folder that REDUCEPP_DATA names, else ../shared/data.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reducepp.compare import compare
from reducepp.data import Array, Page, Profile, Signal
from weights.profile import dump_profile

FOLDS, ROUNDS = 10, 5
PROFILES = Path(__file__).parent.parent / "weights" / "profiles"
DATA = Path(os.environ.get("REDUCEPP_DATA") or Path(__file__).parents[2] / "shared" / "data")

Row = tuple[str, str, str, dict[str, Any]]
"""Signal, content type, measure, options."""

SYNTACTIC: tuple[Row, ...] = (
    ("levenshtein", "body", "levenshtein", {"longest": 140}),
    ("terms", "body", "shared", {"items": "terms"}),
    ("hashtags", "body", "shared", {"items": "hashtags"}),
    ("urls", "post_links", "jaccard", {}),
    ("expanded_urls", "expanded_links", "jaccard", {}),
    ("length", "body", "length_gap", {"longest": 140}),
)
OURS: tuple[Row, ...] = (
    ("letters", "body", "levenshtein", {"spelling": "words", "enough": 0.5}),
    ("aligned", "body", "aligned", {}),
    ("amount", "body", "shared", {"items": "content", "of": "amount", "weigh": "rarity"}),
    ("opening", "body", "opening", {}),
    ("names", "body", "unmatched", {"items": "names"}),
    ("voice", "body", "voice", {}),
)


def _semantic(content: str, prefix: str = "") -> tuple[Row, ...]:
    kinds = ("entities", "entity_types", "topics", "nouns", "synsets")
    rows = [(f"{prefix}{kind}", content, "shared", {"items": kind}) for kind in kinds]
    return (*rows, (f"{prefix}wordnet", content, "lin", {}))


SEMANTIC = _semantic("body")
ENRICHED = _semantic("enriched_body", "linked_")
CONTEXTUAL: tuple[Row, ...] = (
    ("time", "posted_at", "time_gap", {"days": 14}),
    ("followees", "followees", "log_gap", {"largest": 7}),
    ("followers", "followers", "log_gap", {"largest": 7}),
    ("client", "client", "same", {}),
)

STRATEGIES: dict[str, tuple[Row, ...]] = {
    "sy": (*SYNTACTIC, *OURS),
    "syse": (*SYNTACTIC, *OURS, *SEMANTIC),
    "syco": (*SYNTACTIC, *OURS, *CONTEXTUAL),
    "syseco": (*SYNTACTIC, *OURS, *SEMANTIC, *CONTEXTUAL),
    "syseen": (*SYNTACTIC, *OURS, *SEMANTIC, *ENRICHED),
    "syseenco": (*SYNTACTIC, *OURS, *SEMANTIC, *ENRICHED, *CONTEXTUAL),
}
BEST = "sy"

PAPER: dict[str, tuple[float, float]] = {
    "hashtags": (0.4450, 0.0018),
    "urls": (1.2648, 0.0018),
    "expanded_urls": (0.8832, 0.0054),
    "linked_entities": (-0.8819, 0.0720),
    "linked_entity_types": (0.9578, 0.1799),
    "linked_topics": (-0.1825, 0.1834),
    "linked_nouns": (-2.0867, 0.0984),
    "linked_synsets": (2.5496, 0.1015),
    "linked_wordnet": (0.7949, 0.6042),
    "time": (12.6370, 1 - 0.2041),
    "followees": (-0.4504, 1 - 0.4034),
    "followers": (0.3757, 1 - 0.4423),
    "client": (-0.1150, 0.1604),
}
"""Coefficient (Table 3, of a similarity) and mean (Table 1) of what the labelled posts lack."""

REPORTED = {"sy": 0.3923, "syse": 0.4354, "syco": 0.4067}
REPORTED |= {"syseco": 0.4487, "syseen": 0.4403, "syseenco": 0.4566}
CASCADE = {"sy": 0.5185, "syse": 0.5424, "syco": 0.5256}
CASCADE |= {"syseco": 0.5435, "syseen": 0.5501, "syseenco": 0.5583}


def read_pairs(path: Path) -> list[dict[str, Any]]:
    """The labelled pairs."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def measure_pairs(pairs: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> Array:
    """Pairs × signals; NaN where missing."""
    profile = Profile(name="all", signals=make_signals(rows), threshold=0.5, missing="left out")
    found = []
    for pair in pairs:
        pages = [Page(id=side, body=pair[side]["body"]) for side in "ab"]
        signals = compare(pages, profile).by_signal
        found.append([float(values[0, 1]) for values in signals.values()])
    return np.array(found)


def make_signals(rows: Sequence[Row]) -> tuple[Signal, ...]:
    """Signals of a strategy; the model holds what each counts."""
    return tuple(
        Signal(name=name, content=content, measure=measure, options=options, weight=0.0)
        for name, content, measure, options in rows
    )


class Fit:
    """Cost-sensitive logistic regression; a missing value counts as the mean."""

    def __init__(self, values: Array, duplicate: Array) -> None:
        from sklearn.linear_model import LogisticRegression

        self.mean = np.nanmean(values, axis=0)
        filled = np.where(np.isnan(values), self.mean, values)
        spread = np.maximum(filled.std(axis=0), 1e-9)
        model = LogisticRegression(C=0.3, class_weight="balanced", max_iter=5000)
        model.fit((filled - self.mean) / spread, duplicate)
        self.coefficients: Array = model.coef_[0] / spread
        self.intercept = float(model.intercept_[0] - self.coefficients @ self.mean)

    def odds(self, values: Array) -> Array:
        """Logarithm of the odds that each pair is a duplicate."""
        filled = np.where(np.isnan(values), self.mean, values)
        odds: Array = filled @ self.coefficients + self.intercept
        return odds


def best_cut(odds: Array, duplicate: Array) -> tuple[float, float]:
    """The highest F1 over all cuts, and the middle of the gap below the last pair taken."""
    order = np.argsort(-odds, kind="stable")
    hits = np.cumsum(duplicate[order])
    f1 = 2 * hits / (np.arange(1, len(odds) + 1) + duplicate.sum())
    at = int(np.argmax(f1))
    below = odds[order[min(at + 1, len(odds) - 1)]]
    return float(f1[at]), float((odds[order[at]] + below) / 2)


def folds_of(pairs: Sequence[Mapping[str, Any]], seed: int) -> Array:
    """A fold for every pair; pairs that share their first post stay together."""
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(p["a"]["body"], len(numbers)) for p in pairs])
    shuffled = np.random.default_rng(seed).permutation(len(numbers))
    fold: Array = shuffled[group] % FOLDS
    return fold


def out_of_fold(values: Array, votes: Array, fold: Array) -> Array:
    """Every pair's odds by a model that saw none of its group; undecided pairs teach nothing."""
    odds = np.zeros(len(votes))
    for number in range(FOLDS):
        taught = (fold != number) & (votes != 3)
        odds[fold == number] = Fit(values[taught], votes[taught] >= 4).odds(values[fold == number])
    return odds


def honest_scores(odds: Array, votes: Array, fold: Array) -> tuple[float, float, float]:
    """Precision, recall, F1 where each fold's cut was chosen on the others."""
    taken = np.zeros(len(votes), dtype=bool)
    for number in range(FOLDS):
        others = (fold != number) & (votes != 3)
        taken[fold == number] = (
            odds[fold == number] >= best_cut(odds[others], votes[others] >= 4)[1]
        )
    taken, duplicate = taken[votes != 3], votes[votes != 3] >= 4
    hits = float((taken & duplicate).sum())
    precision, recall = hits / max(taken.sum(), 1), hits / duplicate.sum()
    return precision, recall, 2 * hits / float(taken.sum() + duplicate.sum())


def cross_validate(pairs: Sequence[Mapping[str, Any]], values: Array) -> tuple[Array, float]:
    """Precision, recall, F1 at a cut of our own and F1 in hindsight; and the mean cut."""
    votes = np.array([pair["votes"] for pair in pairs])
    found, cuts = [], []
    for seed in range(ROUNDS):
        fold = folds_of(pairs, seed)
        odds = out_of_fold(values, votes, fold)
        top, cut = best_cut(odds[votes != 3], votes[votes != 3] >= 4)
        found.append([*honest_scores(odds, votes, fold), top])
        cuts.append(cut)
    return np.mean(found, axis=0), float(np.mean(cuts))


def make_profile(
    name: str, rows: Sequence[Row], fit: Fit, cut: float, learned: Sequence[str]
) -> Profile:
    """A strategy as a profile: its cut moved to 0.5, the cascade before the model."""
    coefficients = dict(zip(learned, fit.coefficients.tolist(), strict=True))
    missing = dict(zip(learned, fit.mean.tolist(), strict=True))
    intercept = fit.intercept - cut
    for signal, (coefficient, mean) in PAPER.items():
        if any(signal == row[0] for row in rows):
            coefficients[signal], missing[signal] = coefficient, mean
            intercept -= coefficient * mean
    names = [row[0] for row in rows]
    logistic = {
        "kind": "logistic",
        "intercept": round(intercept, 4),
        "coefficients": {name: round(coefficients[name], 4) for name in names},
        "missing": {name: round(missing[name], 4) for name in names},
    }
    copied = Signal(name="copied", content="body", measure="copied", weight=0.0)
    return Profile(
        name=name,
        description=f"Short posts, after Tao et al. (2013): {DESCRIPTIONS[name]}.",
        signals=(copied, *make_signals(rows)),
        threshold=0.5,
        missing="left out",
        model={"kind": "cascade", "first": "copied", "then": logistic},
        provenance=PROVENANCE,
    )


DESCRIPTIONS = {
    "posts": "the best of the strategies, posts-sy",
    "posts-sy": "syntactic features and ours",
    "posts-syse": "syntactic and semantic features",
    "posts-syco": "syntactic and contextual features",
    "posts-syseco": "syntactic, semantic and contextual features",
    "posts-syseen": "syntactic, semantic and enriched features",
    "posts-syseenco": "all features",
}
PROVENANCE = (
    "python -m benchmarks.posts --write: cost-sensitive logistic regression on labelled pairs of "
    "English posts, cut for F1. Hashtags, addresses, linked pages and context, which those posts "
    "lack, count as in the paper's Table 3, around the means of its Table 1."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; with --write also the profiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write weights/profiles/posts*.toml")
    args = parser.parse_args(argv)
    path = DATA / "posts-en.jsonl.gz"
    if not path.is_file():
        print(f"skipped: no {path}")
        return 0
    pairs = read_pairs(path)
    rows = [row for row in (*SYNTACTIC, *OURS, *SEMANTIC) if row[0] not in PAPER]
    names = [row[0] for row in rows]
    values = measure_pairs(pairs, rows)
    print(HEADER)
    done: dict[tuple[str, ...], tuple[Array, float]] = {}
    for strategy, learned in choose_signals(names).items():
        columns = values[:, [names.index(name) for name in learned]]
        if tuple(learned) not in done:
            done[tuple(learned)] = cross_validate(pairs, columns)
        figures, cut = done[tuple(learned)]
        print(table_row(strategy, len(learned), figures))
        if args.write and strategy in STRATEGIES:
            write_profiles(strategy, pairs, columns, cut, learned)
    return 0


def choose_signals(names: Sequence[str]) -> dict[str, list[str]]:
    """Strategy to the signals it can learn here, ours and the paper's own."""
    wanted = {"baseline": SYNTACTIC[:1], "paper's sy": SYNTACTIC}
    wanted |= {"paper's syse": (*SYNTACTIC, *SEMANTIC), **STRATEGIES}
    return {s: [n for n in names if n in {row[0] for row in rows}] for s, rows in wanted.items()}


HEADER = (
    f"{'strategy':<14}{'signals':>8}{'P':>8}{'R':>8}{'F1':>8}{'top F1':>8}{'paper':>8}{'casc.':>8}"
)


def table_row(strategy: str, signals: int, figures: Array) -> str:
    """One line of the table: measured here, then reported, without and with the cascade."""
    measured = "".join(f"{figure:>8.3f}" for figure in figures)
    reported = "".join(f"{t[strategy]:>8.3f}" for t in (REPORTED, CASCADE) if strategy in t)
    return f"{strategy:<14}{signals:>8}{measured}{reported}"


def write_profiles(
    strategy: str,
    pairs: Sequence[Mapping[str, Any]],
    values: Array,
    cut: float,
    learned: Sequence[str],
) -> None:
    """Fit on all decided pairs and write the profile, the best also as `posts`."""
    votes = np.array([pair["votes"] for pair in pairs])
    fit = Fit(values[votes != 3], votes[votes != 3] >= 4)
    profile = make_profile(f"posts-{strategy}", STRATEGIES[strategy], fit, cut, learned)
    (PROFILES / f"{profile.name}.toml").write_text(dump_profile(profile), "utf-8")
    if strategy == BEST:
        best = replace(
            profile,
            name="posts",
            description=profile.description.replace(
                DESCRIPTIONS[profile.name], DESCRIPTIONS["posts"]
            ),
        )
        (PROFILES / "posts.toml").write_text(dump_profile(best), "utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
