"""What docs/engines.md shows is true."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.scraping.search import ENGINES
from reducepp.scraping.search.engine_files import engine_from_file
from tests.programs import Cli

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs" / "engines.md").read_text("utf-8")


def test_the_table_names_every_engine_with_its_numbers() -> None:
    table = DOCS.partition("## The list")[2].partition("Any other")[0]
    lines = re.findall(r"^\| `[a-z].*\|$", table, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0].strip("`") for row in rows] == list(ENGINES)
    for engine, row in zip(ENGINES.values(), rows, strict=True):
        assert engine.key_variable in row[4]
        assert bool(row[4]) == bool(engine.key_variable)
        assert row[3] == (str(engine.results_per_page) if engine.base else "instance's choice")


def test_the_example_prints_what_is_shown(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = re.search(r"```console\n\$ reducepp (.*?)\n(.*?)```", DOCS, re.DOTALL)
    assert shown is not None
    monkeypatch.chdir(ROOT)
    assert cli(*shown[1].split()).out == shown[2]
    assert json.loads(shown[2])["engine"] == "mojeek"


def test_the_toml_example_is_an_engine(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", DOCS, re.DOTALL)
    (tmp_path / "intranet.toml").write_text(example[1], "utf-8")
    engine = replace(engine_from_file(tmp_path / "intranet.toml"), key="k")
    assert engine.request_url("tide", page=2).endswith("q=tide&from=20&size=20&lang=")
