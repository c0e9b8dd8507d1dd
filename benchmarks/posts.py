"""Strategies for short posts on labelled pairs, cross-validated by post, beside the paper's.

    python -m benchmarks posts            # the table
    python -m benchmarks posts --write    # fits on all pairs, writes posts-fitted.toml
    python -m benchmarks posts --topics   # one model beside a strategy chosen per kind of topic

Reads posts-en.jsonl.gz in the folder that REDUCEPP_DATA names, else ../shared/data.
"""

import argparse
import math
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import DATA
from reducepp.cli.command_input import read_pairs
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.signals import Folds, PairSignals, make_folds, measure_pairs
from reducepp.replication import PUBLISHED
from reducepp.similarity.combine import score_values
from reducepp.text.post_parts import read_post
from reducepp.text.wordnet import topics_of
from reducepp.types import Bools, Profile
from reducepp.weights.learning.learn import cross_validate, fit_profile
from reducepp.weights.learning.regression import fit_standardised
from reducepp.weights.profile import group_signals, make_signals, model_name

FOLDER = Path(__file__).parent.parent / "weights" / "profile_families"
FITTED = FOLDER / "posts-fitted.toml"
FAMILY: dict[str, Any] = tomllib.loads((FOLDER / "posts.toml").read_text("utf-8"))
POSTS = DATA / "posts-en.jsonl.gz"

Kinds = list[str]


def main(argv: Sequence[str] = ()) -> int:
    """Print the table; with --write also the fitted coefficients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FITTED.name}")
    parser.add_argument("--topics", action="store_true", help="choose by kind of topic")
    args = parser.parse_args(argv)
    if not POSTS.is_file():
        print(f"skipped: no {POSTS}")
        return 0
    base = fitted_profile(list(FAMILY["groups"]))
    found = find_pairs(*read_pairs(str(POSTS))[:2])
    pairs = measure_pairs(found, base)
    if args.topics:
        return print_topics(found, pairs)
    print(f"{'fit':<28}{'signals':>8}{'P':>8}{'R':>8}{'F1':>8}{'paper':>8}{'casc.':>8}")
    fits = {}
    for name, groups in learned_groups().items():
        own = fitted_profile(groups)
        if name not in fits:
            signals = pairs.only([signal.name for signal in own.signals])
            fits[name] = fit_table(signals, own)
            print(table_row(name, signals, own))
    if args.write:
        FITTED.write_text("\n".join(_as_toml(name, one) for name, one in fits.items()), "utf-8")
    return 0


def learned_groups() -> dict[str, list[str]]:
    """Every fit that the family's profiles name, with its groups; Levenshtein alone is not one."""
    found = {}
    for profile in FAMILY["profiles"].values():
        name = model_name(FAMILY, [group for group in profile["groups"] if group != "cascade"])
        found[name] = name.split("-")
    return found


@cache
def _fittable(group: str) -> tuple[str, ...]:
    return tuple(name for name in FAMILY["groups"][group] if name not in FAMILY["published"])


def fitted_profile(groups: Sequence[str]) -> Profile:
    """The signals of some groups that the labelled posts have, as a profile to fit."""
    wanted = {name for group in groups if group != "cascade" for name in _fittable(group)}
    rows = [row for row in group_signals(FAMILY, list(groups)) if row["name"] in wanted]
    signals = make_signals(rows, where="posts")
    return Profile(name="posts", signals=signals, threshold=0.5, missing=FAMILY["missing"])


def fit_table(pairs: PairSignals, base: Profile) -> dict[str, Any]:
    """Coefficient and mean of each signal; the intercept is moved so that 0.5 is the best cut."""
    profile = fit_profile(pairs, base, fit_standardised)
    model, cut = profile.model, profile.threshold
    return {
        "intercept": round(model["intercept"] - math.log(cut / (1 - cut)), 6),
        "signals": {
            name: [coefficient, model["missing"][name]]
            for name, coefficient in model["coefficients"].items()
        },
    }


def _as_toml(name: str, table: dict[str, Any]) -> str:
    """A fit as TOML, coefficient and mean of a signal on one line."""
    lines = [f"[{name}]", f"intercept = {table['intercept']}", f"[{name}.signals]"]
    lines += [f"{signal} = [{c}, {mean}]" for signal, (c, mean) in table["signals"].items()]
    return "\n".join(lines) + "\n"


def table_row(name: str, pairs: PairSignals, base: Profile) -> str:
    """One line: held-out figures here, then those of the paper, without and with the cascade."""
    figures = cross_validate(pairs, replace(base, model={}), fit_standardised).figures
    measured = "".join(
        f"{figure.value:>8.3f}" for figure in (figures.precision, figures.recall, figures.f1)
    )
    short = "".join({"syntactic": "sy", "semantic": "se"}.get(g, "") for g in name.split("-"))
    printed = PUBLISHED["paper3"]
    reported = "".join(
        f"{t[short]:>8.3f}" for t in (printed["f"], printed["cascade_f"]) if short in t
    )
    return f"{name:<28}{len(base.signals):>8}{measured}{reported}"


def topic_kinds(found: LabelledPairs) -> dict[str, Kinds]:
    """Splits of the decided pairs by what their first post shows of its topic."""
    decided = np.flatnonzero(found.decided).tolist()
    firsts = [found.pages[found.query[i]][found.first[i]].body for i in decided]
    posts = [read_post(text, "en") for text in firsts]
    themes = [Counter(topics_of(post)).most_common(1) for post in posts]
    common = {name for name, _ in Counter(t[0][0] for t in themes if t).most_common(5)}
    often = Counter(firsts)
    return {
        "popularity": ["popular" if often[text] > 12 else "rare" for text in firsts],
        "names": ["with names" if post.names else "without" for post in posts],
        "theme": [t[0][0] if t and t[0][0] in common else "other" for t in themes],
    }


def print_topics(found: LabelledPairs, pairs: PairSignals) -> int:
    """Held-out F of one model, and of the strategy and model chosen for each kind of topic."""
    names = ("syntactic-ours", "syntactic-ours-semantic", "syntactic", "syntactic-semantic")
    bases = [fitted_profile(name.split("-")) for name in names]
    folds = make_folds(pairs, seed=0)
    print(f"{'split':<14}{'one model':>10}{'model per kind':>16}{'strategy per kind':>19}")
    for split, kinds in topic_kinds(found).items():
        values = np.array(kinds, dtype=object)
        one = _held_out_f(pairs, folds, np.zeros(len(pairs), dtype=object), bases[:1])
        own, chosen = (_held_out_f(pairs, folds, values, b) for b in (bases[:1], bases))
        print(f"{split:<14}{one:>10.3f}{own:>16.3f}{chosen:>19.3f}  {dict(Counter(kinds))}")
    return 0


def _held_out_f(
    pairs: PairSignals, folds: Folds, kinds: NDArray[np.object_], bases: Sequence[Profile]
) -> float:
    """F over all folds; in each, a kind's strategy is the one with the best F in training."""
    predicted, tested = np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
    for train, test in folds.halves(pairs):
        for kind in set(kinds.tolist()):
            seen, asked = pairs.take(train & (kinds == kind)), test & (kinds == kind)
            fitted = [fit_profile(_only(seen, base), base, fit_standardised) for base in bases]
            best = max(fitted, key=lambda profile: _f1(seen, profile, seen.duplicate))
            scores = score_values(_only(pairs.take(asked), best).by_signal, best)
            predicted[asked] = scores >= best.threshold
        tested |= test
    both = (predicted & pairs.duplicate & tested).sum()
    return float(2 * both / (predicted[tested].sum() + pairs.duplicate[tested].sum()))


def _only(pairs: PairSignals, base: Profile) -> PairSignals:
    return pairs.only([signal.name for signal in base.signals])


def _f1(pairs: PairSignals, profile: Profile, duplicate: Bools) -> float:
    found = score_values(_only(pairs, profile).by_signal, profile) >= profile.threshold
    return float(2 * (found & duplicate).sum() / max(found.sum() + duplicate.sum(), 1))
