"""Files that the page at / sends: compressed, archived, collected or plain, to what they hold.

Sizes are counted while unpacking, so that a small upload cannot fill the memory.
"""

import base64
import binascii
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel

from reducepp.errors import FetchError, InputError, ParseError, UsageError
from reducepp.inputs import read_queries
from reducepp.io.readers import TYPES, read_bytes
from reducepp.io.records import Document, Read
from reducepp.io.sniff import COLLECTED, GZIP, ZIP, by_mark
from reducepp.io.zip_members import DAMAGED_ZIP
from reducepp.scraping.decode.content_encoding import decode_body
from reducepp.scraping.search import ENGINES, detect_engine
from reducepp.scraping.search.saved_pages import decode_page
from reducepp.types import Failure, Page

MAX_UNPACKED_BYTES = 256 * 1024 * 1024
"""Bytes of one file after unpacking: as many as the page sends at once."""
MAX_ARCHIVE_FILES = 5_000
DOCUMENTS = {b"%PDF-": TYPES[".pdf"], ZIP: TYPES[".docx"]}


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
        except (binascii.Error, ValueError):
            raise UsageError(f"{name}: not base64") from None
        yield from _read_file(_unpack(data, name) if file.gzip else data, name)


def _unpack(data: bytes, name: str) -> bytes:
    try:
        return decode_body(data, "gzip", MAX_UNPACKED_BYTES)
    except FetchError as error:
        most = f"more than {MAX_UNPACKED_BYTES >> 20} MiB unpacked"
        raise InputError(f"{name}: damaged gzip, or {most} ({error})") from None


def _read_file(data: bytes, name: str) -> Iterator[Read]:
    """By the first bytes: gzip, ZIP, a store or WARC, a document, a result page, else a list."""
    store = by_mark(data, COLLECTED)
    if data.startswith(GZIP):
        yield from _read_file(_unpack(data, name), name.removesuffix(".gz"))
    elif store:
        yield from _read_store(data, store)
    elif data.startswith(ZIP) and not name.lower().endswith(".docx"):
        yield from _read_archive(data, name)
    elif kind := by_mark(data, DOCUMENTS):
        yield Document(page=Page(id=name), content=data, content_type=kind)
    else:
        yield from _read_hits(data, name) or read_bytes(data, name=name)


def _read_store(data: bytes, form: str) -> Iterator[Read]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"upload.{form}"
        path.write_bytes(data)
        for group in read_queries(str(path), jobs=1, form=form):
            yield from group.pages
            yield from group.failures


def _read_archive(data: bytes, name: str) -> Iterator[Read]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            total = sum(entry.file_size for entry in entries)
            if len(entries) > MAX_ARCHIVE_FILES or total > MAX_UNPACKED_BYTES:
                raise InputError(f"{name}: {len(entries)} files, {total >> 20} MiB unpacked")
            for entry in entries:
                yield from _read_entry(archive.read(entry), entry.filename)
    except DAMAGED_ZIP as error:
        yield Failure(url=name, stage="read", reason=f"damaged or locked ZIP: {error}")


def _read_entry(data: bytes, name: str) -> Iterator[Read]:
    """One file of an archive; archives inside it are not opened."""
    try:
        if data.startswith(ZIP) and not name.lower().endswith(".docx"):
            raise InputError("an archive inside an archive")
        yield from _read_file(data, Path(name).name)
    except InputError as error:
        yield Failure(url=name, stage="read", reason=str(error))


def _read_hits(data: bytes, name: str) -> list[Page]:
    """Results of a saved result page; empty for any other file."""
    text = decode_page(data) if data.lstrip()[:1] == b"<" else ""
    engine = detect_engine(text, "") if text else ""
    try:
        hits = ENGINES[engine].parse(text, page=1).hits if engine else ()
    except ParseError:
        return []
    return [
        Page(
            id="",
            query=hit.query or Path(name).stem,
            url=hit.url,
            page_title=hit.title,
            snippet=hit.snippet,
            body=hit.snippet,
        )
        for hit in hits
    ]
