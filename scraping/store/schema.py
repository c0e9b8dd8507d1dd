"""The store's SQLite file: tables, opening, checks of a file from elsewhere, migration."""

import re
import sqlite3
from pathlib import Path
from urllib.parse import quote

from reducepp.errors import InputError
from reducepp.io.bounded_reading import reject_code

VERSION = 3
APPLICATION_ID = 0x52445550
"""SQLite's application id, "RDUP", by which a store is told from any other database."""

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

_MIGRATIONS = {
    1: ("ALTER TABLE raw ADD COLUMN images BLOB NOT NULL DEFAULT x''",),
    2: (
        "ALTER TABLE pages ADD COLUMN splitter TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE attempts (url TEXT PRIMARY KEY, count INTEGER NOT NULL)",
    ),
}
"""Statements that bring a store of this version to the next one."""


DAMAGED = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises for a damaged file; its own message may quote bytes that are no text."""


def open_database(path: Path, *, to_write: bool) -> sqlite3.Connection:
    """A store's file, open; created where it is to be written and there is none."""
    if not to_write and not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        return _connect(str(path), path, to_write)
    except DAMAGED as error:
        if to_write or Path(f"{path}-wal").exists():
            raise InputError(f"{path}: cannot be opened as a store ({error})") from None
    try:  # In a folder without write permission nobody else writes, so no lock is needed.
        return _connect(f"file:{quote(str(path.resolve()))}?immutable=1", path, to_write)
    except DAMAGED as error:
        raise InputError(f"{path}: cannot be opened as a store ({error})") from None


def _connect(name: str, path: Path, to_write: bool) -> sqlite3.Connection:
    uri = name.startswith("file:")
    database = sqlite3.connect(name, isolation_level=None, timeout=30, uri=uri)
    try:
        if uri:
            database = _temporary_copy(database)
        _prepare(database, path, to_write)
    except BaseException:
        database.close()
        raise
    return database


def _temporary_copy(database: sqlite3.Connection) -> sqlite3.Connection:
    """A copy that can be migrated, for an older store in a folder without write permission."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in _MIGRATIONS:
        return database
    copy = sqlite3.connect("", isolation_level=None)  # a temporary file that SQLite removes
    database.backup(copy)
    database.close()
    return copy


def _prepare(database: sqlite3.Connection, path: Path, to_write: bool) -> None:
    database.execute("PRAGMA trusted_schema = OFF")
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (objects,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (objects or not to_write):
        raise InputError(f"{path}: not a store of collected pages")
    reject_code(database, f"{path}: not a store of collected pages")
    if to_write:
        database.execute("PRAGMA journal_mode = WAL")
        if not objects:
            database.executescript(
                f"BEGIN EXCLUSIVE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
    _migrate(database, path)
    _check_types(database, path)
    if not to_write:
        database.execute("PRAGMA query_only = 1")


def _check_types(database: sqlite3.Connection, path: Path) -> None:
    """InputError for a value of another type than its column declares, which SQLite lets in."""
    for table in TABLES:
        columns = database.execute(f"PRAGMA table_info({table})").fetchall()
        wrong = " OR ".join(f"typeof({name}) != '{kind.lower()}'" for _, name, kind, *_ in columns)
        if wrong and database.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():
            raise InputError(f"{path}: the store is damaged (values of other types in {table})")


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    """Bring an older store up to date; InputError for one that a newer program wrote."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in (*_MIGRATIONS, VERSION):
        raise InputError(
            f"{path}: a store of version {version}; this program reads up to {VERSION}"
        )
    if version == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    (version,) = database.execute("PRAGMA user_version").fetchone()  # another may have been faster
    for step in range(version, VERSION):
        for statement in _MIGRATIONS[step]:
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")
