"""Every saved page: folder of the engine, folder of the case, page, expected hits, meta."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reducepp.errors import ParseError
from reducepp.scraping.search import ENGINES, detect_engine

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/*/meta.json"))


def source(case: Path) -> str:
    return next(case.glob("page.*")).read_text("utf-8")


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_page_gives_its_hits_or_says_why_not(case: Path) -> None:
    engine, meta = ENGINES[case.parent.name], read_json(case / "meta.json")
    if meta["outcome"] == "unknown":
        with pytest.raises(ParseError, match="nothing recognised"):
            engine.parse(source(case))
        return
    page = engine.parse(source(case), query="tide tables")
    hits = [{"url": hit.url, "title": hit.title, "snippet": hit.snippet} for hit in page.hits]
    assert hits == read_json(case / "expected.json")
    assert (page.outcome, page.reason.split(" ")[0]) == (meta["outcome"], meta.get("reason", ""))
    assert [hit.rank for hit in page.hits] == list(range(1, len(hits) + 1))
    assert {(hit.query, hit.engine, hit.sources) for hit in page.hits} <= {
        ("tide tables", engine.name, (engine.name,))
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_page_is_recognised(case: Path) -> None:
    if not read_json(case / "meta.json").get("anonymous"):
        assert detect_engine(source(case)) == case.parent.name


@pytest.mark.parametrize("name", ["rendered-2026", "panel-2022", "sealed-links-2026", "news-2026"])
def test_results_are_detected_without_class_names(name: str) -> None:
    case = Path(__file__).parent / "google" / name
    hits = ENGINES["google"].parse(re.sub(r"\sclass=\"[^\"]*\"", "", source(case))).hits
    assert [hit.url for hit in hits] == [hit["url"] for hit in read_json(case / "expected.json")]


def test_every_case_has_its_files() -> None:
    assert CASES
    for case in CASES:
        meta = read_json(case / "meta.json")
        assert meta["outcome"] in ("results", "empty", "blocked", "unknown")
        assert (case / "expected.json").exists() == (meta["outcome"] != "unknown")
