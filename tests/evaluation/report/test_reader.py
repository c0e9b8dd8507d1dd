"""What a reader does with a report: first answer, differences, language, link, table, paper."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reducepp.comparison import Comparison, compare_pages
from reducepp.pipeline import Cut, cut
from reducepp.types import Page
from tests.evaluation.made_pages import PROFILE
from tests.evaluation.report.expected import BROWSER, expected
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER
STORY = (
    "The council voted on Monday to repair the old lighthouse above the harbour. "
    "The lamp has been dark since the storm that broke the glass last winter. "
)


def copies() -> Comparison:
    bodies = (STORY * 3, STORY * 3 + "Only this page names the keeper, Ada Wren.", "A walk. " * 9)
    pages = [
        Page(id=str(i), query="light", rank=i, url=f"https://h{i}.example/", body=body)
        for i, body in enumerate(bodies, 1)
    ]
    return compare_pages(pages, PROFILE)


def test_the_answer_comes_first(screen: Screen, make: Callable[..., Path]) -> None:
    screen.open(make([copies()]))
    assert screen.find(".answer").text.startswith("3 results, 2 worth reading. 1 near-duplicate")
    card = screen.find(".top-cluster").text
    assert "2 pages" in card
    assert "h1.example" in card
    assert "also on h2.example" in card
    assert re.search(r"1 of \d+ sentences lost", card)
    top = screen.run("return document.querySelector('.answer').getBoundingClientRect().bottom")
    slider = screen.run(
        "return document.querySelector('input.threshold').getBoundingClientRect().top"
    )
    assert top < slider


def test_pages_without_content_are_named_and_not_worth_reading(
    screen: Screen, make: Callable[..., Path]
) -> None:
    pages = [*copies().pages]
    pages[2] = replace(pages[2], content_class="consent")
    screen.open(make([compare_pages(pages, PROFILE)]))
    assert screen.find(".answer").text.startswith("3 results, 1 worth reading. 1 near-duplicate")
    warning = screen.find(".answer-panel .warning").text
    assert warning == "1 of 3 pages has no content of its own: 1 consent"


def test_copies_show_their_differences(screen: Screen, make: Callable[..., Path]) -> None:
    screen.open(make([copies()]))
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.why > summary").click()
    marked = screen.wait_for(".pane.dropped mark.only").text
    assert marked.strip() == "Only this page names the keeper, Ada Wren."
    assert screen.all(".pane.kept mark") == []
    screen.find(".texts .row-line button").click()
    assert "Only this page" not in screen.find(".pane.dropped mark").text


def test_the_address_holds_the_state(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    screen.slide("input.threshold", 0.7)
    screen.find("select.keep option[value=longest]").click()
    screen.all("[role=tab]")[1].click()
    address = wait_until(lambda: (a := screen.run("return location.href")) and "tab=1" in a and a)
    assert "threshold=0.7" in address
    screen.driver.get("about:blank")
    screen.driver.get(address)
    assert screen.find(".dropped-panel").is_displayed()
    assert screen.clusters() == []
    screen.all("[role=tab]")[0].click()
    assert screen.clusters() == expected(hundred, 0.7, "longest")
    screen.find("button.reset").click()
    screen.find("button.theme").click()
    assert wait_until(lambda: screen.run("return location.hash") == "#theme=light")
    screen.driver.get(address)  # in the same tab only the fragment is another
    assert wait_until(lambda: screen.run("return document.querySelector('.dropped-panel')"))
    assert screen.console() == []


def test_numbers_on_axes_stand_beside_them_in_arabic(screen: Screen, report: Path) -> None:
    screen.driver.get("about:blank")
    screen.driver.get(f"{report.as_uri()}#language=ar")
    screen.wait_for("svg.plot text.tick")
    assert (
        screen.run("return getComputedStyle(document.querySelector('svg.plot')).direction") == "ltr"
    )


@pytest.mark.parametrize("bad", ["threshold=x&keep=oldest&weights=9,9&tab=77&query=5&language=xx"])
def test_a_wrong_fragment_is_ignored(
    screen: Screen, report: Path, hundred: Comparison, bad: str
) -> None:
    screen.driver.get("about:blank")
    screen.driver.get(f"{report.as_uri()}#{bad}")
    assert screen.clusters() == expected(hundred, hundred.profile.threshold)
    assert screen.console() == []


@pytest.mark.parametrize(
    ("language", "signal", "side"),
    [
        ("en", "body cosine", "left"),
        ("fr", "cosinus du texte", "left"),
        ("ar", "جيب تمام النص", "right"),
    ],
)
def test_bars_of_the_score_are_in_the_readers_language_and_direction(
    screen: Screen, report: Path, language: str, signal: str, side: str
) -> None:
    screen.open(report)
    screen.find(f"select.language option[value={language}]").click()
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.why > summary").click()
    screen.wait_for(".why .bars .bar")
    assert signal in [name.text for name in screen.all(".why .bars th")]
    gap = screen.run(
        "const [bar, given] = ['.bar', '.bar .given'].map(name =>"
        " document.querySelector('.why .bars ' + name).getBoundingClientRect());"
        f"return given.{side} - bar.{side}"
    )
    assert abs(gap) < 1


@pytest.mark.parametrize(("language", "says"), [("fr", "résultats"), ("ar", "تستحق القراءة")])
def test_the_interface_in_another_language(
    screen: Screen, report: Path, language: str, says: str
) -> None:
    screen.open(report)
    screen.find(f"select.language option[value={language}]").click()
    assert says in screen.find(".answer").text
    root = screen.find(".reduce-report")
    assert root.get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    ticks = "".join(tick.get_attribute("textContent") for tick in screen.all("text.tick"))
    assert ("0,5" in ticks, "0.5" in ticks) == (language == "fr", language != "fr")
    for tab in screen.all("[role=tab]"):
        tab.click()
    assert wait_until(lambda: f"language={language}" in screen.run("return location.hash"))
    screen.resize(390, 844)
    try:
        assert screen.run("return document.documentElement.scrollWidth") == 390
    finally:
        screen.resize(1280, 900)
    assert screen.console() == []


def test_the_table_is_what_is_seen(screen: Screen, make: Callable[..., Path]) -> None:
    comparison = copies()
    formula = replace(comparison.pages[2], page_title='=cmd|"x"')
    comparison = replace(comparison, pages=(*comparison.pages[:2], formula))
    screen.open(make([comparison]))
    text = screen.work_out(
        "const now = {threshold: data.threshold, keep: 'rank',"
        " weights: data.profile.signals.map(s => s.weight)};"
        "return R.csv(R.tableOf([query], now))"
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    reduction = cut(comparison, Cut(threshold=comparison.profile.threshold))
    assert [row["url"] for row in rows] == [page.url for page in comparison.pages]
    assert rows[1]["kept"] == "https://h1.example/"
    assert float(rows[1]["score"]) == pytest.approx(reduction.dropped[0].score, abs=1e-6)
    assert rows[1]["level"] == reduction.dropped[0].level
    assert rows[0]["score"] == ""
    assert rows[2]["title"] == '\'=cmd|"x"'


def test_print_gives_results_dropped_pages_and_reasons(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    screen.all("[role=tab]")[3].click()
    opened, panels = screen.run(
        "window.dispatchEvent(new Event('beforeprint'));"
        "const found = [...document.querySelectorAll('.similar > li[data-page]')]"
        ".map(li => [+li.dataset.page, li.querySelector('.why .level').textContent]);"
        "const away = [...document.querySelectorAll('.tab-panel')].map(p => p.matches('.away'));"
        "window.dispatchEvent(new Event('afterprint')); return [found, away]"
    )
    assert panels == [False, True, True, False]
    assert screen.find("[role=tab][aria-selected=true]").text == "Curves"
    reduction = cut(hundred, Cut(threshold=0.5))
    place = {page.id: i for i, page in enumerate(hundred.pages)}
    assert sorted(page for page, _ in opened) == sorted(place[d.id] for d in reduction.dropped)
    assert all(reason for _, reason in opened)
    assert screen.all("details.cluster[open]") == []


def test_every_text_of_the_interface_is_translated() -> None:
    root = Path(__file__).parents[3]
    folders = ("evaluation/report/assets", "reducepp/service/page")
    sources = [path for folder in folders for path in (root / folder).glob("*.js")]
    texts = "\n".join(path.read_text("utf-8") for path in sources)
    page = (root / "reducepp/service/page/index.html").read_text("utf-8")
    used = set(re.findall(r'\bt\("([^"]+)"', texts))
    used |= set(re.findall(r'(?:label|better): "([^"]+)"', texts))
    used |= set(re.findall(r': "([A-Z{][^"]{9,})"', texts))
    used |= set(re.findall(r" data-t>([^<]+)<", page))
    assert len(used) > 200
    for language in ("fr", "ar"):
        catalogue = json.loads((root / f"reducepp/translations/{language}.json").read_text("utf-8"))
        assert used - set(catalogue) == set(), language
        for key, entry in catalogue.items():
            forms = entry.values() if isinstance(entry, dict) else [entry]
            wanted = set(re.findall(r"\{(\w+)\}", key)) - {"n"}
            assert all(wanted <= set(re.findall(r"\{(\w+)\}", form)) for form in forms), key
