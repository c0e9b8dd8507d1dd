"""Searching as part of a run: several engines, blocks, failures tried again."""

import json
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Reply, Request, Sites, search_page
from reducepp.scraping.store.dataset import read_store_pages
from reducepp.scraping.store.store import Store
from tests.scraping import web
from tests.scraping.runs import Steady, arguments
from tests.scraping.stores import read_store


def test_several_engines_are_merged_and_more_results_only_add(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    found = {"results": [{"url": url, "title": "t", "content": "c"} for url in web.PLAIN[3:0:-1]]}

    def both(request: Request) -> Reply | None:
        if request.url.startswith("http://api.example/search"):
            body = found if request.arguments.get("pageno", "1") == "1" else {"results": []}
            text = json.dumps({"query": web.QUERY, "number_of_results": 3, **body})
            return Reply(body=text.encode(), content_type="application/json")
        return Steady()(request)

    with Sites(both) as sites:
        command = arguments(sites, store, "--render", "never")
        command[command.index("--engine-url") + 1] = "searxng=http://search.example"
        command += ["--engine", "searxng-api", "--engine-url", "searxng-api=http://api.example"]
        assert main([*command, "--results", "2"]) == 0
        with Store(store, mode="read") as opened:
            hits = opened.hits(web.QUERY, first=2)
        few = len(list(read_store_pages(store)))
        sites.requests.clear()
        assert main(command) == 0
        asked = [request.url for request in sites.requests if "search" not in request.url]
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

    def web_with_blocks(request: Request) -> Reply | None:
        if request.arguments.get("pageno") == "2" and blocking[0]:
            return blocked[how]
        if request.url.startswith("http://search.example/"):
            return search_page(request, web.RESULTS)
        return web.PAGES.get(request.url)

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


def test_failures_are_retried_only_on_request(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    up = [False]

    def recovering(request: Request) -> Reply | None:
        if request.url == "http://gone.example/missing" and up[0]:
            return web.article("Back")
        return Steady()(request)

    with Sites(recovering) as sites:
        command = arguments(sites, store, "--render", "never")
        assert main(command) == 0
        up[0] = True
        assert main(command) == 0
        assert "http://gone.example/missing" not in {page.url for page in read_store_pages(store)}
        assert main([*command, "--retry-failures"]) == 0
    assert "http://gone.example/missing" in {page.url for page in read_store_pages(store)}


def test_an_empty_search_is_repeated_only_on_request(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    silent = [True]

    def web_with_silence(request: Request) -> Reply | None:
        if request.url.startswith("http://search.example/"):
            return search_page(request, {} if silent[0] else web.RESULTS)
        return Steady()(request)

    with Sites(web_with_silence) as sites:
        command = arguments(sites, store, "--render", "never", "--results", "10")
        assert main(command) == 0
        silent[0] = False
        assert main(command) == 0
        assert len(sites.requests) == 1
        assert main([*command, "--retry-failures"]) == 0
    assert len(list(read_store_pages(store))) > 3
