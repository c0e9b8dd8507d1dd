"""Programs that tests start, and what came of them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
Cli = Callable[..., Any]
"""The fixture `cli`."""


def run_program(*words: object, **how: Any) -> subprocess.CompletedProcess[Any]:
    """A program in the repository's folder, whatever its status; text unless bytes go in."""
    text = not isinstance(how.get("input"), bytes)
    usual: dict[str, Any] = {"text": text, "cwd": ROOT, "timeout": 300}
    usual |= {} if "stdout" in how else {"capture_output": True}
    return subprocess.run([str(word) for word in words], check=False, **{**usual, **how})


def run_reducepp(*words: object, **how: Any) -> subprocess.CompletedProcess[Any]:
    """A command of ours."""
    return run_program(sys.executable, "-m", "reducepp", *words, **how)
