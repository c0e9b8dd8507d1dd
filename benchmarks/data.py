"""Where the labelled pages are, and what stands in for them where they are not."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

from reducepp.demo import read_pages_html

DATA = Path(os.environ.get("REDUCEPP_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("news-en", "news-fr", "news-ar")


def has_labelled_data() -> bool:
    """Whether the labelled pages are there; says so once where they are not."""
    if (DATA / "news-en.jsonl.gz").exists():
        return True
    print(f"no labelled pages in {DATA} (set REDUCEPP_DATA): skipped")
    return False


def hundred_pages() -> list[tuple[str, str]]:
    """Address and HTML of a hundred pages: labelled ones of each language, else the demo's."""
    if not (DATA / "news-en.jsonl.gz").exists():
        pages = [page for query in read_pages_html() for page in query.pages]
        texts = [(page.url, page.html.decode("utf-8", "replace")) for page in pages]
        return (texts * 2)[:100]
    rows = []
    for name, count in zip(SETS, (34, 33, 33), strict=True):
        with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            rows += [json.loads(line) for line in list(file)[:count]]
    return [(row["url"], row["html"]) for row in rows]
