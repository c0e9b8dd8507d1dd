"""From a query to stored pages, end to end: real server, real browser, real kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import main
from reducepp.cli.sites import Reply, Sites, Visit, search_page
from reducepp.data import SearchHit
from scraping.chromium import find_programs
from scraping.dataset import read_store, read_store_pages
from scraping.store import Store
from tests.scraping import web

needs_browser = pytest.mark.skipif(
    find_programs() is None, reason="no chromium and chromedriver here"
)


def arguments(sites: Sites, out: Path, *more: str) -> list[str]:
    return [
        *("collect", web.QUERY, "--engine", "searxng", "--engine-url", "http://search.example"),
        *("--connect-to", f"*=127.0.0.1:{sites.port}", "--out", str(out), "--results", "100"),
        *("--delay", "0.02", "--timeout", "8", "--max-bytes", "300000", "--retries", "0", *more),
    ]


def dump(path: Path) -> dict[str, list[Any]]:
    """Everything a store holds, but for the times."""
    with Store(path, mode="read") as store:
        urls = [url for (url,) in store.rows("SELECT url FROM raw ORDER BY url")]
        raws = [store.raw(SearchHit(url=url)) for url in urls]
        return {
            "queries": store.rows("SELECT * FROM queries ORDER BY position"),
            "searches": store.rows("SELECT query, engine, page, outcome FROM searches ORDER BY 3"),
            "hits": store.rows("SELECT * FROM hits ORDER BY query, engine, rank"),
            "raw": [
                (url, raw.final_url, raw.status, raw.content_type, raw.fetched, raw.rendered)
                for url, raw in zip(urls, raws, strict=True)
                if raw is not None
            ],
            "pages": store.rows("SELECT * FROM pages ORDER BY url"),
            "failures": [(f.url, f.stage, f.reason) for f in store.failures()],
        }


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_end_to_end_with_a_browser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(web.answer) as sites:
        assert main(arguments(sites, store)) == 0
        asked = [visit.url for visit in sites.visits]
    said = capsys.readouterr().err
    assert "query 1/1 lighthouse keepers: 25 pages, 5 failed" in said
    assert (
        asked.count("http://search.example/search?q=lighthouse+keepers&pageno=1&category_general=1")
        == 1
    )
    assert "http://closed.example/private/page" not in asked

    (collected,) = read_store(store)
    pages = {page.url: page for page in collected.pages}
    assert [page.rank for page in collected.pages] == sorted(page.rank for page in collected.pages)
    assert {f.url: f.reason.partition(":")[0] for f in collected.failures} == {
        "http://slow.example/page": "too slow",
        "http://endless.example/feed": "too large",
        "http://gone.example/missing": "status 404",
        "http://closed.example/private/page": "robots.txt forbids it",
        "http://inside.example/lan": "not a public address",
    }
    assert set(pages) | {f.url for f in collected.failures} == set(web.URLS)
    assert "Built in the browser." in pages["http://script.example/app"].body
    assert "Framed text." in pages["http://frames.example/story"].body
    assert "Moved text." in pages["http://moved.example/old"].body
    assert "keeper of the northern light" in pages["http://chain.example/1"].body
    assert "jusqu'à la lanterne, réglait la mèche" in pages["http://latin.example/cafe"].body
    assert "keeper of the northern light" in pages["http://banner.example/news"].body
    with Store(store, mode="read") as opened:
        raw = opened.raw(SearchHit(url="http://chain.example/1"))
        assert raw is not None
        assert (raw.final_url, raw.rendered) == ("http://end.example/text", "")
        built = opened.raw(SearchHit(url="http://script.example/app"))
        assert built is not None
        assert b"Built in" not in built.fetched
        assert "Built in" in built.rendered


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_render_always_keeps_both_bodies_and_closes_banners(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(Steady()) as sites:
        assert main([*arguments(sites, store, "--render", "always"), "--results", "10"]) == 0
    with Store(store, mode="read") as opened:
        raw = opened.raw(SearchHit(url="http://banner.example/news"))
        assert raw is not None
        assert b"store cookies" in raw.fetched
        assert "store cookies" not in raw.rendered
        assert opened.rows("SELECT count(*) FROM raw WHERE length(rendered) = 0") == [(0,)]


def test_without_a_browser_a_refresh_is_still_followed(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(web.answer) as sites:
        environment = {"REDUCEPP_CHROMIUM": "", "PATH": "/nowhere"}
        run = subprocess.run(
            [sys.executable, "-m", "reducepp", *arguments(sites, store, "--timeout", "1")],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
        )
    assert "no Chromium with chromedriver here" in run.stderr
    pages = {page.url: page for page in read_store_pages(store)}
    assert "Moved text." in pages["http://moved.example/old"].body
    assert "Built in" not in pages["http://script.example/app"].body


def test_a_browser_that_does_not_start_costs_no_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDUCEPP_CHROMIUM", "/bin/false")
    monkeypatch.setenv("REDUCEPP_CHROMEDRIVER", "/bin/false")
    with Sites(Steady()) as sites:
        assert main(arguments(sites, tmp_path / "auto.sqlite")) == 0
        assert "did not start; pages are kept as fetched" in capsys.readouterr().err
        assert len(list(read_store_pages(tmp_path / "auto.sqlite"))) >= 18
        assert main(arguments(sites, tmp_path / "all.sqlite", "--render", "always")) == 1
    assert "reducepp collect: chromedriver did not start" in capsys.readouterr().err


class Steady:
    """The same web without the pages that take their time, counting what is asked."""

    slow = ("http://slow.example/page", "http://endless.example/feed")

    def __call__(self, visit: Visit) -> Reply | None:
        if visit.url in self.slow:
            return None
        time.sleep(0.03)
        return web.answer(visit)


def wait_for_visits(sites: Sites, child: subprocess.Popen[bytes], count: int) -> None:
    deadline = time.monotonic() + 30
    while len(sites.visits) < count and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


def kill_at(sites: Sites, command: list[str], count: int) -> None:
    """Run until the server was asked `count` times (0: until the file is there), then kill -9."""
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not count and not Path(command[command.index("--out") + 1]).exists():
        time.sleep(0.0005)
    wait_for_visits(sites, child, count)
    child.send_signal(signal.SIGKILL)
    assert child.wait(10) == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("kills", [(0,), (9,), (30,), (1, 6, 11)])
def test_killed_and_run_again_equals_undisturbed(tmp_path: Path, kills: tuple[int, ...]) -> None:
    calm, disturbed = tmp_path / "calm.sqlite", tmp_path / "disturbed.sqlite"
    more = ("--render", "never", "--jobs", "3")
    with Sites(Steady()) as sites:
        assert main(arguments(sites, calm, *more)) == 0
    with Sites(Steady()) as sites:
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed, *more)]
        for count in kills:
            before = _stored(disturbed)
            sites.visits.clear()
            kill_at(sites, command, count)
            assert not before & {visit.url for visit in sites.visits}
            assert before <= _stored(disturbed)
        before, again = _stored(disturbed), len(sites.visits)
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        asked = [visit.url for visit in sites.visits[again:]]
    assert not before & set(asked), "what was stored is not fetched again"
    assert dump(disturbed) == dump(calm)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calm.sqlite", "disturbed.sqlite"]


def _stored(path: Path) -> set[str]:
    if not path.exists() or not path.stat().st_size:
        return set()
    with Store(path) as store:  # opening it as the next run would
        return {url for (url,) in store.rows("SELECT url FROM raw UNION SELECT url FROM failures")}


def interrupt_while_rendering(
    sites: Sites, command: list[str], how: signal.Signals, temporary: Path
) -> None:
    """Run until the browser shows a page, then end the run; no profile may stay behind."""
    sites.visits.clear()
    environment = os.environ | {"TMPDIR": str(temporary)}
    child = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)
    deadline = time.monotonic() + 30
    while not any("script.example/data" in visit.url for visit in sites.visits.copy()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    child.send_signal(how)
    said = child.communicate(timeout=20)[1].decode()
    assert child.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL), said
    assert "Traceback" not in said
    deadline = time.monotonic() + 10
    while list(temporary.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(temporary.iterdir())


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_killed_with_a_browser_open(tmp_path: Path) -> None:
    calm, disturbed = tmp_path / "calm.sqlite", tmp_path / "disturbed.sqlite"
    temporary = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    with Sites(Steady()) as sites:
        assert main(arguments(sites, calm)) == 0
        command = [sys.executable, "-m", "reducepp", *arguments(sites, disturbed)]
        for how in (signal.SIGKILL, signal.SIGINT):
            interrupt_while_rendering(sites, command, how, temporary)
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    temporary.rmdir()
    assert dump(disturbed) == dump(calm)


def test_two_runs_do_not_share_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(web.answer) as sites:
        first = subprocess.Popen(
            [sys.executable, "-m", "reducepp", *arguments(sites, store, "--render", "never")],
            stderr=subprocess.DEVNULL,
        )
        wait_for_visits(sites, first, 5)
        assert main(arguments(sites, store, "--render", "never")) == 2
        first.kill()
        first.wait()
    assert "another run is collecting into it" in capsys.readouterr().err


def test_several_engines_are_merged_and_more_results_only_add(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    found = {"results": [{"url": url, "title": "t", "content": "c"} for url in web.PLAIN[3:0:-1]]}

    def both(visit: Visit) -> Reply | None:
        if visit.url.startswith("http://api.example/search"):
            body = found if visit.arguments.get("pageno", "1") == "1" else {"results": []}
            text = json.dumps({"query": web.QUERY, "number_of_results": 3, **body})
            return Reply(body=text.encode(), content_type="application/json")
        return web.answer(visit)

    with Sites(both) as sites:
        command = arguments(sites, store, "--render", "never", "--timeout", "1")
        command[command.index("--engine-url") + 1] = "searxng=http://search.example"
        command += ["--engine", "searxng-api", "--engine-url", "searxng-api=http://api.example"]
        assert main([*command, "--results", "2"]) == 0
        with Store(store, mode="read") as opened:
            hits = opened.hits(web.QUERY, first=2)
        few = len(list(read_store_pages(store)))
        sites.visits.clear()
        assert main(command) == 0
        asked = [visit.url for visit in sites.visits if "search" not in visit.url]
    assert {hit.sources for hit in hits} == {("searxng",), ("searxng-api",)}
    assert web.PLAIN[3] in {hit.url for hit in hits}
    assert not {hit.url for hit in hits} & set(asked)
    assert len(list(read_store_pages(store))) > few


@pytest.mark.parametrize("how", ["status", "page", "nonsense"])
def test_a_block_is_said_and_later_made_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    store = tmp_path / "pages.sqlite"
    blocked = {
        "status": Reply(status=429, body=b"<html><body>Too many</body></html>"),
        "page": Reply(body=b"<html><body><h1>Rate limit exceeded</h1></body></html>"),
        "nonsense": Reply(body=b"<html><body><p>Welcome to nginx</p></body></html>"),
    }
    blocking = [True]

    def web_with_blocks(visit: Visit) -> Reply | None:
        if visit.arguments.get("pageno") == "2" and blocking[0]:
            return blocked[how]
        if visit.url.startswith("http://search.example/"):
            return search_page(visit, web.RESULTS)
        return web.PAGES.get(visit.url)

    with Sites(web_with_blocks) as sites:
        command = arguments(sites, store, "--render", "never")
        assert main(command) == (0 if how == "nonsense" else 1)
        said = capsys.readouterr().err
        assert ("nothing recognised" if how == "nonsense" else "searxng") in said
        (collected,) = read_store(store)
        assert len(collected.pages) + len(collected.failures) == 10
        blocking[0] = False
        assert main(command) == 0
    (collected,) = read_store(store)
    assert len(collected.pages) + len(collected.failures) == 25
    with Store(store, mode="read") as opened:
        assert not [failure for failure in opened.failures() if failure.stage == "search"]


def test_failures_are_tried_again_only_when_asked(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    up = [False]

    def recovering(visit: Visit) -> Reply | None:
        if visit.url == "http://gone.example/missing" and up[0]:
            return web.article("Back")
        return Steady()(visit)

    with Sites(recovering) as sites:
        command = arguments(sites, store, "--render", "never")
        assert main(command) == 0
        up[0] = True
        assert main(command) == 0
        assert "http://gone.example/missing" not in {page.url for page in read_store_pages(store)}
        assert main([*command, "--retry-failures"]) == 0
    assert "http://gone.example/missing" in {page.url for page in read_store_pages(store)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine", "altavista"], "unknown engine 'altavista'"),
        (["--engine", "searxng"], "needs the address of an instance"),
        (["--engine", "brave-api"], "needs a key"),
        (["--engine", "bing", "--retries", "-1"], "0 or more"),
        (["--engine", "bing", "--queries", "missing.csv"], "cannot be read"),
        (["--engine", "bing", "--connect-to", "x"], "HOST=ADDRESS:PORT"),
    ],
)
def test_wrong_words_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    status = main(["collect", "q", "--out", str(tmp_path / "x.sqlite"), *words])
    assert status == (1 if "missing.csv" in words else 2)
    assert said in capsys.readouterr().err


def test_no_query_and_a_queries_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, queries = tmp_path / "x.sqlite", tmp_path / "queries.csv"
    assert main(["collect", "--engine", "bing", "--out", str(store)]) == 2
    assert "nothing to search for" in capsys.readouterr().err
    queries.write_text(f"query,language,domain\n{web.QUERY},en,history\nother,fr,\n", "utf-8")
    with Sites(Steady()) as sites:
        command = arguments(sites, store, "--render", "never", "--queries", str(queries))
        command.remove(web.QUERY)
        assert main(command) == 0
    assert main(["dataset", str(store), "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["queries_by_language"] == {"en": 1, "fr": 1}
    assert table["records_by_domain"]["history"] == table["records"] > 10
