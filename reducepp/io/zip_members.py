"""Files of zip archives from elsewhere."""

import zipfile
import zlib

DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, UnicodeDecodeError)
"""What reading a zip archive raises that is damaged, encrypted or packed in a way not known."""
ENCRYPTED = 1
"""Bit of a file's flags in an archive."""
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others are rare, have errors of their own when damaged, and may ask for gigabytes."""


def read_member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """A file of an archive, one byte more than `limit` at most; raises one of DAMAGED_ZIP."""
    info = archive.getinfo(name)
    if info.header_offset < 0:  # zipfile would seek there
        raise zipfile.BadZipFile(f"{name} lies before the start")
    if info.flag_bits & ENCRYPTED:
        raise RuntimeError(f"{name} is encrypted: unpack it first")
    if info.compress_type not in ZIP_METHODS:
        raise NotImplementedError(f"{name} is compressed in a way that is not read")
    with archive.open(info) as stream:
        return stream.read(limit + 1)
