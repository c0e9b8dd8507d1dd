"""Profiles: signals, their weights, and the score from which two pages are duplicates."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reducepp.api import find_profile, resolve_profile
from reducepp.cli.command_input import (
    LabelledInput,
    no_labels,
    note_missing,
    options_of,
    read_labelled,
)
from reducepp.cli.output import note, table_width, write_output
from reducepp.errors import UsageError
from reducepp.evaluation.figure_tables import as_table
from reducepp.io.atomic import write_aside
from reducepp.io.writers import plain
from reducepp.labelled.intervals import Figures
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.signals import measure_pairs
from reducepp.similarity.compare import drop_empty_signals
from reducepp.similarity.models import describe_model
from reducepp.types import Profile
from reducepp.weights.learning.learn import check_labels, learn
from reducepp.weights.learning.profile_comparison import (
    CostStep,
    ProfileFigures,
    add_by_cost,
    evaluate_profile,
    plot_comparison,
    signal_seconds,
)
from reducepp.weights.learning.unlabelled import weigh_profile
from reducepp.weights.profile import dump_profile, dump_profile_json, load_profile, profile_names

UNLABELLED = ("separation", "agreement")
"""Models of `weights learn` that need no labels."""
PICTURES = (".png", ".svg", ".pdf")


def show_profile(args: Namespace) -> int:
    """Print one profile, or a line for each that the package carries."""
    if args.profile:
        forms = {"toml": dump_profile, "json": dump_profile_json, "table": _profile_table}
        write_output(forms[args.format](load_profile(args.profile)))
        return 0
    profiles = [load_profile(name) for name in profile_names()]
    width = max(len(p.name) for p in profiles)
    lines = [f"{p.name:<{width}}  {p.threshold:<4g}  {p.description}\n" for p in profiles]
    write_output("".join(lines))
    return 0


def _profile_table(profile: Profile) -> str:
    """A profile for reading: weights as bars."""
    lines = [f"{profile.name}: {profile.description}", f"threshold  {profile.threshold:g}"]
    lines += [f"{key:<10} {getattr(profile, key)}" for key in ("prepare", "missing", "linkage")]
    lines += [
        f"  {s.name:<14} {s.content:<13} {s.measure:<13} {bar}".rstrip()
        for s, bar in zip(profile.signals, _weights(profile), strict=True)
    ]
    if profile.model:
        lines += [f"model      {profile.model['kind']}", *describe_model(profile.model)]
    return "\n".join([*lines, "", profile.provenance.strip(), ""])


def _weights(profile: Profile) -> Iterator[str]:
    """Weight of each signal and a bar as long; "" where a model takes the place of weights."""
    widest = max(signal.weight for signal in profile.signals) or 1.0
    for weight in (signal.weight for signal in profile.signals):
        yield "" if profile.model else f"{weight:>6.1%} {'█' * round(30 * weight / widest)}"


def learn_profile(args: Namespace) -> int:
    """Write the learned profile as TOML; what it may be expected to do goes to stderr."""
    data = read_labelled(args)
    pages = [page for query in data.queries for page in query]
    base = drop_empty_signals(resolve_profile(pages, options_of(args)), pages)
    if args.model not in UNLABELLED and not data.labels:
        raise no_labels(args, f"for --model {args.model}")
    name = Path(args.out).stem if args.out != "-" else f"{base.name}-{args.model}"
    base = replace(base, name=name, description=f"Signals of {base.name}, {args.model}.")
    if args.model in UNLABELLED:
        profile = _weigh(data, base, args.model)
    else:
        profile = _learn(data, base, args.model, args.precision)
    write = dump_profile_json if args.out.endswith(".json") else dump_profile
    write_output(write(profile), args.out)
    return 0


def _find_pairs(data: LabelledInput) -> LabelledPairs:
    pairs = find_pairs(data.queries, data.labels)
    note_missing(pairs.missing, "labels")
    return pairs


def _learn(data: LabelledInput, base: Profile, model: str, precision: float | None) -> Profile:
    pairs = measure_pairs(_find_pairs(data), base)
    profile, checked = learn(pairs, base, model=model, precision=precision)
    _note_weights([("before", base), ("learned", profile)])
    note(f"threshold  {profile.threshold:g}")
    across = ", pairs across folds are left out" if checked.tested < len(pairs) else ""
    note(
        f"out of fold: {checked.folds} folds by {checked.by}, {checked.tested} of {len(pairs)} "
        f"pairs tested; no page is in both halves{across}"
    )
    if checked.different_weight > 1:
        note(
            f"each different pair tested counts as {checked.different_weight:.1f}, "
            "so that precision is not flattered"
        )
    for name, figure in _named_figures(checked.figures).items():
        note(f"  {name:<10} {figure}")
    return profile


def _weigh(data: LabelledInput, base: Profile, how: str) -> Profile:
    """Weights from the pages alone, beside the profile's; evaluated where labels are given."""
    profile = weigh_profile(data.queries, base, how=how)
    both = [("expert", base), (how, profile)]
    _note_weights(both)
    note(f"threshold  {base.threshold:g} before, {profile.threshold:g} from the pages alone")
    if data.labels:
        pairs = measure_pairs(_find_pairs(data), base)
        for label, one in both:
            found = evaluate_profile(one, pairs)
            note(
                f"  {label:<11} F {found.figures.f1}, average precision "
                f"{found.average_precision:.3f}, best F in hindsight {found.best_f:.3f}"
            )
    return profile


def _note_weights(columns: Sequence[tuple[str, Profile]]) -> None:
    note(f"{'signal':<20}" + "".join(f"{label:>12}" for label, _ in columns))
    for i, signal in enumerate(columns[0][1].signals):
        weights = ("-" if p.model else f"{p.signals[i].weight:.1%}" for _, p in columns)
        note(f"{signal.name:<20}" + "".join(f"{weight:>12}" for weight in weights))


def compare_profiles(args: Namespace) -> int:
    """Print the profiles and the signals by cost; draw them with --plot."""
    path = Path(args.plot)
    if args.plot and path.suffix not in PICTURES:
        raise UsageError(f"--plot {args.plot}: use a name that ends in {', '.join(PICTURES)}")
    profiles = [find_profile(name, prepare=args.prepare) for name in args.profiles]
    base = None if args.ladder == "none" else find_profile(args.ladder)
    data = read_labelled(args)
    if not data.labels:
        raise no_labels(args, "to compare profiles")
    pairs = _find_pairs(data)
    measured = [measure_pairs(pairs, profile) for profile in profiles]
    check_labels(measured[0])
    found = [evaluate_profile(p, own) for p, own in zip(profiles, measured, strict=True)]
    steps: list[CostStep] = []
    if base is not None:
        seconds = signal_seconds(pairs.pages, base)
        steps = add_by_cost(measure_pairs(pairs, base), base, seconds, model=args.model)
    if args.plot:
        form = path.suffix.removeprefix(".")
        write_aside(path, lambda aside: plot_comparison(found, steps, aside, form=form))
        note(f"plot: {path}")
    table = args.format != "json"
    width = table_width(args.out)
    write_output(_as_table(found, steps, width) if table else _as_json(found, steps), args.out)
    return 0


def _as_table(found: Sequence[ProfileFigures], steps: Sequence[CostStep], width: int) -> str:
    rows = [
        {
            "profile": s.profile.name,
            "threshold": round(s.profile.threshold, 3),
            "precision": str(s.figures.precision),
            "recall": str(s.figures.recall),
            "F": str(s.figures.f1),
            "AP": round(s.average_precision, 3),
            "best F": round(s.best_f, 3),
            "seconds": round(s.seconds, 2),
        }
        for s in found
    ]
    lines = [as_table(rows, list(rows[0]), width).rstrip("\n")]
    for profile in (one.profile for one in found):
        weights = zip(profile.signals, _weights(profile), strict=True)
        table = [f"  {signal.name:<28} {bar}".rstrip() for signal, bar in weights]
        lines += ["", profile.name, *(describe_model(profile.model) if profile.model else table)]
    if steps:
        head = f"{'ladder, cheapest first':<32} {'seconds':>8} {'so far':>8} {'F':>22}  gain"
        lines += ["", head]
    lines += [
        f"  + {step.signal:<28} {step.seconds:>8.3f} {step.seconds_so_far:>8.3f} "
        f"{step.figures.f1!s:>22} {step.gain:+.3f}"
        for step in steps
    ]
    return "\n".join(lines) + "\n"


def _as_json(found: Sequence[ProfileFigures], steps: Sequence[CostStep]) -> str:
    def fields(one: object, *names: str) -> dict[str, Any]:
        return {name: getattr(one, name) for name in names}

    profiles = [
        {
            "profile": s.profile.name,
            "threshold": s.profile.threshold,
            "weights": {signal.name: signal.weight for signal in s.profile.signals},
            **plain(_named_figures(s.figures)),
            **fields(s, "average_precision", "best_threshold", "best_f", "seconds"),
        }
        for s in found
    ]
    ladder = [
        fields(step, "signal", "seconds", "seconds_so_far")
        | plain(_named_figures(step.figures))
        | fields(step, "gain")
        for step in steps
    ]
    return json.dumps({"profiles": profiles, "ladder": ladder}, indent=2, ensure_ascii=False) + "\n"


def _named_figures(figures: Figures) -> dict[str, Any]:
    return {"precision": figures.precision, "recall": figures.recall, "f": figures.f1}


ACTIONS = {"show": show_profile, "learn": learn_profile, "compare": compare_profiles}
