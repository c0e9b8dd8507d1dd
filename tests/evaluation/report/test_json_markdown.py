"""The report for machines: JSON and Markdown."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.information_kept import cover
from reducepp.evaluation.report import ReportOptions, report_json, report_markdown
from reducepp.pipeline import Cut, cut
from tests.evaluation.report.expected import write_pages
from tests.programs import Cli


def test_json_says_what_reduce_says_and_what_was_lost(comparison: Comparison) -> None:
    found = json.loads(report_json([comparison], ReportOptions(threshold=0.85)))["queries"][0]
    reduction = cut(comparison, Cut(threshold=0.85))
    assert [c["kept"] for c in found["clusters"]] == list(reduction.kept)
    assert 0 < found["information_kept"] < 1
    assert set(found["lost"]) < {d.id for d in reduction.dropped}
    coverage = cover(comparison.pages)
    whole = sum(s["share"] for lost in found["lost"].values() for s in lost)
    assert whole == pytest.approx(1 - found["information_kept"])
    assert coverage.total > 0


def test_markdown_escapes_and_lists_the_loss(comparison: Comparison) -> None:
    pages = [replace(p, page_title="<b>*bold*</b> | x") for p in comparison.pages]
    text = report_markdown([compare_pages(pages, comparison.profile)], ReportOptions(threshold=0.7))
    assert "<b>" not in text
    assert r"\<b\>\*bold\*\</b\> \| x" in text
    assert re.search(r"Information kept: \d+\.\d %", text)
    assert re.search(r"Lost with en1-\d+: \d+ sentences?, \d+\.\d\d% of the information", text)


@pytest.mark.parametrize(("form", "start"), [("md", "## first: 8 pages"), ("json", "{")])
def test_the_command_prints_for_machines(tmp_path: Path, cli: Cli, form: str, start: str) -> None:
    out = cli("report", str(write_pages(tmp_path / "pages.jsonl")), "--format", form).out
    assert out.startswith(start)
