"""The index's SQLite file: pages, posting lists, and a sample of documents.

Every addition is one transaction, written whole or not at all; one process writes at a time, any
number read.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from reducepp.errors import InputError
from reducepp.index.features import COLUMNS, Features
from reducepp.index.frequent_runs import FrequentRuns
from reducepp.io.records import dict_to_page, page_to_dict
from reducepp.io.sqlite_file import FileKind, SqliteFile
from reducepp.similarity.measures.rare_runs import LETTERS, WORDS
from reducepp.similarity.pairs import Integers
from reducepp.similarity.shingles import distinct
from reducepp.types import Page

PART = 4096
"""Pages of one part of a posting list: an addition rewrites no more than the last part."""

SAMPLE = 1000
"""Documents by which the frequency of runs is estimated; an index of no more has all of them."""

BRIEF = 40
"""Words from which on a page is not looked up by its letters."""

MAX_PAGE_BYTES = 64_000_000
"""Size of a page after decompression: an index from elsewhere may hold decompression bombs."""

SCHEMA = f"""
CREATE TABLE pages (number INTEGER PRIMARY KEY, query TEXT NOT NULL, id TEXT NOT NULL,
  shown_at TEXT NOT NULL, page BLOB NOT NULL,
  {", ".join(f'"{name}" INTEGER NOT NULL' for name in COLUMNS)}, UNIQUE (query, id));
CREATE TABLE postings (run INTEGER NOT NULL, part INTEGER NOT NULL, pages BLOB NOT NULL,
  PRIMARY KEY (run, part)) WITHOUT ROWID;
CREATE TABLE sample (document INTEGER PRIMARY KEY, runs BLOB NOT NULL);
"""

INDEX = FileKind(
    name="an index of pages",
    application_id=0x52445049,  # "RDPI"
    version=2,
    schema=SCHEMA,
)


class Database(SqliteFile):
    """An open index file."""

    kind = INDEX

    def __init__(self, path: str | Path, *, create: bool) -> None:
        super().__init__(path, create=create)
        self.frequent_runs = FrequentRuns(self._lists_from)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of one statement."""
        return self._execute(sql, values)

    def write_many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        """One statement for many rows of values."""
        with self._named_errors():
            self._connection.executemany(sql, values)

    @contextmanager
    def _reporting_damage(self) -> Iterator[None]:
        """What rows of a damaged file cannot be, as InputError."""
        try:
            yield
        except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
            raise InputError(f"{self.path}: the index is damaged ({error})") from None

    def version(self) -> int:
        """A number that changes when another connection has written."""
        ((found,),) = self.rows("PRAGMA data_version")
        return int(found)

    def catalogue(self) -> Integers:
        """Pages × COLUMNS, in the order of adding; a page's number is its place, from 0."""
        named = ", ".join(f'"{name}"' for name in COLUMNS)
        found = self.rows(f"SELECT {named} FROM pages ORDER BY number")
        ((last,),) = self.rows("SELECT max(number) FROM pages")
        with self._reporting_damage():
            if found and int(last) != len(found) - 1:
                raise ValueError("a page is missing")
            return np.array(found, dtype=np.int64).reshape(-1, len(COLUMNS))

    def known(self, pages: Sequence[Page]) -> list[bool]:
        """Whether a page of the same query and id is in the index."""
        sql = "SELECT 1 FROM pages WHERE query = ? AND id = ?"
        return [bool(self.rows(sql, (page.query, page.id))) for page in pages]

    def read(self, numbers: Sequence[int]) -> list[tuple[Page, str]]:
        """Pages by number, each with the time it was shown."""
        sql = "SELECT page, shown_at FROM pages WHERE number = ?"
        with self._reporting_damage():
            found = [self.rows(sql, (number,))[0] for number in numbers]
        return [(_unpack(page, self.path), str(at)) for page, at in found]

    def read_all(self) -> list[Page]:
        """All pages, by query, rank and id: in an order that no order of adding changes."""
        rows = self.rows("SELECT page FROM pages")
        pages = [_unpack(page, self.path) for (page,) in rows]
        return sorted(pages, key=lambda page: (page.query, page.rank, page.id))

    def add(self, first: int, pages: Sequence[tuple[Page, str, Features]]) -> None:
        """Add pages under the numbers from `first` on."""
        marks = ", ".join("?" * (len(COLUMNS) + 5))
        self.write_many(
            f"INSERT INTO pages VALUES ({marks})",
            (
                (first + i, page.query, page.id, at, _pack(page), *features.row.tolist())
                for i, (page, at, features) in enumerate(pages)
            ),
        )
        self.write_many(
            "INSERT INTO postings VALUES (?, ?, ?) ON CONFLICT (run, part) DO UPDATE SET "
            "pages = CAST(postings.pages || excluded.pages AS BLOB)",
            _posting_rows(first, [looked_up(features) for _, _, features in pages]),
        )

    def posting_sizes(self, runs: Integers, count: int) -> Integers:
        """How many of the `count` pages each run is looked up to."""
        found = {run: self.frequent_runs.size_of(run, count) for run in runs.tolist()}
        asked = json.dumps([run for run, size in found.items() if size < 0])
        sql = f"SELECT run, sum(length(pages)) / 2 FROM postings {_OF_RUNS} GROUP BY run"
        found |= dict(self.rows(sql, (asked,)))
        with self._reporting_damage():
            return np.array([max(found[run], 0) for run in runs.tolist()], dtype=np.int64)

    def postings(self, runs: Integers, first_part: int = 0) -> tuple[Integers, Integers, Integers]:
        """Numbers of the pages that runs are looked up to, list after list; before them, for each
        list, the place of its run among the runs, and its length."""
        sql = f"SELECT run, part, pages FROM postings {_OF_RUNS} AND part >= ?"
        found = self.rows(sql, (json.dumps(runs.tolist()), first_part))
        place = {run: i for i, run in enumerate(runs.tolist())}
        ((last,),) = self.rows("SELECT max(number) FROM pages")
        with self._reporting_damage():
            sizes = np.array([len(pages) // 2 for _, _, pages in found], np.int64)
            places = np.array([place[run] for run, _, _ in found], np.int64)
            starts = np.array([part * PART for _, part, _ in found], np.int64)
            offsets = np.frombuffer(b"".join(pages for _, _, pages in found), "<u2")
            numbers = np.repeat(starts, sizes) + offsets
            if len(numbers) and not 0 <= numbers.min() <= numbers.max() <= int(last):
                raise ValueError("a page that is not in it")
        return places, sizes, numbers

    def _lists_from(self, runs: Integers, first: int) -> list[Integers]:
        """The pages of each run, in no order, from the part on that page `first` is in."""
        places, sizes, numbers = self.postings(runs, first // PART)
        lists = np.split(numbers, np.cumsum(sizes)[:-1])
        found: list[list[Integers]] = [[np.zeros(0, dtype=np.int64)] for _ in runs]
        for place, pages in zip(places.tolist(), lists, strict=False):
            found[place].append(pages)
        return [np.concatenate(parts) for parts in found]

    def sample(self) -> dict[int, Integers]:
        """Runs of each document of the sample."""
        found = self.rows("SELECT document, runs FROM sample")
        with self._reporting_damage():
            return {int(d): np.frombuffer(runs, np.int64) for d, runs in found}

    def write_sample(self, changed: dict[int, Integers | None]) -> None:
        """Put documents into the sample, or take them out (None)."""
        gone = [(document,) for document, runs in changed.items() if runs is None]
        put = [(d, runs.tobytes()) for d, runs in changed.items() if runs is not None]
        self.write_many("DELETE FROM sample WHERE document = ?", gone)
        self.write_many("INSERT OR REPLACE INTO sample VALUES (?, ?)", put)


_OF_RUNS = "WHERE run IN (SELECT value FROM json_each(?))"


def _posting_rows(first: int, runs: Sequence[Integers]) -> Iterator[tuple[int, int, bytes]]:
    """Run, part and packed places of pages that are numbered from `first` on."""
    sizes = [len(one) for one in runs]
    numbers = np.repeat(np.arange(first, first + len(runs), dtype=np.int64), sizes)
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *runs])
    if not len(codes):
        return
    order = np.lexsort((numbers, codes))
    codes, numbers = codes[order], numbers[order]
    keys = np.stack([codes, numbers // PART])
    starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    packed, ends = (numbers % PART).astype("<u2").tobytes(), np.append(starts[1:], len(codes))
    for run, part, a, b in zip(
        *keys[:, starts].tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        yield run, part, packed[2 * a : 2 * b]


def looked_up(features: Features) -> Integers:
    """Runs under which a page is found: its words and, where it is brief, its letters."""
    if features["length"] >= BRIEF:
        return features.runs[WORDS]
    return distinct(np.concatenate([features.runs[WORDS], features.runs[LETTERS]]))


def _pack(page: Page) -> bytes:
    text = json.dumps(page_to_dict(page, filled=True), ensure_ascii=False)
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def _unpack(data: bytes, path: Path) -> Page:
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, MAX_PAGE_BYTES).decode("utf-8", "surrogatepass")
        return dict_to_page({"id": "", **json.loads(text)})
    except (zlib.error, ValueError, TypeError) as error:
        raise InputError(f"{path}: a page in it is damaged ({error})") from None
