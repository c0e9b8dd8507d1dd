"""What a user says to `reducepp collect`: wrong words are named, a file of queries is read."""

import json
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.cli.collect_command import make_plan
from reducepp.cli.options import make_parser
from reducepp.demo.web_server import Sites
from reducepp.scraping.store.store import Query
from tests.programs import Cli
from tests.scraping import web
from tests.scraping.runs import Steady, arguments


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine", "altavista"], "unknown engine 'altavista'"),
        (["--engine", "searxng"], "needs the address of an instance"),
        (["--engine", "brave-api"], "needs a key"),
        (["--engine", "bing", "--connect-to", "a=b:²"], "HOST=ADDRESS:PORT"),
        (["--engine", "bing", "--connect-to", f"a=b:{'9' * 5_000}"], "HOST=ADDRESS:PORT"),
        (["--engine", "bing", "--queries", "missing.csv"], "cannot be read"),
        (["--engine", "bing", "--connect-to", "x"], "HOST=ADDRESS:PORT"),
        (["--engine", "bing", "--contact", "Zoë"], "use ASCII"),
        (["--engine", "bing", "--user-agent", "a\nb: c"], "use ASCII"),
        (["--engine", "bing", "--domain", "caf\udce9"], "must be UTF-8"),
    ],
)
def test_wrong_words_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    status = main(["collect", "q", "--out", str(tmp_path / "x.sqlite"), *words])
    assert status == (1 if "missing.csv" in words else 2)
    assert said in capsys.readouterr().err


def test_no_query_and_a_queries_file(tmp_path: Path, cli: Cli) -> None:
    store, queries = tmp_path / "x.sqlite", tmp_path / "queries.csv"
    err = cli("collect", "--engine", "bing", "--out", store, status=2).err
    assert "nothing to search for" in err
    queries.write_text(f"query,language,domain\n{web.QUERY},en,history\nother,fr,\n", "utf-8")
    with Sites(Steady()) as sites:
        command = arguments(sites, store, "--render", "never", "--queries", str(queries))
        command.remove(web.QUERY)
        assert main(command) == 0
    table = json.loads(cli("dataset", store, "--format", "json").out)
    assert table["queries_by_language"] == {"en": 1, "fr": 1}
    assert table["records_by_domain"]["history"] == table["records"] > 10


@pytest.mark.parametrize(
    "table",
    [
        "query,language,domain\nphare de mer,fr,science\nمنارة,ar,\n",
        "\ufeffQuery;Language;Domain\r\n\r\nphare de mer;fr;science\r\n;;\r\nمنارة;ar;\r\n",
        "language\tquery\tdomain\nfr\t phare de mer \tscience\nar\tمنارة\n\t\t\n",
        '\n"domain","query","language"\n"science","phare de mer","fr"\n,منارة,ar,more,cells\n',
    ],
)
def test_queries_as_spreadsheets_write_them(tmp_path: Path, table: str) -> None:
    queries = tmp_path / "queries.csv"
    queries.write_bytes(table.encode())
    words = ["--engine", "bing", "--out", "x", "--queries", str(queries), "--render", "never"]
    found = make_plan(make_parser("collect").parse_args(words)).queries
    assert found == (
        Query(query="phare de mer", language="fr", domain="science"),
        Query(query="منارة", language="ar", domain=""),
    )


@pytest.mark.parametrize("table", [b"", b"words,language\na,en\n", "query\né".encode("latin-1")])
def test_a_file_without_queries_is_named(tmp_path: Path, cli: Cli, table: bytes) -> None:
    queries = tmp_path / "queries.csv"
    queries.write_bytes(table)
    out = str(tmp_path / "x.sqlite")
    err = cli("collect", "--engine", "bing", "--out", out, "--queries", queries, status=1).err
    assert f"reducepp collect: {queries}: " in err


def test_a_search_that_nobody_answers_is_no_success(tmp_path: Path, cli: Cli) -> None:
    out = str(tmp_path / "x.sqlite")
    there = ["--engine", "searxng", "--engine-url", "http://127.0.0.1:1", "--allow-private"]
    hurry = ["--retries", "0", "--delay", "0", "--timeout", "5", "--render", "never"]
    err = cli("collect", "tide", "--out", out, *there, *hurry, status=1).err
    assert "reducepp collect: no search came through (" in err
