"""How many walls and error pages are found, and how much content is taken for them.

    python -m benchmarks walls

The pages were written for this in eight languages: walls, and short pages on their subjects. Half a
was looked at while words and limits were chosen. Each is given as HTML, and as title and text. The
passages are those of 100 to 400 characters of labelled pages, with the page's title, and posts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data import ALL_SETS, has_labelled_data, read_rows, read_set
from reducepp.errors import NoticeError, SplitError
from reducepp.scraping.extract.blocks import read_blocks
from reducepp.scraping.extract.content_class import classify_text
from reducepp.scraping.extract.html_parsing import parse_html
from reducepp.scraping.extract.split import split_html

PAGES = Path(__file__).parents[1] / "tests" / "scraping" / "extract" / "walls.jsonl"
URL = "https://site.example/a/story"
MIN_CHARS, MAX_CHARS = 130, 420
_BORDER = re.compile(r"\n+|(?<=[.!?؟])\s+")


def read_walls() -> list[dict[str, str]]:
    """The written pages: id, language, kind (`content`, or that of a wall), half and HTML."""
    return [json.loads(line) for line in PAGES.read_text("utf-8").splitlines()]


def classify_html(html: str) -> str:
    """The class of a page, `failure` for one that is no page; "" for content."""
    try:
        return split_html(html, url=URL).content_class
    except NoticeError:
        return "robot"
    except SplitError:
        return "failure"


def as_text(html: str) -> tuple[str, str]:
    """Title and visible text of a page."""
    root = parse_html(html)
    title = " ".join((root.findtext(".//title") or "").split())
    return title, "\n".join(block.text for block in read_blocks(root).blocks)


def _passages() -> Iterator[tuple[str, str]]:
    """Title and passage of the labelled pages but terms, of results, and of posts."""
    for name in (name for name in ALL_SETS if name != "terms-dating"):
        for page in (page for pages in read_set(name)[0] for page in pages):
            passage = ""
            for line in _BORDER.split(page.body):
                passage = f"{passage}\n{line}".strip()
                if len(passage) >= MIN_CHARS:
                    yield page.page_title, passage[:MAX_CHARS]
                    passage = ""
    yield from (("", row["a"]["body"]) for row in read_rows("posts-en"))


def main() -> None:
    """Print the tables."""
    found: Counter[tuple[str, str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    for page in read_walls():
        kind = "content" if page["kind"] == "content" else "walls"
        counts[kind, page["half"]] += 1
        found[kind, page["half"], "HTML"] += bool(classify_html(page["html"]))
        found[kind, page["half"], "text"] += bool(classify_text(*as_text(page["html"])))
    for (kind, half), count in sorted(counts.items()):
        of = ", ".join(f"as {form} {found[kind, half, form]}" for form in ("HTML", "text"))
        print(f"{kind:8} half {half}: {count} pages, with a class {of}")
    if has_labelled_data():
        classes = [classify_text(*passage) for passage in _passages()]
        print(f"passages: {sum(map(bool, classes))} of {len(classes)} with a class")
