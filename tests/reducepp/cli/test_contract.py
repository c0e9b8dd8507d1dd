"""Names, output forms and exit codes that other people's programs rely on."""

import csv
import gzip
import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import COMMANDS, main
from reducepp.cli.options import read_options
from tests.programs import Cli

STORY = "The council voted on Monday to repair the old lighthouse, dark since the great storm."
ROWS: list[dict[str, Any]] = [
    {"query": "q", "url": "https://a.example/1", "title": "Lighthouse saved", "body": STORY},
    {"query": "q", "url": "https://b.example/2", "title": "Saved", "body": f"{STORY} More soon."},
    {"query": "q", "url": "https://c.example/3", "html": f"<h1>Walks</h1><p>{'A cliff. ' * 15}"},
    {"query": "r", "url": "https://d.example/4", "body": "Another query's page stands alone."},
]


@pytest.fixture
def pages(tmp_path: Path) -> str:
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS) + "{bad\n", "utf-8")
    return str(path)


def test_reduce_as_json(pages: str, cli: Cli) -> None:
    first, second = json.loads(cli("reduce", pages, "--format", "json").out)["reductions"]
    keys = ["query", "profile", "threshold", "before", "after", "reduction"]
    assert [first[key] for key in keys] == ["q", "default", 0.5, 3, 2, pytest.approx(1 / 3)]
    assert [c["members"] for c in first["clusters"]] == [
        ["https://a.example/1", "https://b.example/2"],
        ["https://c.example/3"],
    ]
    assert first["clusters"][0]["kept"] == "https://a.example/1"
    (dropped,) = first["dropped"]
    assert (dropped["id"], dropped["kept"]) == ("https://b.example/2", "https://a.example/1")
    given = sum(s["contribution"] for s in dropped["signals"].values())
    odds = math.log(dropped["score"] / (1 - dropped["score"]))
    assert given + dropped["background"] == pytest.approx(odds)
    assert dropped["passages"][0]["words"] >= 10
    assert second["query"] == "r"
    assert second["failures"][0]["reason"].startswith("line 5")


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "md"])
def test_reduce_in_every_form_to_a_file(pages: str, tmp_path: Path, form: str, cli: Cli) -> None:
    out = tmp_path / "out"
    assert cli("reduce", pages, "--format", form, "--out", out).out == ""
    assert "a.example" in out.read_text("utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "pages.jsonl"]


def test_pairs_have_the_papers_six_signals(pages: str, cli: Cli) -> None:
    out = cli("pairs", pages, "--profile", "paper").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == [
        *("query", "a", "b", "score"),
        *("site_title", "page_title", "subtitles", "links", "body_cosine", "body_graph"),
    ]
    assert len(rows) == 3
    assert rows[0]["subtitles"] == ""
    assert all(len(row["score"].partition(".")[2]) >= 6 for row in rows)


def test_pairs_have_a_column_for_images_where_a_query_has_some(tmp_path: Path, cli: Cli) -> None:
    lines = [
        {"url": f"https://{query}.example/{n}", "query": query, "body": f"{STORY} {n}"}
        | ({"images": ["0f0f0f0f0f0f0f0f"]} if query == "q" else {})
        for query in "qr"
        for n in range(2)
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    out = cli("pairs", path, "--profile", "paper").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["images"] for row in rows] == ["1.000000000000", ""]
    out = cli("report", path, "--profile", "paper", "--format", "json").out
    assert len(json.loads(out)["profile"]["signals"]) == 6


def test_compare_answers_every_line_in_order(tmp_path: Path, cli: Cli) -> None:
    lines = [json.dumps({"a": {"body": f"{STORY} {n}"}, "b": {"body": STORY}}) for n in range(300)]
    lines[7], lines[130] = "{", json.dumps({"a": {"body": "Rain."}, "b": {"body": "Nothing alike"}})
    path = tmp_path / "pairs.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    printed = cli("compare", path)
    answers = [json.loads(line) for line in printed.out.splitlines()]
    assert len(answers) == 300
    assert printed.err == "1 of 300 lines are no pairs: their answers say why\n"
    assert set(answers[0]) == {"score", "duplicate", "level", "facts", "signals"}
    assert [n for n, answer in enumerate(answers) if not answer.get("duplicate")] == [7, 130]
    assert "error" in answers[7]


def test_a_file_that_may_not_be_read(pages: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read every file, so the refusal is made here."""

    opened = Path.open

    def refuse(path: Path, *how: Any, **more: Any) -> Any:
        if str(path) == pages:
            raise PermissionError(13, "Permission denied", pages)
        return opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", refuse)
    assert cli("reduce", pages, status=1).err == f"reducepp reduce: {pages}: Permission denied\n"


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        ("sweep --plot curves", "matplotlib", "evaluate"),
        ("sweep --format parquet --out rows.parquet", "pyarrow", "tables"),
        ("reduce --format graphml", "networkx", "evaluate"),
    ],
)
def test_a_missing_package_is_named_before_the_input_is_read(
    words: str, package: str, extra: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    said = cli(*words.split(), "none.jsonl", status=1).err
    assert said.endswith(f"needs an optional package: pip install 'reducepp[{extra}]'\n")


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["reduce", "none.jsonl"], 1, "no such file"),
        (["reduce", "PAGES", "--profile", "nope"], 2, "no profile 'nope'"),
        (["split", "pages.jsonl"], 2, "use --jsonl pages.jsonl"),
        (["reduce", "PAGES", "--out", "no/such/file"], 1, "there is no folder no/such"),
        (["reduce", "PAGES", "--out", "."], 1, "it is a folder"),
        (["sweep", "PAGES", "--plot", "curves.png"], 2, "--plot curves.png: name a folder"),
        (["evaluate", "PAGES", "--plot", "curves.svg"], 2, "--plot curves.svg: name a folder"),
        (["clicks", "none.jsonl"], 1, "No such file"),
        (["clicks", "PAGES"], 1, "no result list in it (line 1: nothing shown"),
        (["dataset", "new.sqlite", "--import", "none.jsonl"], 1, "none.jsonl: no such file"),
        (["pairs", "BAD"], 1, "no page in it (line 1: not JSON"),
    ],
)
def test_exit_codes_and_one_line_that_says_why(
    pages: str, tmp_path: Path, words: list[str], status: int, says: str, cli: Cli
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{\n")
    given = [{"PAGES": pages, "BAD": str(bad)}.get(word, word) for word in words]
    out, err = cli(*given, status=status)
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["reduce"],
        ["reduce", "x", "--threshold", "7"],
        ["sweep", "x", "--against", "kmeans"],
    ],
)
def test_wrong_usage_is_two(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert "example" in capsys.readouterr().out
    assert f"reducepp {name}" in read_options()["descriptions"][name]
