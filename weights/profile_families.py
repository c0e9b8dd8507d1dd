"""Profiles that share their signals: one file of groups and models, many profiles.

A family states groups of signals once and names the groups of each profile. The coefficients come
from a fitted file, under the names of the fitted groups; those of signals that the labelled data
lacks are the published ones, centred at the published mean.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

CASCADE = "cascade"
"""Group whose signal decides a pair before the model does."""
DIGITS = 4
"""Decimals of coefficients, as in the paper's Table 3."""


@cache
def family_profiles() -> dict[str, dict[str, Any]]:
    """Every profile of every family as plain data, by name."""
    folder = Path(__file__).with_name("profile_families")
    tables = {p.name: tomllib.loads(p.read_text("utf-8")) for p in folder.iterdir()}
    return {
        name: expand(family, tables[family["fitted"]], name)
        for family in tables.values()
        for name in family.get("profiles", {})
    }


def expand(family: Mapping[str, Any], fitted: Mapping[str, Any], name: str) -> dict[str, Any]:
    """One profile of a family as `make_profile` reads it."""
    profile = family["profiles"][name]
    groups = [group for group in profile["groups"] if group != CASCADE]
    signals = [signal for group in groups for signal in family["groups"][group]]
    model = logistic_model(family["published"], fitted[model_name(family, groups)], signals)
    first = next(iter(family["groups"][CASCADE])) if CASCADE in profile["groups"] else ""
    return {
        "name": name,
        "description": family["description"].format(features=profile["features"]),
        "threshold": family["threshold"],
        "missing": family["missing"],
        "provenance": family["provenance"],
        "model": {"kind": "cascade", "first": first, "then": model} if first else model,
        "signals": group_signals(family, profile["groups"]),
    }


def group_signals(family: Mapping[str, Any], groups: list[str]) -> list[dict[str, Any]]:
    """Signals of some groups, in order; the model holds what each counts."""
    return [
        {"name": name, "weight": 0.0, **signal}
        for group in groups
        for name, signal in family["groups"][group].items()
    ]


def model_name(family: Mapping[str, Any], groups: list[str]) -> str:
    """Name of the fit that goes with some groups: those with a signal that was fitted."""
    published = family["published"]
    return "-".join(g for g in groups if set(family["groups"][g]) - set(published))


def logistic_model(
    published: Mapping[str, list[float]], fit: Mapping[str, Any], signals: list[str]
) -> dict[str, Any]:
    """Fitted and published coefficients in one model.

    A published signal at its mean leaves the fitted odds as they are.
    """
    pairs = {
        name: published[name] if name in published else fit["signals"][name] for name in signals
    }
    shift = sum(c * mean for name, (c, mean) in pairs.items() if name in published)
    return {
        "kind": "logistic",
        "intercept": round(fit["intercept"] - shift, DIGITS),
        "coefficients": {name: round(c, DIGITS) for name, (c, _) in pairs.items()},
        "missing": {name: round(mean, DIGITS) for name, (_, mean) in pairs.items()},
    }
