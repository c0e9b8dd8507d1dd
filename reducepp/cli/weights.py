"""Profiles: which signals, how much each counts, and from which score two pages are one.

example:
  reducepp weights show
  reducepp weights show paper
  reducepp weights show default --format toml > mine.toml
  reducepp weights learn pages.jsonl --labels pairs.csv --model linear --out mine.toml
  reducepp weights compare pages.jsonl --labels pairs.csv --profiles default mine.toml --plot f.png
"""

import argparse

from reducepp.cli import weights_compare, weights_learn
from reducepp.cli.output import write_output
from reducepp.similarity.models.description import describe_model
from reducepp.types import Profile
from reducepp.weights.profile import dump_profile, dump_profile_json, load_profile, profile_names


def show_profile(args: argparse.Namespace) -> int:
    """Print one profile, or a line for each that the package carries."""
    if not args.profile:
        profiles = [load_profile(name) for name in profile_names()]
        width = max(len(p.name) for p in profiles)
        lines = [f"{p.name:<{width}}  {p.threshold:<4g}  {p.description}" for p in profiles]
        write_output("\n".join(lines) + "\n")
        return 0
    profile = load_profile(args.profile)
    if args.format == "toml":
        write_output(dump_profile(profile))
    elif args.format == "json":
        write_output(dump_profile_json(profile))
    else:
        write_output(profile_table(profile))
    return 0


def profile_table(profile: Profile) -> str:
    """A profile for reading: weights as bars."""
    lines = [f"{profile.name}: {profile.description}", f"threshold  {profile.threshold:g}"]
    lines += [f"{key:<10} {getattr(profile, key)}" for key in ("prepare", "missing", "linkage")]
    widest = max(signal.weight for signal in profile.signals) or 1.0
    for s in profile.signals:
        bar = "█" * round(30 * s.weight / widest)
        lines.append(f"  {s.name:<14} {s.content:<12} {s.measure:<12} {s.weight:>6.1%} {bar}")
    if profile.model:
        lines += [f"model      {profile.model['kind']}", *describe_model(profile.model)]
    return "\n".join([*lines, "", profile.provenance.strip(), ""])


ACTIONS = {"show": show_profile, "learn": weights_learn.run, "compare": weights_compare.run}
