"""Runs what a page of docs/ shows: python and sh blocks in order, in one folder.

Where a text block follows directly, it is what the block before it prints.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    command = f'reducepp() {{ {sys.executable} -m reducepp "$@"; }}\n{text}'
    words = [sys.executable, "-c", text] if kind == "python" else ["bash", "-ec", command]
    paths = {"PYTHONPATH": str(ROOT), "REDUCEPP_DATA": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **paths}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    return done.stdout
