"""Notes for the person at the terminal, on standard error."""

from __future__ import annotations

import sys

from reducepp.io.escaping import escape_controls

_state = {"quiet": False, "verbose": False}


def set_loudness(*, quiet: bool = False, verbose: bool = False) -> None:
    """Print no notes from now on, or more of them."""
    _state.update(quiet=quiet, verbose=verbose)


def note(text: str) -> None:
    """One line for the person at the terminal, unless `--quiet`."""
    if not _state["quiet"]:
        print(escape_controls(text), file=sys.stderr)


def detail(text: str) -> None:
    """One line for a person who asked for more with `--verbose`."""
    if _state["verbose"]:
        note(text)
