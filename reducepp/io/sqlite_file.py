"""Our own SQLite files: opened, checked where they come from elsewhere, migrated, written whole."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import quote

from reducepp.errors import InputError
from reducepp.io.atomic import check_can_write

WAIT_SECONDS = 30.0
"""How long a process waits for another that writes."""


def now() -> str:
    """The time as our files hold it: ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """One kind of our files, and how it is recognised among other databases."""

    name: str
    application_id: int
    """SQLite's number for it."""
    version: int
    schema: str
    """Statements that make its tables."""
    migrations: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Statements that bring a file of this version to the next one."""


class SqliteFile:
    """An open file; every transaction is written whole or not at all."""

    kind: ClassVar[FileKind]

    def __init__(self, path: str | Path, *, create: bool) -> None:
        """Without `create` also a file in a folder without write permission, where nobody else
        writes."""
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise InputError(f"{self.path}: no such file")
        if not self.path.exists():
            check_can_write(self.path)
        try:
            self._open(create, immutable=False)
        except InputError:
            if create or Path(f"{path}-wal").exists():
                raise
            self._open(create, immutable=True)

    def _open(self, create: bool, *, immutable: bool) -> None:
        with self._named_errors():
            self._connection = self._connect(immutable)
            try:
                self._prepare(create, immutable)
            except BaseException:
                self._connection.close()
                raise

    def _connect(self, immutable: bool) -> sqlite3.Connection:
        name = f"file:{quote(str(self.path.resolve()))}?immutable=1" if immutable else self.path
        return sqlite3.connect(
            name, isolation_level=None, timeout=WAIT_SECONDS, check_same_thread=False, uri=immutable
        )

    def _prepare(self, create: bool, immutable: bool) -> None:
        kind = self.kind
        self._execute("PRAGMA trusted_schema = OFF")
        ((application,),) = self._execute("PRAGMA application_id")
        ((objects,),) = self._execute("SELECT count(*) FROM sqlite_master")
        if application != kind.application_id and (objects or not create):
            raise InputError(f"{self.path}: not {kind.name}")
        self._reject_code()
        if create:
            self._execute("PRAGMA journal_mode = WAL")
        if not objects:
            self._connection.executescript(
                f"BEGIN EXCLUSIVE; {kind.schema} PRAGMA application_id = {kind.application_id}; "
                f"PRAGMA user_version = {kind.version}; COMMIT;"
            )
        self._migrate(immutable)

    def _reject_code(self) -> None:
        """InputError for views, triggers, virtual tables and computed columns.

        Our files have none of them, and in a file from elsewhere they could run without end.
        """
        for kind, name, sql in self._execute("SELECT type, name, sql FROM sqlite_master"):
            quoted = '"' + name.replace('"', '""') + '"'
            columns = self._execute(f"PRAGMA table_xinfo({quoted})") if kind == "table" else ()
            virtual = (sql or "").lstrip().upper().startswith("CREATE VIRTUAL")
            if kind not in ("table", "index") or virtual or any(hidden for *_, hidden in columns):
                raise InputError(f"{self.path}: not {self.kind.name}: it holds the {kind} {name}")

    def _migrate(self, immutable: bool) -> None:
        """Bring an older file up to date; InputError for one of a version that is not read."""
        kind = self.kind
        ((version,),) = self._execute("PRAGMA user_version")
        readable = (*kind.migrations, kind.version)
        if version not in readable:
            wanted = f"{min(readable)} to {max(readable)}" if kind.migrations else kind.version
            why = f"{kind.name} of version {version}; this program reads version {wanted}"
            raise InputError(f"{self.path}: {why}")
        if version == kind.version:
            return
        if immutable:
            original, self._connection = self._connection, sqlite3.connect("", isolation_level=None)
            original.backup(self._connection)  # into a temporary file, which SQLite removes
            original.close()
        with self.transaction():
            ((version,),) = self._execute("PRAGMA user_version")  # another may have been faster
            for step in range(version, kind.version):
                for statement in kind.migrations[step]:
                    self._execute(statement)
            self._execute(f"PRAGMA user_version = {kind.version}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; every transaction that ended is already written."""
        self._connection.close()

    @contextmanager
    def transaction(self, *, to_write: bool = True) -> Iterator[None]:
        """Everything inside is written as a whole, or sees the file as it is at one moment."""
        self._execute("BEGIN IMMEDIATE" if to_write else "BEGIN")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    def _execute(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of one statement; InputError where the file or the disk does not allow it."""
        with self._named_errors():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise InputError(f"{self.path}: {self._explain(str(error))}") from None

    def _explain(self, text: str) -> str:
        if "locked" in text or "busy" in text:
            return "another process is adding to it"
        if "readonly" in text:
            return "cannot write: it may only be read"
        if "disk is full" in text:
            return "the disk is full; what was stored stands: make room and run again"
        return f"damaged, or not {self.kind.name} ({text})"
