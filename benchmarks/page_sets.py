"""Page sets of any size, made from real paragraphs: with copies, without, and adversarial ones.

Paragraphs come from the labelled pages where these are, else from the demo's. A page is a random
sequence of 5 to 25 of them; a copy has one paragraph less, another one more, and another site.
There are about as many paragraphs as pages draw four times each, whatever the size of the set: more
than the real ones are these with half of their words replaced. In a `crowded` set they are only the
real ones, so that pairs of pages with a common paragraph grow with the square of the pages.

    python -m benchmarks.page_sets --queries 150 --pages 100 > pages.jsonl
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np

from benchmarks.data import DATA, as_documents, read_rows, split
from reducepp.io.records import page_to_dict
from reducepp.types import Page

COPIES = 0.3
"""Share of the pages that are copies of an earlier one with changes."""
MIN_WORDS = 8
"""Words of a paragraph at least; what is shorter is a menu item or a heading."""
MAX_WORDS = 200
"""Words of a paragraph at most; what is longer is a page in one line."""
PAGES_PER_SITE = 10
POOL_PER_PAGE = 3
"""Paragraphs to draw from, per page of a set: each is drawn about four times."""


KEPT = Path(__file__).parents[1] / "build" / "paragraphs.txt"


@cache
def paragraphs() -> tuple[str, ...]:
    """Distinct paragraphs of the labelled pages; split once and kept in build/."""
    if not KEPT.exists():
        crawls = [c for c in ("crawl-gov", "crawl-news") if (DATA / f"{c}.jsonl.gz").exists()]
        bodies = [page.body for page in split(as_documents(200))]
        bodies += [row["body"] for name in crawls for row in read_rows(name)]
        lines = (line.strip() for body in bodies for line in body.splitlines())
        fit = (line for line in lines if MIN_WORDS <= len(line.split()) <= MAX_WORDS)
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text("\n".join(dict.fromkeys(fit)), "utf-8")
    return tuple(KEPT.read_text("utf-8").split("\n"))


def resampled(
    count: int, *, copies: float = COPIES, seed: int = 0, crowded: bool = False
) -> list[Page]:
    """Pages of 5 to 25 paragraphs, some of them copies with changes on another site."""
    rng = np.random.default_rng(seed)
    pool = len(paragraphs()) if crowded else max(len(paragraphs()), count * POOL_PER_PAGE)
    pages: list[Page] = []
    for i in range(count):
        if pages and rng.random() < copies:
            source = pages[int(rng.integers(len(pages)))]
            lines = source.body.split("\n")
            lines[int(rng.integers(len(lines)))] = _draw(rng, 1, pool)[0]
            pages.append(_page(i, count, lines, source.page_title))
        else:
            lines = _draw(rng, int(rng.integers(5, 26)), pool)
            pages.append(_page(i, count, lines, " ".join(lines[0].split()[:8])))
    return pages


def _draw(rng: np.random.Generator, count: int, pool: int = 0) -> list[str]:
    """So many of the first `pool` paragraphs; by default of the real ones."""
    return [paragraph(i) for i in rng.integers(pool or len(paragraphs()), size=count).tolist()]


@lru_cache(maxsize=100_000)
def paragraph(number: int) -> str:
    """A real paragraph; beyond their number one with half of its words from others."""
    turn, place = divmod(number, len(paragraphs()))
    if not turn:
        return paragraphs()[place]
    rng = np.random.default_rng(number)
    words, vocabulary = paragraphs()[place].split(), _vocabulary()
    drawn = rng.integers(len(vocabulary), size=len(words)).tolist()
    kept = rng.random(len(words)) < 0.5
    return " ".join(w if k else vocabulary[d] for w, k, d in zip(words, kept, drawn, strict=True))


@cache
def _vocabulary() -> tuple[str, ...]:
    """All words of the real paragraphs, as often as they stand there."""
    return tuple(word for line in paragraphs() for word in line.split())


def _page(number: int, count: int, lines: list[str], title: str) -> Page:
    site = number * 7919 % max(count // PAGES_PER_SITE, 1)
    return Page(
        id=str(number),
        rank=number + 1,
        url=f"https://site{site}.example/page-{number}",
        page_title=title,
        body="\n".join(lines),
    )


def all_equal(count: int) -> list[Page]:
    """The same text at every address."""
    lines = _draw(np.random.default_rng(0), 15)
    return [_page(i, count, lines, "The same page") for i in range(count)]


def differing_copies(count: int) -> list[Page]:
    """Copies of one page on many sites, each with one of its 15 paragraphs replaced."""
    rng = np.random.default_rng(0)
    pool, base = max(len(paragraphs()), count * POOL_PER_PAGE), _draw(rng, 15)
    pages = []
    for i in range(count):
        lines = list(base)
        lines[int(rng.integers(len(lines)))] = _draw(rng, 1, pool)[0]
        pages.append(_page(i, count, lines, "The same page"))
    return pages


def one_template(count: int) -> list[Page]:
    """One site: ten paragraphs that all pages share, and three of each page's own."""
    rng = np.random.default_rng(0)
    frame = _draw(rng, 10)
    pool = max(len(paragraphs()), count * POOL_PER_PAGE)
    return [
        _page(i, PAGES_PER_SITE, [*frame, *_draw(rng, 3, pool)], f"Item {i}") for i in range(count)
    ]


def one_word(count: int) -> list[Page]:
    """Pages without copies that share one rare-looking word, and nothing else on purpose."""
    pages = resampled(count, copies=0.0)
    return [
        _page(i, count, [*page.body.split("\n"), "Zyxomma"], page.page_title)
        for i, page in enumerate(pages)
    ]


SETS: dict[str, Callable[[int], list[Page]]] = {
    "30 % copies": resampled,
    "no copies": partial(resampled, copies=0.0),
    "crowded, 30 % copies": partial(resampled, crowded=True),
    "all equal": all_equal,
    "differing copies": differing_copies,
    "one template": one_template,
    "one word in every page": one_word,
}
"""What a set is like to the function that makes so many pages of it."""


def lines_of(queries: int, pages: int) -> Iterator[str]:
    """Queries with so many pages each, 30 % of them copies, as JSON lines."""
    for number in range(queries):
        for page in resampled(pages, seed=number):
            placed = replace(page, id=f"{number}-{page.id}", query=f"query {number}")
            yield json.dumps(page_to_dict(placed), ensure_ascii=False) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print queries and their pages as JSON lines.")
    parser.add_argument("--queries", type=int, default=1)
    parser.add_argument("--pages", type=int, default=100, help="per query")
    options = parser.parse_args()
    sys.stdout.writelines(lines_of(options.queries, options.pages))
