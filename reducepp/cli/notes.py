"""Notes for the person at the terminal, on standard error."""

from __future__ import annotations

import sys

from reducepp.io.escaping import escape_controls

_state = {"quiet": False}


def set_quiet(quiet: bool) -> None:
    """Print no notes from now on, or print them again."""
    _state["quiet"] = quiet


def note(text: str) -> None:
    """One line for the person at the terminal, unless `--quiet`."""
    if not _state["quiet"]:
        print(escape_controls(text), file=sys.stderr)
