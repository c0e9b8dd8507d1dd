"""A real Chromium on made-up sites: what it renders, what it is kept from, what it leaves."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.errors import FetchError, GuardError
from reducepp.scraping.extract.frames import insert_frames
from reducepp.scraping.fetch import process_reaper
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.process_reaper import descendants
from tests.waiting import wait_until

PROGRAMS = find_programs()
needs_browser = pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here")

PAGES = {
    "script": "<div id=x></div><script>setTimeout(() => document.getElementById('x').innerHTML ="
    " '<h1>Built by a script</h1>' + document.cookie + navigator.userAgent, 300);"
    "document.cookie = 'seen=1'</script>",
    "frames": "<p>Before.</p><iframe src='/inner' width=300 height=300></iframe>"
    "<iframe src='http://other.example/deep' width=300 height=300></iframe>"
    "<iframe src='/hidden' width=0 height=0></iframe><p>After.</p>",
    "inner": "<p>From the same site.</p>",
    "deep": "<p>From another site.</p><iframe src='/deeper' width=200 height=200></iframe>",
    "deeper": "<p>From a frame in a frame.</p>",
    "refused": "<p>Before.</p><iframe src='http://127.0.0.1:9/' width=300 height=300></iframe>",
    "hidden": "<p>Not to be seen.</p>",
    "frameset": "<html><frameset cols='50%,50%'><frame src='/inner'><frame src='/deeper'>"
    "</frameset></html>",
    "parts": "<x-card></x-card><script>"
    "for (const [name, html] of [['x-text', '<p>Text in a part of a part.</p>'],"
    " ['x-card', '<h2>In a part</h2><x-text></x-text>']])"
    " customElements.define(name, class extends HTMLElement { connectedCallback() {"
    " this.attachShadow({mode: 'open'}).innerHTML = html } })</script>",
    "refresh": "<head><meta http-equiv='Refresh' content='1; URL=/inner'></head><p>Wait</p>",
    "consent": "<article><p>The text of the page.</p></article><div id='cookie-banner' "
    "style='position:fixed;bottom:0'>We value your privacy <button onclick='agreed()'>Accept all"
    "</button> <button onclick='refused()'>Reject all</button></div><script>"
    "function refused() { document.getElementById('cookie-banner').remove();"
    " document.querySelector('article').append('refused') }"
    "function agreed() { document.querySelector('article').append('agreed') }</script>",
    "overlay": "<p>Readable.</p><div class='gdpr-wall' style='position:fixed'>No button</div>",
    "alert": "<p>Text</p><script>alert('hello'); confirm('sure?'); prompt('name?'); print();"
    "document.body.append('after them')</script>",
    "half": "<p id=x></p><script>document.getElementById('x').textContent = 'half \\ud800 a sign'"
    "</script>",
    "lies": "<p>Text</p><meta http-equiv=refresh content='99;url=/x'><script>"
    "performance.getEntriesByType = () => [{responseStatus: 'none'}]; parseFloat = () => 'none';"
    "String.prototype.toWellFormed = () => ({length: 1, toString: () => 'lies'})</script>",
    "throws": "<p>Text</p><script>String.prototype.toWellFormed = () => { throw 1 }</script>",
    "number": "<p>Text</p><script>Object.prototype.toJSON = () => 5</script>",
    "popup": "<p>Text</p><script>window.open('/inner')</script>",
    "spin": "<p>Text</p><script>while (true) {}</script>",
    "memory": "<p>Text</p><script>const all = []; for (let n = 0; n < 40; n++) {"
    " all.push(new Uint8Array(5e7).fill(1)); const end = Date.now() + 60;"
    " while (Date.now() < end) {} }</script>",
    "picture": "<p>Text</p><img src='/picture.png' width=50 height=50>",
    "inside": "<p>Text</p><script>location = 'http://127.0.0.1:{port}/secret'</script>",
    "local": "<p>Text</p><script>location = 'file:///etc/passwd'</script>",
    "peek": "<div id=x>nothing</div><iframe src='http://localhost:{port}/secret' width=99 "
    "height=99></iframe><script>fetch('http://127.0.0.1:{port}/secret').then(r => r.text())"
    ".then(t => { document.getElementById('x').textContent = t })</script>",
}


def slow() -> Iterator[bytes]:
    yield b"<html><body><p>" + b"The first part of a slow page. " * 30
    for _ in range(60):
        time.sleep(0.5)
        yield b"and more "


def answer(request: Request) -> Reply | None:
    path = request.url.split("/", 3)[3]
    if path == "secret":
        return Reply(body=b"the secret", headers={"Access-Control-Allow-Origin": "*"})
    if path == "slow":
        return Reply(body=slow())
    if path in ("inside", "peek"):
        port = int(request.headers.get("X-Port", "0")) or PORT[0]
        return Reply(body=PAGES[path].replace("{port}", str(port)).encode())
    return Reply(body=PAGES[path].encode()) if path in PAGES else None


PORT = [0]


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with Sites(answer) as running:
        PORT[0] = running.port
        yield running


@pytest.fixture(scope="module")
def browser(sites: Sites) -> Iterator[Browser]:
    assert PROGRAMS is not None
    guard = AddressGuard(connect_to=sites.connect_to)
    with Browser(PROGRAMS, guard, user_agent="reducepp/0 (me@here.example)") as running:
        yield running


@pytest.fixture(scope="module")
def hasty(sites: Sites) -> Iterator[Browser]:
    """For pages that never end; on a busy machine six seconds are few for others."""
    assert PROGRAMS is not None
    with Browser(PROGRAMS, AddressGuard(connect_to=sites.connect_to), timeout=6) as running:
        yield running


def html_of(browser: Browser, path: str) -> str:
    return browser.render(f"http://site.example/{path}").html


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "there", "not_there"),
    [
        ("script", ["<h1>Built by a script</h1>", "reducepp/0 (me@here.example)"], "Headless"),
        ("frames", ["same site", "another site", "frame in a frame", "After."], "Not to be seen"),
        ("frameset", ["same site", "frame in a frame"], "<frameset"),
        ("parts", ["<h2>In a part</h2>", "<p>Text in a part of a part.</p></div>"], "Wait"),
        ("refresh", ["From the same site."], "Wait"),
        ("refused", ["Before."], "main-frame-error"),
        ("consent", ["The text of the page.", "refused"], "We value"),
        ("overlay", ["Readable."], "No button"),
        ("alert", ["<p>Text</p>", "after them"], "hello world"),
        ("half", ["half \ufffd a sign"], "\ud800"),
        ("popup", ["<p>Text</p>"], "same site"),
        ("lies", ["lies"], "Text"),
    ],
)
def test_what_browser_shows(browser: Browser, path: str, there: list[str], not_there: str) -> None:
    html = html_of(browser, path)
    assert all(text in html for text in there), html
    assert not_there not in html


@needs_browser
@pytest.mark.browser
def test_an_error_page_is_not_what_the_page_shows(browser: Browser) -> None:
    with pytest.raises(FetchError, match="status 404 in the browser"):
        browser.render("http://site.example/missing")
    assert "From the same site" in html_of(browser, "inner")


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("path", ["throws", "number"])
def test_a_page_that_breaks_our_scripts_fails_alone(browser: Browser, path: str) -> None:
    with pytest.raises(FetchError, match="browser failed"):
        html_of(browser, path)
    assert "same site" in html_of(browser, "inner")


@needs_browser
@pytest.mark.browser
def test_images_are_not_loaded_and_cookies_do_not_last(browser: Browser, sites: Sites) -> None:
    html_of(browser, "picture")
    assert not any(request.url.endswith("picture.png") for request in sites.requests)
    for _ in range(2):
        html_of(browser, "script")
    asked = [request for request in sites.requests if request.url.endswith("/script")]
    assert not any("Cookie" in request.headers for request in asked)
    assert not any("google" in request.url for request in sites.requests), (
        "nothing in the background"
    )


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("path", ["inside", "peek", "local"])
def test_the_browser_is_guarded_too(browser: Browser, sites: Sites, path: str) -> None:
    before = len(sites.requests)
    if path == "inside":
        with pytest.raises(GuardError, match="not a public address"):
            html_of(browser, path)
    else:
        html = html_of(browser, path)
        assert "the secret" not in html
        assert "root:" not in html
    later = [request.url for request in sites.requests[before:]]
    assert later[0].endswith(path)
    assert not any(url.endswith("/secret") for url in later)


@needs_browser
@pytest.mark.browser
def test_the_same_page_shows_the_secret_where_it_is_allowed(sites: Sites) -> None:
    assert PROGRAMS is not None
    guard = AddressGuard(connect_to=sites.connect_to, allow_private=True)
    with Browser(PROGRAMS, guard, timeout=30) as browser:
        assert "the secret" in html_of(browser, "peek")


@needs_browser
@pytest.mark.browser
def test_of_a_slow_page_what_came_in_time_is_shown(hasty: Browser) -> None:
    html = html_of(hasty, "slow")
    assert "The first part of a slow page." in html
    assert "</h1>" not in html


@needs_browser
@pytest.mark.browser
def test_a_hanging_page_does_not_stop_the_next(hasty: Browser) -> None:
    with pytest.raises(FetchError, match="too slow"):
        html_of(hasty, "spin")
    assert "same site" in html_of(hasty, "inner")


@needs_browser
@pytest.mark.browser
def test_a_browser_that_dies_is_replaced(browser: Browser) -> None:
    assert "same site" in html_of(browser, "inner")
    assert browser._running is not None
    for pid in descendants(browser._running._process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert "same site" in html_of(browser, "inner")


@needs_browser
@pytest.mark.browser
def test_it_is_restarted_after_some_pages_and_leaves_nothing(sites: Sites) -> None:
    assert PROGRAMS is not None
    with Browser(PROGRAMS, AddressGuard(connect_to=sites.connect_to), pages=1) as browser:
        html_of(browser, "inner")
        assert browser._running is not None
        first = browser._running
        html_of(browser, "inner")
        assert browser._running is not first
        second = browser._running
    for one in (first, second):
        assert one._process.poll() is not None
        assert not Path(one._folder).exists()


@needs_browser
@pytest.mark.browser
def test_nothing_is_left_when_the_reaper_itself_is_killed(sites: Sites) -> None:
    assert PROGRAMS is not None
    with Browser(PROGRAMS, AddressGuard(connect_to=sites.connect_to)) as browser:
        html_of(browser, "inner")
        assert browser._running is not None
        first = browser._running
        pids = descendants(first._process.pid)
        os.kill(first._process.pid, signal.SIGKILL)
        assert "same site" in html_of(browser, "inner")
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
    assert not Path(first._folder).exists()


CHILD = """
import sys, time
from reducepp.scraping.fetch.browser import Browser
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.fetch.guard import AddressGuard
guard = AddressGuard(connect_to={"*": ("127.0.0.1", int(sys.argv[1]))})
with Browser(find_programs(), guard, timeout=30) as browser:
    browser.render("http://site.example/inner")
    print(browser._running._folder, browser._running._process.pid, flush=True)
    time.sleep(60)
"""


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_killed_parent(sites: Sites, how: signal.Signals) -> None:
    command = [sys.executable, "-c", CHILD, str(sites.port)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout is not None
    folder, reaper = child.stdout.readline().split()
    pids = [int(reaper), *descendants(int(reaper))]
    assert len(pids) > 3
    child.send_signal(how)
    child.wait(60)
    child.stdout.close()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
    assert not Path(folder).exists()


def test_frames_are_grafted_by_number() -> None:
    html = (
        "<html><head><title>T</title></head><body><p>a</p>"
        '<iframe src="x" data-reducepp-frame="0"></iframe>tail'
        '<iframe src="y"></iframe></body></html>'
    )
    found = insert_frames(html, ["<html><body>one <b>two</b></body></html>"])
    assert '<div data-reducepp-grafted="">one <b>two</b></div>tail<iframe src="y">' in found
    assert insert_frames(html, []) == html
    assert '<div data-reducepp-grafted=""></div>' in insert_frames(html, [""])


@needs_browser
@pytest.mark.browser
def test_the_browser_starts_without_any_traffic_of_its_own() -> None:
    """Hosts that accept and never answer: nothing waits for them, nothing reaches them."""
    assert PROGRAMS is not None
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(3)
        guard = AddressGuard(connect_to={"*": ("127.0.0.1", silent.getsockname()[1])})
        with Browser(PROGRAMS, guard, timeout=30) as browser:
            browser.start()
            with pytest.raises(TimeoutError):
                silent.accept()


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_a_page_that_takes_all_memory_fails_and_the_next_works(browser: Browser) -> None:
    with pytest.raises(FetchError):
        html_of(browser, "memory")
    assert "same site" in html_of(browser, "inner")


def test_a_process_with_too_much_memory_is_killed(tmp_path: Path) -> None:
    grow = "import time; data = bytearray(b'x' * 300_000_000); time.sleep(600)"
    reaper = [sys.executable, "-I", process_reaper.__file__, str(tmp_path / "profile")]
    command = [*reaper, "200000000", sys.executable, "-c", grow]
    child = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert child.wait(60) != 0
    assert child.stdin is not None
    child.stdin.close()
