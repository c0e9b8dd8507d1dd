"""Completion of commands, options and values in real shells."""

import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from reducepp.cli import COMMANDS, main
from reducepp.cli.completion_command import find_options

ASK = {
    "bash": """{script}
typed=({words}); COMP_WORDS=("${{typed[@]}}"); COMP_CWORD=$((${{#typed[@]}}-1))
_reducepp; printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "zsh": """compdef() {{ : }}
compset() {{ current=${{words[CURRENT]#*=}} }}
compadd() {{ shift; found=(${{(M)@:#${{words[CURRENT]##*=}}*}}); print -l -- $found; (($#found)) }}
_files() {{ print -l ${{words[CURRENT]}}*(N) }}
{script}
words=({words}); CURRENT=${{#words}}; _reducepp""",
    "fish": """{script}
complete -C "{words}" | string replace -r '\\t.*' '' | string replace -r '^--.*=' '' """,
}
"""What each shell is told to complete; zsh's own functions need a terminal and are stood in for."""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("reducepp redu", "reduce"),
        ("reducepp reduce --min", "--min-score"),
        ("reducepp reduce x.csv --profile pa", "paper pages.jsonl"),
        ("reducepp reduce x.csv --mode demo", "demote"),
        ("reducepp reduce --format=pa", "pages"),
        ("reducepp reduce pa", "pages.jsonl"),
        ("reducepp weights lea", "learn"),
        ("reducepp weights learn --labe", "--labels"),
        ("reducepp weights show pap", "paper"),
        ("reducepp index reduce --rememb", ""),
    ],
)
@pytest.mark.parametrize("shell", list(ASK))
def test_completion(shell: str, words: str, expected: str, completions: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = (completions / shell).read_text("utf-8")
    typed = words.replace("=", " = ") if shell == "bash" else words
    ask = ASK[shell].format(script=script, words=typed)
    run = subprocess.run(
        [shell], input=ask, text=True, check=False, capture_output=True, cwd=completions / "here"
    )
    assert run.stderr == ""
    assert sorted(run.stdout.split()) == sorted(expected.split())


@pytest.fixture(scope="module")
def completions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completions")
    (folder / "here").mkdir()
    (folder / "here" / "pages.jsonl").touch()
    for shell in ASK:
        with (folder / shell).open("w", encoding="utf-8") as file, redirect_stdout(file):
            assert main(["completion", shell]) == 0
    return folder


def test_completion_has_every_command_and_option() -> None:
    options = find_options()
    assert list(options) == list(COMMANDS)
    assert "--min-score" in options["reduce"]
