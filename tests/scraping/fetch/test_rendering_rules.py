"""Which pages need a browser, and where a page sends its reader."""

import pytest

from reducepp.scraping.fetch.rendering_rules import is_page_type, meta_refresh, why_render
from tests.machine_units import units_of

LONG = "<p>" + "Words that are there without any script at all. " * 40 + "</p>"
SCRIPT = "<script>start()</script>"
FRAME = "<iframe src='/x'></iframe>"
NOSCRIPT = "<noscript>Please enable JavaScript to read on</noscript>"
MIDDLE = "<p>" + "Half a page of text. " * 25 + "</p>"


@pytest.mark.parametrize(
    ("html", "why"),
    [
        (LONG, ""),
        (LONG + SCRIPT + FRAME + NOSCRIPT, ""),
        (MIDDLE + SCRIPT, ""),
        ("<p>short</p>", ""),
        ("<p>short</p>" + SCRIPT, "nearly empty"),
        (f"<div id=root></div>{SCRIPT}<style>{LONG}</style>", "nearly empty"),
        (f"<header>{MIDDLE}</header><div></div><footer>{LONG}</footer>{SCRIPT}", "nearly empty"),
        (MIDDLE + SCRIPT + NOSCRIPT, "built by scripts"),
        (MIDDLE + SCRIPT + "<noscript>Bitte JavaScript aktivieren</noscript>", "built by scripts"),
        (f"{LONG}<noscript><meta http-equiv=refresh content='0;url=/b'></noscript>", ""),
        (MIDDLE + FRAME, "frames"),
        ("<html><frameset><frame src=a></frameset></html>", "frames"),
        ("<meta http-equiv=Refresh content='0;URL=/b'>" + LONG, "meta refresh"),
        ("<meta http-equiv=refresh content='300;url=/b'>" + LONG, ""),
        ("<meta http-equiv=refresh content='30'>" + LONG, ""),
        ("", ""),
    ],
)
def test_why_a_page_is_rendered(html: str, why: str) -> None:
    assert why_render(html.encode(), "text/html") == why


def test_documents_are_never_rendered() -> None:
    assert why_render(b"%PDF-1.7 ...", "text/html") == ""
    assert why_render(b"short <script>", "text/plain") == ""


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/b", "http://a.example/b"),
        ("5;URL='b/c'", "http://a.example/x/b/c"),
        ("0, url=http://o.example/", "http://o.example/"),
        ("0; url=http://a.example/x/page", ""),
        ("60; url=/b", ""),
        ("soon; url=/b", ""),
        ("0", ""),
    ],
)
def test_where_a_refresh_leads(content: str, target: str) -> None:
    html = f'<html><head><meta http-equiv="refresh" content="{content}"></head></html>'
    assert meta_refresh(html.encode(), "http://a.example/x/page") == target


def test_content_types() -> None:
    good = ["text/html", "TEXT/HTML; charset=x", "", "application/xhtml+xml", "application/pdf"]
    assert all(map(is_page_type, [*good, "text/plain", "application/octet-stream"]))
    bad = ["image/png", "video/mp4", "application/json", "text/css", "application/zip"]
    assert not any(map(is_page_type, bad))


def test_a_page_made_to_take_minutes_is_not_looked_into() -> None:
    assert why_render(b"<html>" + b"<div>" * 100_000, "text/html") == ""
    attributes = b" ".join(b"a%d" % n for n in range(200_000))
    html = b"<p " + attributes + b">" + LONG.encode()
    assert units_of(lambda: meta_refresh(html, "https://a.example/")) < 10


@pytest.mark.parametrize("content", ["1" * 40_000 + "x", " " * 40_000, "1;url" + " " * 40_000])
def test_a_long_refresh_takes_linear_time(content: str) -> None:
    html = f"<meta http-equiv=refresh content='{content}'>{LONG}".encode()
    assert units_of(lambda: why_render(html, "text/html")) < 10


def test_many_refreshes_in_a_deep_page_take_linear_time() -> None:
    html = b"<div>" * 5_000 + b"<meta http-equiv=refresh content=30>" * 5_000
    assert units_of(lambda: why_render(html, "text/html")) < 100
