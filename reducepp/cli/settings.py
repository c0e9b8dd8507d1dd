"""Defaults of options from a file and from the environment; `--show-config` prints them.

`reducepp.toml`, or `[tool.reducepp]` in `pyproject.toml`, in the working folder or the nearest
folder above it that has one. Options at its top hold for all commands, those of a section for that
command. An option on the command line overrides the environment, which overrides the file.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reducepp.cli.options import read_options
from reducepp.errors import InputError, UsageError, did_you_mean, errors_as
from reducepp.io.bounded_reading import read_toml

FILE = "reducepp.toml"
PROJECT_FILE = "pyproject.toml"
PREFIX = "REDUCEPP_"

_KNOWN = read_options()["settings"]
SHARED: list[str] = _KNOWN["shared"]
ONLY_GIVEN = frozenset(_KNOWN["only_given"])
NOT_SET = ("help", "show_config", "force")
"""Options that no file sets and `--show-config` does not print."""
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
        if (path := place / FILE).is_file():
            with errors_as(InputError, f"{path}: cannot be read", OSError, ValueError):
                return str(path), read_toml(path)
        if (path := place / PROJECT_FILE).is_file():
            with suppress(OSError, ValueError):  # what is wrong with it is not our business
                tool = read_toml(path).get("tool")
                if isinstance(tool, dict) and isinstance(tool.get("reducepp"), dict):
                    return str(path), tool["reducepp"]
    return "", {}


def _read_environment() -> dict[str, str]:
    """Options in the environment; a name that is nearly one is an error, others are not ours."""
    words = {n.removeprefix(PREFIX): v for n, v in os.environ.items() if n.startswith(PREFIX)}
    known = {name.upper(): name for name in SHARED}
    for word in sorted(words.keys() - known.keys() - set(OTHER_VARIABLES)):
        if near := did_you_mean(word, known):
            raise UsageError(f"{PREFIX}{word}: no such option{near}")
    return {known[word]: value for word, value in words.items() if word in known}


def apply(
    settings: Settings,
    parser: argparse.ArgumentParser,
    command: str,
    own: Mapping[str, Any] | None = None,
) -> None:
    """Set the defaults of a command's options and of its sub-commands'; `own` is its section."""
    own = settings.sections.get(command, {}) if own is None else own
    actions = {action.dest: action for action in _options(parser)}
    inner = dict(_subcommands(parser))
    where = f"{settings.path}: [{command}]"
    for name in own:
        if _dest(name) in ONLY_GIVEN & actions.keys():
            said = "no file may set it; give it on the command line"
            raise UsageError(f"{where} {_key(name)}: {said}")
        if _dest(name) not in actions and name not in inner:
            near = did_you_mean(name, [*map(_key, actions), *inner])
            raise UsageError(f"{where} {name}: no such option{near}")
    filed = {**settings.shared, **{_dest(k): v for k, v in own.items() if k not in inner}}
    for given, origin in ((filed, settings.path), (settings.variables, "environment")):
        for dest in filter(actions.__contains__, given):
            named = f"{PREFIX}{dest.upper()}" if given is settings.variables else origin
            _set_default(actions[dest], given[dest], named)
            settings.origins[dest] = origin
    for name, subparser in inner.items():
        apply(settings, subparser, f"{command} {name}", own.get(name, {}))


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
    """Set a default as if the value were given on the command line."""
    try:
        if action.nargs == 0:
            word = str(value).lower()
            if word not in ("1", "true", "yes", "0", "false", "no", ""):
                raise ValueError(f"{value!r}: true or false is needed")
            action.default = word in ("1", "true", "yes")
        elif isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"):
            values = value if isinstance(value, list) else [value]
            action.default = [_convert(action, one) for one in values]
        else:
            action.default = _convert(action, value)
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise UsageError(f"{where}: {_key(action.dest)}: {error}") from None
    action.required = False


def _convert(action: argparse.Action, value: Any) -> Any:
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
        plain = value if isinstance(value, (bool, int, float, list)) else str(value)
        text = json.dumps(plain, ensure_ascii=False, default=str)
        line = f"# {_key(dest)} =" if value is None else f"{_key(dest)} = {text}"
        given = any(w.split("=")[0] in action.option_strings for w in words)
        origin = "option" if given else settings.origins.get(dest, "default")
        lines.append(f"{line:<32}  # {origin}")
    return "\n".join(lines) + "\n"
