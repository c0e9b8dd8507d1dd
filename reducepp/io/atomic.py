"""Files written whole or not at all: write aside, then rename."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from reducepp.errors import InputError


def write_aside(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a file beside the wanted one, then rename it; a device is written to."""
    path = path.resolve()
    is_device = path.exists() and not path.is_file()
    aside = path if is_device else path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot write: {error.strerror or error}") from None
    finally:
        if not is_device:
            aside.unlink(missing_ok=True)
