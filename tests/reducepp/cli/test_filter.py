"""`filter`: the user's own rows and format; nothing renamed, reordered or lost."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import reducepp
from reducepp.cli import main
from reducepp.errors import InputError
from tests.programs import Cli

STORY = "Beekeepers on the roofs of the old town harvested more honey this year than the farms."
ROWS: list[dict[str, Any]] = [
    {"n": 7, "title": "Rooftop bees | Herald", "url": "https://a.example/1", "content": STORY},
    {"n": 5, "title": "Honey cake", "url": "https://b.example/2", "content": "Beat eggs, sugar."},
    {"n": 6, "title": "Rooftop bees", "url": "https://c.example/3", "content": f"{STORY} Soon."},
]


def run(tmp_path: Path, name: str, data: bytes, *words: str) -> bytes:
    (tmp_path / name).write_bytes(data)
    out = tmp_path / "out"
    assert main(["filter", str(tmp_path / name), "--out", str(out), *words]) == 0
    return out.read_bytes()


def test_lines_stay_as_they_are(tmp_path: Path) -> None:
    lines = [json.dumps(row, separators=(" , ", ":  ")).encode() + b"\r\n" for row in ROWS]
    assert run(tmp_path, "r.jsonl", b"".join(lines)) == lines[0] + lines[1]
    odd = [lines[0], b"no json\n", lines[2]]
    assert run(tmp_path, "r.jsonl", b"".join(odd)) == lines[0] + b"no json\n"


def test_annotation_adds_columns_and_keeps_all_rows(tmp_path: Path) -> None:
    rows = [{**row, "score": 0.1} for row in ROWS]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    found = [json.loads(line) for line in run(tmp_path, "r.jsonl", data, "--annotate").splitlines()]
    added = ["cluster", "kept", "reducepp_score", "level", "why"]
    assert [list(row) for row in found] == [[*rows[0], *added]] * 3
    assert [{k: row[k] for k in rows[0]} for row in found] == rows
    assert [(row["cluster"], row["kept"]) for row in found] == [(1, True), (2, True), (1, False)]
    assert found[2]["reducepp_score"] >= 0.57
    assert found[2]["why"] == f"duplicate of https://a.example/1 ({found[2]['level']})"


def test_why_says_which_facts_differ() -> None:
    text = " ".join(f"{STORY} Hive {n} gave honey." for n in range(3)) + " {} keepers live there."
    _, dropped = reducepp.filter([text.format(40), text.format(42)], annotate=True)
    why = (
        f"duplicate of row 1 ({dropped['level']}): other figures: 42 / 40 keepers (dropped / kept)"
    )
    assert dropped["why"] == why


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_tables_keep_delimiter_quotes_and_charset(
    tmp_path: Path, delimiter: str, encoding: str
) -> None:
    cells = [["n", "title", "url", "content"], *([str(v) for v in r.values()] for r in ROWS)]
    cells[2][1] = "Honey\ncafé"
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\r\n" for row in cells)
    rows = [delimiter.join(f'"{cell}"' for cell in row) + "\r\n" for row in cells]
    assert run(tmp_path, "r.csv", text.encode(encoding)) == "".join(rows[:3]).encode(encoding)
    annotated = run(tmp_path, "r.csv", text.encode(encoding), "--annotate").decode(encoding)
    ends = [line.rsplit('"', 1)[1] for line in annotated.split("\r\n") if line.endswith("why")]
    assert ends == [delimiter.join(["", "cluster", "kept", "score", "level", "why"])]


def test_a_short_row_is_filled_up_before_its_annotation(tmp_path: Path) -> None:
    data = f"title,content,source\nBees,{STORY}\nBees,{STORY},c\n".encode()
    found = [*csv.DictReader(run(tmp_path, "r.csv", data, "--annotate").decode().splitlines())]
    assert [(row["source"], row["cluster"], row["kept"]) for row in found] == [
        ("", "1", "true"),
        ("c", "1", "false"),
    ]
    assert run(tmp_path, "r.csv", data) == data[: data.rindex(b"Bees")]


def test_a_spreadsheets_line_sep_and_cells_beyond_the_header_stay(tmp_path: Path) -> None:
    data = f"sep=;\r\ntitle;content\r\nBees;{STORY}\r\nBees;{STORY};\r\n".encode()
    assert run(tmp_path, "r.csv", data) == data[: data.rindex(b"Bees")]
    head = run(tmp_path, "r.csv", data, "--annotate").decode().splitlines()[:2]
    assert head == ["sep=;", "title;content;;cluster;kept;score;level;why"]


@pytest.mark.parametrize("key", ["results", "organic_results"])
def test_a_search_services_answer_stays_whole(tmp_path: Path, key: str) -> None:
    answer = {"query": "bees", key: ROWS, "suggestions": ["wasps"]}
    found = json.loads(run(tmp_path, "a.json", json.dumps(answer).encode()))
    assert found == {**answer, key: ROWS[:2]}
    pretty = run(tmp_path, "a.json", json.dumps(answer, indent=2).encode())
    assert pretty == json.dumps({**answer, key: ROWS[:2]}, indent=2).encode() + b"\n"


def test_parquet_keeps_types(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS).astype({"n": "int16"})
    frame.to_parquet(tmp_path / "r.parquet")
    found = run(tmp_path, "r.parquet", (tmp_path / "r.parquet").read_bytes())
    pandas.testing.assert_frame_equal(pandas.read_parquet(io.BytesIO(found)), frame[:2])
    found = run(tmp_path, "r.parquet", (tmp_path / "r.parquet").read_bytes(), "--annotate")
    assert pandas.read_parquet(io.BytesIO(found))["kept"].tolist() == [True, True, False]


def test_queries_apart_names_of_columns_and_a_number_of_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"Headline": r["title"], "Abstract": r["content"], "query": q} for q in "ab" for r in ROWS
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    words = ["--field", "title=Headline", "--field", "snippet=Abstract"]
    found = run(tmp_path, "r.jsonl", data, *words)
    assert [json.loads(line) for line in found.splitlines()] == [*rows[:2], *rows[3:5]]
    assert "6 rows, 4 kept" in capsys.readouterr().err
    cut = run(tmp_path, "r.jsonl", data, *words, "--target-n", "1")
    assert [json.loads(line) for line in cut.splitlines()] == [rows[0], rows[3]]
    assert main(["filter", str(tmp_path / "r.jsonl")]) == 1
    assert "no column with text is known among Headline, Abstract" in capsys.readouterr().err


def test_in_python(tmp_path: Path) -> None:
    assert reducepp.filter(ROWS) == ROWS[:2]
    assert reducepp.filter(ROWS)[0] is ROWS[0]
    assert reducepp.filter([STORY, "Beat eggs.", STORY]) == [STORY, "Beat eggs."]
    assert [row["kept"] for row in reducepp.filter(ROWS, annotate=True)] == [True, True, False]
    assert reducepp.filter([STORY], annotate=True)[0]["text"] == STORY
    assert reducepp.filter([]) == []
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, index=[4, 9, 9])
    pandas.testing.assert_frame_equal(reducepp.filter(frame), frame.iloc[:2])
    annotated = reducepp.filter(frame, annotate=True)
    assert list(annotated.columns)[4:] == ["cluster", "kept", "score", "level", "why"]
    assert annotated["kept"].tolist() == [True, True, False]


def test_other_names_generators_and_series_in_python() -> None:
    rows = [{"Headline": r["title"], "Abstract": r["content"]} for r in ROWS]
    fields = {"title": "Headline", "snippet": "Abstract"}
    assert reducepp.filter(rows, fields=fields) == rows[:2]
    assert list(reducepp.filter(row for row in ROWS)) == ROWS[:2]
    with pytest.raises(InputError, match=r"the list: no column 'Hedline' in .*mean Headline"):
        reducepp.filter(rows, fields={"title": "Hedline", "snippet": "Abstract"})
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows)
    pandas.testing.assert_frame_equal(reducepp.filter(frame, fields=fields), frame.iloc[:2])
    assert reducepp.reduce(frame, fields=fields).after == 2
    texts = pandas.Series([STORY, None, f"{STORY} Soon."], index=["x", "y", "y"])
    pandas.testing.assert_series_equal(reducepp.filter(texts), texts.iloc[:2])
    assert list(reducepp.filter(texts, annotate=True)["kept"]) == [True, True, False]


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl"])
def test_a_file_without_rows_is_an_error(tmp_path: Path, cli: Cli, name: str) -> None:
    (tmp_path / name).write_text("\n\n", "utf-8")
    assert f"{name}: no row in it" in cli("filter", tmp_path / name, status=1).err


def test_a_column_that_is_not_there_is_an_error(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "r.csv").write_text("title,text\na,b\n", "utf-8")
    for command in ("filter", "reduce"):
        said = cli(command, tmp_path / "r.csv", "--field", "title=titel", status=1).err
        assert "r.csv: no column 'titel' in text, title; did you mean title?" in said


def test_a_list_of_results_has_no_query_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, "r.json", json.dumps(ROWS).encode())
    assert "columns used: title, url, content; ignored: n" in capsys.readouterr().err


def test_other_inputs_are_refused(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "r.zip").write_bytes(b"PK\x03\x04rest")
    assert "r.zip: an archive: unpack it" in cli("filter", tmp_path / "r.zip", status=1).err
    (tmp_path / "p.html").write_text("<html><body>x</body></html>", "utf-8")
    err = cli("filter", tmp_path / "p.html", status=1).err
    assert "filter reads JSONL, CSV, TSV, JSON and Parquet" in err
