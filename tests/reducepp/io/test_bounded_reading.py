"""Files of a few kilobytes that unpack to more than a program should hold, and damaged ones."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.io import columns, own_rows
from reducepp.io.bounded_reading import MAX_VALUES, bounded_lines, parse_json
from reducepp.io.readers import read_pages
from reducepp.types import Failure, Page
from tests.programs import Cli


@pytest.mark.parametrize("item", [b"[],", b"{},", b"0,"])
def test_a_text_of_too_many_values_is_refused_before_it_is_parsed(item: bytes) -> None:
    with pytest.raises(ValueError, match="more than 5,000,000 values"):
        parse_json(b"[" + item * (MAX_VALUES + 1) + b"0]")
    assert len(parse_json(b"[" + item * 1_000 + b"0]")) == 1_001


def test_what_nests_too_deeply_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 200_000)


def test_a_long_line_loses_its_end_and_the_next_ones_stand() -> None:
    stream = io.StringIO("short\n" + "x" * 35 + "\nafter\n" + "y" * 10 + "\nlast")
    assert list(bounded_lines(stream, 10)) == ["short\n", "x" * 10, "after\n", "y" * 10, "last"]


@pytest.mark.parametrize("command", [["reduce"], ["filter"], ["compare"], ["split", "--jsonl"]])
def test_a_packed_document_of_values_ends_with_a_reason(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "values.json.gz"
    path.write_bytes(gzip.compress(b'{"results":[' + b"[]," * MAX_VALUES + b"0]}", 1))
    main([*command, str(path)])
    said = capsys.readouterr()
    assert "more than 5,000,000 values" in said.out + said.err


def test_filter_unpacks_no_more_than_rows_of_text_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """A string of 900 MB in 0.9 MB took 6.3 GB."""
    monkeypatch.setattr(own_rows, "MAX_JSON_BYTES", 1 << 20)
    path = tmp_path / "rows.json.gz"
    path.write_bytes(gzip.compress(b'"' + b"a" * (3 << 20) + b'"'))
    assert "unpacks to over 1 MiB" in cli("filter", path, status=1).err


def test_of_many_junk_lines_the_first_are_kept_and_the_others_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "MAX_FAILURES", 3)
    path = tmp_path / "junk.jsonl"
    path.write_text('{"text": "a page"}\n' + "junk\n" * 10 + '{"text": "another"}\n', "utf-8")
    found = list(read_pages(str(path)))
    assert sum(isinstance(read, Page) for read in found) == 2
    reasons = [read.reason.split(":")[0] for read in found if isinstance(read, Failure)]
    assert reasons == ["line 2", "line 3", "line 4", "7 more that cannot be read"]


@pytest.mark.parametrize(
    "command", [["reduce"], ["filter"], ["compare"], ["split", "--jsonl"], ["clicks"], ["evaluate"]]
)
@pytest.mark.parametrize("damage", ["truncated", "changed"])
def test_damaged_gzip_is_one_line(
    command: list[str], damage: str, tmp_path: Path, cli: Cli
) -> None:
    rows = "".join(f'{{"url": "https://{i}.example/", "body": "word {i}"}}\n' for i in range(300))
    packed = gzip.compress(rows.encode())
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(packed[:500] if damage == "truncated" else packed[:90] + b"\xff" * 400)
    labels = ["--labels", str(path)] if command == ["evaluate"] else []
    said = cli(*command, path, *labels, status=1).err
    assert len(said.strip().splitlines()) == 1
    assert "pages.jsonl.gz" in said


def test_standard_input_that_is_no_utf8(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    line = b'{"a": "caf\xe9 one", "b": "caf\xe9 one"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line), "utf-8"))
    assert '"duplicate": true' in cli("compare", "-").out
