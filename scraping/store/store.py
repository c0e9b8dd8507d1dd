"""Everything collected, in one SQLite file: each transaction is written whole or not at all.

Tables: queries; searches (result pages that were read); hits (as each engine ranked them);
raw (bodies, compressed); pages (split, as JSON); failures; attempts (see `SCHEMA`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from reducepp.errors import InputError
from reducepp.io.sqlite_file import FileKind, SqliteFile, now
from reducepp.scraping.store import packing
from reducepp.scraping.store.merged_hits import merge_hits
from reducepp.types import Failure, Page, RawPage, SearchHit

SCHEMA = """
CREATE TABLE queries (position INTEGER PRIMARY KEY, query TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL, domain TEXT NOT NULL);
CREATE TABLE searches (query TEXT NOT NULL, engine TEXT NOT NULL, page INTEGER NOT NULL,
  outcome TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (query, engine, page));
CREATE TABLE hits (query TEXT NOT NULL, engine TEXT NOT NULL, rank INTEGER NOT NULL,
  url TEXT NOT NULL, title TEXT NOT NULL, snippet TEXT NOT NULL,
  PRIMARY KEY (query, engine, rank), UNIQUE (query, engine, url));
CREATE TABLE raw (url TEXT PRIMARY KEY, final_url TEXT NOT NULL, status INTEGER NOT NULL,
  content_type TEXT NOT NULL, fetched BLOB NOT NULL, rendered BLOB NOT NULL,
  fetched_at TEXT NOT NULL, images BLOB NOT NULL DEFAULT x'');
CREATE TABLE pages (url TEXT PRIMARY KEY, page TEXT NOT NULL, splitter TEXT NOT NULL DEFAULT '');
CREATE TABLE failures (url TEXT NOT NULL, stage TEXT NOT NULL, reason TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (url, stage));
CREATE TABLE attempts (url TEXT PRIMARY KEY, count INTEGER NOT NULL);
"""
"""`pages.splitter` is the version of the code that split the page, `attempts` the pages whose
splitting has begun and not ended."""
TABLES = tuple(re.findall(r"CREATE TABLE (\w+)", SCHEMA))

MAX_RANK = 1_000_000_000
"""Files from elsewhere may have ranks of any length; SQLite's numbers end at 2**63."""
_NEXT_RANK = "(SELECT ifnull(max(rank), 0) + 1 FROM hits WHERE query = ?1 AND engine = ?2)"

STORE = FileKind(
    name="a store of collected pages",
    application_id=0x52445550,  # "RDUP"
    version=3,
    schema=SCHEMA,
    migrations={
        1: ("ALTER TABLE raw ADD COLUMN images BLOB NOT NULL DEFAULT x''",),
        2: (
            "ALTER TABLE pages ADD COLUMN splitter TEXT NOT NULL DEFAULT ''",
            "CREATE TABLE attempts (url TEXT PRIMARY KEY, count INTEGER NOT NULL)",
        ),
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search query; language and domain are those of the paper's Table I."""

    query: str
    language: str = ""
    domain: str = ""


class Store(SqliteFile):
    """An open store; in mode "write" the file is created where there is none."""

    kind = STORE

    def __init__(self, path: str | Path, *, mode: Literal["write", "read"] = "write") -> None:
        super().__init__(path, create=mode == "write")

    def _prepare(self, create: bool, immutable: bool) -> None:
        super()._prepare(create, immutable)
        self._check_types()
        if not create:
            self.rows("PRAGMA query_only = 1")

    def _check_types(self) -> None:
        """InputError for a value of another type than its column declares, which SQLite lets in."""
        for table in TABLES:
            columns = self.rows(f"PRAGMA table_info({table})")
            wrong = " OR ".join(f"typeof({n}) != '{kind.lower()}'" for _, n, kind, *_ in columns)
            if wrong and self.rows(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1"):
                why = f"the store is damaged (values of other types in {table})"
                raise InputError(f"{self.path}: {why}")

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of one statement, all at once."""
        # Without halves of character pairs, which scripts and JSON can make.
        plain = (v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for v in values)
        return self._execute(sql, [*plain])

    @contextmanager
    def _report_damage(self, url: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, AttributeError) as error:
            raise InputError(f"{self.path}: what it holds for {url} is damaged ({error})") from None

    # Writing: call inside `transaction`.

    def _put(self, table: str, *values: object) -> None:
        """Insert a row, in place of one with the same key."""
        marks = ", ".join("?" * len(values))
        self.rows(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", *values)

    def add_query(self, query: Query) -> None:
        """Add a query, or update its language and domain."""
        self.rows(
            "INSERT INTO queries (query, language, domain) VALUES (?, ?, ?) ON CONFLICT (query) "
            "DO UPDATE SET language = excluded.language, domain = excluded.domain",
            *(query.query, query.language, query.domain),
        )

    def add_search(
        self, query: str, engine: str, page: int, outcome: str, hits: Iterable[SearchHit], at: str
    ) -> None:
        """Add a result page and its new hits, ranked after those of earlier pages."""
        self._put("searches", query, engine, page, outcome, at)
        for hit in hits:
            self.rows(
                f"INSERT OR IGNORE INTO hits VALUES (?1, ?2, {_NEXT_RANK}, ?3, ?4, ?5)",
                *(query, engine, hit.url, hit.title, hit.snippet),
            )

    def put_hit(self, hit: SearchHit) -> None:
        """Add one hit at its own rank, and its query if that is new.

        Another address that has this rank, from another file, goes to the end.
        """
        empty = "INSERT OR IGNORE INTO queries (query, language, domain) VALUES (?, '', '')"
        self.rows(empty, hit.query)
        rank = min(hit.rank, MAX_RANK)
        self.rows(
            f"UPDATE hits SET rank = {_NEXT_RANK} "
            "WHERE query = ?1 AND engine = ?2 AND rank = ?3 AND url != ?4",
            *(hit.query, hit.engine, rank, hit.url),
        )
        self._put("hits", hit.query, hit.engine, rank, hit.url, hit.title, hit.snippet)

    def add_raw(self, url: str, raw: RawPage) -> None:
        bodies = (
            packing.pack(raw.fetched),
            packing.pack(raw.rendered.encode("utf-8", "surrogatepass")),
        )
        about = (url, raw.final_url, raw.status, raw.content_type)
        self._put("raw", *about, *bodies, raw.fetched_at, packing.pack_many(raw.images))

    def begin_split(self, url: str) -> None:
        """Record that a page is about to be split, so that a page that ends the run is known."""
        self.rows(
            "INSERT INTO attempts VALUES (?, 1) ON CONFLICT (url) DO UPDATE SET count = count + 1",
            url,
        )

    def add_split(self, url: str, result: Page | Failure, *, splitter: str = "") -> None:
        """Add a page's content types, or why there are none; its attempts are over.

        `splitter` is the version of the code that split it; pages of another version are split
        again. Empty for pages that came split.
        """
        self.rows("DELETE FROM attempts WHERE url = ?", url)
        self.rows("DELETE FROM failures WHERE url = ? AND stage = 'split'", url)
        if isinstance(result, Failure):
            self.rows("DELETE FROM pages WHERE url = ?", url)
            self.add_failure(result)
        else:
            self._put("pages", url, packing.write_page(result), splitter)

    def add_failure(self, failure: Failure, at: str = "") -> None:
        """Add a failure; it replaces an earlier one of the same URL and stage."""
        self._put("failures", failure.url, failure.stage, failure.reason, at or now())

    def clear_failures(self, url: str, *stages: str) -> None:
        """Remove the failures of a URL in these stages: what failed has been done."""
        for stage in stages:
            self.rows("DELETE FROM failures WHERE url = ? AND stage = ?", url, stage)

    def clear_empty_searches(self) -> None:
        """Remove searches without hits, to be repeated: an engine's sources may have been down."""
        self.rows(
            "DELETE FROM searches WHERE NOT EXISTS (SELECT 1 FROM hits "
            "WHERE hits.query = searches.query AND hits.engine = searches.engine)"
        )

    # Reading.

    def queries(self) -> tuple[Query, ...]:
        """The queries in the order they came."""
        found = self.rows("SELECT query, language, domain FROM queries ORDER BY position")
        return tuple(Query(query=q, language=language, domain=d) for q, language, d in found)

    def engine_hits(self, query: str, engine: str) -> tuple[SearchHit, ...]:
        """One engine's hits for a query, in its order."""
        columns = "SELECT rank, url, title, snippet FROM hits"
        sql = f"{columns} WHERE query = ? AND engine = ? ORDER BY rank"
        return tuple(
            SearchHit(query=query, engine=engine, rank=r, url=u, title=t, snippet=s)
            for r, u, t, s in self.rows(sql, query, engine)
        )

    def hits(self, query: str, *, first: int | None = None) -> tuple[SearchHit, ...]:
        """The `first` hits of each engine as one ranking; ties to the first engine's name."""
        engines = self.rows("SELECT DISTINCT engine FROM hits WHERE query = ? ORDER BY 1", query)
        return merge_hits([self.engine_hits(query, engine)[:first] for (engine,) in engines])

    def search_outcomes(self, query: str, engine: str) -> dict[int, str]:
        """Result page number to its outcome, for those that were read."""
        sql = "SELECT page, outcome FROM searches WHERE query = ? AND engine = ?"
        return dict(self.rows(sql, query, engine))

    def is_done(self, url: str) -> bool:
        """Whether a URL was fetched, or failed to be."""
        fetched = "SELECT 1 FROM raw WHERE url = ?1"
        failed = "SELECT 1 FROM failures WHERE url = ?1 AND stage = 'fetch'"
        return bool(self.rows(f"{fetched} UNION ALL {failed} LIMIT 1", url))

    def failed_urls(self, *stages: str) -> frozenset[str]:
        """URLs with a failure in one of these stages."""
        marks = ", ".join("?" * len(stages))
        found = self.rows(f"SELECT url FROM failures WHERE stage IN ({marks})", *stages)
        return frozenset(url for (url,) in found)

    def open_attempts(self) -> dict[str, int]:
        """URLs whose splitting began and never ended, and how often it began."""
        return dict(self.rows("SELECT url, count FROM attempts ORDER BY url"))

    def outdated_urls(self, splitter: str) -> tuple[str, ...]:
        """Pages with a stored body that another version of the splitter split.

        Imported pages are left out: parts of them came with the file.
        """
        found = self.rows(
            "SELECT url FROM pages WHERE splitter != ? AND url IN (SELECT url FROM raw) AND "
            "url NOT IN (SELECT url FROM hits WHERE engine LIKE 'import %') ORDER BY url",
            splitter,
        )
        return tuple(url for (url,) in found)

    def raw(self, hit: SearchHit) -> RawPage | None:
        found = self.rows(
            "SELECT final_url, status, content_type, fetched, rendered, fetched_at, images "
            "FROM raw WHERE url = ?",
            hit.url,
        )
        for final_url, status, content_type, fetched, rendered, at, images in found:
            with self._report_damage(hit.url):
                return RawPage(
                    hit=hit,
                    final_url=final_url,
                    status=status,
                    content_type=content_type,
                    fetched=packing.unpack(fetched),
                    rendered=packing.unpack(rendered).decode("utf-8", "surrogatepass"),
                    fetched_at=at,
                    images=packing.unpack_many(images),
                )
        return None

    def page(self, hit: SearchHit) -> Page | None:
        """A hit's page, with the rank and snippet that it has for this query."""
        found = self.rows("SELECT page FROM pages WHERE url = ?", hit.url)
        if not found:
            return None
        with self._report_damage(hit.url):
            return page_of_hit(packing.read_page(found[0][0], hit.url), hit)

    def failures(self, urls: Sequence[str] | None = None) -> tuple[Failure, ...]:
        """Failures of these URLs, or all, in order of URL."""
        wanted = "" if urls is None else "WHERE url IN (SELECT value FROM json_each(?))"
        sql = f"SELECT url, stage, reason FROM failures {wanted} ORDER BY url, stage"
        found = self.rows(sql, *([] if urls is None else [json.dumps(urls)]))
        return tuple(Failure(url=u, stage=s, reason=r) for u, s, r in found)


def page_of_hit(page: Page, hit: SearchHit, domain: str = "") -> Page:
    """A page with what belongs to a query's hit."""
    snippet = hit.snippet or page.snippet
    return replace(page, query=hit.query, rank=hit.rank, snippet=snippet, domain=domain)
