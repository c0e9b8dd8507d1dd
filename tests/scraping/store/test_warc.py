"""WARC: ours out and in again, and what other crawlers write."""

import io
import json
from dataclasses import replace
from gzip import compress
from pathlib import Path
from typing import Any

import pytest

from reducepp.cli import main
from reducepp.scraping.store import warc_reader
from reducepp.scraping.store.dataset import read_store_pages, table_one
from reducepp.scraping.store.exchange import export_store, import_file
from reducepp.scraping.store.store import Store
from reducepp.types import SearchHit
from tests.programs import Cli
from tests.scraping.runs import dump
from tests.scraping.stores import HTML, TEXTS


@pytest.mark.parametrize("form", ["warc", "warc.gz"])
def test_a_store_comes_back_from_warc_as_it_was(filled: Path, tmp_path: Path, form: str) -> None:
    out, copy = tmp_path / f"pages.{form}", tmp_path / "copy.sqlite"
    url = "http://s1.example/p?a=1&b=é"
    with Store(filled) as store, store.transaction():
        raw = store.raw(SearchHit(url=url))
        assert raw is not None
        store.add_raw(url, replace(raw, images=(b"\x89PNG", b"GIF89a")))
    with Store(filled, mode="read") as store:
        assert export_store(store, out) == 5
    with Store(copy) as store:
        assert import_file(store, out) == 5
        again = store.raw(SearchHit(url=url))
        assert again.images == (b"\x89PNG", b"GIF89a")
        assert again.fetched_at == raw.fetched_at
    before, after = dump(filled), dump(copy)
    assert before.pop("searches")
    assert after.pop("searches") == []
    assert after == before
    assert table_one(copy) == table_one(filled)


def test_two_other_readers_agree_with_ours(filled: Path, tmp_path: Path) -> None:
    warcio = pytest.importorskip("warcio.archiveiterator")
    fastwarc = pytest.importorskip("fastwarc.warc")
    for form in ("warc", "warc.gz"):
        out = tmp_path / f"pages.{form}"
        with Store(filled, mode="read") as store:
            export_store(store, out)
        with out.open("rb") as stream:
            kinds = [r.rec_type for r in warcio.ArchiveIterator(stream, check_digests="raise")]
        with out.open("rb") as stream:
            records = fastwarc.ArchiveIterator(stream, parse_http=False)
            sound = [record.verify_block_digest() for record in records]
        assert sorted(set(kinds)) == ["conversion", "metadata", "response", "warcinfo"]
        assert len(kinds) == len(sound) == 1 + 5 + 1 + 6
        assert all(sound)


def test_a_foreign_warc_comes_in(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    html = HTML.format(lang="en", title="Foreign", n=1, text=TEXTS["en"]).encode()
    packed = compress(html)
    answers = [
        ("http://a.example/", "200 OK", "text/html", html, ""),
        ("http://b.example/", "200 OK", "text/html", packed, "Content-Encoding: gzip\r\n"),
        ("http://c.example/", "404 Not Found", "text/html", html, ""),
        ("http://d.example/", "200 OK", "image/png", b"x", ""),
    ]
    with path.open("wb") as stream:
        for url, status, kind, body, more in answers:
            head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}\r\n".encode()
            record = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                f"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:{url[7]}>\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(head + body)}\r\n\r\n"
            )
            stream.write(compress(record.encode() + head + body + b"\r\n\r\n"))
    store = tmp_path / "s.sqlite"
    assert main(["dataset", str(store), "--import", str(path)]) == 0
    pages = list(read_store_pages(store))
    assert [page.url for page in pages] == ["http://a.example/", "http://b.example/"]
    assert all("weather into the book" in page.body for page in pages)


def test_a_store_and_a_warc_can_be_reduced(filled: Path, tmp_path: Path, cli: Cli) -> None:
    warc = tmp_path / "pages.warc.gz"
    cli("dataset", filled, "--export", warc)
    printed = [cli("reduce", source, "--format", "json").out for source in (filled, warc)]
    found = [json.loads(text)["reductions"] for text in printed]
    for lights, phares in found:
        assert (lights["query"], lights["before"]) == ("lights", 3)
        assert (phares["query"], phares["before"]) == ("phares", 3)
    assert [one["clusters"] for one in found[0]] == [one["clusters"] for one in found[1]]
    assert found[0][1]["failures"][0]["reason"] == "status 404"


LEAVES_FILES = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""warcio's writer leaves its temporary files to be closed by whoever cleans up."""


def write_foreign(path: Path, *, gzip: bool = True) -> None:
    """A file by warcio with bodies in every wrapping, and records that are none of a page's."""
    writing = pytest.importorskip("warcio.warcwriter")
    from warcio.statusandheaders import StatusAndHeaders

    def page(name: str) -> bytes:
        return HTML.format(lang="en", title=name, n=1, text=TEXTS["en"]).encode()

    def chunks(body: bytes) -> bytes:
        parts = (body[:100], body[100:], b"")
        return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)

    with path.open("wb") as stream:
        writer = writing.WARCWriter(stream, gzip=gzip)

        def add(name: str, body: bytes, status: str = "200 OK", **headers: str) -> Any:
            fields = [(k.replace("_", "-"), v) for k, v in headers.items()]
            record = writer.create_warc_record(
                f"http://x.example/{name}",
                "response",
                payload=io.BytesIO(body),
                http_headers=StatusAndHeaders(
                    status, [("Content-Type", "text/html"), *fields], protocol="HTTP/1.1"
                ),
            )
            writer.write_record(record)
            return record.rec_headers.get_header

        first = add("plain", page("plain"))
        add("chunked", chunks(page("chunked")), Transfer_Encoding="chunked")
        packed = compress(page("both"))
        add("both", chunks(packed), Transfer_Encoding="chunked", Content_Encoding="gzip")
        add("unpacked", page("unpacked"), Content_Encoding="gzip", Transfer_Encoding="chunked")
        add("odd", page("odd"), status="abc")
        for name, digest in (("again", first("WARC-Payload-Digest")), ("lost", "sha1:NOWHERE")):
            writer.write_record(
                writer.create_revisit_record(
                    f"http://x.example/{name}",
                    digest,
                    f"http://x.example/{'plain' if name == 'again' else 'elsewhere'}",
                    first("WARC-Date"),
                )
            )
        for url, kind, content_type, body in (
            ("http://x.example/saved", "resource", "text/html", page("saved")),
            ("dns:x.example", "resource", "text/dns", b"192.0.2.1"),
            ("http://x.example/plain", "metadata", "application/vnd.reducepp.hits+json", b"{no"),
        ):
            writer.write_record(
                writer.create_warc_record(
                    url, kind, payload=io.BytesIO(body), warc_content_type=content_type
                )
            )
        writer.write_record(writer.create_warcinfo_record("x", {"queries": "[none"}))


@LEAVES_FILES
@pytest.mark.parametrize("packing", ["none", "records", "whole"])
def test_bodies_in_every_wrapping(tmp_path: Path, packing: str) -> None:
    path, copy = tmp_path / f"x.warc{'' if packing == 'none' else '.gz'}", tmp_path / "s.sqlite"
    write_foreign(path, gzip=packing == "records")
    if packing == "whole":
        path.write_bytes(compress(path.read_bytes()))
    with Store(copy) as store:
        assert import_file(store, path) == 6
        failures = [(f.url, f.stage) for f in store.failures()]
    assert failures == [("http://x.example/lost", "read")]
    pages = {page.url.rpartition("/")[2]: page for page in read_store_pages(copy)}
    assert list(pages) == ["plain", "chunked", "both", "unpacked", "again", "saved"]
    assert {page.body for page in pages.values()} == {pages["plain"].body}
    assert pages["again"].page_title == pages["plain"].page_title


@LEAVES_FILES
@pytest.mark.parametrize("damage", ["cut", "cut packed", "changed"])
def test_what_a_damaged_file_held_before_stands(tmp_path: Path, damage: str) -> None:
    path, copy = tmp_path / f"x.warc{'' if damage == 'cut' else '.gz'}", tmp_path / "s.sqlite"
    write_foreign(path, gzip=damage != "cut")
    data = path.read_bytes()
    third = data.index(b"http://x.example/chunked") if damage == "cut" else len(data) // 4
    rest = b"?" * 300 + data[third + 300 :] if damage == "changed" else b""
    path.write_bytes(data[: third + (600 if damage == "cut" else 0)] + rest)
    with Store(copy) as store:
        assert import_file(store, path) in (1, 2)
        (failure,) = store.failures()
    assert failure.reason.startswith("damaged after ")
    assert all("weather into the book" in page.body for page in read_store_pages(copy))


def response(url: str, body: bytes = HTML.encode(), **headers: str) -> bytes:
    """A response record as other crawlers write it."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    fields = {
        "WARC-Type": "response",
        "WARC-Record-ID": f"<urn:x:{url}>",
        "WARC-Date": "2026-01-01T00:00:00Z",
        "WARC-Target-URI": url,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
        **headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return b"WARC/1.0\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n"


BAD_RECORDS = {
    "endless header line": b"WARC/1.0\r\nX: " + b"a" * 3_000_000 + b"\r\n\r\n\r\n\r\n",
    "endless headers": b"WARC/1.0\r\n" + b"X: a\r\n" * 300_000 + b"\r\n\r\n",
    "no length": b"WARC/1.0\r\nWARC-Type: response\r\n\r\nbody\r\n\r\n",
    "negative length": b"WARC/1.0\r\nContent-Length: -5\r\n\r\nbody\r\n\r\n",
    "length in letters": b"WARC/1.0\r\nContent-Length: ten\r\n\r\nbody\r\n\r\n",
    "a huge length number": b"WARC/1.0\r\nContent-Length: " + b"9" * 400 + b"\r\n\r\nx\r\n\r\n",
    "length too short": response("http://short.example/", **{"Content-Length": "20"}),
    "bytes that are no text": b"WARC/1.0\r\n\xff\xfe: \xff\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    "junk": bytes(range(256)) * 400 + b"\r\n",
    "no HTTP in it": response("http://no.example/").replace(b"HTTP/1.1 200 OK", b"\0" * 15),
    "a status without number": response("http://s.example/").replace(b"1.1 200", b"1.1 \xb2\xb3"),
    "a broken target": response("http://[broken"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["warc", "warc.gz"])
@pytest.mark.parametrize("bad", BAD_RECORDS)
def test_a_bad_record_costs_itself(tmp_path: Path, bad: str, packed: bool) -> None:
    good = [response(f"http://good{n}.example/") for n in (1, 2)]
    data = good[0] + BAD_RECORDS[bad] + good[1]
    path = tmp_path / ("crafted.warc.gz" if packed else "crafted.warc")
    path.write_bytes(compress(data) if packed else data)
    with Store(":memory:") as store:
        import_file(store, path)
        urls = {url for (url,) in store.rows("SELECT url FROM pages")}
    assert {"http://good1.example/", "http://good2.example/"} <= urls


def test_lines_without_a_record_are_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """117 KB that unpack to blank lines took 23 s, and more in proportion."""
    monkeypatch.setattr(warc_reader, "MAX_SKIPPED_LINES", 1_000)
    path = tmp_path / "blank.warc.gz"
    path.write_bytes(compress(response("http://good.example/") + b"\r\n" * 3_000))
    with Store(":memory:") as store:
        assert import_file(store, path) == 1
        (failure,) = store.failures()
    assert "1,000 lines without a record" in failure.reason
