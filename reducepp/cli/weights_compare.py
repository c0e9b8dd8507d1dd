"""`weights compare`: profiles side by side on a labelled set, and the cost ladder."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reducepp.cli.common import add_output, note, write_output
from reducepp.cli.weights_data import add_labelled, read_labelled
from reducepp.errors import LabelsError, UsageError
from reducepp.io.atomic import write_aside
from reducepp.io.writers import number
from reducepp.types import Profile

if TYPE_CHECKING:
    from reducepp.weights.learning.cost_ladder import Rung
    from reducepp.weights.learning.figures import Figure, Figures
    from reducepp.weights.learning.profile_comparison import Standing

PICTURES = (".png", ".svg", ".pdf")


def configure(parser: argparse.ArgumentParser) -> None:
    """The sub-command's arguments."""
    add_labelled(parser)
    parser.add_argument(
        "--profiles",
        nargs="+",
        default=["default", "paper", "signals"],
        metavar="NAME|FILE",
        help="profiles to compare (default: default paper signals)",
    )
    parser.add_argument(
        "--ladder",
        default="signals",
        metavar="NAME|FILE|none",
        help="profile whose signals are added one by one, cheapest first (default: signals)",
    )
    parser.add_argument("--model", choices=("linear", "logistic", "tree", "rules"), default="tree")
    parser.add_argument("--plot", default="", metavar="FILE", help="PNG, SVG or PDF")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Print the comparison and the ladder; draw them where a plot is asked for."""
    from reducepp.api import find_profile
    from reducepp.weights.learning.cost_ladder import climb, signal_seconds
    from reducepp.weights.learning.judged import judge_pairs
    from reducepp.weights.learning.profile_comparison import stand

    if args.plot and Path(args.plot).suffix not in PICTURES:
        raise UsageError(f"--plot {args.plot}: use a name that ends in {', '.join(PICTURES)}")
    profiles = [find_profile(name) for name in args.profiles]
    base = None if args.ladder == "none" else find_profile(args.ladder)
    data = read_labelled(args)
    if not data.judgements:
        raise LabelsError("--labels is needed to compare profiles")
    standings = [stand(p, data.queries, data.judgements, failed=data.failed) for p in profiles]
    rungs: list[Rung] = []
    if base is not None:
        pairs = judge_pairs(data.queries, data.judgements, base, failed=data.failed)
        rungs = climb(pairs, base, signal_seconds(data.queries, base), model=args.model)
    if args.plot:
        from reducepp.weights.learning.comparison_plots import plot_comparison

        path = Path(args.plot)
        form = path.suffix.removeprefix(".")
        write_aside(path, lambda aside: plot_comparison(standings, rungs, aside, form=form))
        note(f"plot: {path}")
    show = _as_json if args.format == "json" else _as_table
    write_output(show(standings, rungs), args.out)
    return 0


def _as_table(standings: Sequence[Standing], rungs: Sequence[Rung]) -> str:
    lines = [
        f"{'profile':<14} {'threshold':>9} {'precision':>22} {'recall':>22} {'F':>22} "
        f"{'AP':>6} {'best F':>7} {'seconds':>8}"
    ]
    lines += [
        f"{s.profile.name:<14} {s.profile.threshold:>9.3f} {s.figures.precision!s:>22} "
        f"{s.figures.recall!s:>22} {s.figures.f!s:>22} {s.average_precision:>6.3f} "
        f"{s.best_f:>7.3f} {s.seconds:>8.2f}"
        for s in standings
    ]
    for standing in standings:
        lines += ["", standing.profile.name, *_bars(standing.profile)]
    if rungs:
        lines += [
            "",
            f"{'ladder, cheapest first':<32} {'seconds':>8} {'so far':>8} {'F':>22}  gain",
        ]
        lines += [
            f"  + {rung.signal:<28} {rung.seconds:>8.3f} {rung.seconds_so_far:>8.3f} "
            f"{rung.figures.f!s:>22} {rung.gain:+.3f}"
            for rung in rungs
        ]
    return "\n".join(lines) + "\n"


def _bars(profile: Profile) -> Iterator[str]:
    widest = max(signal.weight for signal in profile.signals) or 1.0
    for signal in profile.signals:
        bar = "█" * round(30 * signal.weight / widest)
        yield f"  {signal.name:<28} {signal.weight:>6.1%} {bar}".rstrip()


def _as_json(standings: Sequence[Standing], rungs: Sequence[Rung]) -> str:
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
            for s in standings
        ],
        "ladder": [
            {
                "signal": rung.signal,
                "seconds": rung.seconds,
                "seconds_so_far": rung.seconds_so_far,
                **_figures(rung.figures),
                "gain": rung.gain,
            }
            for rung in rungs
        ],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _figures(figures: Figures) -> dict[str, Any]:
    return {key: _figure(getattr(figures, key)) for key in ("precision", "recall", "f")}


def _figure(figure: Figure) -> dict[str, float | None]:
    return {key: number(getattr(figure, key)) for key in ("value", "low", "high")}
