"""Anybody's WARC into a store: responses, saved resources, revisits; our own hits and failures."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reducepp.errors import FetchError, InputError, MissingExtraError
from reducepp.scraping.decode.content_encoding import Unpacked, decode_body
from reducepp.scraping.fetch.rendering_rules import is_page_type
from reducepp.scraping.store.store import Query, Store
from reducepp.scraping.store.warc_writer import ABOUT
from reducepp.types import Failure, RawPage, SearchHit

MAX_BYTES = 64_000_000
"""Size of one record's body that is read; larger ones are left out."""


@dataclass(slots=True)
class _Seen:
    """What a file held so far, for the records that refer to it."""

    records: int = 0
    urls: dict[str, None] = field(default_factory=dict)
    with_hits: set[str] = field(default_factory=set)
    originals: dict[str, str] = field(default_factory=dict)
    """Record id or payload digest to the address of the response."""


def read_warc(path: Path, store: Store) -> int:
    """Bring a WARC's pages and, where it has them, their hits into a store; how many pages.

    Pages without hits come under the empty query, in the file's order. What a file that breaks
    off held before stands, with a failure that says so. Call inside a step.
    """
    seen = _Seen()
    try:
        for record in _records(path):
            seen.records += 1
            _read_record(record, store, seen)
    except (OSError, EOFError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if not seen.records:
            raise InputError(f"{path}: cannot be read as WARC ({reason[:200]!a})") from None
        why = f"damaged after {seen.records} records: {reason[:200]!a}"
        store.add_failure(Failure(url=str(path), stage="read", reason=why))
    left = [SearchHit(url=url) for url in seen.urls if url not in seen.with_hits]
    if left:
        store.add_query(Query(query=""))
        store.add_search("", "warc", 1, outcome="last", hits=left, at="")
    return len(seen.urls)


def _records(path: Path) -> Iterator[Any]:
    """Every record in turn; packed as a whole is read as well as packed record by record."""
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        raise MissingExtraError("reading WARC", "collect") from None
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        source = Unpacked(stream) if packed else stream
        records = iter(ArchiveIterator(source))
        while True:
            try:
                record = next(records, None)
            except Exception as error:  # of any kind: warcio checks little
                raise EOFError(str(error)) from None
            if record is None:
                break
            yield record
        if isinstance(source, Unpacked) and source.damage:
            raise EOFError(source.damage)


def _read_record(record: Any, store: Store, seen: _Seen) -> None:
    url = record.rec_headers.get_header("WARC-Target-URI") or ""
    kind = record.rec_type
    if kind == "warcinfo":
        _read_queries(record, store)
    elif not url.startswith(("http:", "https:")):
        return
    elif kind in ("response", "resource"):
        _keep(store, seen, record, _read_page(record, url))
    elif kind == "revisit":
        _keep(store, seen, record, _read_revisit(record, url, store, seen))
    elif kind == "conversion" and url in seen.urls:
        rendered = record.content_stream().read(MAX_BYTES).decode("utf-8", "replace")
        _change(store, url, rendered=rendered)
    elif record.rec_headers.get_header("Content-Type") == ABOUT:
        _read_about(record, url, store, seen)


def _keep(store: Store, seen: _Seen, record: Any, raw: RawPage | None) -> None:
    if raw is None:
        return
    store.add_raw(raw.hit.url, raw)
    seen.urls[raw.hit.url] = None
    for name in ("WARC-Record-ID", "WARC-Payload-Digest"):
        seen.originals.setdefault(record.rec_headers.get_header(name) or "", raw.hit.url)


def _read_page(record: Any, url: str) -> RawPage | None:
    """The page of a response; None for one that failed, is no page or is too large."""
    headers = record.http_headers
    get = headers.get_header if headers else {}.get
    status = (headers.get_statuscode() or "0") if headers else "200"
    kind = (get("Content-Type") if headers else record.rec_headers.get_header("Content-Type")) or ""
    if not (status.isdecimal() and 200 <= int(status[:4]) < 300) or not is_page_type(kind):
        return None
    body = _read_body(record, get("Transfer-Encoding") or "")
    try:
        body = decode_body(body, get("Content-Encoding") or "", MAX_BYTES)
    except FetchError:
        if b"\0" in body[:1000] or len(body) > MAX_BYTES:
            return None  # otherwise unpacked already, under the header of the packed one
    return RawPage(
        hit=SearchHit(url=url),
        final_url=url,
        status=int(status),
        content_type=kind,
        fetched=body,
        fetched_at=_date(record),
    )


def _read_body(record: Any, transfer: str) -> bytes:
    """A record's body with HTTP's chunks put together."""
    from warcio.bufferedreaders import ChunkedDataReader

    stream = record.raw_stream
    if "chunked" in transfer.lower():
        stream = ChunkedDataReader(stream, decomp_type=None)
    body = bytearray()
    while len(body) <= MAX_BYTES and (piece := stream.read(65_536)):
        body += piece
    if record.raw_stream.limit > 0 and len(body) <= MAX_BYTES and not record.raw_stream.read(1):
        raise EOFError("a record ends too early")
    return bytes(body)


def _read_revisit(record: Any, url: str, store: Store, seen: _Seen) -> RawPage | None:
    """A page found unchanged, with the body of the record it refers to, in file or store."""
    get = record.rec_headers.get_header
    if (get("WARC-Profile") or "").rstrip("/").endswith("server-not-modified"):
        return None  # the same address, read before
    original = (
        seen.originals.get(get("WARC-Refers-To") or "-")
        or seen.originals.get(get("WARC-Payload-Digest") or "-")
        or get("WARC-Refers-To-Target-URI")
        or url
    )
    raw = store.raw(SearchHit(url=original))
    if raw is None:
        why = "revisit of a record that is not here: import its file first"
        store.add_failure(Failure(url=url, stage="read", reason=why))
        return None
    return replace(
        raw, hit=SearchHit(url=url), final_url=url, rendered="", fetched_at=_date(record)
    )


def _read_about(record: Any, url: str, store: Store, seen: _Seen) -> None:
    """Hits and failures as our own files hold them; a record that is not ours is passed over."""
    try:
        about = json.loads(record.content_stream().read(MAX_BYTES))
        hits = [_hit(url, hit) for hit in about["hits"]]
        failures = [
            (Failure(url=url, stage=str(stage), reason=str(reason)), str(at))
            for stage, reason, at in about.get("failures", ())
        ]
        images = tuple(map(base64.b64decode, about.get("images", ())))
    except (ValueError, TypeError, KeyError, AttributeError):
        return
    if url in seen.urls:
        _change(store, url, images=images, final_url=str(about.get("final_url") or url))
    for hit in hits:
        store.put_hit(hit)
        seen.with_hits.add(url)
    for failure, at in failures:
        store.add_failure(failure, at)


def _date(record: Any) -> str:
    """When a record was made, in the form of a store."""
    at = record.rec_headers.get_header("WARC-Date") or ""
    return f"{at[:-1]}+00:00" if at.endswith("Z") else at


def _hit(url: str, hit: dict[str, Any]) -> SearchHit:
    return SearchHit(
        url=url,
        query=str(hit["query"]),
        engine=str(hit["engine"]),
        rank=int(hit["rank"]),
        title=str(hit["title"]),
        snippet=str(hit["snippet"]),
    )


def _change(store: Store, url: str, **fields: Any) -> None:
    raw = store.raw(SearchHit(url=url))
    if raw is not None:
        store.add_raw(url, replace(raw, **fields))


def _read_queries(record: Any, store: Store) -> None:
    text = record.content_stream().read(MAX_BYTES).decode("utf-8", "replace")
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "queries":
            try:
                found = [
                    Query(query=q, language=lang, domain=d) for q, lang, d in json.loads(value)
                ]
            except (ValueError, TypeError):
                return
            for query in found:
                store.add_query(query)
