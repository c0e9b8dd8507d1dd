"""Inputs to the pages of each query: reads, splits what is whole pages, groups by query."""

import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, UsageError
from reducepp.io.columns import Columns
from reducepp.io.python_values import as_records
from reducepp.io.query_order import is_sorted
from reducepp.io.readers import STDIN, read_source, settle_names
from reducepp.io.records import Document, Read, read_record
from reducepp.io.stored_pages import PageStore
from reducepp.types import Failure, Page, RawPage, SearchHit

COLLECTED = ("store", "warc")
COLLECTED_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".warc", ".warc.gz")
"""Inputs that hold bodies and hits together, as collected."""

BATCH = 2048
"""Records that are read before the documents among them are split."""

FEW = 24
"""Documents that are split in this process: fewer are done before others have started."""


@dataclass(slots=True, kw_only=True)
class QueryPages:
    """The pages of one query, and what could not be read for it."""

    query: str
    pages: list[Page] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def read_queries(
    source: str | Sequence[str],
    *,
    jobs: int = 0,
    form: str = "",
    columns: Columns | None = None,
) -> list[QueryPages]:
    """Every query of one or more inputs with its pages; raises InputError without any page."""
    sources = [source] if isinstance(source, str) else list(source)
    plain = [one for one in sources if not _is_collected(one, form)]
    found = [q for one in sources if one not in plain for q in _read_collected(one, form)]
    if plain:
        reads = chain.from_iterable(read_source(one, form=form, columns=columns) for one in plain)
        found = group_reads(reads, jobs=jobs) + found
    if len(sources) > 1:
        found = _join(found)
    if not any(group.pages for group in found):
        failures = [failure for group in found for failure in group.failures]
        reason = f" ({failures[0].reason})" if failures else ""
        named = ", ".join("standard input" if one == STDIN else one for one in sources[:3])
        raise InputError(f"{named}: no page in it{reason}")
    return found


def stream_queries(
    source: str | Sequence[str],
    *,
    jobs: int = 0,
    form: str = "",
    columns: Columns | None = None,
) -> Iterator[QueryPages]:
    """The same one after the other: of a store, and of a JSONL file sorted by query, no other
    query is in memory.
    """
    sources = [source] if isinstance(source, str) else list(source)
    columns = columns or Columns()
    if len(sources) == 1 and _is_collected(sources[0], form):
        groups = _read_collected(sources[0], form)
    elif len(sources) == 1 and form in ("", "jsonl") and is_sorted(sources[0], columns):
        reads = read_source(sources[0], form="jsonl", columns=columns)
        groups = _group_sorted(_split_reads(settle_names(reads), jobs))
    else:
        yield from read_queries(sources, jobs=jobs, form=form, columns=columns)
        return
    waiting: list[QueryPages] = []
    found = False
    for group in groups:
        columns.check_text(sources[0])
        waiting.append(group)
        found = found or bool(group.pages)
        if found:
            yield from waiting
            waiting = []
    if not found:
        yield from read_queries(sources, jobs=jobs, form=form, columns=columns)


def _group_sorted(found: Iterable[tuple[str | None, Page | Failure]]) -> Iterator[QueryPages]:
    group: QueryPages | None = None
    store = PageStore()
    early: list[Failure] = []
    seen: set[str] = set()
    for query, item in found:
        if query is not None and (group is None or group.query != query):
            if group is not None:
                yield group
            if query in seen:
                raise InputError(f"query {query!r} is in two places: sort the file by query")
            seen.add(query)
            group, early = QueryPages(query=query, failures=early), []
            store = PageStore()
        if isinstance(item, Page) and group is not None:
            group.pages.append(store.keep(item))
        elif isinstance(item, Failure):
            (group.failures if group else early).append(item)
    if group is not None:
        yield group


def _is_collected(source: str, form: str) -> bool:
    return form in COLLECTED or (not form and source.lower().endswith(COLLECTED_SUFFIXES))


def _join(groups: Iterable[QueryPages]) -> list[QueryPages]:
    """Groups of one query become one, with ids of their own."""
    groups = list(groups)
    reads: Iterator[Read] = chain.from_iterable((*one.pages, *one.failures) for one in groups)
    names = (one.query for one in groups for _ in (*one.pages, *one.failures))
    settled = zip(names, settle_names(reads), strict=True)
    return _group((name, item) for name, item in settled if not isinstance(item, Document))


def _read_collected(source: str, form: str) -> Iterator[QueryPages]:
    """A store's queries with their pages and failures; a WARC is read through a passing store."""
    from reducepp.scraping.store.dataset import read_opened
    from reducepp.scraping.store.exchange import import_file
    from reducepp.scraping.store.store import Store

    is_warc = form == "warc" or (not form and ".warc" in source.lower())
    with (
        _on_disk(source) as path,
        Store(":memory:") if is_warc else Store(path, mode="read") as store,
    ):
        if is_warc:
            import_file(store, Path(path), form="warc")
        for one in read_opened(store):
            pages, failures = list(one.pages), list(one.failures)
            yield QueryPages(query=one.query.query, pages=pages, failures=failures)


@contextmanager
def _on_disk(source: str) -> Iterator[str]:
    """The path of an input that must be a file; standard input is copied to one for a while."""
    if source != STDIN:
        yield source
        return
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield copy.name


def read(
    path: str | Path, *, form: str = "", fields: Mapping[str, str] | None = None
) -> list[Page]:
    """The pages of a file, folder or store, as the commands read them.

    `fields` maps our names (title, url, snippet, text, ...) to those of the columns. Records that
    cannot be read are left out with a warning. Pages of several queries come together; each names
    its `query`.
    """
    groups = read_queries(str(path), form=form, columns=Columns(names=fields or {}))
    failures = [failure for group in groups for failure in group.failures]
    if failures:
        first = f"{failures[0].url}: {failures[0].reason}"
        warnings.warn(f"{len(failures)} record(s) left out; {first}", stacklevel=2)
    return [page for group in groups for page in group.pages]


def as_pages(
    records: Any, *, jobs: int = 0, fields: Mapping[str, str] | None = None
) -> tuple[list[Page], list[Failure]]:
    """Pages from what `as_records` takes, or of the one query of files named by Paths.

    In order; ranks and ids are given where absent.
    """
    if paths := _paths(records):
        groups = read_queries(paths, jobs=jobs, columns=Columns(names=fields or {}))
        if len(groups) > 1:
            raise UsageError(f"{paths[0]}: {len(groups)} queries: read it with reducepp.read(path)")
        return groups[0].pages, groups[0].failures
    reads = map(_try_record, as_records(records, fields))
    done = list(split_documents(settle_names(reads), jobs=jobs))
    return [p for p in done if isinstance(p, Page)], [f for f in done if isinstance(f, Failure)]


def _paths(given: Any) -> list[str]:
    """One Path or a list of nothing but Paths as texts; [] for anything else."""
    listed = [given] if isinstance(given, Path) else given if isinstance(given, list) else []
    return list(map(str, listed)) if all(isinstance(one, Path) for one in listed) else []


def _try_record(record: Page | Mapping[str, Any]) -> Read:
    try:
        return record if isinstance(record, Page) else read_record(record)
    except InputError as error:
        return Failure(url=str(record)[:80], stage="read", reason=str(error))


def group_reads(reads: Iterable[Read], *, jobs: int) -> list[QueryPages]:
    """What was read, split and by query; a page that fails stays with its own query."""
    return _group(_split_reads(settle_names(reads), jobs))


def _group(found: Iterable[tuple[str | None, Page | Failure]]) -> list[QueryPages]:
    """Queries in order of appearance; a failure that knows none goes with the query around it."""
    groups: dict[str, QueryPages] = {}
    store = PageStore()
    early: list[Failure] = []
    last: QueryPages | None = None
    for query, item in found:
        if query is not None:
            last = groups.setdefault(query, QueryPages(query=query))
        if isinstance(item, Page):
            groups[item.query].pages.append(store.keep(item))
        else:
            (last.failures if last else early).append(item)
    queries = list(groups.values()) or [QueryPages(query="")]
    queries[0].failures[:0] = early
    return queries


def split_documents(reads: Iterable[Read], *, jobs: int) -> Iterator[Page | Failure]:
    """Split the documents among what was read, in order, on all cores where there are many."""
    return (item for _, item in _split_reads(reads, jobs))


def _split_reads(reads: Iterable[Read], jobs: int) -> Iterator[tuple[str | None, Page | Failure]]:
    """The same with the query of each; None where what could not be read does not say."""
    rest = iter(reads)
    while batch := list(islice(rest, BATCH)):
        documents = [read for read in batch if isinstance(read, Document)]
        parts = iter(_split(documents, jobs))
        for read in batch:
            if isinstance(read, Document):
                yield read.page.query, _finish(read, next(parts))
            else:
                yield (read.query if isinstance(read, Page) else None), read


def _split(documents: Sequence[Document], jobs: int) -> Iterable[Page | Failure]:
    if not documents:
        return ()
    from reducepp.scraping.extract.split_many import split_many

    parts: Iterable[Page | Failure] = split_many(
        map(_raw, documents), jobs=1 if len(documents) <= FEW else jobs
    )
    return parts


def _raw(document: Document) -> RawPage | dict[str, Any]:
    if isinstance(document.content, str):
        return {"html": document.content, "url": document.page.url, "id": document.page.id}
    return RawPage(
        hit=SearchHit(url=document.page.url),
        fetched=document.content,
        content_type=document.content_type,
    )


def _finish(document: Document, split: Page | Failure) -> Page | Failure:
    if isinstance(split, Failure):
        return Failure(url=document.page.id, stage=split.stage, reason=split.reason)
    return document.with_parts(split)
