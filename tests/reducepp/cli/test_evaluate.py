"""`reducepp evaluate` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields
from pathlib import Path

import pytest

from evaluation.labelled import Figures
from reducepp.cli import main

NEWS = "The council of the old town voted on Monday to let keepers put hives on flat roofs"
BODIES = {
    "a": f"{NEWS}. Neighbours must be told a month before the first swarm arrives.",
    "b": f"{NEWS}. Neighbours must be told one month before the first swarm arrives.",
    "c": "A storm has cut the power of nine villages in the north and closed the coast road.",
    "d": "Tickets for the summer festival are sold out; a second evening is being talked about.",
}
LABELS = "query,a,b,duplicate\nq,a,b,1\nq,a,c,0\nq,b,c,0\nq,c,d,0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [{"id": i, "query": "q", "body": body, "language": "en"} for i, body in BODIES.items()]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    (tmp_path / "labels.csv").write_text(LABELS, "utf-8")
    pairs = [
        {"a": {"body": BODIES["a"]}, "b": {"body": BODIES["b"]}, "votes": 6},
        {"a": {"body": BODIES["a"]}, "b": {"body": BODIES["c"]}, "votes": 0},
        {"a": {"body": BODIES["c"]}, "b": {"body": BODIES["d"]}, "votes": 3},
        {"a": {"body": BODIES["c"]}, "b": {"body": BODIES["d"]}},
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(x) + "\n" for x in pairs), "utf-8")
    return tmp_path


def evaluate(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["evaluate", *map(str, words), "--samples", "50", "--jobs", "1"]) == 0
    return capsys.readouterr().out


def test_one_profile(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = evaluate(
        capsys, folder / "pages.jsonl", "--labels", folder / "labels.csv", "--format", "csv"
    )
    (row,) = csv.DictReader(io.StringIO(text))
    assert list(row) == [field.name for field in fields(Figures)]
    assert (row["method"], row["group"], row["pairs"], row["duplicates"]) == (
        "default",
        "all",
        "4",
        "1",
    )
    assert row["precision"] == row["recall"] == row["average_precision"] == "1.0"
    assert row["resampled"] == "page"


def test_profiles_and_baselines_side_by_side(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    words = ("--profile", "default", "--profile", "paper", "--baselines", "--format", "json")
    rows = json.loads(evaluate(capsys, *files, *words))["rows"]
    assert [row["method"] for row in rows] == ["default", "paper", "minhash", "simhash", "tfidf"]
    assert [row["threshold"] for row in rows][1:] == [0.67, 0.7, 61 / 64, 0.8]
    some = json.loads(evaluate(capsys, *files, "--baselines", "tfidf", "--format", "json"))["rows"]
    assert [row["method"] for row in some] == ["default", "tfidf"]
    assert some[1]["f1"] == rows[4]["f1"]


def test_a_threshold_for_the_profiles(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    words = ("--threshold", "1", "--baselines", "simhash", "--format", "json")
    rows = json.loads(evaluate(capsys, *files, *words))["rows"]
    assert (rows[0]["threshold"], rows[0]["recall"], rows[0]["precision"]) == (1.0, 0.0, None)
    assert rows[1]["threshold"] == 61 / 64


def test_pairs_that_carry_their_pages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(folder / "pairs.jsonl"), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    (row,) = json.loads(out)["rows"]
    assert (row["pairs"], row["duplicates"], row["f1"]) == (2, 1, 1.0)  # one is undecided
    assert "pairs.jsonl:4" in err


def test_a_table_with_intervals(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    text = evaluate(capsys, *files, "--resample", "query")
    header, line = text.splitlines()
    assert header.split()[:2] == ["method", "pairs"]
    assert line.startswith("default  all")
    assert "1.000 [1.00 1.00]" in line


def test_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(
        capsys,
        folder / "pages.jsonl",
        "--labels",
        folder / "labels.csv",
        "--baselines",
        "--plot",
        folder / "plots",
    )
    svg = (folder / "plots" / "precision-recall.svg").read_text("utf-8")
    assert "minhash, average precision" in svg
    assert (folder / "plots" / "precision-recall.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--labels", "none.csv"], 1, "none.csv: cannot be read"),
        ([], 2, "--labels FILE is needed"),
        (["--labels", "labels.csv", "--baselines", "magic"], 2, "minhash, simhash, tfidf"),
        (["--labels", "labels.csv", "--by", "moon"], 2, "use language, domain, query"),
        (["--labels", "labels.csv", "--samples", "-1"], 2, "0 or more"),
        (["--labels", "other.csv"], 1, "check the ids"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    folder: Path,
    words: list[str],
    status: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    (folder / "other.csv").write_text(LABELS.replace("q,", "other,"), "utf-8")
    assert main(["evaluate", "pages.jsonl", *words]) == status
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
