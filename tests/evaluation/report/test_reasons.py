"""Why a page is dropped and what is lost with it: in the page as in the engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reducepp.api import find_profile
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.information_kept import cover
from reducepp.pipeline import Cut, cut
from reducepp.types import Page
from tests.evaluation.made_pages import PROFILE, made_pages
from tests.evaluation.report.expected import BROWSER, numbered, profile_named

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER
REASONS = {
    "exact": "Same text, word for word.",
    "nearly exact": "Same text but for links, tags and punctuation.",
    "strong": "Nearly all of the shorter text is in the other.",
    "weak": "Same message, with other details.",
    "low overlap": "The two share little text.",
}


@pytest.mark.parametrize(("name", "threshold"), [("paper", 0.45), ("made", 0.6)])
def test_reasons_are_the_engines(
    screen: Screen, make: Callable[..., Path], name: str, threshold: float
) -> None:
    """Score, level, chain, shares and passages of every dropped page."""
    comparison = compare_pages(mixed_pages(), profile_named(name))
    screen.open(make([comparison]))
    reduction = cut(comparison, Cut(threshold=threshold))
    found = screen.work_out(
        "const [t] = arguments, own = data.profile.signals.map(s => s.weight);"
        "const state = query.at({threshold: t, keep: 'rank', weights: own});"
        "const n = query.pages.length, id = i => query.pages[i].id;"
        "return query.pages.map((p, i) => i).filter(i => state.keptOf[i] !== i).map(i => {"
        " const k = state.keptOf[i], score = state.view.scores[k * n + i];"
        " return {id: id(i), kept: id(k), score,"
        "  level: query.levelOf(state, i),"
        "  chain: R.chainOf(state.view, t, k, i).map(e => [id(e.a), id(e.b), e.score]),"
        "  given: query.sharesOf(own, k, i).map(s => s.contribution),"
        "  passages: query.passages(i, k).slice(0, 5).map(p => "
        "   [query.pages[i].body.slice(...p.dropped), p.words, "
        "    query.pages[k].body.slice(...p.kept)])}})",
        threshold,
    )
    bodies = {page.id: page.body for page in comparison.pages}
    assert len(found) == len(reduction.dropped) > 8
    assert max(len(dropped.chain) for dropped in reduction.dropped) > 1
    for mine, dropped in zip(found, reduction.dropped, strict=True):
        for name in ("id", "kept", "score", "level"):
            assert mine[name] == getattr(dropped, name)
        assert mine["chain"] == [[e.a, e.b, e.score] for e in dropped.chain]
        assert mine["given"] == pytest.approx([s.contribution for s in dropped.by_signal.values()])
        kept = bodies[dropped.kept]
        assert mine["passages"] == [
            [p.text, p.words, kept[slice(*p.in_kept)]] for p in dropped.passages
        ]


def mixed_pages() -> list[Page]:
    """Two languages, signs beyond the first plane, a script without spaces, equal texts."""
    pages = made_pages(24, seed=2) + made_pages(16, seed=4, language="ar")
    odd = "😀 The keeper 𝒶 of the old light met 海の灯台は夜の船を守る and café İstanbul again. "
    bodies = [odd * 3, odd * 2 + "One more line 😀 ends it here.", odd.upper() * 3]
    pages += [Page(id=f"odd{i}", page_title="Odd", body=body) for i, body in enumerate(bodies)]
    return [replace(page, rank=i + 1, query="light") for i, page in enumerate(pages)]


def test_a_learned_model_lists_its_tests(screen: Screen, make: Callable[..., Path]) -> None:
    model = {
        "kind": "rules",
        "otherwise": 0.1,
        "rules": [{"score": 0.9, "tests": [{"signal": "body_cosine", "over": 0.5}]}],
    }
    comparison = compare_pages(made_pages(20), replace(PROFILE, model=model))
    screen.open(make([comparison]))
    reduction = cut(comparison, Cut(threshold=0.5))
    assert screen.clusters() == numbered(comparison, reduction)
    assert screen.all("input.weight") == []
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.why > summary").click()
    told = screen.wait_for("details.why .tests").text
    assert told in {"\n".join(dropped.tests).replace("_", " ") for dropped in reduction.dropped}
    assert screen.console() == []


def test_contributions_to_a_log_odds_score_add_up(
    screen: Screen, make: Callable[..., Path]
) -> None:
    comparison = compare_pages(made_pages(20), find_profile("default"))
    screen.open(make([comparison]))
    screen.find("details.cluster > summary").click()
    screen.wait_for("details.why > summary").click()
    screen.wait_for("details.why .bars")
    table = screen.all("details.why :is(tbody, tfoot) tr")
    rows = [row.text.replace("−", "-").split() for row in table]
    *signals, background, odds, score = (row for row in rows if row and row[0] != "Left")
    numbers = [float(row[-1]) for row in (*signals, background)]
    assert background[0] == "background"
    assert sum(numbers) == pytest.approx(float(odds[-1]), abs=0.001 * len(numbers))
    assert 1 / (1 + math.exp(-float(odds[-1]))) == pytest.approx(float(score[-1]), abs=0.001)
    assert screen.all("details.why .tests") == []


def test_information_kept_and_lost_are_the_engines(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    coverage = cover(hundred.pages)
    for threshold in (0.3, 0.34, 0.5, 0.75):
        reduction = cut(hundred, Cut(threshold=threshold, explain=False))
        place = {page.id: i for i, page in enumerate(hundred.pages)}
        shown = [place[id_] for id_ in reduction.kept]
        found = screen.work_out(
            "const own = data.profile.signals.map(s => s.weight);"
            "const state = query.at({threshold: arguments[0], keep: 'rank', weights: own});"
            "return {kept: query.informationAt(state), lost: query.pages.map((p, i) => "
            " state.keptOf[i] === i ? null : query.lostAt(state, i).places.map(({span, alone}) =>"
            "  [p.body.slice(...span), alone]))}",
            threshold,
        )
        assert found["kept"] == pytest.approx(coverage.kept_by(shown), abs=1e-6)
        for dropped in reduction.dropped:
            lost = [[one.text, one.alone] for one in coverage.lost(place[dropped.id], shown)]
            assert sorted(found["lost"][place[dropped.id]]) == sorted(lost)


def test_every_dropped_page_names_the_one_kept_instead(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    """In one place for every page: its representative, score, reason, sentences lost."""
    screen.open(report)
    screen.all("[role=tab]")[1].click()
    coverage, reduction = cover(hundred.pages), cut(hundred, Cut(threshold=0.5))
    place = {page.id: i for i, page in enumerate(hundred.pages)}
    shown = [place[id_] for id_ in reduction.kept]
    rows = {
        int(row.get_attribute("data-page") or ""): row.text for row in screen.all("details.dropped")
    }
    assert set(rows) == {place[dropped.id] for dropped in reduction.dropped}
    for dropped in reduction.dropped:
        text = rows[place[dropped.id]]
        kept = hundred.pages[place[dropped.kept]]
        assert f"kept instead: {kept.rank}. {kept.page_title}" in text
        assert f"{dropped.score:.3f} · {REASONS[dropped.level]}" in text
        lost = coverage.lost(place[dropped.id], shown)
        count = len(coverage.lost(place[dropped.id], ()))
        assert (f"{len(lost)} of {count} sentences" if lost else "nothing lost") in text


def test_a_page_is_found_by_its_title_or_address(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    screen.all("[role=tab]")[1].click()
    page = hundred.pages[cut(hundred, Cut(threshold=0.5)).clusters[0].members.index("en1-1")]
    screen.find("input.find").send_keys(page.url)
    assert screen.find(".dropped-list").text.startswith(f"{page.rank}. {page.page_title}\nkept")
    screen.find(".dropped-list button").click()
    screen.wait_for(f"li.result[data-page='{page.rank - 1}']")


def test_dropped_pages_can_be_put_in_order(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.all("[role=tab]")[1].click()
    orders = {}
    for order in ("rank", "score", "lost"):
        screen.find(f"select.order option[value={order}]").click()
        orders[order] = [
            int(d.get_attribute("data-page") or "") for d in screen.all("details.dropped")
        ]
    assert orders["rank"] == sorted(orders["rank"]) != orders["score"]
    assert sorted(orders["lost"]) == sorted(orders["score"]) == orders["rank"]
    assert int(screen.find(".dropped .loss").text.split()[0]) > 1
