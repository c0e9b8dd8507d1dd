"""The example in docs/demo.md runs and prints a line for every query."""

import re
from pathlib import Path

import pytest

from reducepp.demo import load_manifest

PAGE = Path(__file__).parents[3] / "docs" / "demo.md"


def test_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(compile(example, str(PAGE), "exec"), {})
    printed = capsys.readouterr().out
    for query in load_manifest():
        assert f"{query.language} {query.query} {len(query.pages)} pages" in printed
