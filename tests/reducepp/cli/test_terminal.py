"""At the terminal: nothing moves the cursor, notes can be silenced, a full disk is one line."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducepp import Page, Reduction, reduce
from reducepp.cli import main
from reducepp.errors import UsageError
from reducepp.io.escaping import escape_cells, escape_controls, unescape_cell
from reducepp.io.readers import read_pages
from reducepp.io.terminal_table import Screen, find_screen, table_of
from reducepp.io.writers import FORMATS
from tests.programs import Cli, run_program, run_reducepp

EVIL = "News\x1b]0;owned\x07 \u202egnp.exe\u2066"


@pytest.fixture
def pages(tmp_path: Path) -> str:
    rows = [
        {"url": f"https://{i}.example", "title": EVIL, "body": f"Text {EVIL}"} for i in range(2)
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps({**row, "extra": 1}) + "\n" for row in rows), "utf-8")
    return str(path)


def test_control_and_direction_characters_are_escaped(pages: str, cli: Cli) -> None:
    shown = cli("reduce", pages, "--explain").out
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
@pytest.mark.parametrize("words", ["reduce PAGES -q", "reduce --help", "--help", "--version"])
def test_a_full_disk_is_one_line(words: str, pages: str) -> None:
    with open("/dev/full", "wb") as full:
        command = words.replace("PAGES", pages).split()
        run = run_reducepp(*command, stdout=full, stderr=subprocess.PIPE)
    assert run.returncode == 1
    program = "reducepp reduce" if words.startswith("reduce") else "reducepp"
    assert run.stderr == f"{program}: cannot write: No space left on device\n"


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream_is_as_none(closed: str, pages: str, tmp_path: Path) -> None:
    words = (sys.executable, "-m", "reducepp", "reduce", pages, "-q", "--out", tmp_path / "out")
    run = run_program("sh", "-c", f'"$@" {closed}', "sh", *words)
    assert (run.returncode, run.stderr) == (0, "")
    assert (tmp_path / "out").stat().st_size
    run = run_program("sh", "-c", f'"$@" {closed}', "sh", *words[:6])
    assert (run.returncode, run.stderr) == (0, "")


def test_in_a_folder_without_permission_to_write(
    pages: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a file in it is refused."""
    monkeypatch.setattr("reducepp.io.atomic.os.access", lambda path, mode: str(path) == "/dev/null")
    assert cli("reduce", pages).out == cli("reduce", pages, "--out", "-").out != ""
    assert cli("reduce", pages, "--out", "/dev/null").out == ""
    for words in (("reduce", pages, "--out", "new.json"), ("index", "add", "new.idx", pages)):
        assert "cannot write: no permission to write in ." in cli(*words, status=1).err


def test_output_to_a_device_that_is_a_pipe(pages: str) -> None:
    written = run_reducepp("reduce", pages, "--out", "/dev/stdout")
    assert (written.returncode, written.stdout) == (0, run_reducepp("reduce", pages).stdout)


def test_notes_are_silenced_before_the_command_too(pages: str, cli: Cli) -> None:
    loud = cli("reduce", pages, "--format", "pages")
    assert cli("-q", "reduce", pages, "--format", "pages") == (loud.out, "")
    assert cli("weights", "show", "--quiet") == cli("weights", "show")  # also of a sub-command
    assert loud.err != ""


def test_results_on_a_terminal_do_not_share_a_line_with_the_bar(pages: str) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    reader = ThreadPoolExecutor(1).submit(_read_terminal, ours)
    words = [sys.executable, "-m", "reducepp", "reduce", pages]
    subprocess.run(words, stdout=theirs, stderr=theirs, check=True, env={**os.environ, "TERM": "x"})
    os.close(theirs)
    shown = reader.result().decode("utf-8")
    assert " 0/2 [" in shown, "pages done of pages read"
    lines = [line.rpartition("\r")[2] for line in shown.split("\r\n")]
    assert any(line.startswith("columns used") for line in lines)
    assert any(line.startswith("\x1b[1m(no query): 2 pages") for line in lines)


def test_reasons_are_wrapped_to_the_terminal() -> None:
    text = "The council voted on Monday to repair the old lighthouse, dark since the storm. " * 3
    found = reduce([Page(id=name, url=f"https://{name}.example", body=text) for name in "ab"])
    table = table_of(found, explain=True, screen=Screen(60)).splitlines()[1:]
    assert max(map(len, table)) <= 60
    assert any("both say" in line for line in table)


def test_the_demo_overwrites_nothing_it_did_not_make(tmp_path: Path, cli: Cli) -> None:
    mine = tmp_path / "report.html"
    mine.write_text("mine", "utf-8")
    assert "was not made by this command" in cli("demo", "--out", tmp_path, status=1).err
    assert mine.read_text("utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


FORMULA = '=HYPERLINK("x")'
TEXT = "The council voted on Monday to repair the old lighthouse, dark since 1987."


def _write_hostile(folder: Path, word: str) -> None:
    """Pages, labels, a click log and a result page with this word wherever a page may have one."""
    rows = [
        {"id": f"{word}{i}", "url": f"https://{i}.example/{word}", "query": word, "title": word}
        | {"body": f"{TEXT} {word}", "language": word, "site_title": word}
        for i in range(3)
    ]
    hits = [{"query": word, "shown": [word, "b.example"], "clicked": [word]}] * 40
    hits += [{"query": word, "shown": ["b.example", word], "clicked": ["b.example"]}] * 40
    for name, lines in (("pages", rows), ("pairs", [{"a": rows[0], "b": rows[1]}]), ("log", hits)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    organic = f'<li class="b_algo"><h2><a href="https://a.example/">{word}</a></h2></li>'
    text = f'<ol id="b_results">{organic}</ol>'
    (folder / "hits.html").write_text(text, "utf-8", "replace")


SHOWN = [
    *(f"reduce pages.jsonl --format {name}" for name in (*FORMATS, "graphml")),
    *(
        "filter pages.jsonl",
        "pairs pages.jsonl",
        "compare pairs.jsonl --jobs 1",
        "clicks log.jsonl",
    ),
    *(f"find pages.jsonl council --format {name}" for name in ("table", "json", "jsonl")),
    *("find pages.jsonl council --partial", "hits hits.html --engine bing", "sweep pages.jsonl"),
    *("sweep pages.jsonl --format table", "split --jsonl pages.jsonl", "index add i pages.jsonl"),
    *("index query i pages.jsonl", "dataset s.sqlite --import pages.jsonl", "advice pages.jsonl"),
    *("dataset s.sqlite --format csv", "reduce pages.jsonl --no-such-option\x1b[2J"),
]


def test_no_command_sends_a_terminal_what_moves_its_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    _write_hostile(tmp_path, "w\x1b]0;own\x07\x9b2J\u202e\u2066\x7f\u2028\ud800")
    for words in SHOWN:
        ours, theirs = pty.openpty()
        reader = ThreadPoolExecutor(1).submit(_read_terminal, ours)
        with open(theirs, "w", encoding="utf-8") as terminal:
            monkeypatch.setattr(sys, "stdout", terminal)
            with suppress(SystemExit):
                main(words.split(" "))
        shown = reader.result().decode("utf-8").replace("\r\n", "\n") + capfd.readouterr().err
        assert shown, words
        assert escape_controls(shown) == shown, words


def _read_terminal(ours: int) -> bytes:
    parts = []
    with suppress(OSError):
        while part := os.read(ours, 65536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    "words",
    [
        *("reduce pages.jsonl --format csv", "pairs pages.jsonl", "clicks log.jsonl"),
        *("sweep pages.jsonl", "dataset s.sqlite --import pages.jsonl --format csv"),
        "dataset s.sqlite --import pages.jsonl --export out.csv",
    ],
)
def test_no_cell_of_a_table_is_a_formula(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_hostile(tmp_path, FORMULA)
    assert main(words.split(" ")) == 0
    out = tmp_path / "out.csv"
    text = out.read_text("utf-8") if out.exists() else capsys.readouterr().out
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert any(cell.startswith(f"'{FORMULA}") for cell in cells)
    assert not [cell for cell in cells if cell.startswith("=")]
    if out.exists():
        assert [page.query for page in read_pages(str(out)) if isinstance(page, Page)] == [
            FORMULA
        ] * 3


@given(st.text(alphabet="'=+-@\t\rx"))
def test_an_escaped_cell_is_read_back(text: str) -> None:
    (cell,) = escape_cells([text])
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape_cell(cell) == text


def test_a_graph_is_xml_whatever_its_pages_hold(tmp_path: Path, cli: Cli) -> None:
    _write_hostile(tmp_path, "\x00\x1b\ufffe\ud800")
    out = cli("reduce", tmp_path / "pages.jsonl", "--format", "graphml").out
    assert len(ElementTree.fromstring(out).findall(".//{*}node")) == 3


LONG = "https://a.example/" + "long/" * 30


def reduction_of(mode: str) -> Reduction:
    body = "The storm hit the coast on Monday and left many houses without power for hours."
    rows = [{"url": f"{LONG}{i}", "title": "大風 " + "storm " * 40, "body": body} for i in range(2)]
    return reduce(rows, mode=mode)


@pytest.mark.parametrize("mode", ["collapse", "demote", "drop", "auto"])
def test_every_format_shows_the_mode(mode: str) -> None:
    found = reduction_of(mode)
    for name, write in FORMATS.items():
        assert mode in write([found]) or name == "pages"
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


def test_no_command_overwrites_its_input(pages: str, cli: Cli) -> None:
    before = Path(pages).read_bytes()
    for command in ("reduce", "filter", "report"):
        err = cli(command, pages, "--out", pages, status=1).err
        assert "is the input and is not overwritten" in err
    assert Path(pages).read_bytes() == before


@pytest.mark.parametrize("command", ["reduce", "filter", "report", "sweep", "pairs"])
def test_a_foreign_file_is_replaced_only_on_request(
    command: str, pages: str, tmp_path: Path, cli: Cli
) -> None:
    out = tmp_path / "notes.txt"
    words = [command, pages, "--out", str(out)]
    out.touch()
    assert main(words) == 0
    ours = out.read_bytes()
    assert main(words) == 0
    out.write_text("mine", "utf-8")
    assert "not written by reducepp" in cli(*words, status=1).err
    assert out.read_text("utf-8") == "mine"
    assert main([*words, "--overwrite"]) == 0
    assert out.read_bytes() == ours


def test_plots_and_exports_replace_no_file_of_somebody_else(
    pages: str, tmp_path: Path, cli: Cli
) -> None:
    store, out, plots = tmp_path / "store.sqlite", tmp_path / "out.jsonl", tmp_path / "plots"
    assert main(["dataset", str(store), "--import", pages]) == 0
    assert main(["sweep", pages, "--plot", str(plots)]) == 0
    for mine in (out, *sorted(plots.glob("*.png"))):
        mine.write_text("mine", "utf-8")
    assert main(["dataset", str(store), "--export", str(out)]) == 1
    assert cli("sweep", pages, "--plot", plots, status=1).err.count("not written by reducepp") == 2
    assert {path.read_text("utf-8") for path in (out, *plots.glob("*.png"))} == {"mine"}


def test_pages_are_printed_with_a_note_of_their_mode(pages: str, cli: Cli) -> None:
    assert "mode demote" in cli("reduce", pages, "--format", "pages", "--mode", "demote").err


def test_verbose_says_what_and_how_long(pages: str, cli: Cli) -> None:
    said = cli("reduce", pages, "-v").err
    assert "settings: " in said
    assert re.search(r"reduce: \d+\.\d s", said)


def test_names_that_were_likely_meant(pages: str, cli: Cli) -> None:
    assert "did you mean paper?" in cli("reduce", pages, "--profile", "papr", status=2).err
    assert "did you mean weights learn?" in run_reducepp("learn", pages).stderr
    assert "did you mean google?" in cli("hits", pages, "--engine", "gogle", status=2).err
    with pytest.raises(UsageError, match="did you mean longest"):
        reduce([], keep="longst")
