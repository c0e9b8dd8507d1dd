"""Folders and archives that mix kinds of files."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from reducepp.inputs import QueryPages, read_queries
from reducepp.io.folders import input_names

PAGE = b"<title>Bees</title><p>Bees live on the roof of the town hall.</p>"
ANSWER = {"query": "honey", "results": [{"url": "https://a.example/", "title": "A"}]}
FILES = {
    "q/page2.html": PAGE,
    "q/page10.html": PAGE,
    "q/answer.json": json.dumps(ANSWER).encode(),
    "q/more.csv": b"title;url\nB;https://b.example/\n",
    "packed.jsonl.gz": gzip.compress(b'{"title": "C", "url": "https://c.example/"}\n', mtime=0),
    "list.txt": b"title\turl\nD\thttps://d.example/\n",
    "labels.csv": b"a,b,label\nx,y,duplicate\nx,z,different\n",
    "broken.json": b'{"results": [',
    "old.warc.gz": b"",
    "picture.png": b"\x89PNG",
    ".hidden/page.html": PAGE,
    "q/page2_files/frame.html": PAGE,
}


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def archive_of(tmp_path: Path) -> Path:
    """As a file manager packs a folder: its name is the first part of every path."""
    path = tmp_path / "pages.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in FILES.items():
            archive.writestr(f"pages/{name}", content)
    return path


def ids(groups: list[QueryPages]) -> dict[str, list[str]]:
    return {g.query: [page.id.removeprefix("pages/") for page in g.pages] for g in groups}


@pytest.mark.parametrize("make", [folder_of, archive_of])
def test_every_file_of_a_folder_is_read_or_named(tmp_path: Path, make: object) -> None:
    groups = read_queries(str(make(tmp_path)))  # type: ignore[operator]
    assert ids(groups) == {
        "": ["https://d.example/", "https://c.example/"],
        "honey": ["https://a.example/"],
        "q": ["https://b.example/", "q/page2.html", "q/page10.html"],
    }
    reasons = {f.url.removeprefix("pages/"): f.reason for g in groups for f in g.failures}
    assert reasons.keys() == {"labels.csv", "broken.json", "old.warc.gz"}
    assert "no column with text is known among a, b, label" in reasons["labels.csv"]
    assert reasons["broken.json"].startswith("not JSON")
    assert "name it as an input" in reasons["old.warc.gz"]


def test_resources_of_saved_pages_are_no_pages() -> None:
    names = ["a.htm", "a_files/frame.html", "b-Dateien/x.html", "c/d.html", "c/d_fichiers/e/f.html"]
    assert input_names(names) == ["a.htm", "b-Dateien/x.html", "c/d.html"]
