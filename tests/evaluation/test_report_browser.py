"""The report's page in a real Chromium: it cuts as the engine cuts, and nothing hostile acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.coverage import cover
from evaluation.report import ReportOptions, report_data, report_html
from reducepp.combine import combine
from reducepp.data import Page, Profile, Reduction
from reducepp.keep import KEEPERS
from reducepp.library import find_profile
from reducepp.pipeline import Comparison, Cut, compare_pages, cut
from scraping.chromium import find_programs
from tests.evaluation.made_pages import PROFILE, made_pages
from weights.profile import parse_profile

PROGRAMS = find_programs()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here"),
]
TEN = (0.2, 0.31, 0.33, 0.36, 0.45, 0.5, 0.67, 0.8, 0.9, 1.0)

if PROGRAMS is not None:
    from selenium.webdriver.common.keys import Keys

    from tests.evaluation.screen import Screen


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    assert PROGRAMS is not None
    screen = Screen(PROGRAMS)
    yield screen
    screen.close()


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    folder = tmp_path_factory.mktemp("reports")

    def write(comparisons: Sequence[Comparison], **options: object) -> Path:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        data = report_data(comparisons, ReportOptions(**options))  # type: ignore[arg-type]
        path.write_text(report_html(data), "utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def hundred() -> Comparison:
    return compare_pages(made_pages(100), PROFILE)


@pytest.fixture(scope="module")
def report(make: Callable[..., Path], hundred: Comparison) -> Path:
    return make([hundred])


def profile_named(name: str) -> Profile:
    return PROFILE if name == "made" else find_profile(name)


def numbered(comparison: Comparison, reduction: Reduction) -> list[tuple[int, list[int]]]:
    place = {page.id: i for i, page in enumerate(comparison.pages)}
    return [(place[c.kept], [place[m] for m in c.members]) for c in reduction.clusters]


def expected(
    comparison: Comparison, threshold: float, keep: str = "rank"
) -> list[tuple[int, list[int]]]:
    how = Cut(threshold=threshold, keep=keep, explain=False)
    return numbered(comparison, cut(comparison, how))


def test_slider_gives_the_engines_clusters(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    assert screen.clusters() == expected(hundred, hundred.profile.threshold)
    sizes = set()
    for threshold in TEN:
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold), threshold
        sizes.add(len(screen.clusters()))
    assert len(sizes) > 6, "the thresholds must tell clusterings apart"
    assert screen.console() == []


def test_a_typed_threshold_counts_to_its_last_digit(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    """An edge stands at its own score and falls just above it."""
    screen.open(report)
    for score in hundred.tree.scores[[20, 30, 60]].tolist():
        for threshold in (score, float(np.nextafter(score, 2.0))):
            screen.type_threshold(threshold)
            assert screen.clusters() == expected(hundred, threshold), threshold
    at, above = (len(expected(hundred, t)) for t in (score, float(np.nextafter(score, 2.0))))
    assert at < above


@pytest.mark.parametrize("keep", list(KEEPERS))
def test_every_keeper_keeps_what_the_engine_keeps(
    screen: Screen, report: Path, hundred: Comparison, keep: str
) -> None:
    screen.open(report)
    screen.find(f"select.keep option[value={keep}]").click()
    for threshold in (0.34, 0.5, 0.8):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(hundred, threshold, keep), threshold


@pytest.mark.parametrize("name", ["made", "paper"])
def test_scores_and_tree_worked_out_in_the_page_are_the_engines(
    screen: Screen, make: Callable[..., Path], name: str
) -> None:
    """Bit for bit, from the carried signals, at the profile's own weights."""
    comparison = compare_pages(made_pages(60, seed=3), profile_named(name))
    screen.open(make([comparison]))
    n = len(comparison.pages)
    found = screen.work_out(
        "const own = data.profile.signals.map(s => s.weight);"
        "const signals = data.profile.signals.map(s => "
        f"R.unpackTriangle(data.queries[0].signals[s.name], {n}));"
        f"const scores = R.combine(signals, own, {n});"
        f"return {{scores: [...scores], tree: R.buildTree(scores, {n}, 'single')}}"
    )
    assert found["scores"] == comparison.scores.ravel().tolist()
    assert found["tree"]["first"] == comparison.tree.first.tolist()
    assert found["tree"]["second"] == comparison.tree.second.tolist()
    assert found["tree"]["scores"] == comparison.tree.scores.tolist()


@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
def test_weight_sliders_cut_as_the_engine_with_those_weights(
    screen: Screen, make: Callable[..., Path], linkage: str
) -> None:
    profile = replace(PROFILE, linkage=linkage)
    pages = made_pages(50, seed=5)
    screen.open(make([compare_pages(pages, profile)]))
    screen.slide('input.weight[data-signal="body_graph"]', 0.1)
    screen.slide('input.weight[data-signal="page_title"]', 0.7)
    weights = {"page_title": 0.7, "body_graph": 0.1}
    signals = tuple(replace(s, weight=weights.get(s.name, s.weight)) for s in profile.signals)
    changed = compare_pages(pages, replace(profile, signals=signals))
    for threshold in (0.3, 0.45, 0.6, 0.9):
        screen.slide("input.threshold", threshold)
        assert screen.clusters() == expected(changed, threshold), threshold
    assert expected(changed, 0.6) != expected(compare_pages(pages, profile), 0.6)
    screen.find(".weights summary").click()
    screen.find(".weights button").click()
    assert screen.clusters() == expected(compare_pages(pages, profile), 0.9)


def test_settings_can_be_taken_to_the_engine(screen: Screen, make: Callable[..., Path]) -> None:
    """The profile that the page writes gives the page's clusters."""
    pages = made_pages(50, seed=5)
    screen.open(make([compare_pages(pages, PROFILE)]))
    screen.find(".use summary").click()
    command, profile = screen.all(".use pre")
    assert command.text == "reducepp reduce INPUT --profile made --threshold 0.5"
    assert not profile.is_displayed()
    screen.slide('input.weight[data-signal="body_graph"]', 0.2)
    screen.slide("input.threshold", 0.7)
    assert command.text == "reducepp reduce INPUT --profile my-profile.toml --threshold 0.7"
    written = parse_profile(profile.text, where="my-profile")
    assert written.signals[2].options == PROFILE.signals[2].options
    changed = compare_pages(pages, written)
    assert screen.clusters() == expected(changed, written.threshold)
    assert screen.clusters() != expected(compare_pages(pages, PROFILE), 0.7)


@pytest.mark.parametrize(("name", "threshold"), [("paper", 0.45), ("made", 0.6)])
def test_reasons_are_the_engines(
    screen: Screen, make: Callable[..., Path], name: str, threshold: float
) -> None:
    """Score, level, chain, shares and passages of every page that is folded."""
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
        assert (mine["id"], mine["kept"], mine["score"]) == (
            dropped.id,
            dropped.kept,
            dropped.score,
        )
        assert mine["level"] == dropped.level
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


def test_similarities_carried_in_steps_leave_the_threshold_exact(
    screen: Screen,
    make: Callable[..., Path],
    hundred: Comparison,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluation.report.data.EXACT_VALUES", 0)
    screen.open(make([hundred]))
    for threshold in hundred.tree.scores[[30, 60]].tolist():
        screen.type_threshold(threshold)
        assert screen.clusters() == expected(hundred, threshold)
    screen.slide('input.weight[data-signal="page_title"]', 0.4)
    signals = tuple(
        replace(s, weight=0.4) if s.name == "page_title" else s for s in PROFILE.signals
    )
    changed = compare_pages(hundred.pages, replace(PROFILE, signals=signals))
    screen.slide("input.threshold", 0.62)
    near = np.abs(changed.scores - 0.62).min()
    assert near > 1 / 65534, "no pair lies within a step of this threshold"
    assert screen.clusters() == expected(changed, 0.62)
    assert "1/65534" in screen.find("footer").text


def test_a_learned_model_says_what_it_asked(screen: Screen, make: Callable[..., Path]) -> None:
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
    screen.find("details.fold > summary").click()
    screen.wait_for("details.why > summary").click()
    told = screen.wait_for("details.why .tests").text
    assert told in {"\n".join(dropped.tests) for dropped in reduction.dropped}
    assert screen.console() == []


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


def test_keyboard_alone_is_enough(screen: Screen, report: Path, hundred: Comparison) -> None:
    screen.open(report)
    slider = screen.find("input.threshold")
    slider.send_keys(Keys.ARROW_RIGHT * 20)
    assert screen.run("return document.activeElement.type") == "range"
    assert screen.clusters() == expected(hundred, 0.7)
    screen.find("details.fold > summary").send_keys(Keys.ENTER)
    screen.wait_for("details.fold ul.similar li h4")
    screen.find("details.why > summary").send_keys(Keys.SPACE)
    screen.wait_for("details.why .bars")
    assert screen.find(".panes mark").text
    screen.find("[role=tab]").send_keys(Keys.ARROW_RIGHT)
    screen.wait_for("svg.graph")
    first = screen.find("svg.graph .dot")
    first.send_keys(Keys.ARROW_RIGHT)
    assert screen.find(".graph-caption").text.startswith("2. ")
    screen.run("return document.activeElement").send_keys(Keys.ENTER)
    screen.wait_for("ol.results")
    screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert screen.console() == []


def test_tab_reaches_every_control(screen: Screen, report: Path) -> None:
    screen.open(report)
    wanted = {"threshold-number", "threshold", "keep", "step", "reset", "theme"}
    screen.run("document.querySelector('button.theme').focus()")
    for _ in range(10):
        wanted -= set(screen.run("return document.activeElement.className").split())
        screen.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert wanted == set()
    unnamed = screen.run(
        "return [...document.querySelectorAll('input, select, button')].filter(e => "
        "!e.textContent && !e.labels?.length && !e.getAttribute('aria-label')).length"
    )
    assert unnamed == 0


def test_open_folds_stay_open_while_the_threshold_moves(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.find("details.fold > summary").click()
    screen.wait_for("details.fold li h4")
    screen.slide("input.threshold", 0.52)
    screen.wait_for("details.fold li h4")
    assert screen.all("details.fold")[1].get_attribute("open") is None


HOSTILE = (
    "<img src=x onerror=\"window.owned='image'\">",
    "</script><script>window.owned='script'</script>",
    "<!--<script>",
    "</style></title><svg onload=\"window.owned='svg'\">",
    "{{data}} {{script}} \u2028 \u0000 \ud800 %s",
)


def hostile_pages() -> list[Page]:
    urls = ("javascript:window.owned='link'", "data:text/html,<script>owned=1</script>", *HOSTILE)
    body = "The same long body of text that both of these pages share word for word. " * 4
    return [
        Page(
            id=f"{HOSTILE[i % 5]}{i}",
            query=HOSTILE[1] + HOSTILE[3],
            rank=i + 1,
            url=url,
            page_title=HOSTILE[i % 5],
            snippet=HOSTILE[(i + 1) % 5],
            body=body + HOSTILE[i % 5],
            posted_at=HOSTILE[0],
            language=HOSTILE[3],
        )
        for i, url in enumerate(urls)
    ]


def test_a_hostile_page_does_nothing(screen: Screen, make: Callable[..., Path]) -> None:
    comparison = compare_pages(hostile_pages(), PROFILE)
    screen.open(make([comparison], title=HOSTILE[1]))
    open_all = "document.querySelectorAll('details').forEach(d => { d.open = true })"
    screen.run(open_all)
    for tab in screen.all("[role=tab]")[::-1]:
        tab.click()
    screen.wait_for("details.why")
    screen.run(open_all)
    screen.wait_for("details.why .bars")
    assert screen.run("return window.owned") is None
    assert screen.all("a[href]") == [], "no address here is http or https"
    assert screen.all("img, iframe, object, link, base, form") == []
    assert len(screen.all("script")) == 2
    assert screen.find("h1").text == HOSTILE[1]
    assert screen.find(".title").text == HOSTILE[0]
    assert screen.run("return performance.getEntriesByType('resource').length") == 0
    assert screen.console() == []


def test_the_policy_forbids_loading_and_foreign_script(screen: Screen, report: Path) -> None:
    screen.open(report)
    screen.driver.set_script_timeout(10)
    fetched = screen.driver.execute_async_script(
        "const done = arguments[0]; fetch('http://127.0.0.1:9/').then(() => done('loaded'),"
        " error => done(error.message))"
    )
    assert fetched != "loaded"
    refused = screen.run(
        "try { document.body.innerHTML = '<p>x</p>'; return '' } catch (e) { return e.name }"
    )
    assert refused == "TypeError"
    assert any("Content Security Policy" in line for line in screen.console())


def test_many_queries_have_a_table_and_are_drawn_when_opened(
    screen: Screen, make: Callable[..., Path]
) -> None:
    profile = PROFILE
    sets = [
        made_pages(12, seed=1, query="b query"),
        made_pages(30, seed=2, query="a query"),
        made_pages(20, seed=3, query="منارة", language="ar"),
    ]
    comparisons = [compare_pages(pages, profile) for pages in sets]
    screen.open(make(comparisons))
    assert screen.all("ol.results") == []
    assert names(screen) == ["b query", "a query", "منارة"]
    pages = screen.all(".index thead button")[1]
    pages.send_keys(Keys.ENTER)
    assert names(screen) == ["a query", "منارة", "b query"]
    assert screen.all(".index th[aria-sort=descending]")[0].text.startswith("Pages")
    pages.send_keys(Keys.ENTER)
    assert names(screen) == ["b query", "منارة", "a query"]
    screen.slide("input.threshold", 0.6)
    shown = [
        row.find_elements("css selector", "td")[1].text for row in screen.all(".index tbody tr")
    ]
    wanted = [len(expected(comparison, 0.6)) for comparison in comparisons]
    assert [int(text) for text in shown] == [wanted[0], wanted[2], wanted[1]]
    screen.all(".index tbody button")[2].send_keys(Keys.ENTER)
    assert len(screen.all("ol.results")) == 1
    assert screen.clusters() == expected(comparisons[1], 0.6)
    assert len(screen.all("svg.spark")) == 3
    assert screen.console() == []


@pytest.mark.parametrize(
    "pages",
    [
        [Page(id="one", body="A single page.")],
        [Page(id="a"), Page(id="b", rank=1)],
        [Page(id=str(i), rank=i, snippet="Only a snippet.", page_title="T") for i in range(4)],
    ],
    ids=["one page", "no text", "snippets"],
)
def test_small_sets_draw(screen: Screen, make: Callable[..., Path], pages: list[Page]) -> None:
    comparison = compare_pages(pages, PROFILE)
    screen.open(make([comparison]))
    for tab in screen.all("[role=tab]")[::-1]:
        tab.click()
    for step in screen.all("button.step"):
        step.click()
    screen.slide("input.threshold", 0.9)
    assert screen.clusters() == expected(comparison, 0.9)
    screen.slide('input.weight[data-signal="body_graph"]', 0.2)
    assert "NaN" not in screen.find("body").text
    assert screen.console() == []


def test_the_buttons_go_to_the_next_merge(
    screen: Screen, report: Path, hundred: Comparison
) -> None:
    screen.open(report)
    fewer, more = screen.all("button.step")
    counts = [len(screen.clusters())]
    for button in (fewer, fewer, more, more, more):
        button.click()
        counts.append(len(screen.clusters()))
    assert counts[1] == counts[0] - 1
    assert counts == sorted(counts[:3], reverse=True) + sorted(counts[3:])
    assert counts[5] > counts[2]
    threshold = float(screen.find(".threshold-number").get_property("value"))
    assert threshold in hundred.tree.thresholds


def test_pointing_into_a_plot_sets_the_threshold(screen: Screen, report: Path) -> None:
    screen.open(report)
    before = screen.find("input.threshold").get_property("value")
    screen.find("svg.plot.pickable").click()
    after = screen.find("input.threshold").get_property("value")
    assert before != after
    assert 0.4 < float(after) < 0.7, "the middle of the plot"


def names(screen: Screen) -> list[str]:
    return [cell.text for cell in screen.all(".index tbody th")]


def test_phone_dark_and_arabic(screen: Screen, make: Callable[..., Path]) -> None:
    pages = made_pages(30, language="ar", query="منارة البحر")
    path = make([compare_pages(pages, PROFILE)])
    try:
        screen.resize(390, 844)
        screen.prefer("dark")
        screen.open(path)
        for tab in screen.all("[role=tab]"):
            tab.click()
            assert screen.run("return document.documentElement.scrollWidth") == 390
        screen.all("[role=tab]")[0].click()
        title = screen.find("li.result .title a")
        assert title.value_of_css_property("direction") == "rtl"
        right = screen.run("return arguments[0].getBoundingClientRect().right", title)
        assert right > 340, "Arabic begins at the right edge"
        assert brightness(screen) < 60
        screen.find("button.theme").click()
        assert brightness(screen) > 200
    finally:
        screen.resize(1280, 900)
        screen.prefer("light")


def brightness(screen: Screen) -> float:
    colour = screen.find(".reduce-report").value_of_css_property("background-color")
    return sum(float(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3]) / 3


CONTRASTS = [("--ink", "--bg"), ("--soft", "--bg"), ("--soft", "--card"), ("--link", "--bg")]
CONTRASTS += [("--warn", "--warn-bg"), ("--information", "--bg"), ("--ink", "--mark")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out(screen: Screen, report: Path, theme: str) -> None:
    """At least 4.5 to 1, as the web's accessibility guidelines ask."""
    screen.open(report)
    screen.run("document.querySelector('.reduce-report').dataset.theme = arguments[0]", theme)
    for front, back in CONTRASTS:
        lights = [luminance(screen, name) for name in (front, back)]
        assert (max(lights) + 0.05) / (min(lights) + 0.05) >= 4.5, (front, back)


def luminance(screen: Screen, name: str) -> float:
    value = screen.run(
        "return getComputedStyle(document.querySelector('.reduce-report'))"
        ".getPropertyValue(arguments[0]).trim()",
        name,
    )
    parts = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def test_cutting_anew_is_quick(screen: Screen, report: Path) -> None:
    """Half of thirty moves of the slider on 100 pages, layout included, take under 50 ms."""
    screen.open(report)
    times = screen.run(
        "const s = document.querySelector('input.threshold'), times = [];"
        "for (let i = 0; i < 30; i++) { s.value = 0.3 + i / 50; const start = performance.now();"
        " s.dispatchEvent(new Event('input')); document.body.offsetHeight;"
        " times.push(performance.now() - start) } return times"
    )
    assert float(np.median(times)) < 50, times


def test_the_component_mounts_twice_without_sharing_state(screen: Screen, report: Path) -> None:
    screen.open(report)
    found = screen.run(
        "const data = JSON.parse(document.getElementById('report-data').textContent);"
        "const boxes = [0, 1].map(() => document.body.appendChild(document.createElement('div')));"
        "const [a, b] = boxes.map(box => ReduceReport.mount(box, data, {theme: 'dark'}));"
        "a.settings.set({threshold: 0.9});"
        "return [a, b].map(m => m.element.querySelectorAll('li.result').length)"
    )
    assert found[0] > found[1]
    assert screen.run("return document.querySelectorAll('[id]').length") == screen.run(
        "return new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"
    )


def test_combine_in_the_page_is_the_engines_with_missing_content(hundred: Comparison) -> None:
    """The pages the other tests use do lack contents: a signal is missing on both sides."""
    paper = compare_pages(made_pages(60, seed=3), find_profile("paper"))
    assert any(np.isnan(values).any() for values in paper.similarities.by_signal.values())
    assert np.array_equal(combine(paper.similarities, paper.profile), paper.scores)
