"""`reducepp evaluate` as a user runs it."""

import csv
import io
import json
from pathlib import Path

import pytest

from reducepp.cli import main
from tests.programs import Cli

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


def evaluate(cli: Cli, *words: object) -> str:
    return str(cli("evaluate", *words, "--samples", "50", "--jobs", "1").out)


def test_one_profile(folder: Path, cli: Cli) -> None:
    text = evaluate(
        cli, folder / "pages.jsonl", "--labels", folder / "labels.csv", "--format", "csv"
    )
    (row,) = csv.DictReader(io.StringIO(text))
    assert list(row)[:7] == [
        "method", "group", "value", "pairs", "duplicates", "threshold", "precision",
    ]  # fmt: skip
    assert len(row) == 45
    assert [row[name] for name in list(row)[:2]] == ["default", "all"]
    assert (row["pairs"], row["duplicates"]) == ("4", "1")
    assert row["precision"] == row["recall"] == row["average_precision"] == "1.0"
    assert row["resampled"] == "page"


def test_profiles_and_baselines_side_by_side(folder: Path, cli: Cli) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    words = ("--profile", "default", "--profile", "paper", "--baselines", "--format", "json")
    rows = json.loads(evaluate(cli, *files, *words))["rows"]
    assert [row["method"] for row in rows] == [
        *("default", "paper", "minhash", "minhash-3", "simhash", "tfidf")
    ]
    assert [row["threshold"] for row in rows][1:] == [0.67, 0.7, 0.7, 61 / 64, 0.8]
    some = json.loads(evaluate(cli, *files, "--baselines", "tfidf", "--format", "json"))["rows"]
    assert [row["method"] for row in some] == ["default", "tfidf"]
    assert some[1]["f1"] == rows[5]["f1"]


def test_a_threshold_for_the_profiles(folder: Path, cli: Cli) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    words = ("--threshold", "1", "--baselines", "simhash", "--format", "json")
    rows = json.loads(evaluate(cli, *files, *words))["rows"]
    assert (rows[0]["threshold"], rows[0]["recall"], rows[0]["precision"]) == (1.0, 0.0, None)
    assert rows[1]["threshold"] == 61 / 64


def test_pairs_that_carry_their_pages(folder: Path, cli: Cli) -> None:
    out, err = cli("evaluate", folder / "pairs.jsonl", "--format", "json")
    (row,) = json.loads(out)["rows"]
    assert (row["pairs"], row["duplicates"], row["f1"]) == (2, 1, 1.0)  # one is undecided
    assert "pairs.jsonl:4" in err


def test_a_table_with_intervals(folder: Path, cli: Cli) -> None:
    files = (folder / "pages.jsonl", "--labels", folder / "labels.csv")
    header, line = evaluate(cli, *files, "--threshold", "0").splitlines()
    assert header.split()[:2] == ["method", "pairs"]
    assert line.startswith("default  all")
    assert "0.250 [0.00 1.00]" in line
    assert "[" not in evaluate(cli, *files, "--resample", "query"), "one query, always drawn"


def test_clusters_have_intervals_in_every_form(folder: Path, cli: Cli) -> None:
    """Twelve queries, half of which judge a and b to differ: false merges there."""
    lines = [
        {"id": i, "query": f"q{n}", "body": body, "domain": f"d{n % 2}"}
        for n in range(12)
        for i, body in BODIES.items()
    ]
    (folder / "pages.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    judged = [f"q{n},a,b,{n % 2}\nq{n},c,d,0\n" for n in range(12)]
    (folder / "labels.csv").write_text("query,a,b,duplicate\n" + "".join(judged), "utf-8")
    words = ["--labels", folder / "labels.csv", "--by", "domain", "--baselines", "tfidf"]
    run = [folder / "pages.jsonl", *words, "--threshold", "0.5", "--format"]
    rows = json.loads(evaluate(cli, *run, "json"))["rows"]
    assert [(row["method"], row["value"]) for row in rows[:3]] == [
        ("default", ""),
        ("default", "d0"),
        ("default", "d1"),
    ]
    row = rows[0]
    assert (row["clusters_resampled"], row["drawn"]) == ("piece", 36)
    for name in ("b_cubed_precision", "b_cubed_f1", "adjusted_rand"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    assert row["b_cubed_recall_low"] == row["b_cubed_recall_high"] == 1.0
    found = list(csv.DictReader(io.StringIO(evaluate(cli, *run, "csv"))))
    assert float(found[0]["adjusted_rand_low"]) == row["adjusted_rand_low"]
    assert found[2]["adjusted_rand_high"] == "1.0"
    shown = f"{row['b_cubed_f1']:.3f} [{row['b_cubed_f1_low']:.2f} {row['b_cubed_f1_high']:.2f}]"
    assert shown in evaluate(cli, *run, "table").splitlines()[1]
    by_query = json.loads(evaluate(cli, *run, "json", "--resample", "query"))["rows"]
    assert [(r["clusters_resampled"], r["drawn"]) for r in by_query[:2]] == [
        ("query", 12),
        ("query", 6),
    ]
    assert by_query[0]["adjusted_rand_low"] < by_query[0]["adjusted_rand_high"]
    assert by_query[1]["adjusted_rand_low"] is None, "six queries are too few"


def test_a_picture(folder: Path, cli: Cli) -> None:
    evaluate(
        cli,
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


def test_groups_without_a_labelled_pair_are_named(folder: Path, cli: Cli) -> None:
    more = [
        {"id": f"f{n}", "query": f"r{n}", "body": "Un chat.", "language": "fr"} for n in range(7)
    ]
    with (folder / "pages.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in more)
    run = ["evaluate", str(folder / "pages.jsonl"), "--labels", str(folder / "labels.csv")]
    notes = cli(*run, "--samples", "0", "--jobs", "1").err.splitlines()
    assert [line.split(": ", 1)[1] for line in notes] == [
        "no labelled pair of language fr",
        "no labelled pair of query r0, r1, r2, r3, r4 and 2 more",
    ]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--labels", "nothing.csv"], 1, "there is no labelled pair"),
        (["--labels", "none.csv"], 1, "none.csv: cannot be read"),
        ([], 2, "--labels FILE is needed"),
        (
            ["--labels", "labels.csv", "--baselines", "magic"],
            2,
            "minhash, minhash-3, simhash, tfidf",
        ),
        (["--labels", "labels.csv", "--by", "moon"], 2, "use language, domain, query"),
        (["--labels", "other.csv"], 1, "begin with 'a' of query 'other', the input"),
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
    (folder / "nothing.csv").write_text("query,a,b,duplicate\n", "utf-8")
    (folder / "other.csv").write_text(LABELS.replace("q,", "other,"), "utf-8")
    assert main(["evaluate", "pages.jsonl", *words]) == status
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
