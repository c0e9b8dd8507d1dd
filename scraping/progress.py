"""How far a collection is: per query and overall, failures by reason, time left."""

from __future__ import annotations

import time
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
        self._live = stream is not None and stream.isatty()
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
            print(f"{self._clear()}{text}", file=self._stream, flush=True)

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
            line = f"{query}: {state.done}/{state.total}{_reasons(state.failed)}; {self._overall()}"
            self._stream.write(f"{self._clear()}{line[:150]}")
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


def _reasons(counts: Counter[str]) -> str:
    if not counts:
        return ""
    listed = ", ".join(f"{reason} {n}" for reason, n in counts.most_common())
    return f", {counts.total()} failed ({listed})"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
