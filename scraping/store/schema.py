"""The tables of a store, and how older stores are brought up to date."""

import re

from reducepp.io.sqlite_file import FileKind

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

STORE = FileKind(
    name="a store of collected pages",
    application_id=0x52445550,  # "RDUP"
    version=3,
    schema=SCHEMA,
    migrations=_MIGRATIONS,
)
