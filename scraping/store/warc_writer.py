"""Exports a store as WARC: responses for any reader, hits and failures for ours."""

import base64
import io
import json
import re
from typing import Any, BinaryIO

from reducepp.errors import needs_extra
from reducepp.scraping.store.store import Store
from reducepp.types import RawPage, SearchHit

ABOUT = "application/vnd.reducepp.hits+json"
"""Type of the metadata record with the hits that led to a page, and its failures."""
_NOT_IN_HEADERS = re.compile(r"[\x00-\x20\x7f]")
_NO_DATE = "1970-01-01T00:00:00Z"
"""Date of records that have none: exporting a store twice gives the same dates."""


def write_warc(store: Store, stream: BinaryIO, *, packed: bool) -> int:
    """Every response, with the rendered page as its conversion; how many pages.

    A metadata record for each URL holds the hits that led to it and what failed there.
    """
    with needs_extra("writing WARC", "collect"):
        from warcio.warcwriter import WARCWriter
    writer = WARCWriter(stream, gzip=packed, warc_version="1.1")
    queries = json.dumps([[q.query, q.language, q.domain] for q in store.queries()])
    info = f"software: reducepp\r\nformat: WARC File Format 1.1\r\nqueries: {queries}\r\n"
    _write(writer, "warcinfo", "", info.encode(), "application/warc-fields")
    about_by_url = _about_by_url(store)
    count = 0
    for (url,) in store.rows("SELECT url FROM raw UNION SELECT url FROM hits ORDER BY 1"):
        about = {"hits": [], **about_by_url.get(url, {})}
        raw = store.raw(SearchHit(url=url))
        date = ""
        if raw is not None:
            date = raw.fetched_at
            about |= _write_raw(writer, url, raw)
            count += 1
        _write(writer, "metadata", url, json.dumps(about, ensure_ascii=False).encode(), ABOUT, date)
    return count


def _about_by_url(store: Store) -> dict[str, dict[str, Any]]:
    """Hits and failures of each URL."""
    found: dict[str, dict[str, Any]] = {}
    for query, engine, rank, url, title, snippet in store.rows(
        "SELECT query, engine, rank, url, title, snippet FROM hits ORDER BY query, engine, rank"
    ):
        hit = {"query": query, "engine": engine, "rank": rank, "title": title, "snippet": snippet}
        found.setdefault(url, {}).setdefault("hits", []).append(hit)
    for url, stage, reason, at in store.rows("SELECT url, stage, reason, at FROM failures"):
        found.setdefault(url, {}).setdefault("failures", []).append([stage, reason, at])
    return found


def _write_raw(writer: Any, url: str, raw: RawPage) -> dict[str, Any]:
    """Writes the bodies of a page; returns further fields of its metadata record."""
    kind = _NOT_IN_HEADERS.sub(" ", raw.content_type)
    head = (
        f"HTTP/1.1 {raw.status or 200} OK\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(raw.fetched)}\r\n\r\n"
    )
    block = head.encode() + raw.fetched
    _write(writer, "response", url, block, "application/http; msgtype=response", raw.fetched_at)
    if raw.rendered:
        rendered = raw.rendered.encode("utf-8", "surrogatepass")
        _write(writer, "conversion", url, rendered, "text/html; charset=utf-8", raw.fetched_at)
    images = [base64.b64encode(image).decode() for image in raw.images]
    return {"final_url": raw.final_url, **({"images": images} if images else {})}


def _write(
    writer: Any, kind: str, url: str, block: bytes, content_type: str, date: str = ""
) -> None:
    headers = {"WARC-Date": date.replace("+00:00", "Z") or _NO_DATE, "Content-Type": content_type}
    record = writer.create_warc_record(
        _NOT_IN_HEADERS.sub(lambda found: f"%{ord(found[0]):02X}", url),
        kind,
        payload=io.BytesIO(block),
        length=len(block),
        warc_headers_dict=headers,
        warc_content_type=content_type,
    )
    writer.write_record(record)
