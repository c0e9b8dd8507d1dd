"""At the terminal: nothing moves the cursor, notes can be silenced, a full disk is one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reducepp import Reduction, reduce
from reducepp.cli import COMMANDS, main
from reducepp.cli.completion import find_options
from reducepp.errors import UsageError
from reducepp.io.terminal_table import Screen, find_screen, table_of
from reducepp.io.writers import FORMATS

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
    assert "was not made by this command" in capsys.readouterr().err
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


LONG = "https://a.example/" + "long/" * 30


def reduction_of(mode: str) -> Reduction:
    body = "The storm hit the coast on Monday and left many houses without power for hours."
    rows = [{"url": f"{LONG}{i}", "title": "大風 " + "storm " * 40, "body": body} for i in range(2)]
    return reduce(rows, mode=mode)


@pytest.mark.parametrize("mode", ["collapse", "demote", "drop", "auto"])
def test_every_format_shows_the_mode(mode: str) -> None:
    found = reduction_of(mode)
    for name, write in FORMATS.items():
        text = write([found])
        assert mode in text or name == "pages"
    lines = table_of(found).splitlines()
    assert ("demoted:" in lines) == (mode == "demote")
    assert len(lines) == {"collapse": 3, "demote": 4, "drop": 2, "auto": 2}[mode]


def test_width_of_the_terminal_and_whole_addresses_in_a_pipe() -> None:
    found = reduction_of("collapse")
    assert f"[{LONG}0]" in table_of(found)
    narrow = table_of(found, screen=Screen(width=80)).splitlines()[1:]
    assert all(60 < len(line) <= 80 for line in narrow)
    assert "…" in narrow[0]


def test_colours_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert not find_screen().colour
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in table_of(reduction_of("collapse"), screen=find_screen())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not find_screen().colour


def test_no_command_overwrites_its_input(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(pages).read_bytes()
    for command in ("reduce", "filter", "report"):
        assert main([command, pages, "--out", pages]) == 1
        assert "is the input and is not overwritten" in capsys.readouterr().err
    assert Path(pages).read_bytes() == before


@pytest.mark.parametrize("command", ["reduce", "filter", "report", "sweep", "pairs"])
def test_a_file_of_somebody_else_is_replaced_only_when_asked(
    command: str, pages: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "notes.txt"
    words = [command, pages, "--out", str(out)]
    out.touch()
    assert main(words) == 0
    ours = out.read_bytes()
    assert main(words) == 0
    out.write_text("mine", "utf-8")
    assert main(words) == 1
    assert "not written by reducepp" in capsys.readouterr().err
    assert out.read_text("utf-8") == "mine"
    assert main([*words, "--overwrite"]) == 0
    assert out.read_bytes() == ours


def test_plots_and_exports_replace_no_file_of_somebody_else(
    pages: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, out, plots = tmp_path / "store.sqlite", tmp_path / "out.jsonl", tmp_path / "plots"
    assert main(["dataset", str(store), "--import", pages]) == 0
    assert main(["sweep", pages, "--plot", str(plots)]) == 0
    for mine in (out, *sorted(plots.glob("*.png"))):
        mine.write_text("mine", "utf-8")
    assert main(["dataset", str(store), "--export", str(out)]) == 1
    assert main(["sweep", pages, "--plot", str(plots)]) == 1
    assert capsys.readouterr().err.count("not written by reducepp") == 2
    assert {path.read_text("utf-8") for path in (out, *plots.glob("*.png"))} == {"mine"}


def test_pages_are_printed_with_a_note_of_their_mode(
    pages: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reduce", pages, "--format", "pages", "--mode", "demote"]) == 0
    assert "mode demote" in capsys.readouterr().err


def test_verbose_says_what_and_how_long(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", pages, "-v"]) == 0
    said = capsys.readouterr().err
    assert "settings: " in said
    assert re.search(r"reduce: \d+\.\d s", said)


def test_names_that_were_likely_meant(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", pages, "--profile", "papr"]) == 2
    assert "did you mean paper?" in capsys.readouterr().err
    assert main(["hits", pages, "--engine", "gogle"]) == 2
    assert "did you mean google?" in capsys.readouterr().err
    with pytest.raises(UsageError, match="did you mean longest"):
        reduce([], keep="longst")
