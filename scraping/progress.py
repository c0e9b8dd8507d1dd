"""How far a collection is: per query and overall, failures by reason, time left."""

from __future__ import annotations

import os
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO


@dataclass
class _State:
    total: int = 0
    done: int = 0
    failed: Counter[str] = field(default_factory=Counter)


class Progress:
    """Writes a line a finished query; on a terminal also one line that is kept up to date."""

    def __init__(self, stream: TextIO | None, *, queries: int, results: int) -> None:
        self._stream = stream
        self._live = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._queries = queries
        self._results = results
        self._started = time.monotonic()
        self._by_query: dict[str, _State] = {}
        self._fetched = 0
        self.failed: Counter[str] = Counter()
        """Pages that failed, by reason."""

    def note(self, text: str) -> None:
        """A line of its own."""
        if self._stream is not None:
            print(f"{self._clear()}{_printable(text)}", file=self._stream, flush=True)

    def close(self) -> None:
        """Take away the line that was kept up to date; others write to the terminal too."""
        if self._live and self._stream is not None:
            self._stream.write(self._clear())
            self._stream.flush()

    def found(self, query: str, *, total: int, before: int) -> None:
        """A query's hits are known; `before` of them were done in an earlier run."""
        self._by_query[query] = _State(total=total, done=before)
        if before:
            self.note(f"{query}: {before} of {total} pages are there already")
        self._report(query)

    def page_done(self, query: str, failure: str = "") -> None:
        """One more page is stored, or has failed."""
        state = self._by_query[query]
        state.done += 1
        self._fetched += 1
        if failure:
            kind = failure.partition(":")[0]
            state.failed[kind] += 1
            self.failed[kind] += 1
        self._report(query)

    def summary(self) -> str:
        """The whole run in one line."""
        total = sum(state.total for state in self._by_query.values())
        seconds = time.monotonic() - self._started
        line = f"{len(self._by_query)} queries, {total} pages, {self._fetched} fetched now"
        return f"{line}{_reasons(self.failed)}, {_duration(seconds)}"

    def _report(self, query: str) -> None:
        state = self._by_query[query]
        if state.done >= state.total:
            number = list(self._by_query).index(query) + 1
            self.note(
                f"query {number}/{self._queries} {query}: {state.total} pages"
                f"{_reasons(state.failed)}; {self._overall()}"
            )
        elif self._live and self._stream is not None:
            width = _columns(self._stream) - 1
            line = f"{state.done}/{state.total}; {self._overall()}{_reasons(state.failed)}"
            name = fit(_printable(query), max(8, width - _width(line) - 2))
            self._stream.write(f"{self._clear()}{fit(f'{name}: {line}', width)}")
            self._stream.flush()

    def _overall(self) -> str:
        done = sum(state.done for state in self._by_query.values())
        known = sum(state.total for state in self._by_query.values())
        per_query = known / len(self._by_query) if self._by_query else self._results
        total = max(known + round(per_query * (self._queries - len(self._by_query))), done)
        text = f"{done}/{total} in all"
        if not self._fetched or done >= total:
            return text
        seconds = (time.monotonic() - self._started) / self._fetched * (total - done)
        return f"{text}, about {_duration(seconds)} left"

    def _clear(self) -> str:
        return "\r\x1b[K" if self._live else ""


def fit(text: str, columns: int) -> str:
    """The text, cut so that it takes at most so many columns of a terminal."""
    if _width(text) <= columns:
        return text
    while text and _width(text) > columns - 1:
        text = text[:-1]
    return f"{text}…"


def _width(text: str) -> int:
    """Columns that a text takes: two for an East Asian character, none for a combining one."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _printable(text: str) -> str:
    """What a page or a server said may steer a terminal; here it does not."""
    return "".join(c if c.isprintable() else " " for c in text)


def _reasons(counts: Counter[str]) -> str:
    if not counts:
        return ""
    listed = ", ".join(f"{reason} {n}" for reason, n in counts.most_common())
    return f", {counts.total()} failed ({listed})"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
