"""Labelled pairs that carry pages are told from other files, and bad lines do not stop the rest."""

import gzip
import json
from pathlib import Path

import pytest

from reducepp.cli.command_input import is_pairs, read_pairs
from tests.conftest import Cli

GOOD = {"a": {"id": "x", "body": "One text."}, "b": {"body": "Another."}, "votes": 2}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (json.dumps(GOOD), True),
        ('{"a": "x", "b": "y", "duplicate": 1}', False),
        ('{"url": "x", "body": "y"}', False),
        ("query,a,b,duplicate", False),
        ("<html>", False),
        ("", False),
    ],
)
def test_pairs_are_detected_by_the_first_line(tmp_path: Path, line: str, expected: bool) -> None:
    path, packed = tmp_path / "in.jsonl", tmp_path / "in.jsonl.gz"
    path.write_text(line + "\n", "utf-8")
    packed.write_bytes(gzip.compress(line.encode() + b"\n"))
    assert is_pairs(str(path)) is is_pairs(str(packed)) is expected
    assert not is_pairs(str(tmp_path))
    assert not is_pairs("-")


def test_each_line_is_a_query_of_two_pages(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    wrong = [{"a": {"body": "x"}, "b": {"body": "y"}}, {"a": 3, "b": "Text.", "votes": 1}]
    rows = [GOOD, *wrong, GOOD]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    pairs, labels, failures = read_pairs(str(path))
    assert [(page.id, page.query, page.rank) for page in pairs[0]] == [
        ("a", "line 1", 1),
        ("b", "line 1", 2),
    ]
    assert (labels[0].query, labels[0].grade) == ("line 1", 2)
    assert labels[-1].query == "line 4"
    assert f"{path}:2" in [failure.url for failure in failures]


def test_files_of_a_folder_that_cannot_be_read_are_counted_and_named(
    tmp_path: Path, cli: Cli
) -> None:
    (tmp_path / "good.html").write_text("<title>A</title><p>The lamp has been dark for years.</p>")
    (tmp_path / "binary.html").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "link.html").symlink_to(tmp_path / "nothing")
    table = cli("reduce", tmp_path).out
    assert "1 page, 1 shown, 0% fewer, 2 failed (" in table
    assert "failed: link.html: No such file or directory" in table
    for words in (["pairs"], ["reduce", "--format", "csv"], ["sweep", "--step", "0.5"]):
        said = cli(*words, tmp_path).err
        assert [line.split(": ")[1] for line in said.splitlines()] == ["binary.html", "link.html"]
    assert (
        len(
            json.loads(cli("reduce", tmp_path, "--format", "json").out)["reductions"][0]["failures"]
        )
        == 2
    )
