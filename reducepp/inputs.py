"""Inputs to the pages of each query: reads, splits what is whole pages, groups by query."""

import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, count, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, UsageError
from reducepp.io.columns import Columns, as_records
from reducepp.io.readers import STDIN, assign_ids, is_sorted, read_source
from reducepp.io.records import Document, Read, read_record
from reducepp.io.sniff import COLLECTED
from reducepp.io.stored_pages import PageStore
from reducepp.types import Failure, Page, RawPage, SearchHit

Item = Page | Failure
"""A page that was read, or why it could not be."""
COLLECTED_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".warc", ".warc.gz")
"""Of inputs in a form of `COLLECTED`."""
BATCH = 2048
"""Records that are read before the documents among them are split."""
MAX_DOCUMENTS_IN_PROCESS = 24
"""Documents that are split in this process: fewer are done before others have started."""

MAX_TEXT_WALL_CHARS = 1200
"""Longer texts are content beside whatever notice they contain."""


@dataclass(slots=True, kw_only=True)
class QueryPages:
    """The pages of one query, and what could not be read for it."""

    query: str
    pages: list[Page] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(self, item: Item, store: PageStore | None = None) -> None:
        """One page more, whose body the store may keep, or one that could not be read."""
        if isinstance(item, Page):
            self.pages.append(item if store is None else store.keep(item))
        else:
            self.failures.append(item)


def read_queries(
    source: str | Sequence[str], *, jobs: int = 0, form: str = "", columns: Columns | None = None
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
    source: str | Sequence[str], *, jobs: int = 0, form: str = "", columns: Columns | None = None
) -> Iterator[QueryPages]:
    """The same one after the other: of a store, and of a JSONL file sorted by query, no other
    query is in memory.
    """
    sources = [source] if isinstance(source, str) else list(source)
    columns = columns or Columns()
    groups: Iterator[QueryPages] = iter(())
    if len(sources) == 1 and _is_collected(sources[0], form):
        groups = _read_collected(sources[0], form)
    elif len(sources) == 1 and form in ("", "jsonl") and is_sorted(sources[0], columns):
        reads = read_source(sources[0], form="jsonl", columns=columns)
        groups = _group_sorted(_split_reads(assign_ids(reads), jobs))
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


def _is_collected(source: str, form: str) -> bool:
    return form in COLLECTED.values() or (not form and source.lower().endswith(COLLECTED_SUFFIXES))


def _join(groups: Iterable[QueryPages]) -> list[QueryPages]:
    """Groups of one query become one, with ids of their own."""
    found = list(groups)
    names = (one.query for one in found for _ in (*one.pages, *one.failures))
    named = assign_ids(chain.from_iterable((*one.pages, *one.failures) for one in found))
    return _group(zip(names, split_documents(named, jobs=1), strict=True))


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
    paths = [records] if isinstance(records, Path) else records if isinstance(records, list) else []
    if paths and all(isinstance(path, Path) for path in paths):
        columns = Columns(names=fields or {})
        groups = read_queries(list(map(str, paths)), jobs=jobs, columns=columns)
        if len(groups) > 1:
            raise UsageError(f"{paths[0]}: {len(groups)} queries: read it with reducepp.read(path)")
        return groups[0].pages, groups[0].failures
    reads = map(_try_record, as_records(records, fields), count(1))
    found = QueryPages(query="")
    for item in split_documents(assign_ids(reads), jobs=jobs):
        found.add(item)
    return found.pages, found.failures


def read_one(record: Any, name: str) -> Page:
    """One page, a record or a bare text, under the id `name`; InputError that begins with it.

    A record without anything in it is an empty page.
    """
    record = {"body": record} if isinstance(record, str) else record
    if isinstance(record, Mapping) and not any(record.values()):
        return Page(id=name)
    (done,) = split_documents(assign_ids([_try_record(record, 1)]), jobs=1)
    if isinstance(done, Failure):
        raise InputError(f"{name}: {done.reason}")
    return replace(done, id=name)


def _try_record(record: Page | Mapping[str, Any], place: int) -> Read:
    """The page of a record; a failure is named by its address, its id or its place, from 1."""
    try:
        return record if isinstance(record, Page) else read_record(record)
    except InputError as error:
        given = record if isinstance(record, Mapping) else {}
        names = (given.get(key) for key in ("url", "link", "href", "id"))
        named = next((name for name in names if name and isinstance(name, str)), f"record {place}")
        return Failure(url=named, stage="read", reason=str(error))


def group_reads(reads: Iterable[Read], *, jobs: int) -> list[QueryPages]:
    """What was read, split and by query; a page that fails stays with its own query."""
    return _group(_split_reads(assign_ids(reads), jobs))


def _with_query(found: Iterable[tuple[str | None, Item]]) -> Iterator[tuple[str, Item]]:
    """Each item with its query; a failure without one goes with the query around it."""
    early: list[Item] = []
    last: str | None = None
    for query, item in found:
        last = last if query is None else query
        if last is None:
            early.append(item)
            continue
        yield from ((last, one) for one in early)
        early.clear()
        yield last, item
    yield from (("", one) for one in early)


def _group(found: Iterable[tuple[str | None, Item]]) -> list[QueryPages]:
    """Queries in order of appearance."""
    groups: dict[str, QueryPages] = {}
    store = PageStore()
    for query, item in _with_query(found):
        group = groups.get(query) or groups.setdefault(query, QueryPages(query=query))
        group.add(item, store)
    return list(groups.values()) or [QueryPages(query="")]


def _group_sorted(found: Iterable[tuple[str | None, Item]]) -> Iterator[QueryPages]:
    """The same one after the other; InputError for a query that comes back after another."""
    seen: set[str] = set()
    for query, items in groupby(_with_query(found), key=itemgetter(0)):
        if query in seen:
            raise InputError(f"query {query!r} is in two places: sort the file by query")
        seen.add(query)
        group, store = QueryPages(query=query), PageStore()
        for _, item in items:
            group.add(item, store)
        yield group


def split_documents(reads: Iterable[Read], *, jobs: int) -> Iterator[Item]:
    """Split the documents among what was read, in order, on all cores where there are many."""
    return (item for _, item in _split_reads(reads, jobs))


def _split_reads(reads: Iterable[Read], jobs: int) -> Iterator[tuple[str | None, Item]]:
    """The same with the query of each; None where what could not be read names none."""
    rest = iter(reads)
    while batch := list(islice(rest, BATCH)):
        parts = _split([read for read in batch if isinstance(read, Document)], jobs)
        for read in batch:
            if isinstance(read, Document):
                yield read.page.query, next(parts)
            elif isinstance(read, Page):
                yield read.query, classify_text_page(read)
            else:
                yield None, read


def classify_text_page(page: Page) -> Page:
    """The page with its content class, where a short text below a title or address is all there is.

    Bare texts, posts and pages that were split are as they are.
    """
    is_split = page.content_class or page.site_title or page.subtitles or page.links or page.visible
    is_post = page.post.client or page.post.followers >= 0
    is_named = page.page_title or page.url
    if is_split or is_post or not is_named or not 0 < len(page.body) <= MAX_TEXT_WALL_CHARS:
        return page
    from reducepp.scraping.extract.content_class import classify_text

    found = classify_text(page.page_title, page.body)
    return replace(page, content_class=found) if found else page


def _split(documents: Sequence[Document], jobs: int) -> Iterator[Item]:
    if documents:
        from reducepp.scraping.extract.split_many import split_many

        few = len(documents) <= MAX_DOCUMENTS_IN_PROCESS
        found = split_many(map(_raw, documents), jobs=1 if few else jobs)
        for document, split in zip(documents, found, strict=True):
            if isinstance(split, Failure):
                yield replace(split, url=document.page.id)
            else:
                yield document.with_parts(split)


def _raw(given: Document) -> RawPage | dict[str, Any]:
    if isinstance(given.content, str):
        return {"html": given.content, "url": given.page.url, "id": given.page.id}
    return RawPage(
        hit=SearchHit(url=given.page.url), fetched=given.content, content_type=given.content_type
    )
