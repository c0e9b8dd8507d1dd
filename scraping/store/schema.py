"""The store's SQLite file: its tables, how it is opened, how an older one is brought up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from reducepp.errors import InputError

VERSION = 2
APPLICATION = 0x52445550
"""SQLite's application id, "RDUP": what tells a store from any other database."""

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
CREATE TABLE pages (url TEXT PRIMARY KEY, page TEXT NOT NULL);
CREATE TABLE failures (url TEXT NOT NULL, stage TEXT NOT NULL, reason TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (url, stage));
"""


def open_database(path: Path, *, to_write: bool) -> sqlite3.Connection:
    """A store's file, open; made where it is to be written and there is none."""
    if not to_write and not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        return _opened(str(path), path, to_write)
    except sqlite3.Error as error:
        if to_write or Path(f"{path}-wal").exists():
            raise InputError(f"{path}: cannot be opened as a store ({error})") from None
    try:  # A folder that cannot be written: nobody else writes, so the file is read as it lies.
        return _opened(f"file:{quote(str(path.resolve()))}?immutable=1", path, to_write)
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be opened as a store ({error})") from None


def _opened(name: str, path: Path, to_write: bool) -> sqlite3.Connection:
    uri = name.startswith("file:")
    database = sqlite3.connect(name, isolation_level=None, timeout=30, uri=uri)
    try:
        _prepare(database, path, to_write)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, path: Path, to_write: bool) -> None:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (tables or not to_write):
        raise InputError(f"{path}: not a store of collected pages")
    if to_write:
        database.execute("PRAGMA journal_mode = WAL")
        if not tables:
            database.executescript(
                f"BEGIN EXCLUSIVE; {SCHEMA} PRAGMA application_id = {APPLICATION}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
    _bring_up_to_date(database, path)
    if not to_write:
        database.execute("PRAGMA query_only = 1")


def _bring_up_to_date(database: sqlite3.Connection, path: Path) -> None:
    """Version 1 had no images; what a newer program wrote is left alone."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 1:
        database.execute("BEGIN IMMEDIATE")
        columns = [row[1] for row in database.execute("PRAGMA table_info(raw)")]
        if "images" not in columns:
            database.execute("ALTER TABLE raw ADD COLUMN images BLOB NOT NULL DEFAULT x''")
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    elif version != VERSION:
        raise InputError(
            f"{path}: a store of version {version}; this program reads up to {VERSION}"
        )
