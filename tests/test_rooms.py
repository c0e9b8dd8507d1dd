"""Who may import whom, and what a plain import may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("reducepp", "scraping", "weights", "evaluation")
DOORS = ("cli", "plugins", "service", "library.py", "intake.py", "estimator.py")


def imported_rooms(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found & set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        is_door = room == "reducepp" and path.relative_to(ROOT / room).parts[0] in DOORS
        allowed = set(ROOMS) if is_door else {room, "reducepp"}
        assert imported_rooms(path) <= allowed, path


def test_data_imports_nothing_of_ours() -> None:
    assert imported_rooms(ROOT / "reducepp" / "data.py") == set()


def test_a_plain_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, reducepp, reducepp.cli; from reducepp import Page; "
        "print([m for m in ('spacy', 'sklearn', 'selenium', 'matplotlib', 'nltk', 'pandas', "
        "'networkx', 'grakel') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stdout.strip() == "[]"
