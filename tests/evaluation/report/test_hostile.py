"""A page from the web does nothing in the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reducepp.data import Page
from reducepp.pipeline import compare_pages
from tests.evaluation.made_pages import PROFILE
from tests.evaluation.report.expected import BROWSER

if TYPE_CHECKING:
    from tests.evaluation.screen import Screen

pytestmark = BROWSER


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
