"""The report's data, its file, its forms for machines, and the command."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.coverage import cover
from evaluation.report import (
    ReportOptions,
    component_script,
    component_style,
    report_data,
    report_html,
    report_json,
    report_markdown,
)
from evaluation.report.explained import possible_folds
from evaluation.report.information import information_data
from evaluation.report.pack import fair_limit, pack_numbers, pack_triangle
from evaluation.report.page import SCRIPTS, STYLES
from evaluation.report.texts import browser_places, cut_text, snippet_of
from evaluation.sweep import sweep
from reducepp.cli import main
from reducepp.data import Failure, Page
from reducepp.errors import UsageError
from reducepp.levels import LEVELS, level_of, text_levels
from reducepp.library import find_profile
from reducepp.pipeline import Comparison, Cut, compare_pages, cut
from tests.docs import run_page
from tests.evaluation.made import comparison_of
from tests.evaluation.made_pages import PROFILE, made_pages

ASSETS = Path(__file__).parents[2] / "evaluation" / "report" / "assets"
LIMIT = 6_000_000


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    failures = [Failure(url="https://x.example/broken", stage="split", reason="binary")]
    return compare_pages(made_pages(30), find_profile("paper"), failures=failures)


def test_a_triangle_is_carried_bit_for_bit() -> None:
    values = np.array([[1, 0.1, np.nan], [0.1, 1, 1 / 3], [np.nan, 1 / 3, 1]])
    packed = pack_triangle(values)
    read = np.frombuffer(base64.b64decode(packed["data"]), "<f8")
    assert np.array_equal(read, [0.1, np.nan, 1 / 3], equal_nan=True)


def test_a_short_triangle_is_right_to_a_step() -> None:
    values = np.array([[1, 0.1, np.nan], [0.1, 1, 1], [np.nan, 1, 1]])
    packed = pack_triangle(values, exact=False)
    read = np.frombuffer(base64.b64decode(packed["data"]), "<u2")
    assert packed["type"] == "u2"
    assert read.tolist() == [round(0.1 * 65534), 65535, 65534]


@pytest.mark.parametrize(
    ("numbers", "data"),
    [([0, 127], b"\x00\x7f"), ([128], b"\x80\x01"), ([300, 1], b"\xac\x02\x01")],
)
def test_numbers_take_seven_bits_a_byte(numbers: list[int], data: bytes) -> None:
    assert base64.b64decode(pack_numbers(numbers)) == data


@pytest.mark.parametrize(
    ("sizes", "budget", "limit"),
    [([10, 20, 30], 100, 30), ([10, 100, 100], 110, 50), ([50, 50], 20, 10), ([], 9, 0)],
)
def test_short_texts_stay_whole_and_long_ones_share(
    sizes: list[int], budget: int, limit: int
) -> None:
    assert fair_limit(sizes, budget) == limit
    assert sum(min(size, limit) for size in sizes) <= budget


def test_a_text_is_cut_between_characters() -> None:
    assert cut_text("منارة", 5) == "من"
    assert cut_text("abc", 3) == "abc"


def test_places_are_a_browsers() -> None:
    assert browser_places("a😀b", [(0, 1), (1, 2), (2, 3)]) == [(0, 1), (1, 3), (3, 4)]


def test_a_snippet_is_the_engines_own_or_around_the_query() -> None:
    body = "Nothing here. " * 40 + "The lighthouse keeper slept. " + "Nothing there. " * 40
    page = Page(id="a", query="lighthouse", body=body)
    assert snippet_of(replace(page, snippet="As found")) == "As found"
    assert "lighthouse keeper slept" in snippet_of(page)
    assert snippet_of(page).startswith("… ")
    first = Page(id="b", query="old lighthouse", body="The old\nlighthouse stood here.")
    assert snippet_of(first) == "The old lighthouse stood here"
    assert snippet_of(replace(page, query="zebra")).startswith("Nothing here.")
    assert len(snippet_of(page)) < 300


def test_equal_holders_are_carried_once(comparison: Comparison) -> None:
    """A hundred copies of a page are no larger than their sentences."""
    page = comparison.pages[0]
    copies = [replace(page, id=str(i), rank=i) for i in range(1, 101)]
    data = information_data(cover(copies))
    assert len(data["weights"]) < 20
    assert len(base64.b64decode(data["holders"])) == 13
    assert len(base64.b64decode(data["sentences"])) < 8 * sum(data["counts"])


def test_indices_are_those_of_the_sweep(comparison: Comparison) -> None:
    data = report_data([comparison])["queries"][0]["sweep"]
    rows = sweep(comparison, data["threshold"])
    assert len(rows) == 101
    for name in ("silhouette", "davies_bouldin", "calinski_harabasz"):
        theirs = np.array([getattr(row, name) for row in rows])
        mine = np.array([np.nan if v is None else v for v in data[name]])
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)
    assert {bool(reason) for reason in data["reason"]} == {True, False}


def test_levels_of_all_pairs_are_the_engines() -> None:
    posts = (
        "Storm over the harbour tonight #storm",
        "Storm over the harbour tonight! https://x.example/1",
        "storm  over the harbour tonight #storm",
        "Lights went out in the harbour when the storm came over",
        "",
    )
    pages = [
        *made_pages(20),
        *(
            Page(id=f"post{i}", rank=40 + i, body=body, language="en")
            for i, body in enumerate(posts)
        ),
        Page(id="title", rank=60, page_title="Storm over the harbour", snippet="tonight"),
        Page(id="empty", rank=61),
    ]
    found = text_levels(pages)
    seen = set()
    for i, a in enumerate(pages):
        for j, b in enumerate(pages[:i]):
            level = level_of(b, a, 1.0, 0.5)
            assert LEVELS[found[i, j]] == level == LEVELS[found[j, i]], (a.id, b.id)
            seen.add(level)
    assert seen == {"exact", "nearly exact", "strong", "weak", "low overlap"}


def test_every_fold_a_threshold_can_give_is_explained(comparison: Comparison) -> None:
    found = possible_folds(comparison.tree)
    for threshold in comparison.tree.thresholds:
        for group in comparison.tree.clusters_at(threshold):
            assert {(group[0], i) for i in group[1:]} <= found
    assert len(found) < 435, "fewer than all pairs"


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


@pytest.mark.parametrize("sign", ["a", pytest.param("灯", marks=pytest.mark.slow)])
def test_a_hundred_long_pages_stay_below_six_megabytes(sign: str) -> None:
    signals = find_profile("paper").signals  # six, the most of any profile here
    rng = np.random.default_rng(0)
    half = np.triu(rng.random((100, 100)), 1)
    scores = half + half.T + np.eye(100)
    comparison = comparison_of(scores, [long_page(rng, sign, i) for i in range(1, 101)])
    full = replace(
        comparison,
        profile=replace(comparison.profile, signals=signals),
        similarities=replace(comparison.similarities, by_signal={s.name: scores for s in signals}),
    )
    data = report_data([full])
    assert 2_000_000 < len(report_html(data).encode("utf-8")) < LIMIT
    assert data["queries"][0]["pages"][0]["clipped"]


def long_page(rng: np.random.Generator, sign: str, i: int) -> Page:
    """More text than a report carries, of many different words."""
    numbers = rng.integers(0, 5000, 18_000 // (7 * len(sign.encode()) + 1)).tolist()
    words = [f"{chr(ord(sign) + k % 24)}{chr(ord(sign) + k // 24 % 24)}{sign * 5}" for k in numbers]
    lines = [" ".join(words[j : j + 9]) for j in range(0, len(words), 9)]
    return Page(id=str(i), query="q", rank=i, page_title=words[0], body="\n".join(lines))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_pages_make_a_report(count: int) -> None:
    data = report_data([compare_pages(made_pages(count), PROFILE)])
    assert len(data["queries"][0]["tree"]["scores"]) == count - 1
    assert report_html(data)


def test_no_query_is_an_error() -> None:
    with pytest.raises(UsageError, match="at least one query"):
        report_data([])


def test_an_unknown_keeper_is_an_error(comparison: Comparison) -> None:
    with pytest.raises(UsageError, match="keep 'oldest'"):
        report_data([comparison], ReportOptions(keep="oldest"))


def test_json_says_what_reduce_says_and_what_was_lost(comparison: Comparison) -> None:
    options = ReportOptions(threshold=0.85)
    found = json.loads(report_json([comparison], options))["queries"][0]
    reduction = cut(comparison, Cut(threshold=0.85))
    assert [c["kept"] for c in found["clusters"]] == list(reduction.kept)
    assert 0 < found["information_kept"] < 1
    assert set(found["lost"]) < {d.id for d in reduction.dropped}
    coverage = cover(comparison.pages)
    whole = sum(s["share"] for lost in found["lost"].values() for s in lost)
    assert whole == pytest.approx(1 - found["information_kept"])
    assert coverage.total > 0


def test_markdown_escapes_and_tells_the_loss(comparison: Comparison) -> None:
    pages = [replace(p, page_title="<b>*bold*</b> | x") for p in comparison.pages]
    text = report_markdown([compare_pages(pages, comparison.profile)], ReportOptions(threshold=0.7))
    assert "<b>" not in text
    assert r"\<b\>\*bold\*\</b\> \| x" in text
    assert re.search(r"Information kept: \d+\.\d %", text)
    assert re.search(r"Lost with en1-\d+: \d+ sentences?, \d+\.\d\d% of the information", text)


def write_pages(path: Path) -> Path:
    pages = (*made_pages(8, query="first"), *made_pages(6, seed=2, query="second"))
    lines = [
        {"id": page.id, "query": page.query, "rank": page.rank, "url": page.url}
        | {"page_title": page.page_title, "body": page.body + "\ud800"}
        for page in pages
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_the_command_writes_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = write_pages(tmp_path / "pages.jsonl"), tmp_path / "report.html"
    assert main(["report", str(source), "--out", str(out), "--threshold", "0.6"]) == 0
    html = out.read_text("utf-8")
    data = json.loads(html.split('id="report-data">')[1].split("</script>")[0])
    assert [q["query"] for q in data["queries"]] == ["first", "second"]
    assert data["threshold"] == 0.6
    assert re.search(r"report.html: \d+\.\d MB", capsys.readouterr().err)
    assert sorted(tmp_path.iterdir()) == [source, out]


@pytest.mark.parametrize(("form", "start"), [("md", "## first: 8 pages"), ("json", "{")])
def test_the_command_prints_for_machines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, start: str
) -> None:
    source = write_pages(tmp_path / "pages.jsonl")
    assert main(["report", str(source), "--format", form]) == 0
    assert capsys.readouterr().out.startswith(start)


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["report", "--help"])
    assert "reducepp report results.jsonl --out report.html" in capsys.readouterr().out


def test_what_the_docs_show_runs(tmp_path: Path) -> None:
    assert run_page("report.md", tmp_path) == 2
    assert (tmp_path / "report.html").stat().st_size > 50_000
