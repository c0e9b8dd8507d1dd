"""What is fuzzed: for each format its seeds, the words of the format, and the parser's call.

A parser may raise ReduceppError, as wrong input does. Anything else is a find.
"""

import atexit
import gzip
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reducepp.api import ReduceOptions, reduce_pages
from reducepp.errors import ReduceppError
from reducepp.inputs import read_queries
from reducepp.io.own_rows import read_own_rows
from reducepp.io.readers import assign_ids, read_bytes
from reducepp.io.records import page_to_record
from reducepp.io.writers import reduction_to_dict
from reducepp.labelled.reading import read_labels
from reducepp.scraping.extract.split import split_page
from reducepp.scraping.fetch.politeness import check_robots
from reducepp.scraping.search import ENGINES, detect_engine
from reducepp.scraping.search.saved_pages import decode_page
from reducepp.service.handlers import Work
from reducepp.service.limits import ServiceLimits, ServiceSettings
from reducepp.similarity.click_log import count_pairs
from reducepp.types import Page, RawPage, SearchHit
from reducepp.weights.profile import parse_profile
from tests.scraping.stores import fill

TESTS = Path(__file__).parents[1]
PROFILES = TESTS.parent / "weights" / "profiles"
TEXT = "The council voted on Monday to repair the old lighthouse, dark since the storm of 1987."


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One format."""

    seeds: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], object]
    words: Sequence[bytes] = ()


def try_input(target: Target, data: bytes) -> str:
    """Parse one input: the message it is refused with, or ""; raises what no caller expects."""
    try:
        target.run(data)
    except ReduceppError as error:
        return str(error)
    return ""


def _split(content_type: str) -> Callable[[bytes], object]:
    def run(data: bytes) -> None:
        raw = RawPage(
            hit=SearchHit(url="https://a.example/x"), fetched=data, content_type=content_type
        )
        json.dumps(page_to_record(split_page(raw)), ensure_ascii=False).encode()

    return run


def _read(name: str) -> Callable[[bytes], object]:
    """As `reduce` and `filter` read it, and as the service takes it."""

    def run(data: bytes) -> None:
        with suppress(ReduceppError):
            list(assign_ids(read_bytes(data, name=name)))
        rows = read_own_rows(_file(data, name))
        rows.write(range(len(rows.records)), [{"kept": "x"}] * len(rows.records))

    return run


def _file(data: bytes, name: str) -> str:
    path = _folder() / name
    path.write_bytes(data)
    return str(path)


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="reducepp-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _read_input(name: str) -> Callable[[bytes], object]:
    return lambda data: read_queries(_file(data, name), jobs=1)


def _reduce(data: bytes) -> None:
    """Any pages to a reduction that can be printed."""
    reads = assign_ids(read_bytes(data, name="x.jsonl"))
    pages = [read for read in reads if isinstance(read, Page)][:30]
    found = reduce_pages(pages, ReduceOptions())
    members = sorted(member for cluster in found.clusters for member in cluster.members)
    assert members == sorted(page.id for page in pages)
    json.dumps(reduction_to_dict(found), allow_nan=False)


def _hits(data: bytes) -> None:
    text = decode_page(data)
    for name in sorted({detect_engine(text), "bing", "google"} - {""}):
        with suppress(ReduceppError):
            ENGINES[name].parse(text, page=1)


def _answer(data: bytes) -> None:
    """The first word names the route; the worker answers everything, with 500 for our mistakes."""
    name, _, body = data.partition(b" ")
    route = name.decode("latin-1")
    work = Work(ServiceSettings(limits=ServiceLimits(pages=50)))
    status, _ = work(route if route in ("compare", "sweep", "split", "view") else "reduce", body)
    assert status != 500, route


def _files(pattern: str, root: Path = TESTS) -> Callable[[], Sequence[bytes]]:
    return lambda: [path.read_bytes() for path in sorted(root.glob(pattern))]


def _page_records() -> list[dict[str, object]]:
    return [
        {"url": "https://a.example/", "title": "One", "body": TEXT, "query": "q", "rank": 1},
        {"url": "https://b.example/x?y=1", "html": f"<h1>Two</h1><p>{TEXT} More.</p>"},
        {"id": "c", "page_title": "Été à la mer", "links": ["https://a.example/"], "body": "x"},
        {"text": "@a short post #tag https://t.example", "author": "b", "followers": 3},
    ]


def _jsonl() -> list[bytes]:
    return ["\n".join(map(json.dumps, _page_records())).encode(), b"\xef\xbb\xbf{}\n"]


def _json() -> list[bytes]:
    results = {"query": "q", "results": _page_records()}
    return [json.dumps(value).encode() for value in (results, _page_records(), [results])]


def _csv() -> list[bytes]:
    rows = 'url,title,body,links\nhttps://a.example/,One,"a ""b"", c","[""x"", ""y""]"\n'
    table = f"{rows}https://b.example/,Two,{TEXT.replace(',', '')},a|b\n"
    return [table.encode(), table.replace(",", ";").encode("utf-16"), table.encode("latin-1")]


def _parquet() -> list[bytes]:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pylist([{"url": "https://a.example/", "body": TEXT, "rank": 1}] * 3)
    outs = [io.BytesIO(), io.BytesIO()]
    pyarrow.parquet.write_table(table, outs[0], compression="none")
    pyarrow.parquet.write_table(table, outs[1], compression="zstd")
    return [out.getvalue() for out in outs]


def _stores() -> list[bytes]:
    return [fill(_folder() / "seed.sqlite").read_bytes()]


def _indexes() -> list[bytes]:
    from reducepp import Index

    path = _folder() / "seed.index"
    with Index(path) as index:
        index.add([Page(id=str(i), rank=i + 1, body=f"{TEXT} {i % 3}") for i in range(6)])
    return [path.read_bytes()]


def _ask_index(data: bytes) -> None:
    from reducepp import Index

    with Index(_file(data, "x.index")) as index:
        index.query(Page(id="a", body=TEXT))


def _warcs() -> list[bytes]:
    from reducepp.scraping.store.store import Store
    from reducepp.scraping.store.warc_writer import write_warc

    outs = [io.BytesIO(), io.BytesIO()]
    with Store(fill(_folder() / "seed.sqlite"), mode="read") as store:
        for out in outs:
            write_warc(store, out, packed=out is outs[1])
    return [out.getvalue() for out in outs]


def _mhtml() -> list[bytes]:
    head = "From: <Saved>\nSubject: One\nMIME-Version: 1.0\nContent-Type: multipart/related;\n"
    part = f"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>{TEXT}</p>"
    image = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo="
    text = f'{head}\tboundary="xx"\n\n--xx\n{part}\n--xx\n{image}\n--xx--\n'
    return [text.encode(), text.replace("\n", "\r\n").encode()]


def _zips() -> list[bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (("é.html", f"<p>{TEXT}"), ("b.jsonl", '{"body": "x"}'), ("c", "")):
            archive.writestr(zipfile.ZipInfo(name), content)
    return [out.getvalue()]


def _clicks() -> list[bytes]:
    rows = [{"query": "q", "shown": ["a.example", "b.example"], "clicked": ["a.example"]}] * 3
    lines = "\n".join(map(json.dumps, rows)).encode()
    return [lines, b"query,shown,clicked\nq,a.example|b.example,b.example\n", gzip.compress(lines)]


def _labels() -> list[bytes]:
    lines = b'{"query": "q", "a": "x", "b": "y", "duplicate": true}\n'
    lines += b'{"a": "x", "b": "z", "grade": 3, "scale": 4}'
    return [lines, b"query,a,b,duplicate\nq,x,y,1\nq,x,z,0\n", gzip.compress(lines)]


def _bodies() -> list[bytes]:
    pages = json.dumps({"pages": _page_records(), "threshold": 0.5, "query": "q"})
    pair = json.dumps({"a": TEXT, "b": {"body": TEXT}})
    upload = {"name": "a.csv", "base64": "dXJsLGJvZHkKYSxiCg=="}
    texts = (f"reduce {pages}", f"sweep {pages}", f"compare {pair}")
    texts += ('split {"html": "<p>x</p>"}', f"view {json.dumps({'files': [upload]})}")
    return [text.encode() for text in texts]


def _robots(data: bytes) -> None:
    check_robots(data.decode("utf-8", "replace"), "https://a.example/x/y?z=1", ("reducepp", "*"))


MARKUP = (b"<p>", b"</div>", b"<table><tr><td>", b"<script>", b"<!--", b"&#x0;", b"&amp;", b"<svg>")
MARKUP += (b"<title>", b"<base href=", b'<meta charset="utf-7">', b"<template>", b"\x1b[2J")
JSON_WORDS = (b"{", b"[", b'"', b"\\ud800", b"null", b"NaN", b"1e999", b'"body":', b'"html":', b",")
PDF_WORDS = (b"obj", b"endobj", b"stream", b"/FlateDecode", b"/Kids", b"1 0 R", b"<<", b"[", b"Do ")
WARC_WORDS = (b"WARC/1.1\r\n", b"\r\n\r\n", b"Content-Length: ", b"Transfer-Encoding: chunked\r\n")
CELLS = (b'"', b",", b"\r", b"\n", b"\0", b";", b"[", b"'")
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

TARGETS: dict[str, Target] = {
    "html": Target(
        seeds=_files("scraping/extract/cases/*/page.html"), run=_split("text/html"), words=MARKUP
    ),
    "pdf": Target(
        seeds=_files("scraping/extract/cases/*/page.pdf"),
        run=_split("application/pdf"),
        words=PDF_WORDS,
    ),
    "docx": Target(
        seeds=_files("scraping/extract/cases/*/page.docx"),
        run=_split(WORD),
        words=(b"<w:p>", b"</w:r>", b"<w:t>", b"<w:del>", b"&lt;", b"<!DOCTYPE", b"w:val="),
    ),
    "mhtml": Target(seeds=_mhtml, run=_split(""), words=(b"--xx\n", b"Content-Type: ", b"=0D=")),
    "result pages": Target(
        seeds=_files("scraping/search/*/*/page.*"), run=_hits, words=(*MARKUP, *JSON_WORDS)
    ),
    "warc": Target(seeds=_warcs, run=_read_input("x.warc"), words=WARC_WORDS),
    "store": Target(seeds=_stores, run=_read_input("x.sqlite")),
    "index": Target(seeds=_indexes, run=_ask_index),
    "jsonl": Target(seeds=_jsonl, run=_read("x.jsonl"), words=JSON_WORDS),
    "json": Target(seeds=_json, run=_read("x.json"), words=JSON_WORDS),
    "csv": Target(seeds=_csv, run=_read("x.csv"), words=CELLS),
    "zip": Target(seeds=_zips, run=_read_input("x.zip"), words=(*MARKUP, *JSON_WORDS)),
    "parquet": Target(seeds=_parquet, run=_read("x.parquet")),
    "profile": Target(
        seeds=_files("*.toml", PROFILES),
        run=lambda data: parse_profile(data.decode("utf-8", "replace"), where="x"),
        words=(b"[[signals]]\n", b"weight = ", b"measure = ", b"inf", b"nan", b"{", b'"""', b"="),
    ),
    "clicks": Target(
        seeds=_clicks,
        run=lambda data: list(
            count_pairs(_file(data, "clicks.gz" if data[:1] == b"\x1f" else "c"))
        ),
        words=(*JSON_WORDS, *CELLS),
    ),
    "labels": Target(
        seeds=_labels, run=lambda data: read_labels(_file(data, "labels")), words=JSON_WORDS
    ),
    "robots": Target(
        seeds=lambda: [b"User-agent: *\nDisallow: /x*y$\nCrawl-delay: 2\nAllow: /\n"],
        run=_robots,
        words=(b"User-agent: ", b"Disallow: ", b"*", b"$", b"Crawl-delay: ", b"%", b"\r"),
    ),
    "pages": Target(seeds=_jsonl, run=_reduce, words=JSON_WORDS),
    "http": Target(seeds=_bodies, run=_answer, words=JSON_WORDS),
}
