"""TOML or JSON to Profile and back; every rule a profile can break has its own one-line error.

A family is profiles that share their signals: one file states groups of signals once and names the
groups of each profile. The coefficients come from a fitted file, under the names of the fitted
groups; those of signals that the labelled data lacks are the published ones, centred at the
published mean.
"""

import inspect
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from reducepp.clustering.linkage import LINKAGES
from reducepp.errors import ProfileError, check_choice, did_you_mean, errors_as
from reducepp.similarity.contents import DERIVED
from reducepp.similarity.measures import MEASURES, find_measure
from reducepp.similarity.measures.compression import MOST_BYTES
from reducepp.similarity.models import check_model
from reducepp.text.preparation import PREPARATIONS
from reducepp.types import PAGE_FIELDS, Profile, Signal

PROFILES = Path(__file__).with_name("profiles")
MISSING = ("zero", "left out")
CONTENTS = (*PAGE_FIELDS, *DERIVED)
CASCADE = "cascade"
"""Group of a family whose signal decides a pair before the model does."""
DIGITS = 4
"""Decimals of a family's coefficients, as in the paper's Table 3."""
_PROFILE_KEYS = tuple(field.name for field in fields(Profile))
_SIGNAL_KEYS = tuple(field.name for field in fields(Signal))
_CHOICES = {"prepare": PREPARATIONS, "missing": MISSING, "linkage": LINKAGES}


def profile_names() -> list[str]:
    """Names of the profiles that the package carries."""
    return sorted({path.stem for path in PROFILES.glob("*.toml")} | set(family_profiles()))


def load_profile(name_or_path: str) -> Profile:
    """A profile of the package by name, or a user's own TOML or JSON file by path.

    A file is read at each call: it may have been edited since the last one.
    """
    if (own := _load_own(name_or_path)) is not None:
        return own
    path, known = Path(name_or_path), profile_names()
    if not path.is_file():
        which = f"one of {', '.join(known)}{did_you_mean(name_or_path, known)}"
        raise ProfileError(f"no profile {name_or_path!r}: give a TOML file or {which}")
    with errors_as(ProfileError, f"{path}: cannot be read", OSError, UnicodeDecodeError):
        text = path.read_text("utf-8")
    return parse_profile(text, where=name_or_path, name=path.stem)


@cache
def _load_own(name: str) -> Profile | None:
    """A profile of the package; None for other names."""
    if name in {path.stem for path in PROFILES.glob("*.toml")}:
        return parse_profile((PROFILES / f"{name}.toml").read_text("utf-8"), where=name)
    family = family_profiles().get(name)
    return None if family is None else make_profile(family, where=name)


def parse_profile(text: str, *, where: str, name: str = "") -> Profile:
    """Read a profile from TOML, or from JSON where it begins so; `where` is named in errors."""
    form, parse = ("JSON", json.loads) if text.lstrip()[:1] == "{" else ("TOML", tomllib.loads)
    with errors_as(ProfileError, f"{where}: not {form}", ValueError, RecursionError):
        data = parse(text)
    return make_profile(data, where=where, name=name)


def make_profile(data: Mapping[str, Any], *, where: str, name: str = "") -> Profile:
    """Build a profile from plain data, checking every key and value."""
    _check_keys(data, _PROFILE_KEYS, where)
    for key, allowed in _CHOICES.items():
        check_choice(f"{where}: {key} =", data.get(key, allowed[0]), allowed, ProfileError)
    made = make_signals(data.get("signals"), where=where)
    total = sum(signal.weight for signal in made)
    if data.get("model"):
        check_model(_table(data, "model", where), [signal.name for signal in made], where)
    elif not math.isclose(total, 1.0, abs_tol=1e-6):
        raise ProfileError(f"{where}: weight: the weights sum to {total:g}, not to 1")
    texts = {key: str(data[key]) for key in ("description", "provenance", *_CHOICES) if key in data}
    return Profile(
        name=str(data.get("name") or name or Path(where).stem),
        signals=made,
        threshold=_number(data, "threshold", where),
        model=_table(data, "model", where),
        check_representative=_truth(data, "check_representative", where),
        check_facts=_truth(data, "check_facts", where),
        **texts,
    )


def make_signals(data: Any, *, where: str) -> tuple[Signal, ...]:
    """Signals from a list of plain tables, each with a name of its own."""
    if not isinstance(data, list) or not data:
        raise ProfileError(f"{where}: signals: at least one [[signals]] table is needed")
    made = tuple(_make_signal(s, where=f"{where}: signal {i}") for i, s in enumerate(data, 1))
    names = [signal.name for signal in made]
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), ""):
        raise ProfileError(f"{where}: two signals are named {twice!r}")
    return made


def _make_signal(data: Any, *, where: str) -> Signal:
    if not isinstance(data, dict):
        raise ProfileError(f"{where}: a table is needed, not {data!r}")
    _check_keys(data, _SIGNAL_KEYS, where)
    for key in ("name", "content", "measure"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise ProfileError(f"{where}: {key}: a text is needed")
    where = f"{where} ({data['name']})"
    content, measure, options = data["content"], data["measure"], _table(data, "options", where)
    check_choice(f"{where}: content =", content, CONTENTS, ProfileError)
    check_choice(f"{where}: measure =", measure, sorted(MEASURES), ProfileError)
    if content in NUMBERS and measure not in OF_NUMBERS:
        raise ProfileError(f"{where}: {content} is a number: use one of {', '.join(OF_NUMBERS)}")
    if measure == "log_gap" and content not in NUMBERS:
        raise ProfileError(f"{where}: log_gap compares numbers: use one of {', '.join(NUMBERS)}")
    check_options(options, measure, f"{where}: options of {measure}")
    return Signal(**{**data, "options": options, "weight": _number(data, "weight", where)})


def _table(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ProfileError(f"{where}: {key}: a table is needed, not {value!r}")
    return value


def _truth(data: Mapping[str, Any], key: str, where: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ProfileError(f"{where}: {key} = {value!r}: true or false is needed")
    return value


def _number(data: Mapping[str, Any], key: str, where: str) -> float:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ProfileError(f"{where}: {key} = {value!r}: a number from 0 to 1 is needed")
    return float(value)


def _check_keys(data: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in allowed:
            known = ", ".join(allowed) or "none"
            raise ProfileError(f"{where}: unknown key {key!r}: allowed are {known}")


def dump_profile(profile: Profile) -> str:
    """A profile as TOML that `parse_profile` reads back to the same profile."""
    import tomli_w

    return tomli_w.dumps(_plain(profile))


def dump_profile_json(profile: Profile) -> str:
    """The same as JSON."""
    return json.dumps(_plain(profile), indent=2, ensure_ascii=False) + "\n"


def _plain(profile: Profile) -> dict[str, Any]:
    data = asdict(profile)
    signals = [{k: v for k, v in signal.items() if v != {}} for signal in data.pop("signals")]
    return {k: v for k, v in data.items() if v not in ("", {}, False)} | {"signals": signals}


NUMBERS = ("rank", "followers", "followees")
"""Content types that are a number, and what can compare them."""
OF_NUMBERS = ("log_gap", "same")
MAX_OPTION = 1_000_000
WINDOW = {"window": (0, 100)}

RANGES: dict[str, dict[str, tuple[int, int]]] = {
    "graphlets": {**WINDOW, "size": (3, 5), "samples": (1, MAX_OPTION), "seed": (0, 2**32 - 1)},
    "edges": WINDOW,
    "overlap": {**WINDOW, "short": (0, MAX_OPTION), "long": (0, MAX_OPTION)},
    "simhash": {"bits": (8, 512)},
    "top_terms": {"top": (1, 1000)},
    "compression": {"most_bytes": (1, MOST_BYTES), "level": (1, 9)},
    "levenshtein": {"longest": (0, MAX_OPTION), "enough": (0, 1)},
    "opening": {"words": (1, MAX_OPTION)},
    "length_gap": {"longest": (0, MAX_OPTION)},
    "time_gap": {"days": (0, MAX_OPTION)},
    "log_gap": {"largest": (0, MAX_OPTION)},
    "rare_runs": {"doubt": (0, MAX_OPTION)},
    "same_text": {"least": (0, MAX_OPTION)},
    "clicks": {"minimum": (0, MAX_OPTION)},
}
"""Every number among the measures' options, from and to: more would take memory or time without
end, or mean nothing."""
_KINDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a text"}


def check_options(options: Mapping[str, Any], measure: str, where: str) -> None:
    """Every option is one that the measure has, of its default's kind and within its range."""
    known = dict(list(inspect.signature(find_measure(measure)).parameters.items())[1:])
    _check_keys(options, tuple(known), where)
    for name, value in options.items():
        kind = type(known[name].default)
        accepted = (int, float) if kind is float else kind
        if isinstance(value, bool) or not isinstance(value, accepted):
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {_KINDS[kind]} is needed")
        low, high = RANGES.get(measure, {}).get(name, (value, value))
        if not low <= value <= high:
            wanted = f"{_KINDS[kind]} from {low:,} to {high:,} is needed"
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {wanted}")


@cache
def family_profiles() -> dict[str, dict[str, Any]]:
    """Every profile of every family as plain data, by name."""
    folder = Path(__file__).with_name("profile_families")
    tables = {p.name: tomllib.loads(p.read_text("utf-8")) for p in folder.iterdir()}
    return {
        name: expand_family(family, tables[family["fitted"]], name)
        for family in tables.values()
        for name in family.get("profiles", {})
    }


def expand_family(
    family: Mapping[str, Any], fitted: Mapping[str, Any], name: str
) -> dict[str, Any]:
    """One profile of a family as `make_profile` reads it."""
    profile = family["profiles"][name]
    groups = [group for group in profile["groups"] if group != CASCADE]
    signals = [signal for group in groups for signal in family["groups"][group]]
    model = family_model(family["published"], fitted[model_name(family, groups)], signals)
    first = next(iter(family["groups"][CASCADE])) if CASCADE in profile["groups"] else ""
    return {
        **{key: family[key] for key in ("threshold", "missing", "provenance")},
        **dict.fromkeys(("check_representative", "check_facts"), profile.get("checked", False)),
        "name": name,
        "description": family["description"].format(features=profile["features"]),
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


def family_model(
    published: Mapping[str, list[float]], fit: Mapping[str, Any], signals: list[str]
) -> dict[str, Any]:
    """Fitted and published coefficients in one model.

    A published signal at its mean leaves the fitted odds as they are.
    """
    known = {**fit["signals"], **published}
    pairs = {name: known[name] for name in signals}
    shift = sum(c * mean for name, (c, mean) in pairs.items() if name in published)
    return {
        "kind": "logistic",
        "intercept": round(fit["intercept"] - shift, DIGITS),
        "coefficients": {name: round(c, DIGITS) for name, (c, _) in pairs.items()},
        "missing": {name: round(mean, DIGITS) for name, (_, mean) in pairs.items()},
    }
