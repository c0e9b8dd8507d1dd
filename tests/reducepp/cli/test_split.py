"""`reducepp split`: one page to one object, a line in to a line out."""

import gzip
import io
import json
from pathlib import Path

import pytest

from reducepp.cli import main
from tests.programs import Cli

CASE = Path(__file__).parents[2] / "scraping" / "extract" / "cases" / "news-fr"
HTML = (CASE / "page.html").read_text(encoding="utf-8")
URL = "https://www.baychronicle-fr.example/a"


def test_one_page(cli: Cli) -> None:
    page = json.loads(cli("split", CASE / "page.html", "--url", URL).out)
    assert page["url"] == page["id"] == URL
    assert page["language"] == "fr"
    assert page["page_title"].startswith("Le phare du Carrec")
    assert "rendered_body" not in page
    assert page["links"] == ["https://www.baychronicle-fr.example/ferry"]


def test_all_links(cli: Cli) -> None:
    out = cli("split", CASE / "page.html", "--url", URL, "--links", "all").out
    assert len(json.loads(out)["links"]) > 10


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_lines_keep_ids_and_order_and_bad_ones_say_why(jobs: str, tmp_path: Path, cli: Cli) -> None:
    lines = [json.dumps({"id": f"n{i}", "url": f"{URL}/{i}", "html": HTML}) for i in range(40)]
    lines[3] = '{"id": "n3", "url": "u"}'
    lines[7] = "not json"
    lines[9] = '{"id": "n9", "html": "\\u0000"}'
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    out = cli("split", "--jsonl", path, "--jobs", jobs).out
    found = [json.loads(line) for line in out.splitlines()]
    assert [f["id"] for f in found] == [f"n{i}" if i != 7 else "line 8" for i in range(40)]
    assert {i for i, f in enumerate(found) if "error" in f} == {3, 7, 9}
    assert 'no "html"' in found[3]["error"]
    assert found[0] | {"id": "", "url": ""} == found[39] | {"id": "", "url": ""}


def test_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps({"id": "a\ud800", "url": URL, "html": HTML}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert json.loads(cli("split", "--jsonl", "-").out)["id"] == "a\ud800"


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["split"], 2, "--jsonl FILE"),
        (["split", "a", "--jsonl", "b"], 2, "--jsonl FILE"),
        (["split", "missing.html"], 1, "missing.html cannot be read"),
        (["split", "--jsonl", "missing.jsonl"], 1, "missing.jsonl cannot be read"),
    ],
)
def test_wrong_usage_is_one_plain_line(words: list[str], status: int, says: str, cli: Cli) -> None:
    error = cli(*words, status=status).err
    assert says in error
    assert error.count("\n") == 1


def test_a_number_of_processes_is_none_below_zero(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["split", "a", "--jobs", "-1"])
    assert "--jobs" in capsys.readouterr().err


def test_a_file_that_is_no_page(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "picture"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "a PNG image" in cli("split", path, status=1).err
