"""Archives of pages and tables; damaged ones are named."""

import zipfile
from pathlib import Path

import pytest

from reducepp.errors import InputError
from reducepp.io.readers import read_pages
from reducepp.io.records import Document
from reducepp.types import Page


def test_an_archive_of_pages_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("page10.html", "<p>ten</p>")
        archive.writestr("page9.html", "<p>nine</p>")
        archive.writestr("rows.tsv", "title\turl\nA\thttps://a.example\n")
        archive.writestr("picture.png", b"\x89PNG")
    found = list(read_pages(str(path)))
    assert [r.page.id for r in found if isinstance(r, Document)] == ["page9.html", "page10.html"]
    assert [p.url for p in found if isinstance(p, Page)] == ["https://a.example"]
    whole = path.read_bytes()
    for part in (whole[:80], b"PK\x03\x04" + whole[44:]):
        path.write_bytes(part)
        with pytest.raises(InputError, match="damaged zip"):
            list(read_pages(str(path)))


def test_an_encrypted_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("rows.csv", "title,url\nA,https://a.example\n")
    data = bytearray(path.read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"rows\.csv is encrypted: unpack it first$"):
        list(read_pages(str(path)))


def test_names_with_numbers_of_any_length_and_script(tmp_path: Path) -> None:
    numbers = ("0", "7", "07²3", "8①", f"1{'0' * 5_000}", "9" * 5_001)
    names = [f"{number}.html" for number in numbers]
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in reversed(names):
            archive.writestr(name, "<p>nine</p>")
    assert [r.page.id for r in read_pages(str(path)) if isinstance(r, Document)] == names


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_with_a_rare_compression_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("page.html", "<p>nine</p>" * 50)
    whole = path.read_bytes()
    for data in (whole, whole[:60] + bytes(4) + whole[64:]):
        path.write_bytes(data)
        with pytest.raises(InputError, match="compressed in a way that is not read"):
            list(read_pages(str(path)))


@pytest.mark.parametrize("copies", [1, 2])
def test_an_archive_whose_names_are_no_utf_8(tmp_path: Path, copies: int) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("é.html", "<p>nine</p>")
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xc3(", copies))
    with pytest.raises(InputError, match="damaged zip"):
        list(read_pages(str(path)))
