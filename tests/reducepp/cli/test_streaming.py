"""Many queries: read, reduced and printed one after the other, in bounded memory."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import main
from reducepp.errors import InputError
from reducepp.inputs import read_queries, stream_queries
from reducepp.io import readers
from reducepp.io.writers import FORMATS
from tests.programs import Cli

BODY = "The storm hit the coast on Monday and left many houses without power for hours."


def rows(queries: int, pages: int = 3) -> list[dict[str, Any]]:
    return [
        {"query": f"q{q}", "url": f"https://{p}.example/{q}", "title": "Storm", "body": BODY}
        for q in range(queries)
        for p in range(pages)
    ]


def write(folder: Path, records: list[dict[str, Any]], name: str = "pages.jsonl") -> str:
    path = folder / name
    path.write_text("{bad\n" + "".join(json.dumps(r) + "\n" for r in records), "utf-8")
    return str(path)


def test_sorted_files_are_read_query_by_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, rows(2000, 1))
    lines: list[int] = []
    whole = readers.Row

    def counted(**fields: Any) -> Any:
        lines.append(fields["number"])
        return whole(**fields)

    monkeypatch.setattr(readers, "Row", counted)
    monkeypatch.setattr("reducepp.inputs.BATCH", 16)
    stream = stream_queries(path)
    next(stream)
    assert len(lines) < 100
    assert len(list(stream)) == 1999


@pytest.mark.parametrize("order", ["sorted", "mixed"])
def test_streamed_and_whole_inputs_are_equal(tmp_path: Path, order: str) -> None:
    records = rows(6)
    path = write(tmp_path, records if order == "sorted" else records[::2] + records[1::2])
    assert list(stream_queries(path)) == read_queries(path)


def test_what_has_no_page_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, [{"query": "q", "url": 7, "body": {}}])
    with pytest.raises(InputError, match="no page in it"):
        list(stream_queries(path))


@pytest.mark.parametrize("form", list(FORMATS))
def test_workers_print_what_one_process_prints(tmp_path: Path, cli: Cli, form: str) -> None:
    path = write(tmp_path, rows(5))
    options = (["--jobs", "1"], ["--jobs", "2"], ["--memory", "600M"])
    printed = [cli("reduce", path, "--format", form, *more).out for more in options]
    assert printed[0] == printed[1] == printed[2]
    out = tmp_path / "out"
    assert main(["reduce", path, "--format", form, "--out", str(out)]) == 0
    assert out.read_text("utf-8") == printed[0]
    if form == "json":
        assert len(json.loads(printed[0])["reductions"]) == 5


def test_a_limit_that_is_too_small_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit):
        main(["reduce", "x", "--memory", "5M"])
    assert "a size from 256M on is needed" in capsys.readouterr().err
    path = write(tmp_path, rows(1))
    monkeypatch.setattr("reducepp.cli.reduce_command._reduce_query", lambda *_: bytes(1 << 28))
    assert main(["reduce", path, "--memory", "256M"]) == 1
    assert "more memory than --memory" in capsys.readouterr().err


def test_all_pairs_that_do_not_fit_are_scored_within_the_limit(tmp_path: Path) -> None:
    """The signals of 1,400 pages by `paper` take 125 MB and as much again while they are scored."""
    large = [{"url": f"https://{i}.example", "body": f"{i} " * 400} for i in range(1400)]
    path = write(tmp_path, large)
    command = [sys.executable, "-m", "reducepp", "reduce", path, "--memory", "512M"]
    command += ["--profile", "paper", "--format", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 1400


def test_a_store_is_read_query_by_query(tmp_path: Path) -> None:
    pages = write(tmp_path, rows(4))
    store = str(tmp_path / "pages.sqlite")
    assert main(["dataset", store, "--import", pages]) == 0
    assert list(stream_queries(store)) == read_queries(store)
    assert len(list(stream_queries(store))) == 4
