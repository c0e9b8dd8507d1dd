"""The index of pages: rate of adding, size, and milliseconds per question, by number of pages.

    python -m benchmarks index --pages 1000 10000
    python -m benchmarks index --pages 100000 --file big.idx    # goes on with what is there
    python -m benchmarks index --pages 100000 --file big.idx --hard 2000

Pages have 60 to 600 words, drawn by their frequency in the labelled pages (or the demo's) with one
in ten made up; they are on as many sites as there are tens of pages. Of the pages that are asked
for, half are copies of a page in the index with a tenth of the words changed. Times are those of
one core, which a busy machine does not change much. `--hard` adds what takes longest, and asks for
more of it: pages of one large site with a common menu, brief pages, and one notice on many sites.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.data import labelled_pages
from benchmarks.processes import timed
from reducepp.index import Answer, Index
from reducepp.inputs import as_pages
from reducepp.text.tokenise import words
from reducepp.types import Page

QUESTIONS = 100
SHOWN = 1000
CHANGED = 0.1
MADE_UP = 0.1
HARD = ("page of a large site", "brief page", "notice on many sites")


class PageMaker:
    """Pages with the word frequencies of real ones."""

    def __init__(self, seed: int = 0) -> None:
        records = [{"url": url, "html": html} for url, html in labelled_pages()]
        counts = Counter(w for page in as_pages(records)[0] for w in words(page.body))
        self.words = np.array(list(counts))
        self.shares = np.array(list(counts.values())) / counts.total()
        self.random = np.random.default_rng(seed)

    def draw(self, count: int) -> list[str]:
        """So many words; some are new."""
        drawn = self.random.choice(self.words, size=count, p=self.shares)
        made_up = self.random.random(count) < MADE_UP
        return [
            f"{w}{self.random.integers(1000)}" if m else w
            for w, m in zip(drawn, made_up, strict=True)
        ]

    def make(self, number: int, sites: int) -> Page:
        """A page of its own."""
        text = self.draw(int(self.random.integers(60, 600)))
        return self.as_page(str(number), text, sites)

    def copy(self, page: Page, number: int, sites: int) -> Page:
        """A page with most of the words of another."""
        text = page.body.split()
        fresh = self.draw(len(text))
        changed = self.random.random(len(text)) < CHANGED
        mixed = [new if c else old for old, new, c in zip(text, fresh, changed, strict=True)]
        return self.as_page(f"copy-{number}", mixed, sites)

    def as_page(self, name: str, text: Sequence[str], sites: int) -> Page:
        """Words as a page of a random site."""
        site = int(self.random.integers(sites))
        url = f"https://site{site}.example/{name}"
        return Page(id=name, url=url, page_title=" ".join(text[:5]), body=" ".join(text))


def main(arguments: Sequence[str] = ("--pages", "1000", "10000")) -> None:
    """Print one line per number of pages; the index grows from one to the next."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks index")
    parser.add_argument("--pages", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--file", help="an index to go on with (default: a passing one)")
    parser.add_argument("--hard", type=int, default=0, help="pages to add of each hard kind")
    args = parser.parse_args(arguments)
    wanted = sorted(args.pages)
    sites = max(wanted) // 10
    print(f"{'pages':>8} {'add/s':>7} {'MB':>7} {'open ms':>8} {'median ms':>9} {'95 % ms':>8} "
          f"{'candidates':>10} {'found':>6} {'wrong':>6}")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(args.file or Path(folder) / "bench.idx")
        with Index(path) as index:
            done = len(index)
        maker = PageMaker(seed=done)
        kept: list[Page] = []
        for count in wanted:
            rate = fill(path, maker, kept, range(done, count), sites)
            done = count
            print(f"{count:8} {rate:7.0f} {measure(path, maker, kept, sites)}", flush=True)
        if args.hard:
            ask_hard(path, maker, args.hard)


def fill(path: Path, maker: PageMaker, kept: list[Page], numbers: range, sites: int) -> float:
    """Add pages; pages per second. Some of them are kept to copy from."""
    took = 0.0
    with Index(path) as index:
        for start in range(0, len(numbers), SHOWN):
            pages = [maker.make(n, sites) for n in numbers[start : start + SHOWN]]
            kept.append(pages[int(maker.random.integers(len(pages)))])
            took += timed(lambda: index.add(pages), time.process_time)[1]  # noqa: B023
    return len(numbers) / max(took, 1e-9)


def measure(path: Path, maker: PageMaker, kept: list[Page], sites: int) -> str:
    """Size, time to open, times per question, candidates; copies found, pages wrongly found."""
    size, start = path.stat().st_size / 1e6, time.process_time()
    with Index(path, create=False) as index:
        index.query(maker.make(0, sites))
        opened = time.process_time() - start
        kept = kept or [page for page, _ in index._database.read(range(0, len(index), SHOWN))]
        pages = [
            maker.copy(kept[int(maker.random.integers(len(kept)))], number, sites)
            if number % 2
            else maker.make(-number - 1, sites)
            for number in range(QUESTIONS)
        ]
        took, answers = ask(index, pages)
    median, high = np.percentile(took, [50, 95])
    found = [sum(not answer.is_new for answer in answers[i::2]) for i in (0, 1)]
    candidates = np.mean([answer.candidates for answer in answers])
    return (f"{size:7.1f} {1000 * opened:8.0f} {median:9.1f} {high:8.1f} "
            f"{candidates:10.1f} {found[1]:3}/{QUESTIONS // 2} {found[0]:6}")  # fmt: skip


def ask(index: Index, pages: Sequence[Page]) -> tuple[list[float], list[Answer]]:
    """Milliseconds of one core and answer of each question."""
    took, answers = [], []
    for page in pages:
        start = time.process_time()
        answers.append(index.query(page))
        took.append(1000 * (time.process_time() - start))
    return took, answers


def ask_hard(path: Path, maker: PageMaker, count: int) -> None:
    """Add pages of each hard kind to a copy of the index, and print a line for each."""
    made = {kind: [make_hard(maker, kind, n) for n in range(count + SHOWN // 10)] for kind in HARD}
    with tempfile.TemporaryDirectory() as folder:
        hard = Path(shutil.copy(path, Path(folder) / "hard.idx"))
        with Index(hard) as index:
            for pages in made.values():
                index.add(pages[:count])
            index.query(maker.make(0, count))
            for kind, pages in made.items():
                took, answers = ask(index, pages[count:])
                median, high = np.percentile(took, [50, 95])
                compared = np.mean([answer.compared for answer in answers])
                new = sum(answer.is_new for answer in answers)
                print(f"{kind:22} {median:9.1f} {high:8.1f} {compared:7.1f} compared, {new} new")


def make_hard(maker: PageMaker, kind: str, number: int) -> Page:
    """A page of a kind that takes long; equal numbers make no equal pages."""
    name = f"{kind.split()[0]}-{number}-page"
    if kind == HARD[0]:
        menu = [f"menu{i} of" for i in range(30)]
        text = [*menu, *maker.draw(int(maker.random.integers(60, 600)))]
        url = f"https://large.example/{name}"
        return Page(id=name, url=url, page_title=" ".join(text[60:65]), body=" ".join(text))
    size = int(maker.random.integers(8, 35))
    text = maker.draw(size) if kind == HARD[1] else ["we", "use", "cookies", "to", "measure"] * 12
    return maker.as_page(name, text, 10**6)
