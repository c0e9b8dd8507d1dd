"""Runs what a page of docs/ shows: python and sh blocks in order, in one folder.

Where a text block follows directly, it is what the block before it prints. Blocks of nothing but
our commands run in this process, which has loaded what they need.
"""

import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path

from reducepp.cli import main

ROOT = Path(__file__).parent.parent
_COMMANDS = re.compile(r"(reducepp [^|&;<$`\\\n]*\n)+")
_BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```$", re.S | re.M)


def run_page(name: str, folder: Path) -> int:
    """Run docs/NAME in a folder; returns how many blocks ran, and fails where output differs."""
    blocks = _BLOCK.findall((ROOT / "docs" / name).read_text("utf-8"))
    ran, printed = 0, ""
    for kind, text in blocks:
        if kind == "text":
            assert printed.strip() == text.strip(), f"docs/{name} prints now:\n{printed}"
            continue
        printed = _run(kind, text, folder)
        ran += 1
    return ran


def _run(kind: str, text: str, folder: Path) -> str:
    if kind == "sh" and _COMMANDS.fullmatch(text):
        with chdir(folder):
            return "".join(map(_run_command, text.splitlines()))
    command = f'reducepp() {{ {sys.executable} -m reducepp "$@"; }}\n{text}'
    words = [sys.executable, "-c", text] if kind == "python" else ["bash", "-ec", command]
    paths = {"PYTHONPATH": str(ROOT), "REDUCEPP_DATA": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **paths}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    return done.stdout


def _run_command(line: str) -> str:
    """What a command prints; nothing where a file takes it."""
    command, _, target = line.partition(" > ")
    path = Path(target or "printed.txt")
    with path.open("w", encoding="utf-8") as printed, redirect_stdout(printed):
        assert main(shlex.split(command)[1:]) == 0, line
    return "" if target else path.read_text("utf-8")
