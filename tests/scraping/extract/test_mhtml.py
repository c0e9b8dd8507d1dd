"""Pages saved as one file: document, frames, images, address; and what is made to break them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reducepp.inputs import read_queries
from reducepp.scraping.extract.mhtml import MAX_PARTS, MAX_SAVED_BYTES
from reducepp.scraping.extract.split import split_page
from reducepp.scraping.extract.split_many import split_one
from reducepp.scraping.fetch.chromium import Chromium, find_programs
from reducepp.types import Failure, Page, RawPage, SearchHit
from tests.machine_units import units_of
from tests.programs import Cli
from tests.scraping.extract.saved import URL, part, saved
from tests.scraping.pictures import picture

TEXT = "The keeper counted every ship that passed in January, and wrote them all down – très bien."
HTML = f"<title>Ships | The Bay</title><h1>Ships</h1><p>{TEXT}</p>"
MIME = b"MIME-Version: 1.0\n"
MOST_UNITS = 200


def split(data: bytes, url: str = "") -> Page | Failure:
    results = []
    raw = RawPage(hit=SearchHit(url=url), fetched=data)
    assert units_of(lambda: results.append(split_one(raw))) < MOST_UNITS
    return results[0]


def page_of(data: bytes, url: str = "") -> Page:
    result = split(data, url)
    assert isinstance(result, Page), result
    return result


def reason(data: bytes) -> str:
    result = split(data)
    assert isinstance(result, Failure)
    return result.reason


def test_a_saved_page_is_the_page() -> None:
    page = page_of(saved(part(HTML, location=URL)))
    assert (page.page_title, page.site_title, page.body) == ("Ships", "The Bay", TEXT)
    assert page.id == page.url == URL
    assert page_of(saved(part(HTML, location=URL)), "https://given.example/").url.endswith(
        "given.example/"
    )


def test_an_address_that_is_none_of_the_web_is_not_told() -> None:
    assert page_of(saved(part(HTML), url="file:///home/somebody/ships.html")).url == ""


def test_frames_are_grafted_by_name_and_by_address_and_once_each() -> None:
    outer = (
        HTML
        + '<iframe src="cid:one@x"></iframe><iframe src="/two"></iframe>'
        + ('<iframe src="cid:none@x"></iframe><iframe width="0" src="cid:hidden@x"></iframe>')
    )
    page = page_of(
        saved(
            part(outer, location=URL),
            part('<p>In one frame they counted gulls.</p><iframe src="cid:three@x">', name="one@x"),
            part("<p>In another frame they counted seals.</p>", location="https://bay.example/two"),
            part('<p>Deep inside they slept.</p><iframe src="cid:one@x">', name="three@x"),
            part("<p>Nobody sees this.</p>", name="hidden@x"),
        )
    )
    lines = ["In one frame they counted gulls.", "Deep inside they slept."]
    assert page.body.splitlines() == [TEXT, *lines, "In another frame they counted seals."]


def test_a_page_of_nothing_but_frames() -> None:
    outer = '<html><frameset cols="50%,50%"><frame src="cid:one@x"></frameset></html>'
    assert page_of(saved(part(outer), part(f"<p>{TEXT}</p>", name="one@x"))).body == TEXT


def test_parts_within_parts_and_other_writers_of_such_files() -> None:
    inner = (
        "Content-Type: multipart/alternative; boundary=in\n\n--in\nContent-Type: text/plain\n\nno\n"
    )
    html = (
        f"--in\nContent-Type: text/html; charset=iso-8859-1\n\n{HTML.replace('–', '-')}\n--in--\n"
    )
    data = b"--out\n" + inner.encode() + html.encode("latin-1") + b"--out--\n"
    head = b"Subject: S\nContent-Type: multipart/related; boundary=out\n" + MIME
    assert page_of(head + b"\npreamble\n" + data).body == TEXT.replace("–", "-")
    alone = MIME + b"Content-Type: text/html\nContent-Location: " + URL.encode()
    page = page_of(alone + b"\n\n" + HTML.encode())
    assert (page.body, page.url) == (TEXT, URL)


def test_a_file_that_was_cut_off_gives_what_it_has() -> None:
    data = saved(part(HTML + "<p>Much later another line was written by the keeper.</p>"))
    assert page_of(data[: data.index(b"Much later")]).body == TEXT


def test_images_from_stored_bytes_only_where_asked() -> None:
    html = HTML + '<img src="/a.png"><img src="https://bay.example/logo.png"><img src="/gone.png">'
    data = saved(
        part(html, location=URL),
        part(picture(1), "image/png", location="https://bay.example/a.png"),
        part(picture(2), "image/png", location="https://bay.example/logo.png"),
    )
    raw = RawPage(hit=SearchHit(url=""), fetched=data)
    assert len(split_page(raw, images=True).images) == 1
    assert split_page(raw).images == ()


@pytest.mark.parametrize("suffix", ["mhtml", "mht", "page"])
def test_as_input_alone_and_in_a_folder(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "q" / f"saved.{suffix}"
    path.parent.mkdir()
    path.write_bytes(saved(part(HTML, location=URL)))
    for source in [path, tmp_path] if suffix != "page" else [path]:
        (found,) = read_queries(str(source))
        assert [(page.url, page.body) for page in found.pages] == [(URL, TEXT)]
        assert found.pages[0].id.endswith(path.name)


def test_the_command(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "saved.mhtml"
    image = part(picture(1), "image/png", location="https://bay.example/a.png")
    path.write_bytes(saved(part(HTML + '<img src="/a.png">', location=URL), image))
    found = json.loads(cli("split", path, "--images").out)
    assert (found["url"], found["body"], len(found["images"])) == (URL, TEXT, 1)
    cli("split", "--images", "--jsonl", path, status=2)
    path.write_bytes(saved(part("a{}", "text/css")))
    assert "holds no HTML document" in cli("split", path, status=1).err


def test_too_many_parts_and_too_large_ones() -> None:
    assert f"{MAX_PARTS:,} parts" in reason(saved(part(HTML), part("x", "text/css") * 50_000))
    assert f"{MAX_SAVED_BYTES:,} bytes" in reason(saved(part(HTML)) + b"x" * MAX_SAVED_BYTES)
    assert "more than the 10,485,760" in reason(
        saved(b"------b----\nContent-Type: text/html\n\n" + b"x" * (11 << 20))
    )


def test_frames_that_hold_each_other_or_too_much() -> None:
    frames = "".join(f'<iframe src="cid:{n}"></iframe>' for n in range(60))
    page = page_of(
        saved(*(part(f"<p>Frame number {n} says so.</p>{frames}", name=str(n)) for n in range(60)))
    )
    assert page.body.count("says so") == 21
    large = part("<p>" + "x" * (6 << 20), name="1")
    assert "10,485,760" in reason(saved(part(HTML + frames), large, large))


@pytest.mark.parametrize(
    "hostile",
    [
        MIME + b"Content-Type: multipart/related\n\n--\n",
        MIME + b'Content-Type: multipart/related; boundary="\xff\xfe"\n\n--\xff\xfe\n\nx',
        MIME + b"Content-Type: multipart/x; boundary=b\n\n" + b"--b\n" * 1_000_000,
        MIME
        + b"".join(
            b"Content-Type: multipart/x; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(50_000)
        ),
        MIME
        + b"Content-Type: multipart/x; boundary=b\n\n"
        + (b"--b\nContent-Type: multipart/x" + b";a*1=1" * 1300 + b"\n\n") * 1000,
        MIME + b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + b"!" * 9999,
    ],
    ids=["no boundary", "no letters", "empty parts", "nested", "parameters", "base64"],
)
def test_hostile_files_end_in_a_failure_in_time(hostile: bytes) -> None:
    assert reason(hostile)


def test_control_characters_in_and_around_frames() -> None:
    outer = HTML + '<iframe src="cid:one@x&#1;"></iframe><iframe src="cid:one@x"></iframe>\x02 tail'
    page = page_of(saved(part(outer), part("\x03&#2;Counted gulls in the frame.", name="one@x")))
    assert "Counted gulls in the frame." in page.body


@pytest.mark.browser
@pytest.mark.skipif(find_programs() is None, reason="no chromium and chromedriver here")
def test_what_a_real_browser_saves(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    framed = "<iframe srcdoc='<p>In the frame they counted gulls.</p>'></iframe>"
    source.write_text(f"<meta charset=utf-8>{HTML}{framed}", "utf-8")
    programs = find_programs()
    assert programs is not None
    browser = Chromium(programs)
    try:
        browser.connect(proxy_port=9, timeout=60)
        browser.driver.get(source.as_uri())
        wanted = {"cmd": "Page.captureSnapshot", "params": {"format": "mhtml"}}
        answer = browser.driver.execute("executeCdpCommand", wanted)["value"]
    finally:
        browser.close()
    page = page_of(answer["data"].encode())
    assert page.body.splitlines() == [TEXT, "In the frame they counted gulls."]
    assert page.site_title == "The Bay"
