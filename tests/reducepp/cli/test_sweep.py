"""`reducepp sweep` and `reducepp advice` as a user runs them."""

import csv
import io
import json
import os
import sys
from pathlib import Path

import pytest

from tests.evaluation.made import random_pages
from tests.programs import Cli

COLUMNS = (
    "query,threshold,pages,clusters,reduction,information_kept,silhouette,davies_bouldin,"
    "calinski_harabasz,rand,adjusted_rand,ami,nmi,fowlkes_mallows,homogeneity,completeness,"
    "v_measure,largest,chained"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two queries of twelve pages, and one of a single page."""
    lines = [
        {"id": page.id, "query": query, "body": page.body, "url": page.id}
        for query, seed in (("bees, in town", 1), ("wasps", 2))
        for page in random_pages(12, seed, words=60)
    ]
    lines.append({"id": "alone", "query": "one", "body": "A single page of text.", "url": "x"})
    path = tmp_path_factory.mktemp("sweep") / "pages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def run(cli: Cli, *words: object) -> str:
    return str(cli(*words, "--jobs", "1").out)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_rows_of_each_query_and_no_others(pages: Path, cli: Cli) -> None:
    text = run(cli, "sweep", pages, "--from", "0.3", "--to", "0.9", "--step", "0.3")
    assert text.splitlines()[0] == COLUMNS
    rows = read(text)
    assert [(row["query"], row["threshold"]) for row in rows] == [
        (query, threshold)
        for query in ("bees, in town", "wasps", "one")
        for threshold in ("0.3", "0.6", "0.9")
    ]
    assert rows[-1]["silhouette"] == rows[-1]["rand"] == ""
    assert rows[-1]["information_kept"] == "1.0"
    assert {row["adjusted_rand"] for row in rows[:6]} == {"1.0"}


def test_the_usual_range_has_seventy_thresholds(pages: Path, cli: Cli) -> None:
    rows = read(run(cli, "sweep", pages))
    assert len(rows) == 3 * 70
    assert (rows[0]["threshold"], rows[69]["threshold"]) == ("0.3", "0.99")
    assert all(len(row["threshold"]) <= 4 for row in rows)


def test_clusters_are_those_of_reduce(pages: Path, cli: Cli) -> None:
    rows = read(run(cli, "sweep", pages, "--from", "0.4", "--to", "0.4"))
    reduced = json.loads(run(cli, "reduce", pages, "--threshold", "0.4", "--format", "json"))
    for row, reduction in zip(rows, reduced["reductions"], strict=True):
        assert int(row["clusters"]) == reduction["after"]
        assert float(row["reduction"]) == pytest.approx(reduction["reduction"])


def test_the_whole_set_on_request(pages: Path, cli: Cli) -> None:
    rows = read(run(cli, "sweep", pages, "--step", "0.3", "--overall"))
    assert [row["pages"] for row in [row for row in rows if row["query"] == "*"]] == ["25"] * 3
    assert len(rows) == 4 * 3


def test_labels_add_three_columns(pages: Path, tmp_path: Path, cli: Cli) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("query,a,b,duplicate\nwasps,a,b,0\nwasps,a,c,1\nwasps,a,zz,1\n", "utf-8")
    out, err = cli("sweep", pages, "--labels", labels, "--step", "0.3", "--overall")
    assert out.splitlines()[0] == COLUMNS + ",precision,recall,f1"
    rows = read(out)
    assert [row["recall"] for row in rows if row["query"] == "one"] == [""] * 3
    assert all(row["recall"] for row in rows if row["query"] in ("wasps", "*"))
    assert "1 labelled pair(s) name a page that is not in the input" in err


def test_json_says_why_a_figure_is_missing(pages: Path, cli: Cli) -> None:
    rows = json.loads(run(cli, "sweep", pages, "--step", "0.3", "--format", "json"))["rows"]
    assert list(rows[0])[:-2] == COLUMNS.split(",")
    assert rows[-1]["silhouette"] is None
    assert "not defined for 1 page" in rows[-1]["reason"]


def test_parquet_has_the_same_columns(pages: Path, tmp_path: Path, cli: Cli) -> None:
    from pyarrow import parquet

    out = tmp_path / "sweep.parquet"
    run(cli, "sweep", pages, "--format", "parquet", "--out", out)
    table = parquet.read_table(out)
    assert ",".join(table.column_names) == COLUMNS
    assert table.num_rows == 210
    assert table["silhouette"][209].as_py() is None
    assert "--out" in cli("sweep", pages, "--format", "parquet", status=2).err


def test_tables_show_a_dash(pages: Path, cli: Cli) -> None:
    lines = run(cli, "sweep", pages, "--step", "0.6", "--format", "table").splitlines()
    assert lines[0].split()[:3] == ["query", "threshold", "pages"]
    assert lines[-1].split().count("-") == 11


def test_pictures(pages: Path, tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "plots"
    run(cli, "sweep", pages, "--step", "0.1", "--plot", str(folder))
    names = sorted(path.name for path in folder.iterdir())
    parts = ("agreement", "information", "reduction", "validity")
    assert names == [f"{part}.{kind}" for part in parts for kind in ("png", "svg")]
    assert (folder / "information.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "information kept, %" in (folder / "information.svg").read_text("utf-8")


@pytest.mark.parametrize("words", [["--from", "0.9", "--to", "0.3"], ["--step", "0"]])
def test_wrong_ranges(pages: Path, words: list[str], cli: Cli) -> None:
    assert cli("sweep", pages, *words, status=2).err.count("\n") == 1


def test_advice_by_validity(pages: Path, cli: Cli) -> None:
    words = ("--from", "0.05", "--profile", "paper", "--format", "json")
    rows = json.loads(run(cli, "advice", pages, *words))["rows"]
    assert [row["query"] for row in rows] == ["bees, in town", "wasps", "one", "*"]
    assert 0 < rows[0]["threshold"] < 1
    assert rows[2]["threshold"] is None
    assert "not defined for 1 page" in rows[2]["reason"]


def test_advice_on_results_and_information(pages: Path, cli: Cli) -> None:
    words = ("--from", "0", "--keep-results", "8", "--information", "0.9", "--format", "csv")
    rows = read(run(cli, "advice", pages, *words))
    kept = {row["query"]: float(row["threshold"]) for row in rows if row["rule"] == "keep 8"}
    assert kept["*"] == min(kept.values())
    for query in ("bees, in town", "wasps"):
        at = str(kept[query])
        swept = read(run(cli, "sweep", pages, "--from", at, "--to", at))
        assert int({row["query"]: row["clusters"] for row in swept}[query]) <= 8
    assert len([row for row in rows if row["rule"] == "information 0.9"]) == 4


def test_advice_by_labels(pages: Path, tmp_path: Path, cli: Cli) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("query,a,b,duplicate\nwasps,a,b,0\nwasps,a,c,1\nwasps,b,c,0\n", "utf-8")
    text = run(cli, "advice", pages, "--labels", str(labels))
    assert "by best F" in text
    assert "on 3 labelled pairs, 1 of them duplicates" in text


def test_the_bar_of_a_terminal_is_not_drawn_with_quiet(
    pages: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr.__class__, "isatty", lambda _: True)
    assert cli("pairs", pages, "--quiet").err == ""
    for command in ("pairs", "sweep", "report --format md"):
        shown = cli(*command.split(), pages, "--jobs", "1").err
        assert "pages/s]" in shown, command


def test_a_picture_of_others_is_replaced_with_overwrite_alone(
    pages: Path, tmp_path: Path, cli: Cli
) -> None:
    picture = tmp_path / "information.png"
    picture.write_text("another's", "utf-8")
    words = ["sweep", pages, "--from", "0.5", "--to", "0.5", "--plot", tmp_path]
    if not has_attributes(tmp_path):
        pytest.skip("a file system without extended attributes")
    assert "is not overwritten" in cli(*words, status=1).err
    cli(*words, "--overwrite")
    assert picture.read_bytes().startswith(b"\x89PNG")


def has_attributes(folder: Path) -> bool:
    try:
        os.setxattr(folder, "user.reducepp", b"1")
    except (AttributeError, OSError):
        return False
    return True
