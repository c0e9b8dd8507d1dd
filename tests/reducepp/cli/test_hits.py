"""`reducepp hits`: the contract of its output and its exit codes."""

import io
import json
import sys
from pathlib import Path

import pytest

from reducepp.cli import main

CASES = Path(__file__).parents[2] / "scraping" / "search"


def page(case: str) -> str:
    return str(next((CASES / case).glob("page.*")))


@pytest.mark.parametrize("engine", ["google", "auto"])
def test_hits_are_printed_as_json(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    assert main(["hits", page("google/rendered-2023"), "--engine", engine]) == 0
    out, err = capsys.readouterr()
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


def test_a_page_without_results_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hits", page("bing/empty"), "--engine", "bing"]) == 0
    assert json.loads(capsys.readouterr().out) == {"engine": "bing", "hits": [], "blocked": None}


@pytest.mark.parametrize(
    ("case", "word"),
    [
        ("google/captcha", "captcha"),
        ("google/consent", "consent"),
        ("duckduckgo/block", "block"),
        ("google-api/error", "Quota exceeded"),
    ],
)
def test_a_block_is_named_and_fails(
    capsys: pytest.CaptureFixture[str], case: str, word: str
) -> None:
    assert main(["hits", page(case), "--engine", case.split("/")[0]]) == 1
    out, err = capsys.readouterr()
    assert word in err
    assert "blocked" in err
    assert err.count("\n") == 1
    assert word in json.loads(out)["blocked"]
    assert json.loads(out)["hits"] == []


def test_a_page_that_is_none_of_these_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hits", page("google/unknown"), "--engine", "google"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "nothing recognised" in err


def test_a_page_of_nobody_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.html").write_text("<p>The sea.</p>", "utf-8")
    assert main(["hits", str(tmp_path / "x.html"), "--engine", "auto"]) == 1
    assert "nothing recognised" in capsys.readouterr().err


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Path(page("duckduckgo/html")).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    assert main(["hits", "-", "--engine", "duckduckgo", "--page", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["rank"] == 31


def test_wrong_usage_names_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hits", page("bing/empty"), "--engine", "altavista"]) == 2
    assert "google, bing" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["hits", page("bing/empty"), "--page", "0"])
    assert main(["hits", "/no/such/file"]) == 1
    assert "/no/such/file" in capsys.readouterr().err


def test_a_service_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(
        "name='mine'\nurl='https://a.example?q={query}'\n[paths]\nresults='r'\n", "utf-8"
    )
    (tmp_path / "a.json").write_text(
        '{"r": [{"url": "https://b.example/", "title": "B"}]}', "utf-8"
    )
    assert main(["hits", str(tmp_path / "a.json"), "--engine", str(tmp_path / "s.toml")]) == 0
    assert json.loads(capsys.readouterr().out)["engine"] == "mine"
