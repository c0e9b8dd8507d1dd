"""Defaults from a file and the environment: precedence, sub-commands, one-line errors."""

import json
import re
from argparse import ArgumentParser
from pathlib import Path

import pytest

from reducepp.cli import COMMANDS, main
from reducepp.cli.options import make_parser
from reducepp.cli.settings import ONLY_GIVEN, SHARED, _options, _subcommands
from reducepp.errors import InputError
from reducepp.io.bounded_reading import MAX_TOML_BYTES
from reducepp.scraping.search.engine_files import engine_from_file
from tests.programs import Cli

PAGES = [
    {"url": "https://a.example/1", "title": "Storm", "body": "The storm hit the coast on Monday."},
    {"url": "https://b.example/2", "title": "Storm", "body": "The storm hit the coast on Monday."},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    below = tmp_path / "below"
    below.mkdir()
    (below / "pages.jsonl").write_text("\n".join(map(json.dumps, PAGES)), "utf-8")
    monkeypatch.chdir(below)
    return tmp_path


def shown(cli: Cli, *words: str) -> dict[str, tuple[str, str]]:
    """Option to its value and origin, as `--show-config` prints them."""
    printed = cli(*words, "--show-config").out
    lines = re.findall(r"^([\w-]+) = (.*?) +# (.*)$", printed, re.MULTILINE)
    return {name: (value, origin) for name, value, origin in lines}


def test_option_over_environment_over_file_over_default(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "reducepp.toml"
    file.write_text('mode = "drop"\nkeep = "longest"\n[reduce]\nthreshold = 0.6\n', "utf-8")
    monkeypatch.setenv("REDUCEPP_KEEP", "newest")
    monkeypatch.setenv("REDUCEPP_THRESHOLD", "0.7")
    found = shown(cli, "reduce", "--threshold", "0.8")
    assert found["threshold"] == ("0.8", "option")
    assert found["keep"] == ('"newest"', "environment")
    assert found["mode"] == ('"drop"', str(file))
    assert found["format"] == ('"table"', "default")
    reduction = json.loads(cli("reduce", "pages.jsonl", "--format", "json").out)["reductions"][0]
    assert (reduction["threshold"], reduction["keep"], reduction["mode"]) == (0.7, "newest", "drop")


def test_project_file_and_sub_commands(folder: Path, cli: Cli) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.reducepp.weights.learn]\nmodel = "logistic"\n'
        '[tool.reducepp.reduce]\nfield = ["a=b"]\nexplain = true\n',
        "utf-8",
    )
    assert shown(cli, "weights", "learn")["model"][0] == '"logistic"'
    assert shown(cli, "reduce")["field"][0] == '["a=b"]'
    assert shown(cli, "reduce")["explain"][0] == "true"
    (folder / "below" / "pyproject.toml").write_text("[broken", "utf-8")
    assert shown(cli, "reduce")["explain"][0] == "true"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[reduc]\nkeep = 'rank'", "[reduc]: no such command; did you mean reduce?"),
        ("[reduce]\ntreshold = 1", "[reduce] treshold: no such option; did you mean threshold?"),
        ("[reduce]\nthreshold = 2", "threshold: '2': a number from 0 to 1 is needed"),
        ("[reduce]\nkeep = 'longst'", "did you mean longest?"),
        ("[reduce]\nexplain = 'perhaps'", "true or false is needed"),
        ("[reduce]\nthreshold = [1]", "one value is needed"),
        ("profil = 'paper'", "did you mean profile?"),
        ("[reduce", "cannot be read"),
    ],
)
def test_wrong_names_and_values_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (folder / "reducepp.toml").write_text(text, "utf-8")
    assert main(["reduce", "pages.jsonl"]) in (1, 2)
    line = capsys.readouterr().err
    assert said in line
    assert "reducepp.toml" in line
    assert line.count("\n") == 1


def test_environment(folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDUCEPP_SERVICE_HOST", "10.0.0.1")
    assert main(["reduce", "pages.jsonl"]) == 0
    monkeypatch.setenv("REDUCEPP_PROFIL", "paper")
    assert "did you mean PROFILE?" in cli("reduce", "pages.jsonl", status=2).err


def test_docs_name_every_shared_option() -> None:
    text = Path("docs/configuration.md").read_text("utf-8")
    assert [name for name in SHARED if f"`{name.replace('_', '-')}`" not in text] == []


HARMLESS = """
ablations against all annotate baselines browsers by candidates contact content delay domain
expand_links explain field format images information input_format jobs jsonl keep keep_results
kind ladder language linkage links max_bytes max_connections max_header_seconds max_memory_mib
max_mib max_pages max_seconds memory min_score minimum mode model one_set overall page pages paper
partial port precision prepare profile profiles queue quiet render resample results retries
retry_failures root_path samples scale seed seen shown_at sources start step stop stop_words
target_n threshold timeout title top url user_agent vectors verbose weights
"""
"""A file may set these: they write nothing, connect to nobody else and open nothing."""


def all_options(parser: ArgumentParser) -> set[str]:
    found = {action.dest for action in _options(parser)}
    return found.union(*(all_options(inner) for _, inner in _subcommands(parser)))


def test_every_option_is_for_files_or_for_the_command_line_alone() -> None:
    found: set[str] = set()
    for name in COMMANDS:
        found |= all_options(make_parser(name))
    assert found - set(HARMLESS.split()) == ONLY_GIVEN


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("reduce", 'out = "other.txt"'),
        ("reduce", 'cluster = "tcp://a.example:8786"'),
        ("collect", "allow-private = true"),
        ("collect", 'engine-url = "https://a.example"'),
        ("serve", "insecure = true"),
        ("index", '[index.query]\nout = "other.txt"'),
    ],
)
def test_a_file_in_the_working_folder_opens_and_writes_nothing(
    folder: Path, cli: Cli, command: str, line: str
) -> None:
    (folder / "below" / "other.txt").write_text("mine", "utf-8")
    (folder / "reducepp.toml").write_text(f"[{command}]\n{line}\n", "utf-8")
    err = cli(command, "--show-config", status=2).err
    assert "no file may set it; give it on the command line" in err
    assert main([command, "pages.jsonl"]) == 2
    assert (folder / "below" / "other.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize("name", ["reducepp.toml", "pyproject.toml"])
@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "#" * (MAX_TOML_BYTES + 1)])
def test_a_file_that_is_too_deep_or_too_long(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (folder / name).write_text(text, "utf-8")
    others = name == "pyproject.toml"  # not ours: left alone
    assert main(["reduce", "pages.jsonl"]) == (0 if others else 1)
    assert capsys.readouterr().err.count("\n") == (0 if others else 1)
    with pytest.raises(InputError, match=r"too deeply|over 1 MiB"):
        engine_from_file(folder / name)
