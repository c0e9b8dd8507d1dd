"""Defaults of options from a file and from the environment; `--show-config` prints them.

`reducepp.toml`, or `[tool.reducepp]` in `pyproject.toml`, in the working folder or the nearest
folder above it that has one. Options at its top hold for all commands, those of a section for that
command. An option on the command line overrides the environment, which overrides the file.
"""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reducepp.cli.options import read_options
from reducepp.errors import InputError, UsageError, did_you_mean
from reducepp.io.bounded_reading import read_toml

FILE = "reducepp.toml"
PROJECT_FILE = "pyproject.toml"
PREFIX = "REDUCEPP_"

SHARED: list[str] = read_options()["settings"]["shared"]

NOT_SET = ("help", "show_config", "force")
"""Options that no file sets and `--show-config` does not print."""

ONLY_GIVEN = frozenset(read_options()["settings"]["only_given"])

OTHER_VARIABLES = ("THESAURI", "WORDNET", "TOKEN", "CHROMIUM", "CHROMEDRIVER")
"""Variables with our prefix that are no options."""


@dataclass(slots=True)
class Settings:
    """What a file and the environment set."""

    path: str = ""
    """The file; "" without one."""
    shared: dict[str, Any] = field(default_factory=dict)
    sections: dict[str, Any] = field(default_factory=dict)
    """Command to its options."""
    variables: dict[str, str] = field(default_factory=dict)
    """Option to its value in the environment."""
    origins: dict[str, str] = field(default_factory=dict)
    """Option of the command that was run to where its default is from."""


def read_settings(commands: Sequence[str]) -> Settings:
    """The settings for the working folder; an unknown name is a UsageError."""
    path, found = _find_file(Path.cwd())
    sections = {name: value for name, value in found.items() if isinstance(value, dict)}
    shared = {_dest(name): v for name, v in found.items() if name not in sections}
    for name in sections:
        if name not in commands:
            raise UsageError(f"{path}: [{name}]: no such command{did_you_mean(name, commands)}")
    for name in shared:
        if name not in SHARED:
            where = f"{path}: {name}: not an option of all commands"
            raise UsageError(f"{where}{did_you_mean(name, SHARED) or '; put it in a section'}")
    return Settings(path, shared, sections, _read_environment())


def _find_file(folder: Path) -> tuple[str, dict[str, Any]]:
    for place in (folder, *folder.parents):
        if (place / FILE).is_file():
            return str(place / FILE), _read_toml(place / FILE)
        if (place / PROJECT_FILE).is_file():
            tool = _read_toml(place / PROJECT_FILE).get("tool")
            if isinstance(tool, dict) and isinstance(tool.get("reducepp"), dict):
                return str(place / PROJECT_FILE), tool["reducepp"]
    return "", {}


def _read_toml(path: Path) -> dict[str, Any]:
    """A file in TOML; what is wrong with somebody else's pyproject.toml is not our business."""
    try:
        return read_toml(path)
    except (OSError, ValueError) as error:
        if path.name == PROJECT_FILE:
            return {}
        raise InputError(f"{path}: cannot be read: {error}") from None


def _read_environment() -> dict[str, str]:
    """Options in the environment; a name that is nearly one is an error, others are not ours."""
    known = {f"{PREFIX}{name.upper()}": name for name in SHARED}
    found = {}
    for name, value in os.environ.items():
        if name in known:
            found[known[name]] = value
            continue
        word = name.removeprefix(PREFIX)
        is_ours = word != name and word not in OTHER_VARIABLES
        if is_ours and (near := did_you_mean(word, map(str.upper, SHARED))):
            raise UsageError(f"{name}: no such option{near}")
    return found


def apply(settings: Settings, parser: argparse.ArgumentParser, command: str) -> None:
    """Set the defaults of a command's options, and of its sub-commands'."""
    actions = {action.dest: action for action in _options(parser)}
    own = settings.sections.get(command.partition(" ")[0], {})
    for word in command.split()[1:]:
        own = own.get(word, {})
    inner = dict(_subcommands(parser))
    for name in own:
        if _dest(name) in ONLY_GIVEN & actions.keys():
            where = f"{settings.path}: [{command}] {_key(name)}"
            raise UsageError(f"{where}: no file may set it; give it on the command line")
        if _dest(name) not in actions and name not in inner:
            near = did_you_mean(name, [*map(_key, actions), *inner])
            raise UsageError(f"{settings.path}: [{command}] {name}: no such option{near}")
    for given, origin in (
        (settings.shared, settings.path),
        ({_dest(k): v for k, v in own.items() if k not in inner}, settings.path),
        (settings.variables, "environment"),
    ):
        for dest, value in given.items():
            if dest in actions:
                where = f"{PREFIX}{dest.upper()}" if origin == "environment" else origin
                _set_default(actions[dest], value, where)
                settings.origins[dest] = origin
    for name, subparser in inner.items():
        apply(settings, subparser, f"{command} {name}")


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    return (a for a in parser._actions if a.option_strings and a.dest not in NOT_SET)


def _subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _dest(name: str) -> str:
    return name.replace("-", "_")


def _key(name: str) -> str:
    return name.replace("_", "-")


def _set_default(action: argparse.Action, value: Any, where: str) -> None:
    try:
        action.default = _convert(action, value)
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise UsageError(f"{where}: {_key(action.dest)}: {error}") from None
    action.required = False


def _convert(action: argparse.Action, value: Any) -> Any:
    """The value as the option's own type, as if it stood on the command line."""
    if action.nargs == 0:
        return _as_switch(value)
    if isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"):
        return [
            _convert_one(action, one) for one in (value if isinstance(value, list) else [value])
        ]
    return _convert_one(action, value)


def _as_switch(value: Any) -> bool:
    word = str(value).lower()
    if word not in ("1", "true", "yes", "0", "false", "no", ""):
        raise ValueError(f"{value!r}: true or false is needed")
    return word in ("1", "true", "yes")


def _convert_one(action: argparse.Action, value: Any) -> Any:
    if isinstance(value, (list, dict, bool)):
        raise ValueError(f"{value!r}: one value is needed")
    converted = action.type(str(value)) if callable(action.type) else str(value)
    if action.choices is not None and converted not in action.choices:
        near = did_you_mean(str(value), map(str, action.choices))
        raise ValueError(f"{value!r}: use one of {', '.join(map(str, action.choices))}{near}")
    return converted


def relax(parser: argparse.ArgumentParser) -> None:
    """Need no input and no option: nothing is run."""
    for action in parser._actions:
        action.required = False
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction):
            action.nargs = "*"
    for _, subparser in _subcommands(parser):
        relax(subparser)


def describe(
    settings: Settings,
    parser: argparse.ArgumentParser,
    args: argparse.Namespace,
    words: Sequence[str],
) -> str:
    """Every option as a line of TOML, with where its value comes from."""
    chosen = [sub for name, sub in _subcommands(parser) if name in words]
    actions = {a.dest: a for p in (parser, *chosen) for a in _options(p)}
    lines = [f"# {settings.path or 'no ' + FILE}"]
    for dest, action in sorted(actions.items()):
        value = getattr(args, dest, None)
        given = any(w.split("=")[0] in action.option_strings for w in words)
        origin = "option" if given else settings.origins.get(dest, "default")
        lines.append(f"{_toml_line(_key(dest), value):<32}  # {origin}")
    return "\n".join(lines) + "\n"


def _toml_line(name: str, value: Any) -> str:
    if value is None:
        return f"# {name} ="
    plain = value if isinstance(value, (bool, int, float, list)) else str(value)
    return f"{name} = {json.dumps(plain, ensure_ascii=False, default=str)}"
