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
from reducepp.io.records import dict_to_page, page_to_dict
from reducepp.io.sqlite_file import FileKind, SqliteFile
from reducepp.similarity.documents import code_of
from reducepp.similarity.measures.rare_runs import LETTERS, WORDS
from reducepp.similarity.shingles import distinct
from reducepp.types import Integers, Page

CHUNK_BYTES = 4096
"""A chunk of a posting list is closed from this size on, which fills pages of the file well:
an addition rewrites the open ones only, and a rare run has no more than one."""

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
CREATE TABLE postings (run INTEGER NOT NULL, closed_at INTEGER NOT NULL, pages BLOB NOT NULL,
  PRIMARY KEY (run, closed_at)) WITHOUT ROWID;
CREATE TABLE sample (document INTEGER PRIMARY KEY, runs BLOB NOT NULL);
"""

INDEX = FileKind(
    name="an index of pages",
    application_id=0x52445049,  # "RDPI"
    version=5,
    schema=SCHEMA,
)


class Database(SqliteFile):
    """An open index file."""

    kind = INDEX

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

    def catalogue(self, first: int = 0) -> Integers:
        """COLUMNS × pages from a number on; a page's number is its place in the order of adding."""
        named = ", ".join(f'"{name}"' for name in COLUMNS)
        sql = f"SELECT number, {named} FROM pages WHERE number >= ? ORDER BY number"
        found = self.rows(sql, (first,))
        with self._reporting_damage():
            table = np.array(found, dtype=np.int64).reshape(-1, len(COLUMNS) + 1).T
            if not np.array_equal(table[0], np.arange(first, first + len(found))):
                raise ValueError("a page is missing")
            return np.ascontiguousarray(table[1:])

    def known(self, pages: Sequence[Page]) -> list[bool]:
        """Whether a page of the same query and id is in the index."""
        sql = "SELECT 1 FROM pages WHERE query = ? AND id = ?"
        return [bool(self.rows(sql, (page.query, page.id))) for page in pages]

    def own_id(self, page: Page) -> str:
        """The page's id, marked by a code of its text where another text of its query has it."""
        rows = self.rows("SELECT page FROM pages WHERE query = ? AND id = ?", (page.query, page.id))
        is_other = rows and _unpack(rows[0][0], self.path).body != page.body
        return f"{page.id}#{code_of(page.body) % 2**64:x}" if is_other else page.id

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
        rows = list(_posting_rows(first, [looked_up(features) for _, _, features in pages]))
        self.write_many(
            "INSERT INTO postings VALUES (?, 0, ?) ON CONFLICT (run, closed_at) DO UPDATE SET "
            "pages = CAST(postings.pages || excluded.pages AS BLOB)",
            rows,
        )
        self.rows(
            f"UPDATE postings SET closed_at = ? {_OF_RUNS} AND closed_at = 0 "
            "AND length(pages) >= ?",
            (first + len(pages), json.dumps([run for run, _ in rows]), CHUNK_BYTES),
        )

    def posting_sizes(self, runs: Integers) -> Integers:
        """How many pages each run is looked up to."""
        sql = f"SELECT run, sum(length(pages)) / 4 FROM postings {_OF_RUNS} GROUP BY run"
        found = dict(self.rows(sql, (json.dumps(runs.tolist()),)))
        with self._reporting_damage():
            return np.array([found.get(run, 0) for run in runs.tolist()], dtype=np.int64)

    def postings(self, runs: Integers, count: int, first: int = 0) -> tuple[Integers, Integers]:
        """Pages that sorted runs are looked up to: the place of a run, and a page's number.

        In order of the runs; of `count` pages those from number `first` on.
        """
        sql = f"SELECT run, pages FROM postings {_OF_RUNS} AND (closed_at = 0 OR closed_at > ?)"
        found = self.rows(f"{sql} ORDER BY run", (json.dumps(runs.tolist()), first))
        with self._reporting_damage():
            sizes = np.array([len(pages) // 4 for _, pages in found], np.int64)
            places = np.searchsorted(runs, np.array([run for run, _ in found], np.int64))
            numbers = np.frombuffer(b"".join([pages for _, pages in found]), "<u4").astype(np.int64)
            if len(numbers) and numbers.max() >= count:
                raise ValueError("a page that is not in it")
            places = np.repeat(places, sizes)
        return (places[numbers >= first], numbers[numbers >= first]) if first else (places, numbers)

    def sample_sizes(self) -> dict[int, int]:
        """Bytes of the runs of each document of the sample, by which changes are noticed."""
        return dict(self.rows("SELECT document, length(runs) FROM sample"))

    def sample(self, documents: Sequence[int] | None = None) -> dict[int, Integers]:
        """Runs of each document of the sample, or of some."""
        some = "" if documents is None else "WHERE document IN (SELECT value FROM json_each(?))"
        values = () if documents is None else (json.dumps(documents),)
        found = self.rows(f"SELECT document, runs FROM sample {some}", values)
        with self._reporting_damage():
            return {int(d): np.frombuffer(runs, np.int64) for d, runs in found}

    def write_sample(self, changed: dict[int, Integers | None]) -> None:
        """Put documents into the sample, or take them out (None)."""
        gone = [(document,) for document, runs in changed.items() if runs is None]
        put = [(d, runs.tobytes()) for d, runs in changed.items() if runs is not None]
        self.write_many("DELETE FROM sample WHERE document = ?", gone)
        self.write_many("INSERT OR REPLACE INTO sample VALUES (?, ?)", put)


_OF_RUNS = "WHERE run IN (SELECT value FROM json_each(?))"


def _posting_rows(first: int, runs: Sequence[Integers]) -> Iterator[tuple[int, bytes]]:
    """Each run and its pages, which are numbered from `first` on."""
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *runs])
    numbers = np.repeat(np.arange(first, first + len(runs)), [len(one) for one in runs])
    order = np.argsort(codes, kind="stable")
    codes, packed = codes[order], numbers[order].astype("<u4").tobytes()
    starts = np.flatnonzero(np.diff(codes, prepend=codes[:1] - 1))
    ends = [*starts[1:].tolist(), len(codes)]
    for run, a, b in zip(codes[starts].tolist(), starts.tolist(), ends, strict=False):
        yield run, packed[4 * a : 4 * b]


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
