"""`reducepp hits`: the contract of its output and its exit codes."""

import io
import json
import sys
from pathlib import Path

import pytest

from reducepp.cli import main
from tests.programs import Cli

CASES = Path(__file__).parents[2] / "scraping" / "search"


def page(case: str) -> str:
    return str(next((CASES / case).glob("page.*")))


@pytest.mark.parametrize("engine", ["google", "auto"])
def test_hits_are_printed_as_json(cli: Cli, engine: str) -> None:
    out, err = cli("hits", page("google/rendered-2023"), "--engine", engine)
    answer = json.loads(out)
    assert list(answer) == ["engine", "hits", "blocked"]
    assert (answer["engine"], answer["blocked"], err) == ("google", None, "")
    assert answer["hits"][0] == {
        "rank": 1,
        "url": "https://tides.example/tables",
        "title": "Tide tables of the coast",
        "snippet": "2 Mar 2023 — High and low water for every port.",
    }
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2]


def test_a_page_without_results_is_no_failure(cli: Cli) -> None:
    out = cli("hits", page("bing/empty"), "--engine", "bing").out
    assert json.loads(out) == {"engine": "bing", "hits": [], "blocked": None}


@pytest.mark.parametrize(
    ("case", "word"),
    [
        ("google/captcha", "captcha"),
        ("google/consent", "consent"),
        ("duckduckgo/block", "block"),
        ("google-api/error", "Quota exceeded"),
    ],
)
def test_a_block_is_named_and_fails(cli: Cli, case: str, word: str) -> None:
    out, err = cli("hits", page(case), "--engine", case.split("/")[0], status=1)
    assert word in err
    assert "blocked" in err
    assert err.count("\n") == 1
    assert word in json.loads(out)["blocked"]
    assert json.loads(out)["hits"] == []


def test_a_page_that_is_none_of_these_fails(cli: Cli) -> None:
    out, err = cli("hits", page("google/unknown"), "--engine", "google", status=1)
    assert out == ""
    assert "nothing recognised" in err


def test_a_page_of_nobody_fails(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "x.html").write_text("<p>The sea.</p>", "utf-8")
    err = cli("hits", tmp_path / "x.html", "--engine", "auto", status=1).err
    assert "nothing recognised" in err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    data = Path(page("duckduckgo/html")).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    out = cli("hits", "-", "--engine", "duckduckgo", "--page", "2").out
    assert json.loads(out)["hits"][0]["rank"] == 31


def test_wrong_usage_names_what_is_allowed(cli: Cli) -> None:
    assert "google, bing" in cli("hits", page("bing/empty"), "--engine", "altavista", status=2).err
    with pytest.raises(SystemExit, match="2"):
        main(["hits", page("bing/empty"), "--page", "0"])
    assert "/no/such/file" in cli("hits", "/no/such/file", status=1).err


def test_a_service_from_a_file(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "s.toml").write_text(
        "name='mine'\nurl='https://a.example?q={query}'\n[paths]\nresults='r'\n", "utf-8"
    )
    (tmp_path / "a.json").write_text(
        '{"r": [{"url": "https://b.example/", "title": "half a \\ud800 sign"}]}', "utf-8"
    )
    answer = json.loads(cli("hits", tmp_path / "a.json", "--engine", tmp_path / "s.toml").out)
    assert (answer["engine"], answer["hits"][0]["title"]) == ("mine", "half a ? sign")
