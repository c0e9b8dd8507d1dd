"""`weights learn`: a profile from labelled pairs, or from the pages alone."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reducepp.api import find_profile
from reducepp.cli.command_input import LabelledInput, note_missing, read_labelled
from reducepp.cli.output import note, write_output
from reducepp.errors import LabelsError
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.signals import measure_labels, measure_pairs
from reducepp.similarity.compare import drop_empty_signals
from reducepp.types import Profile
from reducepp.weights.learning.learn import learn
from reducepp.weights.learning.profile_comparison import evaluate_profile
from reducepp.weights.learning.unlabelled import weigh_profile
from reducepp.weights.profile import dump_profile, dump_profile_json

LABELLED = ("linear", "logistic", "tree", "rules", "c4.5", "ripper")


def run(args: argparse.Namespace) -> int:
    """Write the learned profile as TOML; what it may be expected to do goes to stderr."""
    data = read_labelled(args)
    pages = [page for query in data.queries for page in query]
    base = drop_empty_signals(find_profile(args.profile, prepare=args.prepare), pages)
    if args.model in LABELLED and not data.labels:
        raise LabelsError(f"--labels is needed for --model {args.model}")
    name = Path(args.out).stem if args.out != "-" else f"{base.name}-{args.model}"
    base = replace(base, name=name, description=f"Signals of {base.name}, {args.model}.")
    if args.model in LABELLED:
        profile = _learn(data, base, args.model, args.precision)
    else:
        profile = _weigh(data, base, args.model)
    write = dump_profile_json if args.out.endswith(".json") else dump_profile
    write_output(write(profile), args.out)
    return 0


def _learn(data: LabelledInput, base: Profile, model: str, precision: float | None) -> Profile:
    found = find_pairs(data.queries, data.labels)
    note_missing(found.missing, "labels")
    pairs = measure_pairs(found, base)
    learned = learn(pairs, base, model=model, precision=precision)
    checked = learned.checked
    _note_weights([("before", base), ("learned", learned.profile)])
    note(f"threshold  {learned.profile.threshold:g}")
    across = ", pairs across folds are left out" if checked.tested < len(pairs) else ""
    note(
        f"out of fold: {checked.folds} folds by {checked.by}, {checked.tested} of {len(pairs)} "
        f"pairs tested; no page is in both halves{across}"
    )
    if checked.different_weight > 1:
        note(
            f"each different pair tested stands for {checked.different_weight:.1f}, "
            "so that precision is not flattered"
        )
    for name, key in (("precision", "precision"), ("recall", "recall"), ("f", "f1")):
        note(f"  {name:<10} {getattr(checked.figures, key)}")
    return learned.profile


def _weigh(data: LabelledInput, base: Profile, how: str) -> Profile:
    """Weights from the pages alone, beside the profile's; evaluated where labels are given."""
    profile = weigh_profile(data.queries, base, how=how)
    _note_weights([("expert", base), (how, profile)])
    note(f"threshold  {base.threshold:g} before, {profile.threshold:g} from the pages alone")
    if data.labels:
        pairs = measure_labels(data.queries, data.labels, base)
        for label, one in (("expert", base), (how, profile)):
            found = evaluate_profile(one, pairs)
            note(
                f"  {label:<11} F {found.figures.f1}, average precision "
                f"{found.average_precision:.3f}, best F in hindsight {found.best_f:.3f}"
            )
    return profile


def _note_weights(columns: Sequence[tuple[str, Profile]]) -> None:
    note(f"{'signal':<20}" + "".join(f"{label:>12}" for label, _ in columns))
    for i, signal in enumerate(columns[0][1].signals):
        cells = "".join(f"{profile.signals[i].weight:>12.1%}" for _, profile in columns)
        note(f"{signal.name:<20}{cells}")
