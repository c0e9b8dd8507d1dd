"""Words a person typed: one line says what was wrong with them, and what was likely meant."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from reducepp.errors import did_you_mean

_UNKNOWN_OPTION = re.compile(r"\Aunrecognized arguments: (?:.*?\s)?(--?[\w-]+)")
_INVALID_CHOICE = re.compile(r"invalid choice: '?([^'\s]+)'? \(choose from (.*)\)")


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are short and suggest what is near."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter, **options})

    def error(self, message: str) -> NoReturn:
        """Two lines on stderr, then exit 2."""
        near = _suggestion(message, self._option_string_actions)
        print(f"{self.prog}: {message}{near}", file=sys.stderr)
        print(f"'{self.prog} --help' shows what there is", file=sys.stderr)
        raise SystemExit(2)


def _suggestion(message: str, options: Iterable[str]) -> str:
    if unknown := _UNKNOWN_OPTION.search(message):
        return did_you_mean(unknown[1], options)
    if invalid := _INVALID_CHOICE.search(message):
        return did_you_mean(invalid[1], re.findall(r"[\w.-]+", invalid[2]))
    return ""
