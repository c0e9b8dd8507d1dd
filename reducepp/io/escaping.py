"""Text of pages made safe for a terminal, for XML, for Markdown and for spreadsheets."""

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

_UNSAFE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufffe\uffff]"
)
"""Control characters but tab and line feed, marks that change the direction of text, and what
neither UTF-8 nor XML can hold."""
_COLOUR_OR_UNSAFE = f"(\x1b\\[(?:[012]|32|33)m)|{_UNSAFE}"
"""The first group: the colours of `terminal_table`."""
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""Beginnings of a cell that spreadsheets run as a formula; with apostrophes, so that one more in
front can be taken away again."""


def escape_controls(text: str) -> str:
    """The text with every character that moves the cursor or turns the text as an escape."""
    if text.isprintable():  # the usual case, in which the pattern is not compiled
        return text
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


_MARKUP = re.compile(r"[\\`*\[\]<>|#]|(?<![^\W_])_|_(?![^\W_])")


def escape_markdown(text: str) -> str:
    """The text on one line of Markdown; nothing in it is markup: inside a word `_` is none."""
    return _MARKUP.sub(r"\\\g<0>", escape_controls(re.sub(r"\s", " ", text)))


def escape_cells(values: Iterable[Any]) -> list[Any]:
    """Cells no spreadsheet takes for a formula: such texts get an apostrophe in front."""
    return [f"'{v}" if isinstance(v, str) and _FORMULA.match(v) else v for v in values]


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV without a formula in them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(escape_cells, rows))
    return text.getvalue()


def unescape_cell(text: str) -> str:
    """The text that `escape_cells` made this cell of."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


class _SafeTerminal:
    """A terminal that shows data as it is, but with escapes for what `escape_controls` escapes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print all but the colours escaped; how many characters were given."""
        shown = re.sub(_COLOUR_OR_UNSAFE, lambda found: found[1] or escape_controls(found[0]), text)
        self._stream.write(shown)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Print them one after the other."""
        for line in lines:
            self.write(line)


@contextmanager
def safe_terminal() -> Iterator[None]:
    """Whatever is printed meanwhile moves no cursor, where standard output is a terminal."""
    if not sys.stdout.isatty():
        yield
        return
    with redirect_stdout(_SafeTerminal(sys.stdout)):
        yield
