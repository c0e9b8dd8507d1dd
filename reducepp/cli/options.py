"""The options of a command, from options.toml and command_options/, and the parser for them."""

import argparse
import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn

from reducepp.errors import UsageError, did_you_mean
from reducepp.io.atomic import check_can_write
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


class CommandParser(argparse.ArgumentParser):
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
            near = near or (_name_action(invalid[1]) if self.prog == "reducepp" else "")
        print(f"{self.prog}: {escape_controls(message)}{near}", file=sys.stderr)
        print(f"'{self.prog} --help' shows what there is", file=sys.stderr)
        raise SystemExit(2)


def _name_action(word: str) -> str:
    """The end of a message that names the command which has this sub-command; "" for none."""
    for path in sorted((Path(__file__).parent / "command_options").glob("*.toml")):
        options = _read_toml(f"command_options/{path.name}")
        if "options" not in options and word in options:
            return f"; did you mean {path.stem} {word}?"
    return ""


def make_parser(command: str) -> CommandParser:
    """The parser of a command with its options and sub-commands; the command is not imported."""
    known = read_options()
    parser = CommandParser(prog=f"reducepp {command}", description=known["descriptions"][command])
    options = _read_toml(f"command_options/{command}.toml")
    if "options" not in options:
        *names, last = options
        metavar = f"{', '.join(names)} or {last}"
        actions = parser.add_subparsers(dest="action", required=True, metavar=metavar)
        for name, how in options.items():
            action = actions.add_parser(name, help=how["help"], description=how.get("description"))
            add_options(action, how["options"])
    else:
        add_options(parser, options["options"])
    add_options(parser, ["every"])
    return parser


@cache
def read_options() -> dict[str, Any]:
    """options.toml as plain data."""
    return _read_toml("options.toml")


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))


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
            from reducepp.api import CHOICES

            how["choices"] = [value for value in CHOICES[how["choices"]] if value]
        if "type" in how:
            how["type"] = TYPES[how["type"]]
        groups[group].add_argument(*names, **how)


def _without_sets(listed: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for option in listed:
        if isinstance(option, str):
            yield from _without_sets(read_options()["sets"][option])
        else:
            yield option


def _number(
    text: str, kind: Callable[[str], float] = float, least: int = 0, most: float = math.inf
) -> float:
    """A number for argparse, from `least` to `most`; a whole one has at most MAX_DIGITS."""
    is_form = kind is float or (text.isdecimal() and len(text) <= MAX_DIGITS)
    try:
        value = kind(text) if is_form else math.nan
    except ValueError:
        value = math.nan
    if not least <= value <= most or math.isinf(value):
        what = "a number" if kind is float else "a whole number"
        said = f"{what} from {least} {'on' if math.isinf(most) else f'to {most}'} is needed"
        raise argparse.ArgumentTypeError(f"{text[:MAX_DIGITS]!r}: {said}")
    return value


def _memory_size(text: str) -> int:
    """Bytes of a size such as 2G; 0 is no limit."""
    found = _SIZE.fullmatch(text.strip())
    power = " KMGT".index(found[2].upper() or " ") if found else 0
    size = int(float(found[1][:MAX_DIGITS]) * 1024**power) if found else 1
    if 0 < size < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"{text!r}: a size from 256M on is needed, as 2G")
    return size


def _out_path(text: str) -> str:
    if text != "-":
        check_can_write(Path(text))
    return text


def _picture_folder(text: str) -> str:
    """A folder for plots; UsageError for the name of a picture, which would become a folder's."""
    if Path(text).suffix in (".png", ".svg", ".pdf"):
        raise UsageError(f"--plot {text}: name a folder, in which the files are drawn")
    return text


_whole = partial(_number, kind=int)

TYPES: dict[str, Callable[[str], Any]] = {
    "whole": _whole,
    "amount": _number,
    "path": Path,
    "pictures": _picture_folder,
    "share": partial(_number, most=1),
    "positive": partial(_whole, least=1),
    "processes": partial(_whole, most=MAX_AT_ONCE),
    "at once": partial(_whole, least=1, most=MAX_AT_ONCE),
    "browsers": partial(_whole, least=1, most=MAX_BROWSERS),
    "size": _memory_size,
    "out": _out_path,
}
"""Name of a type in options.toml to the function that reads it."""
