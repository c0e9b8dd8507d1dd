"""Imports a WARC file of any crawler: responses, resources, revisits; our own hits and failures.

The file is untrusted. Records are framed here, with bounded headers and bodies, and parsed one by
one by warcio, so that a bad record costs itself.
"""

import base64
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from reducepp.errors import FetchError, InputError, MissingExtraError, first_line, needs_extra
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.fetch.rendering_rules import is_page_type
from reducepp.scraping.store.store import Query, Store
from reducepp.scraping.store.warc_writer import ABOUT
from reducepp.types import Failure, RawPage, SearchHit

MAX_BYTES = 64_000_000
"""Size of one record's body; larger ones are skipped. Web pages are smaller than 10 MB."""
MAX_HEADER_BYTES = 64_000
"""Size of a record's headers; a URL of 32,000 characters fits twice."""
MAX_SKIPPED_LINES = 1_000_000
"""Lines between two records; a body of `MAX_BYTES` whose header is lost has fewer."""
CONTENT_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,15})[ \t]*\r?$")


@dataclass(slots=True)
class _Seen:
    """What was read so far, for the records that refer to it."""

    records: int = 0
    urls: dict[str, None] = field(default_factory=dict)
    with_hits: set[str] = field(default_factory=set)
    originals: dict[str, str] = field(default_factory=dict)
    """Record id or payload digest to the address of the response."""


def read_warc(path: Path, store: Store) -> int:
    """Import a WARC's pages and, where it has them, their hits; how many pages.

    Pages without hits come under the empty query, in the file's order. A record that cannot be
    read becomes a failure, and so does a file that ends too early. Call inside a transaction.
    """
    seen = _Seen()
    try:
        for data in _record_bytes(path):
            seen.records += 1
            try:
                _read_record(_parse(data), store, seen)
            except (InputError, MissingExtraError):
                raise
            except Exception as error:  # of any kind: warcio checks little
                why = f"record {seen.records} cannot be read: {type(error).__name__} {error}"
                name = f"{path} record {seen.records}"
                store.add_failure(Failure(url=name, stage="read", reason=why[:300]))
    except (OSError, EOFError, zlib.error) as error:
        reason = first_line(error)
        if not seen.records:
            raise InputError(f"{path}: cannot be read as WARC ({reason!a})") from None
        why = f"damaged after {seen.records} records: {reason!a}"
        store.add_failure(Failure(url=str(path), stage="read", reason=why))
    left = [SearchHit(url=url) for url in seen.urls if url not in seen.with_hits]
    if left:
        store.add_query(Query(query=""))
        store.add_search("", "warc", 1, outcome="last", hits=left, at="")
    return len(seen.urls)


def _record_bytes(path: Path) -> Iterator[bytes]:
    """The bytes of each record, headers included; plain, or compressed in whole or by record."""
    with path.open("rb") as file:
        is_gzip = file.peek(2)[:2] == b"\x1f\x8b"
        stream: Any = gzip.GzipFile(fileobj=file) if is_gzip else file
        found = False
        while (header := _next_header(stream)) is not None:
            found = True
            length = CONTENT_LENGTH.search(header)
            if length is None:
                continue  # what follows is skipped up to the next record
            size = int(length[1])
            if size > MAX_BYTES:
                while size > 0 and (chunk := stream.read(min(size, 1_000_000))):
                    size -= len(chunk)
                continue
            if len(body := stream.read(size)) < size:
                raise EOFError("a record ends too early")
            yield header + body + b"\r\n\r\n"
        if not found and file.tell():
            raise EOFError("no record in it")


def _next_header(stream: BinaryIO) -> bytes | None:
    """Headers of the next record up to the empty line; None at the end of the file.

    Lines that begin no record are skipped, as are headers beyond `MAX_HEADER_BYTES`; EOFError
    where they are too many.
    """
    header, skipped = b"", 0
    while line := stream.readline(MAX_HEADER_BYTES):
        if not header and not line.startswith(b"WARC/"):
            skipped += 1
            if skipped > MAX_SKIPPED_LINES:
                raise EOFError(f"{MAX_SKIPPED_LINES:,} lines without a record")
            continue
        header += line
        if not line.strip():
            return header
        if len(header) > MAX_HEADER_BYTES:
            header = b""
    return None


def _parse(data: bytes) -> Any:
    with needs_extra("reading WARC", "collect"):
        from warcio.archiveiterator import ArchiveIterator
    return next(ArchiveIterator(io.BytesIO(data)))


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
    texts: dict[str, Any] = {n: str(hit[n]) for n in ("query", "engine", "title", "snippet")}
    return SearchHit(url=url, rank=int(hit["rank"]), **texts)


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
