"""Pages whose bodies are on disk: those of a large set need not be in memory while it is compared.

A body is read from the file each time it is used, in some microseconds. The file has no name
and is gone with the last page that needs it.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from reducepp.types import Page

MAX_CHARS_IN_MEMORY = 32_000_000
"""Characters of bodies that stay in memory: those of ten thousand pages of 500 words."""
_FIELDS = tuple(field.name for field in fields(Page))
_SLOT: Any = Page.__dict__["body"]


class _TextFile:
    """Texts one after the other in a file without a name."""

    def __init__(self) -> None:
        from tempfile import TemporaryFile

        file = TemporaryFile(prefix="reducepp-", buffering=0)  # noqa: SIM115 (open like its texts)
        self._descriptor = file.fileno()
        self._end = 0
        weakref.finalize(self, file.close)

    def add(self, text: str) -> tuple[_TextFile, int, int]:
        """Append a text; its file, offset and length."""
        data = memoryview(text.encode("utf-8", "surrogatepass"))
        start = self._end
        while self._end < start + len(data):
            self._end += os.pwrite(self._descriptor, data[self._end - start :], self._end)
        return self, start, len(data)

    def read(self, start: int, length: int) -> str:
        """The text at an offset; also for forked workers."""
        return os.pread(self._descriptor, length, start).decode("utf-8", "surrogatepass")


class StoredPage(Page):
    """A page whose body is in a file; copies and pickles of it have theirs in memory."""

    __slots__ = ()

    def _read_body(self) -> str:
        found = _SLOT.__get__(self)
        if isinstance(found, str):
            return found
        file, start, length = found
        return str(file.read(start, length))

    body = property(_read_body, _SLOT.__set__)


class PageStore:
    """Keeps the bodies of the first pages in memory, and those of all others on disk."""

    def __init__(self) -> None:
        self._left = MAX_CHARS_IN_MEMORY if hasattr(os, "pread") else float("inf")
        self._file: _TextFile | None = None

    def keep(self, page: Page) -> Page:
        """The page itself, or the same with its body on disk."""
        self._left -= len(page.body)
        if self._left >= 0 or not page.body:
            return page
        try:
            self._file = self._file or _TextFile()
            place = self._file.add(page.body)
        except OSError:  # no room on the disk: there may be some in memory
            return page
        return _copy(page, StoredPage, place)


def _copy(page: Page, kind: type[Page], body: Any) -> Page:
    made = object.__new__(kind)
    for name in _FIELDS:
        object.__setattr__(made, name, body if name == "body" else getattr(page, name))
    return made


def loaded(page: Page) -> Page:
    """The page with its body in memory."""
    return _copy(page, Page, page.body) if isinstance(page, StoredPage) else page


class TextsOfPages(Sequence[str]):
    """A text per page, made at each access."""

    def __init__(self, pages: Sequence[Page], text_of: Callable[[Page], str]) -> None:
        self._pages, self._text_of = pages, text_of

    def __len__(self) -> int:
        return len(self._pages)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self._text_of(loaded(page)) for page in self._pages[place]]
        return self._text_of(loaded(self._pages[place]))
