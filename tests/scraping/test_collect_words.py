"""What a user says to `reducepp collect`: wrong words are named, a file of queries is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.cli.sites import Sites
from tests.scraping import web
from tests.scraping.runs import Steady, arguments


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine", "altavista"], "unknown engine 'altavista'"),
        (["--engine", "searxng"], "needs the address of an instance"),
        (["--engine", "brave-api"], "needs a key"),
        (["--engine", "bing", "--retries", "-1"], "0 or more"),
        (["--engine", "bing", "--queries", "missing.csv"], "cannot be read"),
        (["--engine", "bing", "--connect-to", "x"], "HOST=ADDRESS:PORT"),
    ],
)
def test_wrong_words_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    status = main(["collect", "q", "--out", str(tmp_path / "x.sqlite"), *words])
    assert status == (1 if "missing.csv" in words else 2)
    assert said in capsys.readouterr().err


def test_no_query_and_a_queries_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, queries = tmp_path / "x.sqlite", tmp_path / "queries.csv"
    assert main(["collect", "--engine", "bing", "--out", str(store)]) == 2
    assert "nothing to search for" in capsys.readouterr().err
    queries.write_text(f"query,language,domain\n{web.QUERY},en,history\nother,fr,\n", "utf-8")
    with Sites(Steady()) as sites:
        command = arguments(sites, store, "--render", "never", "--queries", str(queries))
        command.remove(web.QUERY)
        assert main(command) == 0
    assert main(["dataset", str(store), "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["queries_by_language"] == {"en": 1, "fr": 1}
    assert table["records_by_domain"]["history"] == table["records"] > 10
