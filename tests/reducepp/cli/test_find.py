"""`reducepp find`: pages, positions, places, and the shrinking candidates."""

import json
from pathlib import Path

import pytest

from reducepp.replication.paper5 import DOCUMENTS, QUERY
from tests.programs import Cli

PAGES = [
    {"id": "a", "query": "sea", "body": "The Red\nsea. A red, SEA lion by the red rock."},
    {"id": "b", "query": "sea", "body": "Red rocks in the sea"},
    {"id": "c", "query": "lake", "body": "In été the red sea is calm"},
]


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES), "utf-8")
    return str(path)


def test_pages_positions_and_places(source: str, cli: Cli) -> None:
    found = json.loads(cli("find", source, "red sea", "--format", "json").out)["queries"]
    assert [query["query"] for query in found] == ["sea", "lake"]
    assert found[0]["pages"] == 2
    assert [(s["word"], s["candidates"]) for s in found[0]["steps"]] == [("red", 2), ("sea", 1)]
    (match,) = found[0]["matches"]
    assert match["id"] == "a"
    assert match["positions"] == [2, 5]
    body = str(PAGES[0]["body"])
    assert [body[start:end] for start, end in match["places"]] == ["Red\nsea", "red, SEA"]
    assert found[1]["matches"][0]["positions"] == [4]


def test_a_line_a_match_and_a_table(source: str, cli: Cli) -> None:
    lines = cli("find", source, "red sea", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "c"]
    table = cli("find", source, "red sea").out
    assert "a  at 2, 5" in table
    assert "sea                       1" in table


def test_partial_matches_by_how_far_they_go(source: str, cli: Cli) -> None:
    out = cli("find", source, "red sea lion", "--partial", "--format", "json").out
    ranking = json.loads(out)["queries"][0]["ranking"]
    assert [(page["id"], page["words"]) for page in ranking] == [("a", 3), ("b", 1)]


def test_no_match_is_an_answer_and_no_word_is_wrong_usage(source: str, cli: Cli) -> None:
    found = json.loads(cli("find", source, "green sea", "--format", "json").out)["queries"]
    assert found[0]["matches"] == []
    assert found[0]["steps"] == [{"word": "green", "candidates": 0, "share": 0.0}]
    assert "holds no word" in cli("find", source, "...", status=2).err


def test_table_4_of_the_paper_comes_out_of_the_command(tmp_path: Path, cli: Cli) -> None:
    """Uwamahoro and Zuping's scores: counts without "to" and "and", all eight documents."""
    path = tmp_path / "fish.jsonl"
    rows = [{"id": f"d{i}", "query": "fish", "body": t} for i, t in enumerate(DOCUMENTS, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = ("--partial", "--all", "--stop-words", "to,and", "--format", "json")
    (found,) = json.loads(cli("find", path, QUERY, *options).out)["queries"]
    scores = {page["id"]: page["cosine"] for page in found["ranking"]}
    printed = (0.511890, 0.578541, 0.604367, 0.361961, 0.367404, 0.695353, 0.406181, 0.622375)
    assert scores == pytest.approx({f"d{i}": v for i, v in enumerate(printed, 1)}, abs=1.5e-6)
    assert {page["id"] for page in found["ranking"][:2]} == {"d6", "d8"}
    out = cli("find", path, QUERY, "--partial", "--weights", "tfidf", "--stop-words", "en").out
    assert out.splitlines()[1].split()[1] == "d6"  # without "and", d6 goes as far as d8
