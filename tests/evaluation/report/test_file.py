"""The report as one file: nothing loaded, nothing parsed, bounded; the command that writes it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reducepp.api import find_profile
from reducepp.cli import main
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.report import (
    component_script,
    component_style,
    page_texts,
    report_data,
    report_html,
)
from reducepp.evaluation.report.report_formats import SCRIPTS, STYLES
from reducepp.types import Page
from tests.docs import run_page
from tests.evaluation.made import comparison_of
from tests.evaluation.report.expected import write_pages
from tests.programs import Cli

ASSETS = Path(__file__).parents[3] / "evaluation" / "report" / "assets"


def test_every_asset_is_in_the_file_and_no_other() -> None:
    inlined = {*SCRIPTS, *STYLES, "start.js", "report.html"}
    assert {path.name for path in ASSETS.iterdir()} == inlined
    for name in SCRIPTS:
        text = (ASSETS / name).read_text("utf-8")
        assert text.strip() in component_script()
        assert len(text.splitlines()) <= 300, name


def test_the_script_never_parses_markup() -> None:
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    assert not re.search(banned, component_script())
    assert "</script" not in component_script().lower()
    assert "<!--" not in component_script()
    assert "url(" not in component_style()
    assert "@import" not in component_style()


def test_the_file_names_no_outside_resource(comparison: Comparison) -> None:
    html = report_html(report_data([comparison]))
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.S)
    assert not re.search(r"\b(src|href)=", markup)
    assert "default-src 'none'" in html
    assert "unsafe" not in html.split("<style>")[0]


def test_data_cannot_end_its_script_element(comparison: Comparison) -> None:
    pages = [replace(p, page_title="</script><script>x") for p in comparison.pages]
    html = report_html(report_data([compare_pages(pages, comparison.profile)]))
    assert html.count("</script>") == 2
    data = html.split('id="report-data">')[1].split("</script>")[0]
    assert json.loads(data)["queries"][0]["pages"][0]["title"] == "</script><script>x"


@pytest.mark.parametrize(
    ("letter", "letters", "count", "limit"),
    [("a", 24, 100, 6_000_000), ("灯", 2000, 20, 1_500_000)],
)
def test_many_long_pages_stay_below_a_limit(
    letter: str, letters: int, count: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = page_texts.TEXT_BUDGET * count // 100
    monkeypatch.setattr(page_texts, "TEXT_BUDGET", budget)
    signals = find_profile("paper").signals  # six, the most of any profile here
    rng = np.random.default_rng(0)
    half = np.triu(rng.random((count, count)), 1)
    scores = half + half.T + np.eye(count)
    spelled = (ord(letter) + rng.integers(0, letters, (5000, 7))).tolist()
    words = ["".join(map(chr, word)) for word in spelled]
    comparison = comparison_of(scores, [long_page(rng, words, i) for i in range(1, count + 1)])
    full = replace(
        comparison,
        profile=replace(comparison.profile, signals=signals),
        similarities=replace(comparison.similarities, by_signal={s.name: scores for s in signals}),
    )
    data = report_data([full])
    assert limit / 3 < len(report_html(data).encode("utf-8")) < limit
    assert data["queries"][0]["pages"][0]["clipped"]


def long_page(rng: np.random.Generator, words: list[str], i: int) -> Page:
    """More text than a report carries, of many different words."""
    count = 18_000 // len(f"{words[0]} ".encode())
    body = [words[k] for k in rng.integers(0, len(words), count).tolist()]
    lines = [" ".join(body[j : j + 9]) for j in range(0, count, 9)]
    return Page(id=str(i), query="q", rank=i, page_title=body[0], body="\n".join(lines))


def test_the_command_writes_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = write_pages(tmp_path / "pages.jsonl"), tmp_path / "report.html"
    assert main(["report", str(source), "--out", str(out), "--threshold", "0.6"]) == 0
    data = json.loads(out.read_text("utf-8").split('id="report-data">')[1].split("</script>")[0])
    assert [q["query"] for q in data["queries"]] == ["first", "second"]
    assert data["threshold"] == 0.6
    assert re.search(r"report.html: \d+\.\d MB", capsys.readouterr().err)
    assert sorted(tmp_path.iterdir()) == [source, out]


def test_what_the_docs_show_runs(tmp_path: Path) -> None:
    assert run_page("report.md", tmp_path) == 2
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_a_large_report_is_announced(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.cli.report_command.LARGE_BYTES", 100)
    source = write_pages(tmp_path / "pages.jsonl")
    err = cli("report", source, "--out", tmp_path / "r.html").err
    assert re.search(r"14 pages: the report will have up to \d+ MB", err)
