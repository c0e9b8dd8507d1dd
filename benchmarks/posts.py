"""Strategies for short posts on labelled pairs, cross-validated by post, beside the paper's.

    python -m benchmarks posts            # the table
    python -m benchmarks posts --write    # fits the strategies on all pairs, writes the profiles

Reads posts-en.jsonl.gz in the folder that REDUCEPP_DATA names, else ../shared/data.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import DATA
from benchmarks.post_fit import Fit, cross_validate
from benchmarks.post_strategies import (
    DESCRIPTIONS,
    OURS,
    PAPER,
    SEMANTIC,
    STRATEGIES,
    SYNTACTIC,
    Row,
    make_profile,
    make_signals,
)
from reducepp.similarity.compare import compare
from reducepp.types import Array, Page, Profile
from reducepp.weights.profile import dump_profile

BEST = "sy"
PROFILES = Path(__file__).parent.parent / "weights" / "profiles"

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


def main(argv: Sequence[str] = ()) -> int:
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
    raise SystemExit(main(sys.argv[1:]))
