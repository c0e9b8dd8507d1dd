"""Labels are read as stated, on a stated scale, and what is wrong is named with its line."""

import gzip
from pathlib import Path

import pytest

from reducepp.errors import InputError, LabelsError
from reducepp.labelled.reading import read_labels


def write(folder: Path, text: str, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_yes_and_no(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "query,a,b,duplicate\nq,1,2,1\nq,1,3,0\nq,2,3,true\nq,4,3,No\nq,5,6,Duplicate\nq,5,7,different\n",
    )
    found = read_labels(path)
    assert [(j.query, j.a, j.b, j.duplicate) for j in found] == [
        ("q", "1", "2", True),
        ("q", "1", "3", False),
        ("q", "2", "3", True),
        ("q", "4", "3", False),
        ("q", "5", "6", True),
        ("q", "5", "7", False),
    ]
    assert all(j.decided for j in found)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16"])
def test_tables_of_spreadsheets(tmp_path: Path, delimiter: str, charset: str) -> None:
    path = tmp_path / "labels.csv"
    rows = (("query", "a", "b", "duplicate"), ("été", "1", "2", "1"))
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows), charset)
    assert [(j.query, j.a, j.b, j.duplicate) for j in read_labels(path)] == [
        ("été", "1", "2", True)
    ]


def test_votes_above_half_are_duplicates_at_half_undecided(tmp_path: Path) -> None:
    lines = "".join(
        f'{{"a": {{"id": "a{v}", "body": "x"}}, "b": {{"url": "b{v}"}}, "votes": {v}}}\n'
        for v in range(7)
    )
    found = read_labels(write(tmp_path, lines, "pairs.jsonl"))
    assert [j.duplicate for j in found] == [False] * 4 + [True] * 3
    assert [j.decided for j in found] == [True] * 3 + [False] + [True] * 3
    assert (found[5].a, found[5].b, found[5].scale) == ("a5", "b5", 6.0)


def test_the_scale_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,grade\n1,2,2\n1,3,3\n")
    assert [j.duplicate for j in read_labels(path, scale=5)] == [False, True]
    with pytest.raises(LabelsError, match="grade 2 is over 1: state the highest grade"):
        read_labels(path)
    with pytest.raises(LabelsError, match="grade 3 is over 2"):
        read_labels(path, scale=2)


def test_three_votes_of_six_are_undecided_though_nobody_gave_six(tmp_path: Path) -> None:
    lines = '{"a": "1", "b": "2", "votes": 3}\n{"a": "1", "b": "3", "votes": 5}\n'
    undecided, duplicate = read_labels(write(tmp_path, lines, "votes.jsonl"))
    assert not undecided.decided
    assert duplicate.duplicate


def test_a_file_may_state_the_scale(tmp_path: Path) -> None:
    found = read_labels(write(tmp_path, "a,b,grade,scale\n1,2,2,3\n1,3,1,3\n1,4,1,\n"))
    assert [(j.scale, j.duplicate) for j in found] == [(3, True), (3, False), (1, True)]


def test_a_file_of_differences_only_keeps_the_scale_of_yes_and_no(tmp_path: Path) -> None:
    found = read_labels(write(tmp_path, "a,b,duplicate\n1,2,0\n"))
    assert (found[0].scale, found[0].duplicate, found[0].decided) == (1.0, False, True)


def test_gzip_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv.gz"
    path.write_bytes(gzip.compress("\ufeffquery,a,b,duplicate\nq,1,2,1\n".encode()))
    assert read_labels(path)[0].duplicate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,2\n", "columns query, a, b, duplicate are needed; found x, y"),
        ("", "found none"),
        ("a,b,duplicate\n1,2,maybe\n", r"labels.csv:2: duplicate = 'maybe'"),
        ("a,b,duplicate\n1,2,-1\n", "a number from 0"),
        ("a,b,duplicate\n1,2,nan\n", "a number from 0"),
        ("a,b,duplicate\n1,,1\n", r"labels.csv:2: a, b and one of"),
        ('{"a": 1, "b": 2, "votes": 1}\n{"a"\n', r"labels.csv:2: not JSON"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LabelsError, match=message):
        read_labels(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "none.csv")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(b"a,b,duplicate\n\xff,2,1\n")
    with pytest.raises(LabelsError, match="not UTF-8"):
        read_labels(path)
