"""The options of every command, from options.toml, and the parser that reads them."""

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from reducepp.errors import InputError, did_you_mean
from reducepp.io.escaping import escape_controls
from reducepp.parallel import LEAST_MEMORY

MAX_DIGITS = 18
"""Of a whole number, so that it fits 64 bits."""
MAX_AT_ONCE = 1024
"""Processes or requests: the usual limit of open files, more than large machines have cores."""
MAX_BROWSERS = 64
"""Each has several processes and some 200 MB."""
_UNKNOWN_OPTION = re.compile(r"\Aunrecognized arguments: (?:.*?\s)?(--?[\w-]+)")
_INVALID_CHOICE = re.compile(r"invalid choice: '?([^'\s]+)'? \(choose from (.*)\)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one line that suggests what was likely meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter, **options})

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version; argparse itself drops errors of writing."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def error(self, message: str) -> NoReturn:
        """Two lines on stderr, then exit 2."""
        near = ""
        if unknown := _UNKNOWN_OPTION.search(message):
            near = did_you_mean(unknown[1], self._option_string_actions)
        elif invalid := _INVALID_CHOICE.search(message):
            near = did_you_mean(invalid[1], re.findall(r"[\w.-]+", invalid[2]))
        print(f"{self.prog}: {escape_controls(message)}{near}", file=sys.stderr)
        print(f"'{self.prog} --help' shows what there is", file=sys.stderr)
        raise SystemExit(2)


def make_parser(command: str) -> Parser:
    """The parser of a command with its options; `ACTIONS` of its module are sub-commands."""
    module = import_module(f"reducepp.cli.{command}")
    parser = Parser(prog=f"reducepp {command}", description=module.__doc__)
    options = read_options()["commands"][command]
    if isinstance(options, dict):
        *names, last = options
        metavar = f"{', '.join(names)} or {last}"
        actions = parser.add_subparsers(dest="action", required=True, metavar=metavar)
        for name, act in module.ACTIONS.items():
            doc = sys.modules[act.__module__].__doc__ if act.__name__ == "run" else None
            action = actions.add_parser(name, help=options[name]["help"], description=doc)
            add_options(action, options[name]["options"])
            action.set_defaults(run=act)
    else:
        add_options(parser, options)
        parser.set_defaults(run=module.run)
    add_options(parser, ["every"])
    return parser


@cache
def read_options() -> dict[str, Any]:
    """options.toml as plain data."""
    return tomllib.loads(Path(__file__).with_name("options.toml").read_text("utf-8"))


def add_options(parser: argparse.ArgumentParser, listed: Iterable[Any]) -> None:
    """Add a list of options; of two entries for one option the later changes the earlier."""
    found: dict[str, dict[str, Any]] = {}
    for option in _without_sets(listed):
        found[option["name"]] = {**found.get(option["name"], {}), **option}
    groups: dict[str, Any] = {"": parser}
    for how in found.values():
        names, group = how.pop("name").split(), how.pop("group", "")
        if group not in groups:
            groups[group] = parser.add_argument_group(group)
        if isinstance(how.get("choices"), str):
            how["choices"] = _reduce_choices(how["choices"])
        if "type" in how:
            how["type"] = TYPES[how["type"]]
        groups[group].add_argument(*names, **how)


def _without_sets(listed: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for option in listed:
        if isinstance(option, str):
            yield from _without_sets(read_options()["sets"][option])
        else:
            yield option


def _reduce_choices(name: str) -> list[str]:
    from reducepp.api import CHOICES

    return [value for value in CHOICES[name] if value]


def _number(text: str) -> float:
    """A number for argparse; NaN for what is none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _share(text: str) -> float:
    if not 0 <= _number(text) <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 0 to 1 is needed")
    return float(text)


def _amount(text: str) -> float:
    if not 0 <= _number(text) < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 0 on is needed")
    return float(text)


def _whole(text: str, least: int = 0, most: int = 0) -> int:
    """A whole number from `least` to `most`; 0 is no upper limit but that of its digits."""
    is_short = text.isdecimal() and len(text) <= MAX_DIGITS
    if not is_short or int(text) < least or int(text) > (most or int(text)):
        said = f"a whole number from {least} {f'to {most}' if most else 'on'} is needed"
        raise argparse.ArgumentTypeError(f"{text[:MAX_DIGITS]!r}: {said}")
    return int(text)


def _memory_size(text: str) -> int:
    """Bytes of a size such as 2G."""
    found = _SIZE.fullmatch(text.strip())
    size = (
        int(float(found[1][:MAX_DIGITS]) * 1024 ** " KMGT".index(found[2].upper() or " "))
        if found
        else 0
    )
    if not found or 0 < size < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"{text!r}: a size from 256M on is needed, as 2G")
    return size


def _out_path(text: str) -> str:
    """Where a file can be written; InputError before the work and not after it."""
    path = Path(text)
    if path.is_dir():
        raise InputError(f"{text}: cannot write: it is a folder")
    if not path.parent.is_dir():
        raise InputError(f"{text}: cannot write: there is no folder {path.parent}")
    return text


TYPES: dict[str, Callable[[str], Any]] = {
    "whole": _whole,
    "amount": _amount,
    "path": Path,
    "share": _share,
    "positive": partial(_whole, least=1),
    "processes": partial(_whole, most=MAX_AT_ONCE),
    "at once": partial(_whole, least=1, most=MAX_AT_ONCE),
    "browsers": partial(_whole, least=1, most=MAX_BROWSERS),
    "size": _memory_size,
    "out": _out_path,
}
"""Name of a type in options.toml to the function that reads it."""
