"""`weights compare`: profiles side by side on labelled pairs, and what each signal adds."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reducepp.api import find_profile
from reducepp.cli.command_input import note_missing, read_labelled
from reducepp.cli.output import note, write_output
from reducepp.errors import LabelsError, UsageError
from reducepp.io.atomic import write_aside
from reducepp.io.writers import plain
from reducepp.labelled.intervals import Figures
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.signals import measure_pairs
from reducepp.types import Profile
from reducepp.weights.learning.learn import check_labels
from reducepp.weights.learning.profile_comparison import (
    CostStep,
    ProfileFigures,
    add_by_cost,
    evaluate_profile,
    signal_seconds,
)

PICTURES = (".png", ".svg", ".pdf")


def run(args: argparse.Namespace) -> int:
    """Print the profiles and the signals by cost; draw them where a plot is asked for."""
    if args.plot and Path(args.plot).suffix not in PICTURES:
        raise UsageError(f"--plot {args.plot}: use a name that ends in {', '.join(PICTURES)}")
    profiles = [find_profile(name, prepare=args.prepare) for name in args.profiles]
    base = None if args.ladder == "none" else find_profile(args.ladder)
    data = read_labelled(args)
    if not data.labels:
        raise LabelsError("--labels is needed to compare profiles")
    pairs = find_pairs(data.queries, data.labels)
    note_missing(pairs.missing, "labels")
    measured = [measure_pairs(pairs, profile) for profile in profiles]
    check_labels(measured[0])
    found = [evaluate_profile(p, own) for p, own in zip(profiles, measured, strict=True)]
    steps: list[CostStep] = []
    if base is not None:
        seconds = signal_seconds(pairs.pages, base)
        steps = add_by_cost(measure_pairs(pairs, base), base, seconds, model=args.model)
    if args.plot:
        from reducepp.weights.learning.comparison_plots import plot_comparison

        path = Path(args.plot)
        form = path.suffix.removeprefix(".")
        write_aside(path, lambda aside: plot_comparison(found, steps, aside, form=form))
        note(f"plot: {path}")
    show = _as_json if args.format == "json" else _as_table
    write_output(show(found, steps), args.out)
    return 0


def _as_table(found: Sequence[ProfileFigures], steps: Sequence[CostStep]) -> str:
    lines = [
        f"{'profile':<14} {'threshold':>9} {'precision':>22} {'recall':>22} {'F':>22} "
        f"{'AP':>6} {'best F':>7} {'seconds':>8}"
    ]
    lines += [
        f"{s.profile.name:<14} {s.profile.threshold:>9.3f} {s.figures.precision!s:>22} "
        f"{s.figures.recall!s:>22} {s.figures.f1!s:>22} {s.average_precision:>6.3f} "
        f"{s.best_f:>7.3f} {s.seconds:>8.2f}"
        for s in found
    ]
    for one in found:
        lines += ["", one.profile.name, *_bars(one.profile)]
    if steps:
        lines += [
            "",
            f"{'ladder, cheapest first':<32} {'seconds':>8} {'so far':>8} {'F':>22}  gain",
        ]
        lines += [
            f"  + {step.signal:<28} {step.seconds:>8.3f} {step.seconds_so_far:>8.3f} "
            f"{step.figures.f1!s:>22} {step.gain:+.3f}"
            for step in steps
        ]
    return "\n".join(lines) + "\n"


def _bars(profile: Profile) -> Iterator[str]:
    widest = max(signal.weight for signal in profile.signals) or 1.0
    for signal in profile.signals:
        bar = "█" * round(30 * signal.weight / widest)
        yield f"  {signal.name:<28} {signal.weight:>6.1%} {bar}".rstrip()


def _as_json(found: Sequence[ProfileFigures], steps: Sequence[CostStep]) -> str:
    data = {
        "profiles": [
            {
                "profile": s.profile.name,
                "threshold": s.profile.threshold,
                "weights": {signal.name: signal.weight for signal in s.profile.signals},
                **_figures(s.figures),
                "average_precision": s.average_precision,
                "best_threshold": s.best_threshold,
                "best_f": s.best_f,
                "seconds": s.seconds,
            }
            for s in found
        ],
        "ladder": [
            {
                "signal": step.signal,
                "seconds": step.seconds,
                "seconds_so_far": step.seconds_so_far,
                **_figures(step.figures),
                "gain": step.gain,
            }
            for step in steps
        ],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _figures(figures: Figures) -> dict[str, Any]:
    names = {"precision": figures.precision, "recall": figures.recall, "f": figures.f1}
    return {name: plain(estimate) for name, estimate in names.items()}
