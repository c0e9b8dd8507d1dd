"""A page from the web does nothing in the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reducepp.comparison import compare_pages
from reducepp.types import Failure, Page
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
    screen.open(make([compare_pages(hostile_pages(), PROFILE)], title=HOSTILE[1]))
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


ADDRESSES = (
    *("JaVaScRiPt:window.owned=1", " javascript:window.owned=1", "\x01javascript:window.owned=1"),
    *("java\nscript:window.owned=1", "data:text/html;base64,PHNjcmlwdD5vd25lZD0xPC9zY3JpcHQ+"),
    *("vbscript:owned", "file:///etc/passwd", "//host.example/path", "http://a b.example/"),
    *("https://x.example/\njavascript:1", "blob:https://x.example/1"),
)


def test_only_web_addresses_are_links(screen: Screen, make: Callable[..., Path]) -> None:
    good = ("https://good.example/a?b=1#c", "HTTP://GOOD.example/")
    pages = [
        Page(id=str(i), rank=i, url=url, page_title=chr(96 + i) * 4, body=chr(96 + i) * 9)
        for i, url in enumerate((*ADDRESSES, *good), 1)
    ]
    screen.open(make([compare_pages(pages, PROFILE)], threshold=1.0))
    links = screen.all("a")
    assert [link.get_attribute("href") for link in links] == [good[0], "http://good.example/"]
    assert {link.get_attribute("rel") for link in links} == {"noopener noreferrer nofollow"}
    for title in screen.all(".title span"):
        title.click()
    assert screen.run("return [window.owned, location.protocol]") == [None, "file:"]
    assert len(screen.driver.window_handles) == 1
    assert screen.console() == []


TURNED = "\u202egnp.exe\u202c \u2066left\u2069 \u200fright"


def test_nothing_turns_the_writing_around(screen: Screen, make: Callable[..., Path]) -> None:
    """A title or address cannot be made to read backwards, nor what stands beside it."""
    url = "https://bank.example/%E2%80%AEmoc.live/%E2%81%A6x"
    pages = [
        Page(id=f"{i}", rank=i, url=url, query=TURNED, page_title=TURNED, snippet=TURNED, body="t")
        for i in (1, 2)
    ]
    screen.open(make([compare_pages(pages, PROFILE)]))
    for tab in screen.all("[role=tab]"):
        tab.click()
    signs = "/[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/"
    assert not screen.run(f"return {signs}.test(document.querySelector('#report').textContent)")
    assert screen.find(".title").get_attribute("textContent") == "gnp.exe left right"
    assert "moc.live" in (screen.find(".hit .where").get_attribute("textContent") or "")


def test_huge_and_broken_values_open_in_bounds(screen: Screen, make: Callable[..., Path]) -> None:
    """A million signs in every field, null bytes and half characters: the file stays small."""
    million = 1_000_000
    fields = {"page_title": "T", "site_title": "S", "url": "https://x.example/", "snippet": "s"}
    fields |= {"language": "e", "posted_at": "2", "query": "q"}
    huge = {name: start + start[-1] * million for name, start in fields.items()}
    broken = {name: f"a\x00b\ud800c\udfff\x1b[31m{start}" for name, start in fields.items()}
    pages = [
        Page(id="i" * million, rank=1, body="word " * (million // 5), **huge),  # type: ignore[arg-type]
        Page(id="broken\ud800\x00", rank=2, body="\ud800\x00 words\ud83d here", **broken),  # type: ignore[arg-type]
    ]
    failures = [Failure(url="u" * million, stage="read", reason="r" * million)]
    path = make([compare_pages(pages, PROFILE, failures=failures)])
    assert path.stat().st_size < 2_500_000
    screen.open(path)
    for tab in screen.all("[role=tab]"):
        tab.click()
    assert len(screen.clusters()) == 2
    assert screen.run("return document.documentElement.scrollWidth") <= 1280
    assert len(screen.find("h1").text) < 310
    assert screen.console() == []
