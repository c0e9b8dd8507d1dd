"""A store out as WARC: bodies for everybody, hits and failures for ourselves."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO

from reducepp.scraping.store.store import Store
from reducepp.types import RawPage, SearchHit

ABOUT = "application/vnd.reducepp.hits+json"
"""Type of the metadata record that says which hits led to a page, and what failed."""
_NO_HEADER = re.compile(r"[\x00-\x20\x7f]")


def write_warc(store: Store, stream: BinaryIO, *, packed: bool) -> int:
    """Every raw page as a response record, the rendered one as its conversion; how many pages.

    A metadata record beside each address holds the hits that led to it and what failed there.
    """
    queries = json.dumps([[q.query, q.language, q.domain] for q in store.queries()])
    info = f"software: reducepp\r\nformat: WARC File Format 1.1\r\nqueries: {queries}\r\n"
    stream.write(_record("warcinfo", "application/warc-fields", info.encode(), packed=packed))
    known = _known_by_url(store)
    count = 0
    for (url,) in store.rows("SELECT url FROM raw UNION SELECT url FROM hits ORDER BY 1"):
        raw = store.raw(SearchHit(url=url))
        about = {"WARC-Target-URI": _NO_HEADER.sub(_percent, url)}
        if raw is not None:
            about["WARC-Date"] = _warc_date(raw.fetched_at)
            count += 1
        for kind, content_type, block in _blocks(raw, known.get(url, {})):
            stream.write(_record(kind, content_type, block, about, packed=packed))
    return count


def _known_by_url(store: Store) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for query, engine, rank, url, title, snippet in store.rows(
        "SELECT query, engine, rank, url, title, snippet FROM hits ORDER BY query, engine, rank"
    ):
        hit = {"query": query, "engine": engine, "rank": rank, "title": title, "snippet": snippet}
        found.setdefault(url, {}).setdefault("hits", []).append(hit)
    for url, stage, reason, at in store.rows("SELECT url, stage, reason, at FROM failures"):
        found.setdefault(url, {}).setdefault("failures", []).append([stage, reason, at])
    return found


def _blocks(raw: RawPage | None, known: dict[str, Any]) -> Iterator[tuple[str, str, bytes]]:
    """Record type, content type and block of each record of an address."""
    about = {"hits": [], **known}
    if raw is not None:
        kind = _NO_HEADER.sub(" ", raw.content_type)
        head = (
            f"HTTP/1.1 {raw.status or 200} OK\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(raw.fetched)}\r\n\r\n"
        )
        yield "response", "application/http; msgtype=response", head.encode("utf-8") + raw.fetched
        if raw.rendered:
            body = raw.rendered.encode("utf-8", "surrogatepass")
            yield "conversion", "text/html; charset=utf-8", body
        images = [base64.b64encode(image).decode() for image in raw.images]
        about |= {"final_url": raw.final_url, **({"images": images} if images else {})}
    yield "metadata", ABOUT, json.dumps(about, ensure_ascii=False).encode()


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


def _warc_date(at: str) -> str:
    return at.replace("+00:00", "Z") or "1970-01-01T00:00:00Z"


def _percent(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
