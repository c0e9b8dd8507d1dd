"""Files of a folder or archive: which are read, in which order, for which query."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reducepp.errors import InputError
from reducepp.io.columns import Columns, Row, rows_to_pages
from reducepp.io.records import Read, page_of, with_page
from reducepp.types import Failure

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".mhtml", ".mht", ".pdf", ".docx", ".txt")
RECORD_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
READ_SUFFIXES = (*PAGE_SUFFIXES, *RECORD_SUFFIXES)
SINGLE_SUFFIXES = (".zip", ".warc", ".warc.gz", ".sqlite", ".sqlite3")
"""Of inputs that are read by themselves only."""
KNOWN_SUFFIXES = (*READ_SUFFIXES, *(f"{suffix}.gz" for suffix in READ_SUFFIXES), *SINGLE_SUFFIXES)
RESOURCE_SUFFIXES = (
    *(
        "_archivos",
        "_arquivos",
        "_bestanden",
        "_bylos",
        "-Dateien",
        "_datoteke",
        "_dosyalar",
        "_elemei",
    ),
    *("_failid", "_fails", "_fajlovi", "_ficheiros", "_fichiers", "-filer", ".files", "_files"),
    *("_file", "_fitxers", "_fitxategiak", "_pliki", "_soubory", "_tiedostot"),
)
"""What a browser adds to a page's name for the folder of its frames, scripts and pictures:
Microsoft's list of connected files."""


def input_names(paths: Iterable[str]) -> list[str]:
    """Paths below a folder that name inputs, but for hidden ones and resources of saved pages."""
    names = [name for name in paths if name.lower().endswith(KNOWN_SUFFIXES)]
    stems = [name.rpartition(".")[0] for name in names if name.lower().endswith((".html", ".htm"))]
    resources = {stem + suffix for stem in stems for suffix in RESOURCE_SUFFIXES}
    return [name for name in names if not _is_hidden(name) and resources.isdisjoint(_above(name))]


def folder_names(folder: Path) -> list[str]:
    """The same of a folder on disk; raises InputError without any."""
    found = (path for path in folder.rglob("*") if path.is_file() or not path.exists())
    names = input_names(path.relative_to(folder).as_posix() for path in found)
    if not names:
        raise InputError(f"{folder}: no page files ({', '.join(READ_SUFFIXES)}) in it")
    return names


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def _above(name: str) -> Iterator[str]:
    """The folders that a path leads through."""
    return (name[: slash.start()] for slash in re.finditer("/", name))


def read_files(
    names: Iterable[str],
    read_file: Callable[[str], Iterable[Row | Read]],
    columns: Columns,
    *,
    top: str = "",
) -> Iterator[Read]:
    """Pages of the files of these names in natural order, each file as `read_file` reads it.

    The folder of a file below `top` is the query of its pages that name none. A file without any
    page is one Failure.
    """
    for name in sorted(names, key=_natural):
        folder, _, below = name.removeprefix(top).partition("/")
        query = folder if below else ""
        for read in _read_file(name, read_file, columns):
            yield _with_query(read, query) if query else read


def common_folder(names: Sequence[str]) -> str:
    """The folder that all paths of an archive begin with, with its slash; "" for none."""
    shared = set.intersection(*(set(_above(name)) for name in names)) if names else set()
    return f"{max(shared, key=len)}/" if shared else ""


def _read_file(
    name: str, read_file: Callable[[str], Iterable[Row | Read]], columns: Columns
) -> Iterator[Read]:
    own = replace(columns, used={}, ignored={}, met=set())
    failures: list[Failure] = []
    pages = 0
    try:
        if name.lower().endswith(SINGLE_SUFFIXES):
            raise InputError("not read as one of several files: name it as an input")
        for read in rows_to_pages(read_file(name), own, name):
            if isinstance(read, Failure):
                failures.append(read)
            else:
                pages += 1
                yield read
        own.check(name)
        columns.include(own)
    except (InputError, OSError) as error:
        reason = getattr(error, "strerror", "") or str(error).removeprefix(f"{name}: ")
        failures = [Failure(url=name, stage="read", reason=reason)]
    yield from failures if pages else failures[:1]


def _with_query(read: Read, query: str) -> Read:
    if isinstance(read, Failure):
        return read
    page = page_of(read)
    return with_page(read, replace(page, query=page.query or query))


def _natural(name: str) -> list[tuple[int, str]]:
    """So that page10 comes after page9; a number may have any length."""
    parts = [part.lstrip("0") if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
    return [(len(part) if part.isdecimal() else 0, part) for part in parts]
