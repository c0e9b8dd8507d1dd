"""Hostile and failing sites: each costs its own page, and nothing that was stored is lost."""

import gzip
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Reply, Request, Sites, search_page
from reducepp.sandbox import Worker
from reducepp.sandbox_process import WorkLimits
from reducepp.scraping.store.dataset import MAX_ATTEMPTS, read_store_pages
from reducepp.scraping.store.store import Store
from reducepp.types import Page, RawPage, SearchHit
from tests.scraping import web
from tests.scraping.runs import arguments, needs_browser

APP = "http://script.example/app"
GOOD = "http://good.example/"


def nested_flate(levels: int = 3, size: int = 300_000_000) -> bytes:
    """A PDF whose only stream is compressed several times: small, and huge when unpacked."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(1_000_000)) for _ in range(size // 1_000_000))
    data += packer.flush()
    for _ in range(levels - 1):
        data = zlib.compress(data, 9)
    filters = "/FlateDecode " * levels
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
        + f"4 0 obj<</Length {len(data)}/Filter[{filters}]>>stream\n".encode()
        + data
        + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def serve(pages: dict[str, Reply]) -> Callable[[Request], Reply | None]:
    """Pages by URL, found by one search in this order."""
    results = {web.QUERY: [SearchHit(url=url, title=url) for url in pages]}

    def respond(request: Request) -> Reply | None:
        if request.url.startswith("http://search.example/search"):
            return search_page(request, results)
        return pages.get(request.url)

    return respond


def test_pages_that_take_everything_cost_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = WorkLimits(seconds=20, memory_bytes=400_000_000)
    monkeypatch.setattr("reducepp.sandbox._take_idle", partial(Worker, limits))
    monkeypatch.setattr("reducepp.sandbox._give_back", Worker.close)
    many = "\n".join(f"User-agent: bot{n}" for n in range(5_000))
    rules = "\n".join(f"Disallow: /private{n}" for n in range(5_000))
    pages = {
        "http://pdf.example/a": Reply(content_type="application/pdf", body=nested_flate()),
        "http://robots.example/": web.article("Allowed"),
        "http://robots.example/robots.txt": Reply(body=f"{many}\n{rules}".encode()),
        GOOD: web.article("Good"),
    }
    store = tmp_path / "pages.sqlite"
    with Sites(serve(pages)) as sites:
        assert main(arguments(sites, store, "--render", "never")) == 0
    assert {GOOD, "http://robots.example/"} <= {page.url for page in read_store_pages(store)}
    with Store(store, mode="read") as opened:
        assert any(f.url == "http://pdf.example/a" for f in opened.failures())
        assert opened.open_attempts() == {}


def stored_unrendered(store: Path) -> None:
    """Collect a page that needs a browser without having one."""
    with Sites(serve({APP: Reply(body=b"<div id=x></div><script>build()</script>")})) as sites:
        assert main(arguments(sites, store)) == 0


def test_a_page_that_should_have_been_rendered_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.cli.collect_command.find_programs", lambda: None)
    store = tmp_path / "pages.sqlite"
    stored_unrendered(store)
    with Store(store, mode="read") as opened:
        assert ("render", "no browser: Chromium and chromedriver are not installed") in [
            (failure.stage, failure.reason) for failure in opened.failures()
        ]


@pytest.mark.parametrize(
    "has_browser", [False, pytest.param(True, marks=[needs_browser, pytest.mark.browser])]
)
def test_a_refresh_that_leads_astray_costs_no_page(
    has_browser: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_browser:
        monkeypatch.setattr("reducepp.cli.collect_command.find_programs", lambda: None)
    targets = ("/gone", "/picture", "http://192.168.1.1/", "http://[x")
    pages = {
        f"http://site{n}.example/": Reply(
            body=f"<meta http-equiv=refresh content='0; url={target}'><p>{web.TEXT}".encode()
        )
        for n, target in enumerate(targets)
    }
    pages["http://site1.example/picture"] = Reply(body=b"GIF89a", content_type="image/gif")
    store = tmp_path / "pages.sqlite"
    with Sites(serve(pages)) as sites:
        assert main([*arguments(sites, store), "--results", "4"]) == 0
    bodies = [page.body for page in read_store_pages(store)]
    assert [body[:30] for body in bodies] == [web.TEXT[:30]] * 4
    with Store(store, mode="read") as opened:
        assert len(opened.failed_urls("render")) == 4


def test_retrying_failures_never_deletes_a_stored_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reducepp.cli.collect_command.find_programs", lambda: None)
    store = tmp_path / "pages.sqlite"
    stored_unrendered(store)
    with Store(store, mode="read") as opened:
        before = opened.raw(SearchHit(url=APP))
    with Sites(serve({})) as sites:  # the site is down
        assert main(arguments(sites, store, "--retry-failures")) == 0
    with Store(store, mode="read") as opened:
        assert opened.raw(SearchHit(url=APP)) == before is not None
        assert APP in opened.failed_urls("render"), "it can be tried again"
    text = web.ARTICLE.format(title="Whole", text=web.TEXT * 9).encode()
    with Sites(serve({APP: Reply(body=text)})) as sites:
        assert main(arguments(sites, store, "--retry-failures")) == 0
    with Store(store, mode="read") as opened:
        assert opened.failures() == ()
    assert [page.page_title for page in read_store_pages(store)] == ["Whole"]


def open_attempt(path: Path, *, times: int) -> None:
    """A store as a run leaves it that is killed while it splits a page."""
    raw = RawPage(
        hit=SearchHit(url=GOOD), fetched=web.ARTICLE.format(title="A", text=web.TEXT).encode()
    )
    with Store(path) as store, store.transaction():
        store.put_hit(SearchHit(query=web.QUERY, engine="searxng", rank=1, url=GOOD))
        store.add_raw(GOOD, raw)
        for _ in range(times):
            store.begin_split(GOOD)


def test_a_page_whose_splitting_was_cut_off_is_split_again(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    open_attempt(store, times=1)
    with Sites(serve({})) as sites:
        assert main(arguments(sites, store, "--render", "never")) == 0
    assert [page.page_title for page in read_store_pages(store)] == ["A"]


def test_a_page_that_ends_every_run_becomes_a_failure(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    open_attempt(store, times=MAX_ATTEMPTS)
    with Sites(serve({})) as sites:
        assert main(arguments(sites, store, "--render", "never")) == 0
    with Store(store, mode="read") as opened:
        (failure,) = opened.failures()
        assert (failure.url, failure.stage) == (GOOD, "split")
        assert opened.open_attempts() == {}


def test_pages_of_another_splitter_version_are_split_again(tmp_path: Path) -> None:
    store = tmp_path / "pages.sqlite"
    open_attempt(store, times=0)
    with Store(store) as opened, opened.transaction():
        opened.add_split(GOOD, Page(id=GOOD, page_title="Old"), splitter="older")
    assert [page.page_title for page in read_store_pages(store)] == ["A"], "on reading"
    with Sites(serve({})) as sites:
        assert main(arguments(sites, store, "--render", "never")) == 0
    with Store(store, mode="read") as opened:
        page = opened.page(SearchHit(url=GOOD))
        assert page.page_title == "A", "stored by the next run"


def test_an_allowed_search_host_opens_nothing_to_result_pages(tmp_path: Path) -> None:
    with Sites(lambda request: web.article("Internal")) as internal:
        host = f"127.0.0.1:{internal.port}"
        results = {web.QUERY: [SearchHit(url=f"http://{host}/admin", title="x")]}
        with Sites(lambda request: search_page(request, results)) as searx:
            words = [
                *("collect", web.QUERY, "--engine", "searxng", "--allow-host", "127.0.0.1"),
                *("--engine-url", f"http://127.0.0.1:{searx.port}", "--delay", "0"),
                *("--retries", "0", "--render", "never", "--out"),
            ]
            assert main([*words, str(tmp_path / "a.sqlite")]) == 0
            assert internal.requests == []
            with Store(tmp_path / "a.sqlite", mode="read") as opened:
                (failure,) = opened.failures()
            assert "not a public address" in failure.reason
            assert main([*words, str(tmp_path / "b.sqlite"), "--allow-page-host", host]) == 0
            assert internal.requests


def test_a_lock_that_is_a_link_is_not_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / "pages.sqlite.lock").symlink_to(precious)
    with Sites(serve({})) as sites:
        assert main(arguments(sites, tmp_path / "pages.sqlite")) == 2
    assert "cannot be locked" in capsys.readouterr().err
    assert precious.read_text() == "kept"


def test_a_redirect_that_leads_nowhere_is_no_page(tmp_path: Path) -> None:
    with Sites(serve({GOOD: replace(web.article("Moved"), status=302)})) as sites:
        assert main(arguments(sites, tmp_path / "a.sqlite", "--render", "never")) == 0
    with Store(tmp_path / "a.sqlite", mode="read") as opened:
        (failure,) = opened.failures()
        assert failure.reason == "status 302"


def test_a_truncated_body_is_not_stored(tmp_path: Path) -> None:
    packed = gzip.compress(web.ARTICLE.format(title="A", text=web.TEXT * 20).encode())
    cut = Reply(body=packed[:-9], headers={"Content-Encoding": "gzip"})
    with Sites(serve({GOOD: cut})) as sites:
        assert main(arguments(sites, tmp_path / "a.sqlite", "--render", "never")) == 0
    with Store(tmp_path / "a.sqlite", mode="read") as opened:
        (failure,) = opened.failures()
        assert failure.reason == "broken body: gzip ends too early"
