"""WARC files: a store's raw pages out, anybody's pages in."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from reducepp.data import RawPage, SearchHit
from reducepp.errors import InputError, MissingExtraError
from scraping.decode import decode_body
from scraping.store import Query, Store

MAX_BYTES = 64_000_000
"""Size of one record's body that is read; larger ones are left out."""
_HITS = "application/vnd.reducepp.hits+json"


def write_warc(store: Store, stream: BinaryIO, *, packed: bool) -> int:
    """Every raw page as a response record, the rendered one as its conversion; how many pages.

    A metadata record beside each page holds the hits that led to it.
    """
    queries = json.dumps([[q.query, q.language, q.domain] for q in store.queries()])
    info = f"software: reducepp\r\nformat: WARC File Format 1.1\r\nqueries: {queries}\r\n"
    stream.write(_record("warcinfo", "application/warc-fields", info.encode(), packed=packed))
    hits = _hits_by_url(store)
    count = 0
    for (url,) in store.rows("SELECT url FROM raw ORDER BY url"):
        raw = store.raw(SearchHit(url=url))
        if raw is not None:
            for kind, content_type, block in _blocks(raw, hits.get(url, [])):
                about = {"WARC-Target-URI": url, "WARC-Date": _warc_date(raw.fetched_at)}
                stream.write(_record(kind, content_type, block, about, packed=packed))
            count += 1
    return count


def _hits_by_url(store: Store) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for query, engine, rank, url, title, snippet in store.rows(
        "SELECT query, engine, rank, url, title, snippet FROM hits ORDER BY query, engine, rank"
    ):
        hit = {"query": query, "engine": engine, "rank": rank, "title": title, "snippet": snippet}
        found.setdefault(url, []).append(hit)
    return found


def _blocks(raw: RawPage, hits: list[dict[str, Any]]) -> Iterator[tuple[str, str, bytes]]:
    """Record type, content type and block of each record of a page."""
    head = (
        f"HTTP/1.1 {raw.status or 200} OK\r\nContent-Type: {raw.content_type}\r\n"
        f"Content-Length: {len(raw.fetched)}\r\n\r\n"
    )
    yield "response", "application/http; msgtype=response", head.encode("utf-8") + raw.fetched
    if raw.rendered:
        body = raw.rendered.encode("utf-8", "surrogatepass")
        yield "conversion", "text/html; charset=utf-8", body
    about = {"final_url": raw.final_url, "hits": hits}
    yield "metadata", _HITS, json.dumps(about, ensure_ascii=False).encode()


def _record(
    kind: str,
    content_type: str,
    block: bytes,
    about: dict[str, str] | None = None,
    *,
    packed: bool,
) -> bytes:
    """One record as the standard lays it out; packed, each is a gzip member of its own."""
    headers = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
        "WARC-Date": _warc_date(""),
        "WARC-Block-Digest": f"sha1:{base64.b32encode(hashlib.sha1(block).digest()).decode()}",
        "Content-Type": content_type,
        "Content-Length": str(len(block)),
        **(about or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    whole = b"WARC/1.1\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n"
    return gzip.compress(whole, 6) if packed else whole


def read_warc(path: Path, store: Store) -> int:
    """Bring a WARC's pages and, where it has them, their hits into a store; how many pages.

    Pages without hits come under the empty query, in the file's order. Call inside a step.
    """
    urls: dict[str, None] = {}
    with_hits: set[str] = set()
    for record in _records(path):
        url = record.rec_headers.get_header("WARC-Target-URI") or ""
        if record.rec_type == "warcinfo":
            _read_queries(record, store)
        elif record.rec_type == "response" and url.startswith("http"):
            raw = _read_response(record, url)
            if raw is not None:
                store.add_raw(url, raw)
                urls[url] = None
        elif record.rec_type == "conversion" and url in urls:
            _add_rendered(store, url, record.content_stream().read(MAX_BYTES))
        elif record.rec_headers.get_header("Content-Type") == _HITS and url in urls:
            with_hits.update([url] if _read_hits(store, url, record) else [])
    left = [SearchHit(url=url) for url in urls if url not in with_hits]
    if left:
        store.add_query(Query(query=""))
        store.add_search("", "warc", 1, outcome="last", hits=left, at="")
    return len(urls)


def _records(path: Path) -> Iterator[Any]:
    try:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed
    except ImportError:
        raise MissingExtraError("reading WARC", "collect") from None
    try:
        with path.open("rb") as stream:
            yield from ArchiveIterator(stream)
    except (OSError, ArchiveLoadFailed) as error:
        raise InputError(f"{path}: cannot be read as WARC ({error})") from None


def _read_response(record: Any, url: str) -> RawPage | None:
    """The page of a response; None for one that failed, is no page or is too large."""
    from scraping.need import is_page_type

    headers = record.http_headers
    status = int(headers.get_statuscode() or 0) if headers else 200
    kind = (headers.get_header("Content-Type") or "") if headers else ""
    if not 200 <= status < 300 or not is_page_type(kind):
        return None
    body = record.raw_stream.read(MAX_BYTES + 1)
    encodings = (headers.get_header("Content-Encoding") or "") if headers else ""
    try:
        body = decode_body(body, encodings, MAX_BYTES)
    except Exception:  # a record that cannot be unpacked is left out
        return None
    date = record.rec_headers.get_header("WARC-Date") or ""
    hit = SearchHit(url=url)
    return RawPage(
        hit=hit, final_url=url, status=status, content_type=kind, fetched=body, fetched_at=date
    )


def _add_rendered(store: Store, url: str, body: bytes) -> None:
    raw = store.raw(SearchHit(url=url))
    if raw is not None:
        store.add_raw(url, replace(raw, rendered=body.decode("utf-8", "replace")))


def _read_hits(store: Store, url: str, record: Any) -> bool:
    """Hits as our own files hold them, with the ranks they had."""
    about = json.loads(record.content_stream().read(MAX_BYTES))
    raw = store.raw(SearchHit(url=url))
    if raw is not None and about.get("final_url"):
        store.add_raw(url, replace(raw, final_url=about["final_url"]))
    for hit in about["hits"]:
        store.put_hit(SearchHit(url=url, **hit))
    return bool(about["hits"])


def _read_queries(record: Any, store: Store) -> None:
    text = record.content_stream().read(MAX_BYTES).decode("utf-8", "replace")
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "queries":
            for query, language, domain in json.loads(value):
                store.add_query(Query(query=query, language=language, domain=domain))


def _warc_date(at: str) -> str:
    return at.replace("+00:00", "Z") or "1970-01-01T00:00:00Z"
