"""Rows to text: empty where not defined, no float noise, nothing of a page is markup."""

import json
import math
from pathlib import Path

import pytest

from reducepp.evaluation.figure_tables import as_csv, as_json, as_markdown, as_table, write_parquet

ROWS = [
    {"query": 'a, "b"', "value": 0.1 + 0.2, "count": 3},
    {"query": "<b>|x|", "value": math.nan, "count": 12345},
]
COLUMNS = ["query", "value", "count"]


def test_csv() -> None:
    assert as_csv(ROWS, COLUMNS) == 'query,value,count\n"a, ""b""",0.3,3\n<b>|x|,,12345\n'


def test_json() -> None:
    assert json.loads(as_json(ROWS, COLUMNS))["rows"][0]["value"] == 0.3
    assert json.loads(as_json(ROWS, COLUMNS))["rows"][1]["value"] is None


def test_table_aligns_numbers_to_the_right() -> None:
    assert as_table(ROWS, COLUMNS).splitlines() == [
        "query   value  count",
        'a, "b"    0.3      3',
        "<b>|x|      -  12345",
    ]
    assert as_table([], COLUMNS) == "query  value  count\n"


def test_a_table_wider_than_the_terminal_goes_on_below() -> None:
    columns = ["query", "threshold", "pages", "clusters"]
    table = as_table([dict(zip(columns, ["q", 0.5, 10, 4], strict=True))], columns, 24)
    assert table.splitlines() == [
        "query  threshold  pages",
        "q            0.5     10",
        "",
        "query  threshold  clusters",
        "q            0.5         4",
    ]


def test_markdown_escapes() -> None:
    lines = as_markdown(ROWS, COLUMNS).splitlines()
    assert lines[1] == "| --- | ---: | ---: |"
    assert lines[3] == "| \\<b\\>\\|x\\| | - | 12345 |"
    (name,) = as_markdown([{"x": "body_graph _a_ b__c"}], ["x"]).splitlines()[2:]
    assert name == r"| body_graph \_a\_ b\_\_c |"


def test_whole_numbers_and_large_ones_stay_readable() -> None:
    rows = [{"x": 1.0}, {"x": 0.0}, {"x": 20.0}, {"x": 12468.10847}]
    assert as_table(rows, ["x"]).split() == ["x", "1", "0", "20", "12468.1"]


def test_parquet_columns_have_the_same_types_in_every_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    defined = [{"query": "q", "value": 0.5, "count": 3}]
    nowhere = [{"query": "q", "value": math.nan, "count": 3}]
    tables = []
    for number, rows in enumerate((defined, nowhere)):
        write_parquet(tmp_path / f"{number}.parquet", rows, COLUMNS)
        tables.append(parquet.read_table(tmp_path / f"{number}.parquet"))
    assert tables[0].schema == tables[1].schema
    assert tables[1].column("value").to_pylist() == [None]
