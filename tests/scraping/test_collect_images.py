"""Content images are collected when asked, stored as bytes, and become hashes of the page."""

import io
from pathlib import Path

import pytest

from reducepp.cli import main
from reducepp.demo.web_server import Reply, Request, Sites, search_page
from reducepp.scraping.extract.images import image_addresses
from reducepp.scraping.store.store import Store
from reducepp.types import SearchHit
from tests.scraping.stores import read_store

PAGE = "http://gallery.example/walk"
HTML = f"""<html><body><article><h1>A walk</h1><p>{"Along the cliffs to the lamp. " * 20}</p>
<img src="/cliff.png"><img src="/logo.png"><img src="/dot.png" width="1" height="1">
<img src="/missing.png"><img data-src="/page.html" src="x"></article></body></html>"""


def picture() -> bytes:
    image = pytest.importorskip("PIL.Image")
    made = image.radial_gradient("L").resize((240, 180))
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def answer(request: Request) -> Reply | None:
    if request.url.startswith("http://search.example/"):
        return search_page(request, {"walk": [SearchHit(url=PAGE, title="A walk")]})
    pages = {
        PAGE: Reply(body=HTML.encode(), content_type="text/html"),
        "http://gallery.example/page.html": Reply(
            body=b"<p>no image</p>", content_type="text/html"
        ),
        "http://gallery.example/cliff.png": Reply(body=picture(), content_type="image/png"),
    }
    return pages.get(request.url)


def test_only_content_images_are_fetched() -> None:
    assert image_addresses(HTML, PAGE) == [
        "http://gallery.example/cliff.png",
        "http://gallery.example/missing.png",
        "http://gallery.example/page.html",
    ]


@pytest.mark.parametrize("asked", [True, False])
def test_images_are_collected_only_on_request(tmp_path: Path, asked: bool) -> None:
    pytest.importorskip("imagehash")
    out = tmp_path / "pages.sqlite"
    with Sites(answer) as sites:
        words = ["collect", "walk", "--engine", "searxng", "--engine-url", "http://search.example"]
        words += ["--connect-to", f"*=127.0.0.1:{sites.port}", "--delay", "0", "--retries", "0"]
        words += ["--render", "never", "--out", str(out), *(["--images"] if asked else [])]
        assert main(words) == 0
        visited = {request.url for request in sites.requests}
    assert ("http://gallery.example/cliff.png" in visited) == asked
    assert "http://gallery.example/logo.png" not in visited
    (collected,) = read_store(out)
    (page,) = collected.pages
    assert len(page.images) == int(asked)
    with Store(out, mode="read") as store:
        raw = store.raw(SearchHit(url=PAGE))
    assert raw.images == ((picture(),) if asked else ())
