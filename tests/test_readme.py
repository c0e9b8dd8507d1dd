"""What the README and CONTRIBUTING show works, and every command is named in the README."""

import re
import shlex
from pathlib import Path

from reducepp.cli import COMMANDS
from reducepp.cli.options import make_parser
from tests.docs import ROOT, run_page


def test_the_readme_runs(tmp_path: Path) -> None:
    assert run_page("../README.md", tmp_path) == 3
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert len((tmp_path / "pairs.csv").read_text().splitlines()) == 4


def test_what_contributing_shows_is_python_that_runs() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    blocks = re.findall(r"^( *)```python\n(.*?)^ *```$", text, re.S | re.M)
    assert len(blocks) == 2
    for indent, block in blocks:
        exec(re.sub(f"^{indent}", "", block, flags=re.M), {})


def test_every_command_stands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert not [name for name in COMMANDS if f"`{name}`" not in text]


def test_every_command_line_of_the_docs_is_accepted() -> None:
    """Its options and their values are known; the files that it names need not exist."""
    shown = []
    for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        text = path.read_text("utf-8").replace("\\\n", " ")
        shown += re.findall(
            r"^ {0,4}(?:[^\n`#]*\| )?reducepp ([a-z]+ [^\n|>]*)", text, re.MULTILINE
        )
    words = [shlex.split(line, comments=True) for line in shown]
    words = [line for line in words if line[0] in COMMANDS]
    assert len(words) > 40
    for command, *rest in words:
        make_parser(command).parse_args(rest)


def test_the_files_that_contributing_names_exist() -> None:
    """Words in capitals are placeholders (`reducepp/cli/COMMAND_command.py`)."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    folders = "reducepp|scraping|weights|evaluation|tests|docs"
    named = set(re.findall(rf"`((?:{folders})/[^`\s]*)`", text))
    patterns = {name: re.sub(r"[A-Z]{4,}", "*", name) for name in named}
    assert len(named) > 40
    assert not [name for name, pattern in patterns.items() if not any(ROOT.glob(pattern))]


def test_the_changelog_says_everything_once() -> None:
    """A merge that brings old entries back is noticed."""
    _, *versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    assert versions
    for version in versions:
        headings = re.findall(r"^### .*", version, re.M)
        entries = [line[:40] for line in version.splitlines() if line.startswith("- ")]
        assert len(set(headings)) == len(headings)
        assert len(set(entries)) == len(entries)
