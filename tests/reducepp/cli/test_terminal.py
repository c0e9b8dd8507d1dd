"""At the terminal: nothing moves the cursor, notes can be silenced, a full disk is one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reducepp.cli import COMMANDS, main
from reducepp.cli.completion import find_options

EVIL = "News\x1b]0;owned\x07 \u202egnp.exe\u2066"


@pytest.fixture
def pages(tmp_path: Path) -> str:
    rows = [
        {"url": f"https://{i}.example", "title": EVIL, "body": f"Text {EVIL}"} for i in range(2)
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps({**row, "extra": 1}) + "\n" for row in rows), "utf-8")
    return str(path)


def test_control_and_direction_characters_are_escaped(
    pages: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reduce", pages, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert not set("\x1b\x07\u202e\u2066").intersection(shown)
    assert "\\u001b" in shown
    assert "\\u202e" in shown


def test_quiet_and_version(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", pages]) == 0
    assert "ignored: extra" in capsys.readouterr().err
    assert main(["reduce", pages, "-q"]) == 0
    assert capsys.readouterr().err == ""
    with pytest.raises(SystemExit) as stopped:
        main(["-V"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith("reducepp ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(pages: str) -> None:
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "reducepp", "reduce", pages, "-q"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr == b"reducepp reduce: cannot write: No space left on device\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_option(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    options = find_options()
    assert list(options) == list(COMMANDS)
    assert "--min-score" in options["reduce"]
    assert all(name in script for name in COMMANDS)
    assert "target-n" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_the_demo_overwrites_nothing_it_did_not_make(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "queries.csv"
    mine.write_text("mine", "utf-8")
    assert main(["demo", "--out", str(tmp_path)]) == 1
    assert "was not made by the demo" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["queries.csv"]


def test_no_cell_of_a_table_is_a_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.jsonl"
    row = {"url": "https://a.example", "title": "=HYPERLINK(1)", "body": "Some text."}
    path.write_text(json.dumps(row), "utf-8")
    assert main(["reduce", str(path), "--format", "csv"]) == 0
    assert "'=HYPERLINK" in capsys.readouterr().out
