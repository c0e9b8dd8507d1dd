"""Phrase search by index and by plain scans on made-up pages: same answers, seconds a query.

    python -m benchmarks phrases

Words are drawn as in real text (Zipf: a few are everywhere, most are rare); phrases are taken from
random places of the pages. Two scans: word by word over the pages' words, made ready beforehand,
and a substring search over the pages' words as one text each, done in C. The time to build
the index, and to make the scans' words ready, is given apart.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from reducepp.text.phrase_index import PhraseIndex
from reducepp.text.tokenise import words

Found = list[tuple[int, tuple[int, ...]]]


def make_pages(
    count: int, *, length: int = 400, vocabulary: int = 30_000, seed: int = 0
) -> list[str]:
    """Pages of about `length` words, drawn with a chance of 1 / rank each."""
    random = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    names = [
        "".join(random.choice(letters, 2 + i % 9)) + letters[i % 26] for i in range(vocabulary)
    ]
    chances = 1 / np.arange(1, vocabulary + 1)
    sizes = random.integers(length // 2, length * 3 // 2, size=count)
    drawn = random.choice(vocabulary, size=int(sizes.sum()), p=chances / chances.sum())
    cuts = np.split(drawn, np.cumsum(sizes)[:-1])
    return [" ".join(names[i] for i in cut) + "." for cut in cuts]


def take_phrases(pages: Sequence[str], count: int, *, seed: int = 1) -> list[str]:
    """Runs of two to five words from random places."""
    random = np.random.default_rng(seed)
    found = []
    for page in random.integers(0, len(pages), size=count):
        here, size = words(pages[page]), int(random.integers(2, 6))
        start = int(random.integers(0, len(here) - size))
        found.append(" ".join(here[start : start + size]))
    return found


def scan_words(pages: Sequence[list[str]], phrase: str) -> Found:
    """Walk every page's words, looking further only where the first word stands."""
    wanted = words(phrase, digits=True)
    found = []
    for page, here in enumerate(pages):
        at, start = [], -1
        while True:
            try:
                start = here.index(wanted[0], start + 1)
            except ValueError:
                break
            if here[start : start + len(wanted)] == wanted:
                at.append(start + 1)
        if at:
            found.append((page, tuple(at)))
    return found


def scan_text(pages: Sequence[str], phrase: str) -> Found:
    """Look for the phrase as a substring of each page's words, written with single spaces."""
    wanted = f" {' '.join(words(phrase, digits=True))} "
    found = []
    for page, text in enumerate(pages):
        at, start = [], text.find(wanted)
        while start >= 0:
            at.append(text.count(" ", 0, start) + 1)
            start = text.find(wanted, start + 1)
        if at:
            found.append((page, tuple(at)))
    return found


def timed(
    search: Callable[[str], Found], phrases: Sequence[str]
) -> tuple[list[Found], list[float]]:
    """What each phrase found, and its seconds."""
    answers, seconds = [], []
    for phrase in phrases:
        began = time.perf_counter()
        answers.append(search(phrase))
        seconds.append(time.perf_counter() - began)
    return answers, seconds


def main(argv: Sequence[str] = ()) -> int:
    """Print a table; exit 1 where the answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--phrases", type=int, default=50)
    args = parser.parse_args(argv)
    pages = make_pages(args.pages)
    phrases = take_phrases(pages, args.phrases)
    began = time.perf_counter()
    index = PhraseIndex(pages)
    print(f"{args.pages} pages, {int(index.lengths.sum())} words, {args.phrases} phrases")
    print(f"index built in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    listed = [words(page, digits=True) for page in pages]
    joined = [f" {' '.join(here)} " for here in listed]
    print(f"the scans' words made ready in {time.perf_counter() - began:.2f} s\n")
    searches: dict[str, Callable[[str], Found]] = {
        "index": lambda phrase: [(m.page, m.positions) for m in index.find(phrase).matches],
        "scan, words": lambda phrase: scan_words(listed, phrase),
        "scan, substring": lambda phrase: scan_text(joined, phrase),
    }
    answers = {}
    print(f"{'':16} {'median ms':>10} {'mean ms':>10} {'slowest ms':>11} {'index is faster':>16}")
    base = 0.0
    for name, search in searches.items():
        answers[name], seconds = timed(search, phrases)
        middle = statistics.median(seconds)
        base = base or middle
        print(
            f"{name:16} {middle * 1e3:10.3f} {statistics.mean(seconds) * 1e3:10.3f} "
            f"{max(seconds) * 1e3:11.3f} {middle / base:15.0f}x"
        )
    same = answers["index"] == answers["scan, words"] == answers["scan, substring"]
    print(f"\nsame answers: {'yes' if same else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
