"""docs/papers.md names only paths that exist and commands that parse; those without input run."""

import re
import shlex
from pathlib import Path

import pytest

from benchmarks.__main__ import names as benchmark_names
from reducepp.api import AUTO, find_profile
from reducepp.cli import COMMANDS
from reducepp.cli.options import make_parser
from tests.programs import Cli

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "papers.md").read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", PAGE)
PATHS = sorted({c for c in CODE if "/" in c and " " not in c})
USES = sorted({c for c in CODE if re.match(r"(reducepp|python -m) (?!replicate --paper N)", c)})


def test_the_page_names_much() -> None:
    assert len(PATHS) > 20
    assert len(USES) > 20
    assert [PAGE.count(f"\n## {n}. ") for n in range(1, 6)] == [1] * 5


@pytest.mark.parametrize("path", PATHS)
def test_a_named_path_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+\.md)\)", PAGE))
def test_a_linked_page_is_there(link: str) -> None:
    assert (ROOT / "docs" / link).is_file()


@pytest.mark.parametrize("use", USES)
def test_a_named_command_parses(use: str) -> None:
    program, *words = shlex.split(use)
    if program == "python":
        assert words[:2] == ["-m", "benchmarks"]
        assert words[2] in benchmark_names()
        source = (ROOT / "benchmarks" / f"{words[2]}.py").read_text("utf-8")
        assert all(f'"{word}"' in source for word in words[3:] if word.startswith("--"))
        return
    assert words[0] in COMMANDS
    named = getattr(make_parser(words[0]).parse_args(words[1:]), "profile", None) or []
    for profile in [named] if isinstance(named, str) else named:
        assert profile == AUTO or find_profile(profile)


@pytest.mark.parametrize(
    "use", [u for u in USES if re.match(r"reducepp weights show|.*paper 5", u)]
)
def test_a_named_command_without_input_runs(use: str, cli: Cli) -> None:
    assert cli(*shlex.split(use)[1:]).out
