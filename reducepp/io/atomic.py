"""Files written whole or not at all: write beside, flush to disk, rename.

Each bears the moment of its writing as an extended attribute, so that files of others are known.
"""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from typing import TypeVar

from reducepp.errors import InputError, errors_as

Result = TypeVar("Result")

_MARK = "user.reducepp"


def write_aside(path: Path, write: Callable[[Path], Result]) -> Result:
    """Let `write` fill a file beside the wanted one, then rename it; returns what `write` does.

    A file that is replaced keeps its permissions; a device is written to directly. InputError
    where that fails, with the wanted file as it was before.
    """
    if _is_device(path):  # /dev/stdout resolves to a name that a pipe has not
        with errors_as(InputError, f"{path}: cannot write", OSError):
            return write(path)
    path = path.resolve()
    with errors_as(InputError, f"{path}: cannot write", OSError):
        aside = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            _create(aside, like=path)
            result = write(aside)
            _flush(aside)
            with suppress(OSError, AttributeError):
                os.setxattr(aside, _MARK, _time(aside))
            aside.replace(path)
            _flush(path.parent)
        finally:
            aside.unlink(missing_ok=True)
    return result


def write_text_file(path: Path, text: str) -> Path:
    """Write a text file whole or not at all; returns its path."""
    write_aside(path, lambda aside: aside.write_text(text, "utf-8"))
    return path


def check_can_write(path: Path) -> None:
    """InputError where no file can be written there: before the work and not after it."""
    if path.is_dir():
        raise InputError(f"{path}: cannot write: it is a folder")
    folder = path.parent if _is_device(path) else path.resolve().parent  # a link's own is not used
    if not folder.is_dir():
        raise InputError(f"{path}: cannot write: there is no folder {path.parent}")
    if not os.access(path if _is_device(path) else folder, os.W_OK):
        raise InputError(f"{path}: cannot write: no permission to write in {path.parent}")


def _is_device(path: Path) -> bool:
    """Such as /dev/null or a pipe, which is written to directly."""
    return path.exists() and not path.is_file()


def refuse_foreign(path: Path, instead: str = "") -> None:
    """InputError where a file is there that was not written here, or was changed since.

    On a file system without extended attributes every file may be replaced.
    """
    try:
        foreign = path.is_file() and path.stat().st_size and os.getxattr(path, _MARK) != _time(path)
    except AttributeError:
        return
    except OSError as error:
        foreign = error.errno == errno.ENODATA
    if foreign:
        said = "was not written by reducepp, or was changed since, and is not overwritten"
        raise InputError(f"{path}: {said}" + (f": {instead}" if instead else ""))


def _time(path: Path) -> bytes:
    return b"%d" % path.stat().st_mtime_ns


def _create(aside: Path, *, like: Path) -> None:
    """A new empty file, never one that exists, with the permissions of `like`."""
    aside.unlink(missing_ok=True)
    os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    if like.exists():
        aside.chmod(S_IMODE(like.stat().st_mode))


def _flush(path: Path) -> None:
    """To disk, so that a power cut after the rename finds the whole file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
