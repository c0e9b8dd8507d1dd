"""Where the labelled pages are, and what stands in for them where they are not."""

import gzip
import json
import os
from pathlib import Path

from reducepp.demo import read_pages_html
from reducepp.inputs import read_queries
from reducepp.labelled.reading import PairLabel, read_labels
from reducepp.types import Page

DATA = Path(os.environ.get("REDUCEPP_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("news-en", "news-fr", "news-ar")
ALL_SETS = (
    *SETS, "crawl-gov", "crawl-news", "terms-dating", "docs-sql", "docs-office-es", "web-es",
    "results-films",
)  # fmt: skip


def has_labelled_data() -> bool:
    """Whether the labelled pages are there; says so once where they are not."""
    if (DATA / "news-en.jsonl.gz").exists():
        return True
    print(f"no labelled pages in {DATA} (set REDUCEPP_DATA): skipped")
    return False


def read_set(name: str) -> tuple[list[list[Page]], list[PairLabel]]:
    """Pages of each query of a labelled set, split as they are now, and the labels."""
    groups = read_queries(str(DATA / f"{name}.jsonl.gz"))
    return [list(group.pages) for group in groups], read_labels(DATA / f"{name}.labels.csv")


def labelled_pages(count: int = 100) -> list[tuple[str, str]]:
    """Address and HTML of at most so many pages: a third of each language's, else the demo's."""
    if not (DATA / "news-en.jsonl.gz").exists():
        pages = [page for query in read_pages_html() for page in query.pages]
        texts = [(page.url, page.html.decode("utf-8", "replace")) for page in pages]
        return (texts * 2)[:count]
    rows = []
    for name, left in zip(SETS, (0, 1, 2), strict=True):
        with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            rows += [json.loads(line) for line in list(file)[: -(-(count - left) // 3)]]
    return [(row["url"], row["html"]) for row in rows]
