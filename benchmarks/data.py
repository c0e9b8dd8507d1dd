"""Where the labelled pages are, and what stands in for them where they are not."""

import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reducepp.demo import read_pages_html
from reducepp.inputs import read_queries, split_documents
from reducepp.io.records import Document
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.reading import PairLabel, read_labels
from reducepp.types import Page

DATA = Path(os.environ.get("REDUCEPP_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("news-en", "news-fr", "news-ar")
ALL_SETS = (
    *SETS, "crawl-gov", "crawl-news", "terms-dating", "docs-sql", "docs-office-es", "web-es",
    "results-films",
)  # fmt: skip


def has_labelled_data() -> bool:
    """Whether the labelled pages are there; says so where they are not."""
    if (DATA / "news-en.jsonl.gz").exists():
        return True
    print(f"no labelled pages in {DATA} (set REDUCEPP_DATA): skipped")
    return False


def read_rows(name: str) -> list[dict[str, Any]]:
    """The lines of a labelled set as they are in its file."""
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def labels_of(name: str) -> list[PairLabel]:
    """The labels of a set."""
    return read_labels(DATA / f"{name}.labels.csv")


def read_set(name: str) -> tuple[list[list[Page]], list[PairLabel]]:
    """Pages of each query of a labelled set, split as they are now, and the labels."""
    groups = read_queries(str(DATA / f"{name}.jsonl.gz"))
    return [list(group.pages) for group in groups], labels_of(name)


def find_set(name: str) -> LabelledPairs:
    """The labelled pairs of a set."""
    return find_pairs(*read_set(name))


def labelled_pages(count: int = 100) -> list[tuple[str, str]]:
    """Address and HTML of at most so many pages: a third of each language's, else the demo's."""
    if not (DATA / "news-en.jsonl.gz").exists():
        pages = [page for query in read_pages_html() for page in query.pages]
        return ([(page.url, page.html.decode("utf-8", "replace")) for page in pages] * 2)[:count]
    parts = [read_rows(name)[: -(-(count - i) // len(SETS))] for i, name in enumerate(SETS)]
    return [(row["url"], row["html"]) for rows in parts for row in rows]


def as_documents(count: int = 100) -> list[Document]:
    """The same as documents to split."""
    return [
        Document(page=Page(id=str(i), url=url, rank=i + 1), content=html)
        for i, (url, html) in enumerate(labelled_pages(count))
    ]


def split(documents: Iterable[Document], *, jobs: int = 1) -> list[Page]:
    """The documents that can be split, as pages."""
    return [page for page in split_documents(documents, jobs=jobs) if isinstance(page, Page)]
