"""Files that the page sends: compressed, archived, collected; and what is made to break it."""

import base64
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from reducepp.errors import UsageError
from reducepp.index import Index
from reducepp.io import readers
from reducepp.io.records import Read
from reducepp.service import uploads
from reducepp.service.uploads import Upload, read_uploads
from reducepp.types import Failure, Page

LINES = (
    b'{"url": "https://a.example/", "body": "One."}\n{"url": "https://b.example/", "body": "Two."}'
)


def b64encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def read(name: str, data: bytes, *, packed: bool = False) -> list[Read]:
    text = b64encode(gzip.compress(data) if packed else data)
    return list(read_uploads([Upload(name=name, base64=text, gzip=packed)]))


def urls(found: list[Read]) -> list[str]:
    return [page.url for page in found if isinstance(page, Page)]


def archive(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            zipped.writestr(name.replace("_", "."), data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.jsonl", LINES), ("a.jsonl.gz", gzip.compress(LINES)), ("a.zip", archive(a_jsonl=LINES))],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_list_in_any_wrapping(name: str, data: bytes, packed: bool) -> None:
    assert urls(read(name, data, packed=packed)) == ["https://a.example/", "https://b.example/"]


def test_documents_by_their_first_bytes() -> None:
    (pdf,) = read("paper", b"%PDF-1.7 ...")
    (docx,) = read("letter", archive(**{"word/document_xml": b"<x/>"}))
    assert pdf.content_type == "application/pdf"
    assert docx.content_type.endswith("wordprocessingml.document")


def test_a_store(tmp_path: Path) -> None:
    from reducepp.cli import main

    (tmp_path / "p.jsonl").write_bytes(
        b"\n".join(
            json.dumps({"query": "q", **json.loads(line)}).encode() for line in LINES.split(b"\n")
        )
    )
    store = tmp_path / "pages.sqlite"
    assert main(["dataset", str(store), "--import", str(tmp_path / "p.jsonl")]) == 0
    assert urls(read("pages.sqlite", store.read_bytes())) == [
        "https://a.example/",
        "https://b.example/",
    ]


def test_a_database_that_is_no_store_is_named_as_the_caller_does(tmp_path: Path) -> None:
    with Index(tmp_path / "made.idx") as index:
        index.add([Page(id="a", body="Rain in Spain")])
    (failure,) = read("mine.idx", (tmp_path / "made.idx").read_bytes())
    assert isinstance(failure, Failure)
    assert failure.reason == "mine.idx: not a store of collected pages"


def test_a_file_that_cannot_be_read_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_UNPACKED_BYTES", 1_000)
    monkeypatch.setattr(readers, "MAX_ZIP_BYTES", 1_000)
    broken = {
        "a.gz": b"\x1f\x8bxxxx",
        "b.gz": gzip.compress(b"x" * 5_000),
        "c.zip": archive(c_jsonl=LINES)[:40],
        "d.zip": archive(d_jsonl=b"x" * 5_000),
    }
    files = [Upload(name=name, base64=b64encode(data)) for name, data in broken.items()]
    *failures, one, two = read_uploads([*files, Upload(name="a.jsonl", base64=b64encode(LINES))])
    assert urls([one, two]) == ["https://a.example/", "https://b.example/"]
    reasons = [failure.reason for failure in failures if isinstance(failure, Failure)]
    for reason, said in zip(reasons, ("gzip", "unpacked", "zip", "unpacks"), strict=True):
        assert said in reason


def test_no_files_and_no_base64() -> None:
    with pytest.raises(UsageError, match="at least one"):
        list(read_uploads([]))
    with pytest.raises(UsageError, match="not base64"):
        list(read_uploads([Upload(name="a", base64="*")]))
