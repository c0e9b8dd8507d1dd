"""A store out to other people's forms, and theirs in: JSONL, CSV, Parquet, WARC."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from reducepp.errors import InputError, UsageError, needs_extra
from reducepp.io.atomic import write_aside
from reducepp.io.escaping import escape_cells
from reducepp.io.readers import read_pages
from reducepp.io.records import Document, page_of, page_to_dict
from reducepp.io.sqlite_file import now
from reducepp.scraping.extract.split_many import splitter_version
from reducepp.scraping.store.dataset import read_opened, split_urls
from reducepp.scraping.store.store import Query, Store
from reducepp.scraping.store.warc_reader import read_warc
from reducepp.scraping.store.warc_writer import write_warc
from reducepp.types import PAGE_FIELDS, Failure, Page, RawPage, SearchHit

COLUMNS = {
    "Language": "language",
    "Domain": "domain",
    "Query": "query",
    "URL": "url",
    "Body Text": "body",
    "Website Title": "site_title",
    "Page Title": "page_title",
    "List of Subtitles": "subtitles",
    "List of URLs": "links",
}
"""The attributes of the paper's Table I, and the fields they are."""
IMPORTED = "import"
"""Engine under which imported pages have their ranks; the file's name follows."""


def export_store(store: Store, out: Path) -> int:
    """Write a store in the format of the suffix; how many pages. The file is whole or not there."""
    form = _form(out)
    return write_aside(out, lambda path: _EXPORTS[form](store, path))


def import_file(store: Store, source: Path, *, form: str = "") -> int:
    """Bring a file's pages into a store, all or none; how many pages came."""
    form = form or _form(source)
    if not source.is_file():
        raise InputError(f"{source}: no such file")
    with store.transaction():
        if form.startswith("warc"):
            count = read_warc(source, store)
            missing = store.rows("SELECT url FROM raw WHERE url NOT IN (SELECT url FROM pages)")
            for url, result in split_urls(store, [url for (url,) in missing]):
                store.add_split(url, result, splitter=splitter_version())
            return count
        return _import_pages(store, source)


def _form(path: Path) -> str:
    name = path.name.lower()
    for form in _EXPORTS:
        if name.endswith(f".{form}"):
            return form
    raise UsageError(f"{path}: the name must end in one of .{', .'.join(_EXPORTS)}")


def _pages(store: Store) -> Iterator[Page]:
    return (page for collected in read_opened(store) for page in collected.pages)


def _write_jsonl(store: Store, path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as stream:
        for page in _pages(store):
            stream.write(json.dumps(page_to_dict(page, filled=True), ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_csv(store: Store, path: Path) -> int:
    """Table I's columns; the language is the query's where it has one, lists are JSON."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for collected in read_opened(store):
            for page in collected.pages:
                row = replace(page, language=collected.query.language or page.language)
                writer.writerow(escape_cells(_cell(getattr(row, n)) for n in COLUMNS.values()))
                count += 1
    return count


def _cell(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else str(value)
    return text.replace("\0", "")


def _write_parquet(store: Store, path: Path) -> int:
    with needs_extra("writing Parquet", "tables"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    kinds = {int: pa.int64(), float: pa.float64(), tuple: pa.list_(pa.string())}
    types = {name: type(Page(id="").content(name)) for name in PAGE_FIELDS}
    schema = pa.schema([(name, kinds.get(type_, pa.string())) for name, type_ in types.items()])
    count = 0
    records = map(page_to_dict, _pages(store))
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(records, 256)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _write_warc(store: Store, path: Path, *, packed: bool) -> int:
    with path.open("wb") as stream:
        return write_warc(store, stream, packed=packed)


_EXPORTS: dict[str, Callable[[Store, Path], int]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
    "warc": partial(_write_warc, packed=False),
    "warc.gz": partial(_write_warc, packed=True),
}


def _import_pages(store: Store, source: Path) -> int:
    """Pages of a file under their queries; a query's language and domain are its pages' own."""
    groups: dict[str, list[Page]] = {}
    documents: dict[str, Document] = {}
    for read in read_pages(str(source)):
        if isinstance(read, Failure):
            store.add_failure(read)
            continue
        page = page_of(read)
        url = page.url or page.id
        if isinstance(read, Document):
            _store_document(store, url, read)
            documents[url] = replace(read, content="")
        else:
            store.add_split(url, page)
            documents.pop(url, None)
        groups.setdefault(page.query, []).append(replace(page, url=url))
    for url, result in split_urls(store, documents):
        split = documents[url].with_parts(result) if isinstance(result, Page) else result
        store.add_split(url, split)
    for query, pages in groups.items():
        language = _commonest(page.language for page in pages)
        domain = _commonest(page.domain for page in pages)
        store.add_query(Query(query=query, language=language, domain=domain))
        for hit in _ranked(pages, engine=f"{IMPORTED} {source.name}"):
            store.put_hit(hit)
    return sum(map(len, groups.values()))


def _ranked(pages: Sequence[Page], *, engine: str) -> Iterator[SearchHit]:
    """A query's pages in order of rank, each address once; of two with one rank, one moves down."""
    rank = 0
    for page in {page.url: page for page in sorted(pages, key=lambda page: page.rank)}.values():
        rank = max(rank + 1, page.rank)
        yield SearchHit(
            query=page.query,
            engine=engine,
            rank=rank,
            url=page.url,
            title=page.page_title,
            snippet=page.snippet,
        )


def _store_document(store: Store, url: str, document: Document) -> None:
    content = document.content
    body = content.encode("utf-8", "replace") if isinstance(content, str) else content
    kind = document.content_type + ("; charset=utf-8" if isinstance(content, str) else "")
    raw = RawPage(
        hit=SearchHit(url=url),
        final_url=url,
        status=200,
        content_type=kind,
        fetched=body,
        fetched_at=now(),
    )
    store.add_raw(url, raw)


def _commonest(values: Iterable[str]) -> str:
    counts = Counter(value for value in values if value)
    return counts.most_common(1)[0][0] if counts else ""
