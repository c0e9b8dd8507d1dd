"""What docs/collecting.md shows runs, and the options it names are the command's."""

import re
from pathlib import Path

import pytest

from reducepp.cli.options import make_parser
from tests.docs import ROOT, run_page

PAGE = (ROOT / "docs" / "collecting.md").read_text("utf-8")


@pytest.mark.slow
def test_the_examples_run(tmp_path: Path) -> None:
    assert run_page("collecting.md", tmp_path) == 3


def options(command: str) -> set[str]:
    return {word for action in make_parser(command)._actions for word in action.option_strings}


def test_the_options_exist() -> None:
    named = set(re.findall(r"(--[a-z][a-z-]+)", PAGE))
    assert named <= options("collect") | options("dataset") | {"--out", "--render", "--format"}


def test_the_defaults_are_those_it_says() -> None:
    args = make_parser("collect").parse_args(["--engine", "bing", "--out", "x"])
    rows = re.findall(r"\| ([\d,]+) \| `--([a-z-]+)` \|", PAGE)
    assert len(rows) == 5
    for value, option in rows:
        assert getattr(args, option.replace("-", "_")) == float(value.replace(",", ""))
