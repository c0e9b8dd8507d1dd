"""A first reduction imports only what it needs: counted in modules, since seconds vary."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MAX_MODULES = 400
"""346 on CPython 3.11 with numpy 2; scipy alone would add 300."""

HEAVY = ("scipy", "sklearn", "pandas", "pyarrow", "requests", "urllib3", "py3langid", "networkx")
TEXT = "The storm hit the coast on Monday and left many houses without power for hours."


def imported(arguments: list[str]) -> set[str]:
    """Modules in memory after a command has run."""
    code = (
        "import sys; from reducepp.cli import main; main(sys.argv[1:]); "
        "print('\\n' + ' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_two_small_pages_need_no_heavy_package(tmp_path: Path) -> None:
    pages = [{"url": f"https://{x}.example/1", "title": x, "body": TEXT} for x in ("a", "b")]
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(map(json.dumps, pages)), "utf-8")
    found = imported(["reduce", str(path)])
    assert found.isdisjoint(HEAVY)
    assert "reducepp.pipeline" in found
    assert len(found) <= MAX_MODULES
