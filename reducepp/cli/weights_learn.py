"""`weights learn`: a profile from judged pairs, or from the pages alone."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reducepp.cli.common import add_output, add_profile, note, threshold_value, write_output
from reducepp.cli.weights_data import LabelledSet, add_labelled, read_labelled
from reducepp.errors import LabelsError
from reducepp.types import Profile

LABELLED = ("linear", "logistic", "tree", "rules")
UNLABELLED = ("separation", "agreement")


def configure(parser: argparse.ArgumentParser) -> None:
    """The sub-command's arguments."""
    add_labelled(parser)
    add_profile(parser)
    parser.add_argument(
        "--model",
        choices=(*LABELLED, *UNLABELLED),
        default="linear",
        help="the last two need no labels (default: linear)",
    )
    parser.add_argument(
        "--precision",
        type=threshold_value,
        metavar="P",
        help="choose the threshold for this precision, not for the best F",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Write the learned profile as TOML; what it may be expected to do goes to stderr."""
    from reducepp.api import find_profile
    from reducepp.similarity.compare import drop_empty_signals
    from reducepp.weights.profile import dump_profile, dump_profile_json

    data = read_labelled(args)
    pages = [page for query in data.queries for page in query]
    base = drop_empty_signals(find_profile(args.profile), pages)
    if args.model in LABELLED and not data.judgements:
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


def _learn(data: LabelledSet, base: Profile, model: str, precision: float | None) -> Profile:
    from reducepp.weights.learning.judged import judge_pairs
    from reducepp.weights.learning.learn import learn

    pairs = judge_pairs(data.queries, data.judgements, base, failed=data.failed)
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
    for key in ("precision", "recall", "f"):
        note(f"  {key:<10} {getattr(checked.figures, key)}")
    return learned.profile


def _weigh(data: LabelledSet, base: Profile, how: str) -> Profile:
    """Weights from the pages alone, beside those of the profile; judged where labels are given."""
    from reducepp.weights.learning.unlabelled import weigh_profile

    profile = weigh_profile(data.queries, base, how=how)
    _note_weights([("expert", base), (how, profile)])
    note(f"threshold  {base.threshold:g} before, {profile.threshold:g} from the pages alone")
    if data.judgements:
        from reducepp.weights.learning.profile_comparison import stand

        for label, one in (("expert", base), (how, profile)):
            standing = stand(one, data.queries, data.judgements, failed=data.failed)
            note(
                f"  {label:<11} F {standing.figures.f}, average precision "
                f"{standing.average_precision:.3f}, best F in hindsight {standing.best_f:.3f}"
            )
    return profile


def _note_weights(columns: Sequence[tuple[str, Profile]]) -> None:
    note(f"{'signal':<20}" + "".join(f"{label:>12}" for label, _ in columns))
    for i, signal in enumerate(columns[0][1].signals):
        cells = "".join(f"{profile.signals[i].weight:>12.1%}" for _, profile in columns)
        note(f"{signal.name:<20}{cells}")
