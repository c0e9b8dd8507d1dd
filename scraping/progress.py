"""Progress of a collection: per query and overall, failures by reason, time left."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

from tqdm import tqdm


class _StatusLine(tqdm):  # type: ignore[type-arg]
    """One line of text on a terminal, cut to its width by tqdm; no bar and no thread."""

    monitor_interval = 0


@dataclass
class _QueryState:
    total: int = 0
    done: int = 0
    failed: Counter[str] = field(default_factory=Counter)


class Progress:
    """Writes one line per finished query; on a terminal also a status line below them."""

    def __init__(self, stream: TextIO | None, *, queries: int, results: int) -> None:
        self._stream = stream
        live = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._status = _StatusLine(
            file=stream, disable=not live, leave=False, bar_format="{desc}", dynamic_ncols=True
        )
        self._queries = queries
        self._results = results
        self._started = time.monotonic()
        self._by_query: dict[str, _QueryState] = {}
        self._fetched = 0
        self.failed: Counter[str] = Counter()
        """Pages that failed, by reason."""

    def note(self, text: str) -> None:
        if self._stream is not None:
            self._status.clear()
            print(_printable(text), file=self._stream, flush=True)

    def close(self) -> None:
        """Removes the status line, so that others can write to the terminal."""
        self._status.close()

    def found(self, query: str, *, total: int, before: int) -> None:
        """A query's hits are known; `before` of them were done in an earlier run."""
        self._by_query[query] = _QueryState(total=total, done=before)
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
        else:  # the figures first: a narrow terminal cuts the end
            line = f"{state.done}/{state.total}; {self._overall()}{_reasons(state.failed)}"
            self._status.set_description_str(_printable(f"{line}: {query}"))

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


def _printable(text: str) -> str:
    """Text of pages and servers without the characters that control a terminal."""
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
