"""From a query to stored pages, end to end: real server, real browser."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Sites
from reducepp.scraping.store.dataset import read_store_pages
from reducepp.scraping.store.store import Store
from reducepp.types import SearchHit
from tests.scraping import web
from tests.scraping.runs import Steady, arguments, needs_browser
from tests.scraping.stores import read_store


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_end_to_end_with_a_browser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(web.answer) as sites:
        assert main(arguments(sites, store, "--timeout", "15")) == 0
        asked = [request.url for request in sites.requests]
    assert "query 1/1 lighthouse keepers: 25 pages, 5 failed" in capsys.readouterr().err
    assert (
        asked.count(
            "http://search.example/search?q=lighthouse%20keepers&pageno=1&category_general=1"
        )
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
        assert (raw.final_url, raw.rendered) == ("http://end.example/text", "")
        built = opened.raw(SearchHit(url="http://script.example/app"))
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
        assert b"store cookies" in raw.fetched
        assert "store cookies" not in raw.rendered
        assert opened.rows("SELECT count(*) FROM raw WHERE length(rendered) = 0") == [(0,)]


def test_without_a_browser_a_refresh_is_still_followed(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    with Sites(Steady()) as sites:
        environment = {"REDUCEPP_CHROMIUM": "", "PATH": "/nowhere"}
        run = subprocess.run(
            [sys.executable, "-m", "reducepp", *arguments(sites, store)],
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
    assert "reducepp collect: the browser does not start: chromedriver" in capsys.readouterr().err
