"""The pages the package carries: made-up result sets with the true groups recorded beside them.

`load_manifest` lists them without touching the pages, `read_pages_html` reads the HTML too,
`read_documents` gives what is to be split.
docs/demo.md says which pages count as duplicates of each other.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import combinations

from reducepp.io.records import Document
from reducepp.types import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """One page of a result set; two pages of one `group` are duplicates."""

    file: str
    """Path below `pages/`."""
    url: str
    rank: int
    group: str
    kind: str
    """What the page is to the others: original, mirror, printer, translation, ..."""
    content_type: str
    html: bytes = b""
    """The bytes as a server would send them; empty until read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuery:
    """A query and its result pages in rank order."""

    query: str
    language: str
    domain: str
    pages: tuple[DemoPage, ...]


def load_manifest() -> tuple[DemoQuery, ...]:
    """Every query with its pages, their `html` still empty."""
    found = []
    for entry in json.loads(_read("manifest.json"))["queries"]:
        pages = sorted((DemoPage(**page) for page in entry["pages"]), key=lambda page: page.rank)
        found.append(DemoQuery(**{**entry, "pages": tuple(pages)}))
    return tuple(found)


def read_pages_html() -> tuple[DemoQuery, ...]:
    """Every query with its pages and their bytes."""
    return tuple(
        replace(query, pages=tuple(replace(p, html=_read(f"pages/{p.file}")) for p in query.pages))
        for query in load_manifest()
    )


def read_documents(query: DemoQuery) -> Iterator[Document]:
    """The pages of a query that was read, still to be split."""
    for page in query.pages:
        known = Page(id=page.url, url=page.url, query=query.query, rank=page.rank)
        yield Document(page=known, content=page.html, content_type=page.content_type)


def true_pairs(query: DemoQuery) -> tuple[tuple[str, str], ...]:
    """Addresses of every two duplicates, the better-ranked first."""
    return tuple((a, b) for _, a, b, duplicate in label_rows(query) if duplicate)


def label_rows(query: DemoQuery) -> Iterator[tuple[str, str, str, int]]:
    """Every pair as a row of a labels file: query, a, b, and 1 for duplicates or 0."""
    for a, b in combinations(query.pages, 2):
        yield query.query, a.url, b.url, int(a.group == b.group)


def _read(file: str) -> bytes:
    return files(__name__).joinpath(*file.split("/")).read_bytes()
