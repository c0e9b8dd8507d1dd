"""What docs/engines.md shows is true."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from reducepp.cli import main
from scraping.engines import ENGINES
from scraping.engines.mapped import engine_from_table

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs" / "engines.md").read_text("utf-8")


def test_the_table_names_every_engine_with_its_numbers() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|.*?\| ([^|]+) \| ([^|]*) \|$", DOCS, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(ENGINES)
    for name, count, key in rows:
        assert ENGINES[name].key_variable in key
        assert bool(key.strip()) == ENGINES[name].needs_key
        if count.strip().isdigit():
            assert ENGINES[name].results_per_page == int(count)


def test_the_example_prints_what_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = re.search(r"```console\n\$ reducepp (.*?)\n(.*?)```", DOCS, re.DOTALL)
    assert shown is not None
    monkeypatch.chdir(ROOT)
    assert main(shown[1].split()) == 0
    assert capsys.readouterr().out == shown[2]
    assert json.loads(shown[2])["engine"] == "mojeek"


def test_the_toml_example_is_an_engine() -> None:
    example = re.search(r"```toml\n(.*?)```", DOCS, re.DOTALL)
    assert example is not None
    engine = engine_from_table(tomllib.loads(example[1]))
    assert engine.request_url("tide", key="k", page=2).endswith("q=tide&from=20&size=20&lang=")
