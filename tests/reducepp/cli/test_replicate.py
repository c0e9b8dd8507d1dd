"""`reducepp replicate`: the paper's tables from hand-counted pages, its figures as files."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.cli import main
from reducepp.replication.paper1 import PUBLISHED, file_name, published_queries, table_one
from tests.evaluation.made import pages_of, random_pages

WORDS = ["--from", "0.3", "--to", "0.9", "--step", "0.1", "--jobs", "1"]


def write_pages(folder: Path) -> Path:
    """Nine English pages on bees, of which three are one, and six French ones on rain."""
    text = "The council of the old town voted to let keepers put hives on flat roofs in summer."
    rows = [
        {"id": f"e{i}", "query": "bees|town", "language": "en", "domain": "science", "body": body}
        for i, body in enumerate([text] * 3 + [p.body for p in random_pages(6, 4, words=50)])
    ]
    rows += [
        {"id": f"f{i}", "query": "pluie", "language": "fr", "domain": "general", "body": page.body}
        for i, page in enumerate(random_pages(6, 9, words=50))
    ]
    rows = [{**row, "url": f"https://{row['id']}.example/"} for row in rows]
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_one_counts_queries_and_records() -> None:
    bees = [replace(p, language="en", domain="science") for p in pages_of("abc", "bees")]
    rain = [replace(p, language="fr", domain="general") for p in pages_of("ab", "pluie")]
    snow = [replace(p, language="fr", domain="science") for p in pages_of("ab", "neige")]
    rows = [tuple(row.values()) for row in table_one([bees, rain, snow])]
    assert rows == [
        ("queries", "language", "fr", 2),
        ("queries", "language", "en", 1),
        ("queries", "domain", "science", 2),
        ("queries", "domain", "general", 1),
        ("records", "language", "fr", 4),
        ("records", "language", "en", 3),
        ("records", "domain", "science", 5),
        ("records", "domain", "general", 2),
    ]


def test_everything_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["replicate", str(write_pages(tmp_path)), "--out", str(out), *WORDS]) == 0
    printed, noted = capsys.readouterr()
    names = {path.name for path in out.iterdir()}
    figures = {f"figure-{n}.{kind}" for n in (4, 5, 6, 7, 8) for kind in ("svg", "png")}
    tables = {"table-1.csv", "table-3-paper.csv", "table-3-default.csv", "headline.csv"}
    assert names == figures | tables | {"replication.md"}
    own = find_profile("default").threshold
    heads = [line.split(":")[0] for line in printed.splitlines()]
    assert heads == ["paper at 0.67", f"default at {own:g}"]
    assert "begin with replication.md" in noted
    page = (out / "replication.md").read_text("utf-8")
    assert "bees\\|town" in page
    assert all(f"](figure-{n}.svg)" in page for n in (4, 5, 6, 7, 8))
    assert "| as published | 0.67 | 14109 | - | 61 | 0.2757 |" in page


def test_table_three_is_what_reduce_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages, out = write_pages(tmp_path), tmp_path / "out"
    words = [str(pages), "--profile", "default"]
    assert main(["replicate", *words, "--out", str(out), *WORDS]) == 0
    rows = read(out / "table-3-default.csv")
    assert [(row["language"], row["query"], row["before"]) for row in rows] == [
        ("en", "bees|town", "9"),
        ("fr", "pluie", "6"),
    ]
    for threshold in ("0.67", "0.7", "0.8"):
        capsys.readouterr()
        assert main(["reduce", *words, "--threshold", threshold, "--format", "json"]) == 0
        reductions = json.loads(capsys.readouterr().out)["reductions"]
        after = {r["query"]: (r["after"], round(100 * r["reduction"], 1)) for r in reductions}
        for row in rows:
            found = int(row[f"after {threshold}"]), float(row[f"reduction % {threshold}"])
            assert found == after[row["query"]]
    assert int(rows[0]["after 0.67"]) <= 7
    (line,) = read(out / "headline.csv")
    assert (line["before"], line["agreement"]) == ("15", "1.0")


def test_a_threshold_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = str(write_pages(tmp_path))
    words = ["--profile", "default", "--threshold", "1", "--out", str(tmp_path / "out"), *WORDS]
    assert main(["replicate", pages, *words]) == 0
    assert "default at 1: 13 % fewer pages (15 to 13)" in capsys.readouterr().out


def test_a_folder_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x", "utf-8")
    pages = str(write_pages(tmp_path))
    words = ["--profile", "default", "--out", str(blocked / "out"), *WORDS]
    assert main(["replicate", pages, *words]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_names_and_published_figures() -> None:
    assert file_name("../mine & yours") == "---mine---yours"
    assert (PUBLISHED["fewer pages %"], PUBLISHED["Davies-Bouldin"]) == (61.0, 0.1269)


def test_paper_5_prints_table_4_beside_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replicate", "--paper", "5"]) == 0
    out = capsys.readouterr().out
    assert "| 1 | d8 |" in out
    assert "| 0.6954 |" in out


@pytest.mark.slow
def test_papers_2_and_3_on_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    for paper, titles in (
        ("2", ["Table 2: each signal", "Table 3 and Figure 2", "Figure 5"]),
        ("3", ["Table 1", "Table 2", "Tables 4 and 5", "Table 6", "Table 8"]),
    ):
        assert main(["replicate", "--paper", paper, "--jobs", "1"]) == 0
        out = capsys.readouterr().out
        assert all(title in out for title in titles)


def test_paper_4_needs_a_log_and_shows_kinds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replicate", "--paper", "4"]) == 2
    log = tmp_path / "log.jsonl"
    shown = ["https://a.example/1", "https://b.example/1"]
    lists = [{"query": "q", "shown": s, "clicked": s[:1]} for s in (shown, shown[::-1])] * 30
    log.write_text("".join(json.dumps(row) + "\n" for row in lists), "utf-8")
    capsys.readouterr()
    assert main(["replicate", str(log), "--paper", "4", "--out", str(tmp_path / "o")]) == 0
    assert "| content | 1 | 100 | 1 | show as alternatives | 24 |" in capsys.readouterr().out
    assert read(tmp_path / "o" / "kinds.csv")[2]["pairs"] == "1"


def test_ablations_and_agreement_are_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = [str(write_pages(tmp_path)), "--out", str(out), "--ablations", *WORDS]
    assert main(["replicate", *words]) == 0
    rows = read(out / "ablations.csv")
    variants = {row["variant"] for row in rows}
    assert {"as published", "equal weights", "body_cosine alone", "without body_graph"} <= variants
    assert {row["preparation"] for row in rows} == {"syntactic", "semantic"}
    agreement = read(out / "agreement.csv")
    single = [row["adjusted Rand"] for row in agreement if row["against"] == "single"]
    assert set(single) == {"1.0"}
    assert any(row["adjusted Rand"] != "1.0" for row in agreement)


def test_the_queries_of_table_three() -> None:
    rows = published_queries()
    assert len(rows) == 17
    assert [row["language"] for row in rows].count("ar") == 5
    assert rows[0] == {
        "query": "lasik eye surgery", "language": "en", "before": "97", "after 0.67": "7",
        "after 0.7": "10", "after 0.8": "67",
    }  # fmt: skip


def test_collecting_needs_an_engine_and_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replicate", "--queries", "table-3"]) == 2
    assert "--engine NAME and --out DIR" in capsys.readouterr().err
