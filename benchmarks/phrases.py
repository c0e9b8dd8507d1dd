"""Phrase search by index and by plain scans on made-up pages: same answers, seconds a query.

    python -m benchmarks phrases

Words are drawn as in real text (Zipf: a few are everywhere, most are rare); phrases are taken from
random places of the pages. Beside the index: the paper's baseline, which intersects the postings of
all words and then checks positions; the search tree of its Figure 1, one binary tree of words per
page; postings compressed by gaps, the paper's stated next step; a scan word by word over the pages'
words; and a substring search in C. The time to build each, and the sizes of the postings, are given
apart.
"""

import argparse
import statistics
from base64 import b64decode
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from benchmarks.processes import timed
from reducepp.evaluation.report.pack import pack_numbers
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


class GapPostings:
    """Postings as gaps between positions over all pages, in bytes of seven bits (VByte)."""

    def __init__(self, pages: Sequence[list[str]]) -> None:
        self.starts = np.cumsum([0, *(len(here) + 1 for here in pages)])
        flat: dict[str, list[int]] = {}
        for start, here in zip(self.starts.tolist(), pages, strict=False):
            for at, word in enumerate(here):
                flat.setdefault(word, []).append(start + at)
        gaps = {word: np.diff(np.array(at), prepend=0).tolist() for word, at in flat.items()}
        self.packed = {word: b64decode(pack_numbers(steps)) for word, steps in gaps.items()}
        self.bytes = sum(map(len, self.packed.values()))

    def find(self, phrase: str) -> Found:
        """Unpack the postings of each word and keep the places that go on."""
        terms = words(phrase, digits=True)
        every = (unpack_gaps(self.packed.get(word, b"")) - i for i, word in enumerate(terms))
        places = reduce(lambda a, b: np.intersect1d(a, b, assume_unique=True), every)
        page_of = np.searchsorted(self.starts, places, side="right") - 1
        found: dict[int, list[int]] = {}
        for page, place in zip(page_of.tolist(), places.tolist(), strict=True):
            found.setdefault(page, []).append(place - int(self.starts[page]) + 1)
        return [(page, tuple(at)) for page, at in sorted(found.items())]


def unpack_gaps(data: bytes) -> np.ndarray:
    """The rising numbers whose gaps were packed; the high bit of a byte says that more follow."""
    raw = np.frombuffer(data, dtype=np.uint8).astype(np.int64)
    ends = np.flatnonzero(raw < 128)
    if not len(ends):
        return np.zeros(0, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1] + 1])
    shift = np.arange(len(raw)) - np.repeat(starts, ends - starts + 1)
    return np.cumsum(np.add.reduceat((raw & 127) << (7 * shift), starts))


def intersect(postings: dict[str, dict[int, list[int]]], phrase: str) -> Found:
    """The traditional way: pages that hold every word, then positions side by side."""
    first, *rest = (postings.get(word, {}) for word in words(phrase, digits=True))
    found = []
    for page in sorted(set(first).intersection(*rest)):
        later = [set(one[page]) for one in rest]
        at = [p for p in first[page] if all(p + i in s for i, s in enumerate(later, 1))]
        if at:
            found.append((page, tuple(at)))
    return found


def make_postings(pages: Sequence[list[str]]) -> dict[str, dict[int, list[int]]]:
    """Word to page to positions, in dictionaries."""
    postings: dict[str, dict[int, list[int]]] = {}
    for page, here in enumerate(pages):
        for at, word in enumerate(here, 1):
            postings.setdefault(word, {}).setdefault(page, []).append(at)
    return postings


Tree = list[tuple[str, tuple[int, ...]]]


def make_tree(here: Sequence[str]) -> Tree:
    """A page's words in order with their positions: a balanced search tree as a sorted list."""
    positions: dict[str, list[int]] = {}
    for at, word in enumerate(here, 1):
        positions.setdefault(word, []).append(at)
    return [(word, tuple(at)) for word, at in sorted(positions.items())]


def search_trees(trees: Sequence[Tree], phrase: str) -> Found:
    """WPBADS as printed: each word is looked up in every candidate's tree."""
    candidates: dict[int, list[int]] = {}
    for i, word in enumerate(words(phrase, digits=True)):
        left = {}
        for page in candidates if i else range(len(trees)):
            tree = trees[page]
            at = bisect_left(tree, (word, ()))
            if at == len(tree) or tree[at][0] != word:
                continue
            here = set(tree[at][1])
            starts = [s for s in candidates[page] if s + i in here] if i else list(tree[at][1])
            if starts:
                left[page] = starts
        candidates = left
    return [(page, tuple(starts)) for page, starts in sorted(candidates.items())]


def main(argv: Sequence[str] = ()) -> int:
    """Print a table; exit 1 where the answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--phrases", type=int, default=50)
    args = parser.parse_args(argv)
    pages = make_pages(args.pages)
    phrases = take_phrases(pages, args.phrases)
    index, seconds = timed(lambda: PhraseIndex(pages))
    print(f"{args.pages} pages, {int(index.lengths.sum())} words, {args.phrases} phrases")
    print(f"index built in {seconds:.2f} s")
    listed, seconds = timed(lambda: [words(page, digits=True) for page in pages])
    joined, more = timed(lambda: [f" {' '.join(here)} " for here in listed])
    print(f"the scans' words made ready in {seconds + more:.2f} s")
    postings, seconds = timed(lambda: make_postings(listed))
    print(f"postings for the intersection built in {seconds:.2f} s")
    trees, seconds = timed(lambda: [make_tree(here) for here in listed])
    print(f"search trees built in {seconds:.2f} s")
    gaps, seconds = timed(lambda: GapPostings(listed))
    print(f"postings packed by gaps in {seconds:.2f} s")
    plain = index._places.nbytes
    print(f"postings: {plain / 1e6:.1f} MB as numbers, {gaps.bytes / 1e6:.1f} MB by gaps\n")
    searches: dict[str, Callable[[str], Found]] = {
        "index": lambda phrase: [(m.page, m.positions) for m in index.find(phrase).matches],
        "index, by gaps": gaps.find,
        "intersection": partial(intersect, postings),
        "search trees": partial(search_trees, trees),
        "scan, words": partial(scan_words, listed),
        "scan, substring": partial(scan_text, joined),
    }
    answers, base = [], 0.0
    print(f"{'':16} {'median ms':>10} {'mean ms':>10} {'slowest ms':>11} {'index is faster':>16}")
    for name, search in searches.items():
        found = [timed(partial(search, phrase)) for phrase in phrases]
        answers.append([answer for answer, _ in found])
        took = [1e3 * seconds for _, seconds in found]
        middle = statistics.median(took)
        base = base or middle
        print(
            f"{name:16} {middle:10.3f} {statistics.mean(took):10.3f} "
            f"{max(took):11.3f} {middle / base:15.0f}x"
        )
    same = all(found == answers[0] for found in answers)
    print(f"\nsame answers: {'yes' if same else 'NO'}")
    return 0 if same else 1
