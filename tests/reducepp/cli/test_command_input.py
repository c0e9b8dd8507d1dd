"""Labelled pairs that carry pages are told from other files, and bad lines do not stop the rest."""

import gzip
import json
from pathlib import Path

import pytest

from reducepp.cli.command_input import is_pairs, read_pairs

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
