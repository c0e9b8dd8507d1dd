"""Files that the page at / sends, to what they hold; a saved result page holds its results.

Sizes are counted while unpacking, so that a small upload cannot fill the memory.
"""

import base64
import binascii
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel

from reducepp.errors import FetchError, InputError, ParseError, UsageError
from reducepp.inputs import read_queries
from reducepp.io.readers import read_bytes
from reducepp.io.records import Document, Read
from reducepp.io.sniff import COLLECTED, GZIP, by_mark
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.search import ENGINES, detect_engine
from reducepp.scraping.search.saved_pages import decode_page
from reducepp.types import Failure, Page

MAX_UNPACKED_BYTES = 256 * 1024 * 1024
"""Bytes of one file after unpacking: as many as the page sends at once."""


class Upload(BaseModel):
    """A file that was dropped, chosen or pasted."""

    name: str
    base64: str
    gzip: bool = False
    """Whether the browser compressed it."""


def read_uploads(files: Sequence[Upload]) -> Iterator[Read]:
    """What all files hold, in order; raises UsageError without any."""
    if not files:
        raise UsageError("files: give at least one, or show the demo")
    for file in files:
        name = Path(file.name).name[:200] or "file"
        try:
            data = base64.b64decode(file.base64, validate=True)
            yield from _read_file(_unpack(data, name) if file.gzip else data, name)
        except binascii.Error:
            raise UsageError(f"{name}: not base64") from None
        except InputError as error:
            yield Failure(url=name, stage="read", reason=str(error))


def _unpack(data: bytes, name: str) -> bytes:
    try:
        return decode_body(data, "gzip", MAX_UNPACKED_BYTES)
    except FetchError as error:
        most = f"more than {MAX_UNPACKED_BYTES >> 20} MiB unpacked"
        raise InputError(f"{name}: damaged gzip, or {most} ({error})") from None


def _read_file(data: bytes, name: str) -> Iterator[Read]:
    """A store or WARC, packed or not, else what the commands read of such a file."""
    if data.startswith(GZIP):
        data, name = _unpack(data, name), name.removesuffix(".gz")
    if form := by_mark(data, COLLECTED):
        yield from _read_store(data, name, form)
        return
    for read in read_bytes(data, name=name):
        hits: Sequence[Read] = _read_hits(read)
        yield from hits or [read]


def _read_store(data: bytes, name: str, form: str) -> Iterator[Read]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"upload.{form}"
        path.write_bytes(data)
        try:
            groups = read_queries(str(path), jobs=1, form=form)
        except InputError as error:
            raise InputError(str(error).replace(str(path), name)) from None
        for group in groups:
            yield from group.pages
            yield from group.failures


def _read_hits(read: Read) -> list[Page]:
    """Results of a saved result page; empty for anything else."""
    if not isinstance(read, Document) or not isinstance(read.content, bytes):
        return []
    text = decode_page(read.content) if read.content.lstrip()[:1] == b"<" else ""
    engine = detect_engine(text) if text else ""
    try:
        hits = ENGINES[engine].parse(text).hits if engine else ()
    except ParseError:
        return []
    return [
        Page(
            id="",
            query=hit.query or Path(read.page.id).stem,
            url=hit.url,
            page_title=hit.title,
            snippet=hit.snippet,
            body=hit.snippet,
        )
        for hit in hits
    ]
