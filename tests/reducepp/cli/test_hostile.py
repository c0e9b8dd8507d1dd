"""Typing mistakes, odd terminals, impatience: one line, never a traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reducepp.cli import COMMANDS, main
from reducepp.cli.options import TYPES, make_parser
from tests.programs import Cli, run_reducepp

REDUCEPP = [sys.executable, "-m", "reducepp"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["redcue", "x"], "did you mean reduce?"),
        (["reduce", "x", "--treshold", "0.5"], "did you mean --threshold?"),
        (["reduce", "x", "--format", "jsno"], "did you mean json?"),
        (["weights", "shwo"], "did you mean show?"),
        (["reduce", "x", "--zzz"], "unrecognized arguments: --zzz\n"),
    ],
)
def test_a_misspelt_word_gets_a_suggestion(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 2


NUMBERS = ("whole", "amount", "positive", "processes", "at once", "browsers", "share", "size")
NO_NUMBERS = ("nan", "inf", "1e400", "-1", "", "²", "x", "9" * 5_000)


def numeric_options() -> list[tuple[str, str, str]]:
    """Command, option and type of every option that takes a number."""
    kinds = {id(TYPES[name]): name for name in NUMBERS}
    return [
        (command, action.option_strings[-1], kinds[id(action.type)])
        for command in COMMANDS
        for action in make_parser(command)._actions
        if id(action.type) in kinds
    ]


def test_numbers_that_no_option_takes(capsys: pytest.CaptureFixture[str]) -> None:
    found = numeric_options()
    assert {kind for _, _, kind in found} == set(NUMBERS)
    for command, option, kind in found:
        for text in NO_NUMBERS:
            if (kind, text) == ("size", NO_NUMBERS[-1]):
                continue  # all the memory there is
            with pytest.raises(SystemExit) as stopped:
                make_parser(command).parse_args([f"{option}={text}"])
            err = capsys.readouterr().err
            assert stopped.value.code == 2, (command, option, text)
            assert f"argument {option}: " in err, (command, option, text)
            assert len(err.splitlines()) == 2
    assert make_parser("reduce").parse_args(["x", f"--memory={'9' * 5_000}"]).memory > 1e15


@pytest.mark.parametrize(
    "words", ["collect x --browsers 65", "collect x --jobs 1025", "reduce x --jobs 1025"]
)
def test_more_at_once_than_a_machine_runs(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words.split())
    assert stopped.value.code == 2
    assert f" to {int(words.split()[-1]) - 1} is needed" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_is_piped_is_utf8_whatever_the_locale(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"id": "a", "title": "القهوة “x”"}), "utf-8")
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = run_reducepp("reduce", path, env=env, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "القهوة “x”" in done.stdout


def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    page = json.dumps({"html": "<p>" + "Rain falls on the plain. " * 2000 + "</p>"})
    path.write_text(f"{page}\n" * 3000, "utf-8")
    with subprocess.Popen(
        [*REDUCEPP, "split", "--jsonl", str(path), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(0.2)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.decode() == "reducepp split: interrupted\n"


def test_a_message_that_quotes_binary_data_is_one_short_line(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"\x1b[2J\x07" + bytes(range(1, 255)) * 50)
    err = cli("reduce", path, status=1).err
    assert err.rstrip("\n").isprintable()
    assert len(err) < 800


def test_a_device_is_written_to_and_a_link_followed(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "file")
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"id": "a", "title": "Rain"}), "utf-8")
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert main(["reduce", str(path), "--out", str(pipe)]) == 0
        out, _ = reader.communicate(timeout=60)
    assert b"Rain" in out
    assert pipe.is_fifo()
    assert main(["reduce", str(path), "--out", str(link)]) == 0
    assert link.is_symlink()
    assert (tmp_path / "file").read_bytes() == out
