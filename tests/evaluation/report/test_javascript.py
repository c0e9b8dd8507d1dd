"""The report's JavaScript under Node's own test runner, and the values it repeats from Python."""

import os
import re
import shutil
from pathlib import Path

import pytest

from reducepp.clustering.levels import LEVELS
from reducepp.clustering.representatives import POLICIES
from reducepp.evaluation.report import component_script
from reducepp.evaluation.report.pack import STEPS
from tests.programs import run_program

HERE = Path(__file__).parent / "js"


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_javascript(name: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("no node on this machine (Debian: nodejs)")
    script = tmp_path / "component.js"
    script.write_text(component_script(), "utf-8")
    env = {**os.environ, "REPORT_SCRIPT": str(script)}
    done = run_program(node, "--test", HERE / name, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.M), done.stdout


def test_lists_and_limits_are_those_of_python() -> None:
    script = component_script()
    keepers = re.findall(
        r"^    (\w+): \{", re.search(r"KEEPERS = \{(.*?)^  \};", script, re.S | re.M)[1], re.M
    )  # type: ignore[index]
    assert set(keepers) == {*POLICIES}
    assert list(LEVELS) == re.findall(r'"([^"]+)"', re.search(r"LEVELS = \[(.*?)\]", script)[1])  # type: ignore[index]
    assert f"STEPS = {STEPS};" in script
