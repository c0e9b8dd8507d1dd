"""TOML or JSON to Profile and back; every rule a profile can break has its own one-line error."""

import inspect
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from reducepp.clustering.linkage import LINKAGES
from reducepp.errors import ProfileError, did_you_mean
from reducepp.similarity.contents import DERIVED
from reducepp.similarity.measures import MEASURES, find_measure
from reducepp.similarity.measures.compression import MOST_BYTES
from reducepp.similarity.models import check_model
from reducepp.text.preparation import PREPARATIONS
from reducepp.types import PAGE_FIELDS, Profile, Signal
from reducepp.weights.profile_families import family_profiles

PROFILES = Path(__file__).with_name("profiles")
MISSING = ("zero", "left out")
CONTENTS = (*PAGE_FIELDS, *DERIVED)
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
    path = Path(name_or_path)
    if not path.is_file():
        known = ", ".join(profile_names())
        near = did_you_mean(name_or_path, [*profile_names(), *family_profiles()])
        raise ProfileError(f"no profile {name_or_path!r}: give a TOML file or one of {known}{near}")
    return parse_profile(_read(path), where=name_or_path, name=path.stem)


@cache
def _load_own(name: str) -> Profile | None:
    """A profile of the package; None for other names."""
    if name in {path.stem for path in PROFILES.glob("*.toml")}:
        return parse_profile((PROFILES / f"{name}.toml").read_text("utf-8"), where=name)
    family = family_profiles().get(name)
    return None if family is None else make_profile(family, where=name)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: cannot be read: {error}") from None


def parse_profile(text: str, *, where: str, name: str = "") -> Profile:
    """Read a profile from TOML, or from JSON where it begins so; `where` is named in errors."""
    is_json = text.lstrip()[:1] == "{"
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{where}: not {'JSON' if is_json else 'TOML'}: {error}") from None
    return make_profile(data, where=where, name=name)


def make_profile(data: Mapping[str, Any], *, where: str, name: str = "") -> Profile:
    """Build a profile from plain data, checking every key and value."""
    _check_keys(data, _PROFILE_KEYS, where)
    for key, allowed in _CHOICES.items():
        _check_choice(data, key, allowed, where)
    made = make_signals(data.get("signals"), where=where)
    if data.get("model"):
        check_model(_table(data, "model", where), [signal.name for signal in made], where)
    else:
        _check_sum(made, where)
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
    _check_names(made, where)
    return made


def _make_signal(data: Any, *, where: str) -> Signal:
    if not isinstance(data, dict):
        raise ProfileError(f"{where}: a table is needed, not {data!r}")
    _check_keys(data, _SIGNAL_KEYS, where)
    for key in ("name", "content", "measure"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise ProfileError(f"{where}: {key}: a text is needed")
    where = f"{where} ({data['name']})"
    _check_choice(data, "content", CONTENTS, where)
    _check_choice(data, "measure", tuple(sorted(MEASURES)), where)
    options = _table(data, "options", where)
    check_content(data["content"], data["measure"], where)
    check_options(options, data["measure"], f"{where}: options of {data['measure']}")
    weight = _number(data, "weight", where)
    return Signal(
        name=data["name"],
        content=data["content"],
        measure=data["measure"],
        options=options,
        weight=weight,
    )


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


def _check_choice(data: Mapping[str, Any], key: str, allowed: tuple[str, ...], where: str) -> None:
    if key in data and data[key] not in allowed:
        raise ProfileError(f"{where}: {key} = {data[key]!r}: use one of {', '.join(allowed)}")


def _check_names(signals: tuple[Signal, ...], where: str) -> None:
    seen: set[str] = set()
    for signal in signals:
        if signal.name in seen:
            raise ProfileError(f"{where}: two signals are named {signal.name!r}")
        seen.add(signal.name)


def _check_sum(signals: tuple[Signal, ...], where: str) -> None:
    total = sum(signal.weight for signal in signals)
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        raise ProfileError(f"{where}: weight: the weights sum to {total:g}, not to 1")


def dump_profile(profile: Profile) -> str:
    """A profile as TOML that `parse_profile` reads back to the same profile."""
    import tomli_w

    return tomli_w.dumps(_plain(profile))


def dump_profile_json(profile: Profile) -> str:
    """The same as JSON."""
    return json.dumps(_plain(profile), indent=2, ensure_ascii=False) + "\n"


def _plain(profile: Profile) -> dict[str, Any]:
    data: dict[str, Any] = {key: getattr(profile, key) for key in _PROFILE_KEYS if key != "signals"}
    data = {key: value for key, value in data.items() if value not in ("", {}, False)}
    data["signals"] = [_dump_signal(signal) for signal in profile.signals]
    return data


def _dump_signal(signal: Signal) -> dict[str, Any]:
    data = {key: getattr(signal, key) for key in _SIGNAL_KEYS}
    return {key: dict(v) if isinstance(v, Mapping) else v for key, v in data.items() if v != {}}


NUMBERS = ("rank", "followers", "followees")
"""Content types that are a number, and what can compare them."""

OF_NUMBERS = ("log_gap", "same")

LARGE = 1_000_000

RANGES: dict[str, dict[str, tuple[int, int]]] = {
    "graphlets": {
        "window": (0, 100),
        "size": (3, 5),
        "samples": (1, LARGE),
        "seed": (0, 2**32 - 1),
    },
    "edges": {"window": (0, 100)},
    "overlap": {"window": (0, 100), "short": (0, LARGE), "long": (0, LARGE)},
    "simhash": {"bits": (8, 512)},
    "top_terms": {"top": (1, 1000)},
    "compression": {"most_bytes": (1, MOST_BYTES), "level": (1, 9)},
    "levenshtein": {"longest": (0, LARGE), "enough": (0, 1)},
    "opening": {"words": (1, LARGE)},
    "length_gap": {"longest": (0, LARGE)},
    "time_gap": {"days": (0, LARGE)},
    "log_gap": {"largest": (0, LARGE)},
    "same_text": {"least": (0, LARGE)},
    "clicks": {"minimum": (0, LARGE)},
}
"""Every number among the measures' options, from and to: more would take memory or time without
end, or mean nothing."""

_KINDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a text"}


def check_content(content: str, measure: str, where: str) -> None:
    """Numbers and texts are compared by measures of their own."""
    if content in NUMBERS and measure not in OF_NUMBERS:
        raise ProfileError(f"{where}: {content} is a number: use one of {', '.join(OF_NUMBERS)}")
    if measure == "log_gap" and content not in NUMBERS:
        raise ProfileError(f"{where}: log_gap compares numbers: use one of {', '.join(NUMBERS)}")


def check_options(options: Mapping[str, Any], measure: str, where: str) -> None:
    """Every option is one that the measure has, of its default's kind and within its range."""
    known = dict(list(inspect.signature(find_measure(measure)).parameters.items())[1:])
    for name, value in options.items():
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise ProfileError(f"{where}: unknown key {name!r}: allowed are {allowed}")
        kind = type(known[name].default)
        if not _is_of_kind(value, kind):
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {_KINDS[kind]} is needed")
        low, high = RANGES.get(measure, {}).get(name, (value, value))
        if not low <= value <= high:
            wanted = f"{_KINDS[kind]} from {low:,} to {high:,} is needed"
            raise ProfileError(f"{where}: {name} = {value!r:.40}: {wanted}")


def _is_of_kind(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
