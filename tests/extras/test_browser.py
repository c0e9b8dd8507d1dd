"""The browser extension in a real Chromium, on result pages served on loopback.

It is loaded unpacked, as a user does, and asks a running service; only the service's port is put
into a copy of it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.scraping.fetch.chromium import find_programs
from tests.reducepp.plugins.samples import RESULTS
from tests.reducepp.service.running import Running, running

PROGRAMS = find_programs()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAMS is None, reason="no chromium and chromedriver here"),
]
EXTENSION = Path(__file__).parents[2] / "extras" / "browser"

if PROGRAMS is not None:
    from tests.evaluation.screen import Screen

LAYOUTS = {
    "searxng": '<article class="result"><h3><a href="{url}">{title}</a></h3>'
    '<p class="content">{snippet}</p></article>',
    "bing": '<ol><li class="b_algo"><h2><a href="{url}">{title}</a></h2>'
    '<div class="b_caption"><p>{snippet}</p></div></li></ol>',
    "duckduckgo": '<article data-testid="result"><h2><a href="{url}">{title}</a></h2>'
    '<div data-result="snippet">{snippet}</div></article>',
    "brave": '<div class="snippet" data-type="web"><a href="{url}"><div class="title">{title}</div>'
    '</a><div class="generic-snippet">{snippet}</div></div>',
    "google": '<div id="search"><div class="MjjYud"><a href="{url}"><h3>{title}</h3></a>'
    '<div class="VwiC3b">{snippet}</div></div></div>',
    "nested": '<article data-testid="result"><article data-testid="result"><h2><a href="{url}">'
    '{title}</a></h2><div data-result="snippet">{snippet}</div></article></article>',
}


BASE = '<head><base href="https://www.google.com/">'
"""What relative addresses of a saved page are relative to."""


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running("--jobs", "1") as service:
        yield service


@pytest.fixture(scope="module")
def screen(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    assert PROGRAMS is not None
    folder = tmp_path_factory.mktemp("extension")
    copytree(EXTENSION, folder, dirs_exist_ok=True)
    script = (folder / "background.js").read_text("utf-8")
    assert "127.0.0.1:8000/" in script
    script = script.replace("127.0.0.1:8000/", f"127.0.0.1:{service.port}/")
    (folder / "background.js").write_text(script, "utf-8")
    screen = Screen(
        PROGRAMS,
        f"load-extension={folder}",
        "disable-features=DisableLoadExtensionCommandLineSwitch",
    )
    yield screen
    screen.close()


def result_page(layout: str) -> str:
    values = [
        {key: html.escape(str(r[key])) for key in ("url", "title", "snippet")} for r in RESULTS
    ]
    return "".join(LAYOUTS[layout].format(**value) for value in values)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_near_duplicates_are_collapsed_and_opened(screen: Screen, layout: str) -> None:
    body = f"<!DOCTYPE html><body>{result_page(layout)}</body>"

    def respond(request: Request) -> Reply:
        return Reply(body=body.encode())

    with Sites(respond) as sites:
        screen.driver.get(f"http://127.0.0.1:{sites.port}/search?q=bees")
        button = screen.wait_for(".reducepp-similar")
        assert button.text == "+ 2 similar"
        assert "mirror.example: strong, score " in (button.get_attribute("title") or "")
        hidden = screen.all(".reducepp-dropped")
        assert len(hidden) == 2
        assert not any(element.is_displayed() for element in hidden)
        button.click()
        assert button.text == "− 2 similar"
        assert all(element.is_displayed() for element in hidden)
        reasons = [element.text for element in screen.all(".reducepp-reason")]
        assert [reason.partition(",")[0] for reason in reasons] == ["strong", "same page"]


def sent_of(screen: Screen, page: str) -> list[dict[str, str]]:
    """The results that the extension reads from a page; its message is recorded."""
    screen.driver.get("about:blank")
    found: list[dict[str, str]] = screen.run(
        "const found = new DOMParser().parseFromString(arguments[0], 'text/html');"
        "document.documentElement.replaceWith(found.documentElement);"
        "let sent; window.chrome = {runtime: {sendMessage: (message) => {"
        " sent = message; return new Promise(() => {}); }}};"
        "new Function(arguments[1])(); return sent.results",
        page,
        (EXTENSION / "content.js").read_text("utf-8"),
    )
    return found


@pytest.mark.parametrize(
    "case",
    [
        *("google/panel-2022", "google/rendered-2023", "google/own-services-2024"),
        *("google/script-free-2020", "google/script-free-2025", "google/text-browser-2025"),
        *("bing/plain-2026", "bing/saved-2021", "duckduckgo/html-2026", "duckduckgo/script-2024"),
        *("brave/2024", "brave/2026", "searxng/2024"),
    ],
)
def test_results_of_saved_pages_are_read_once_each(screen: Screen, case: str) -> None:
    """The pages on which the search engines' readers are tested."""
    folder = Path(__file__).parents[1] / "scraping" / "search" / case
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    page = (folder / "page.html").read_text("utf-8").replace("<head>", BASE, 1)
    urls = [result["url"] for result in sent_of(screen, page)]
    assert len(set(urls)) == len(urls)
    assert {hit["url"] for hit in expected} <= set(urls)
    assert all("/ck/a" not in url for url in urls)


def test_advertisements_are_no_results(screen: Screen) -> None:
    result = LAYOUTS["bing"].format(url="https://{}.example/", title="{}", snippet="Bees")
    ads = (
        result.format("ad1", "Ad 1").replace("b_algo", "b_algo b_ad"),
        result.format("ad2", "Ad 2").replace("<p>", "<p><span class=b_adSlug>Ad</span>"),
        result.format("x", "Ad 3").replace("x.example/", "www.bing.com/aclick?u=y"),
    )
    page = "".join((*ads, result.format("a", "A"), result.format("b", "B")))
    assert [found["url"] for found in sent_of(screen, page)] == [
        "https://a.example/",
        "https://b.example/",
    ]


def test_other_pages_stay_as_they_are(screen: Screen) -> None:
    def respond(request: Request) -> Reply:
        return Reply(body=b"<!DOCTYPE html><title>Bees</title><p>Bees on the roofs.")

    with Sites(respond) as sites:
        screen.driver.get(f"http://127.0.0.1:{sites.port}/bees")
        assert screen.find("p").text == "Bees on the roofs."
        assert screen.all(".reducepp-similar") == []


def test_the_manifest_names_its_files_and_asks_for_loopback_alone() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    assert manifest["manifest_version"] == 3
    assert manifest["host_permissions"] == ["http://127.0.0.1/*"]
    assert "permissions" not in manifest
    script = manifest["content_scripts"][0]
    for name in (*script["js"], *script["css"], manifest["background"]["service_worker"]):
        assert (EXTENSION / name).exists()
    assert "127.0.0.1" in (EXTENSION / "background.js").read_text("utf-8")
    assert "http" not in (EXTENSION / "content.js").read_text("utf-8").replace("https?", "")
