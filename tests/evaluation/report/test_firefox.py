"""The report's page in a second browser, where there is one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reducepp.comparison import Comparison, compare_pages
from tests.evaluation.made_pages import PROFILE
from tests.evaluation.report.expected import expected
from tests.evaluation.report.fox import Fox, find_firefox
from tests.evaluation.report.test_hostile import HOSTILE, hostile_pages

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not find_firefox(), reason="no firefox here")]


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fox]:
    websocket = pytest.importorskip("websocket")
    fox = Fox(find_firefox(), tmp_path_factory.mktemp("fox"), websocket.create_connection)
    yield fox
    fox.close()


def test_firefox_cuts_and_draws_as_chromium_does(
    fox: Fox, report: Path, hundred: Comparison
) -> None:
    fox.open(report)
    for threshold in (0.31, 0.36, 0.5, 0.67, 0.9):
        fox.slide("input.threshold", threshold)
        assert fox.clusters() == expected(hundred, threshold), threshold
    assert fox.run("return getComputedStyle(document.querySelector('.tab-list')).display") == "flex"
    for tab, drawn in ((1, "details.dropped"), (2, "svg.graph .dot"), (3, ".curves-panel .plot")):
        count = fox.run(
            f"document.querySelectorAll('[role=tab]')[{tab}].click();"
            f"return document.querySelectorAll('{drawn}').length"
        )
        assert count > 3, drawn
    assert fox.errors == []


def test_a_hostile_page_does_nothing_in_firefox(fox: Fox, make: Callable[..., Path]) -> None:
    fox.open(make([compare_pages(hostile_pages(), PROFILE)], title=HOSTILE[1]))
    for _ in range(2):
        fox.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert fox.run("return [window.owned, document.links.length]") == [None, 0]
    assert fox.run("return document.querySelectorAll('script').length") == 2
    assert fox.errors == []
    owned = fox.run(
        "try { const s = document.createElement('script'); s.textContent = 'window.owned = 1';"
        "document.body.append(s) } catch (e) { } return window.owned"
    )
    assert owned is None, "the policy lets no other script run"
