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
import time
from bisect import bisect_left
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


class GapPostings:
    """Postings as gaps between positions over all pages, in bytes of seven bits (VByte)."""

    def __init__(self, pages: Sequence[list[str]]) -> None:
        self.starts = np.cumsum([0, *(len(here) + 1 for here in pages)])
        flat: dict[str, list[int]] = {}
        for start, here in zip(self.starts.tolist(), pages, strict=False):
            for at, word in enumerate(here):
                flat.setdefault(word, []).append(start + at)
        self.packed = {word: pack_gaps(np.array(at)) for word, at in flat.items()}

    @property
    def bytes(self) -> int:
        """Size of all packed postings."""
        return sum(len(data) for data in self.packed.values())

    def find(self, phrase: str) -> Found:
        """Unpack the postings of each word and keep the places that go on."""
        places = None
        for i, word in enumerate(words(phrase, digits=True)):
            here = unpack_gaps(self.packed.get(word, b"")) - i
            places = here if places is None else np.intersect1d(places, here, assume_unique=True)
        return self._by_page(np.zeros(0, dtype=np.int64) if places is None else places)

    def _by_page(self, places: np.ndarray) -> Found:
        page_of = np.searchsorted(self.starts, places, side="right") - 1
        found: dict[int, list[int]] = {}
        for page, place in zip(page_of.tolist(), places.tolist(), strict=True):
            found.setdefault(page, []).append(place - int(self.starts[page]) + 1)
        return [(page, tuple(at)) for page, at in sorted(found.items())]


def pack_gaps(places: np.ndarray) -> bytes:
    """Rising numbers as gaps in bytes of seven bits; the last byte of each is marked."""
    out = bytearray()
    for gap in np.diff(places, prepend=0).tolist():
        left = gap
        while left > 127:
            out.append(left & 127)
            left >>= 7
        out.append(left | 128)
    return bytes(out)


def unpack_gaps(data: bytes) -> np.ndarray:
    """The numbers again."""
    raw = np.frombuffer(data, dtype=np.uint8).astype(np.int64)
    ends = np.flatnonzero(raw & 128)
    if not len(ends):
        return np.zeros(0, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1] + 1])
    shift = np.arange(len(raw)) - np.repeat(starts, ends - starts + 1)
    gaps = np.add.reduceat((raw & 127) << (7 * shift), starts)
    return np.cumsum(gaps)


def intersect(postings: dict[str, dict[int, list[int]]], phrase: str) -> Found:
    """The traditional way: pages that hold every word, then positions side by side."""
    terms = words(phrase, digits=True)
    lists = [postings.get(word, {}) for word in terms]
    common = set(lists[0]).intersection(*lists[1:])
    found = []
    for page in sorted(common):
        later = [set(one[page]) for one in lists[1:]]
        at = [p for p in lists[0][page] if all(p + i in s for i, s in enumerate(later, 1))]
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
    print(f"the scans' words made ready in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    postings = make_postings(listed)
    print(f"postings for the intersection built in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    trees = [make_tree(here) for here in listed]
    print(f"search trees built in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    gaps = GapPostings(listed)
    print(f"postings packed by gaps in {time.perf_counter() - began:.2f} s")
    plain = index._places.nbytes
    print(f"postings: {plain / 1e6:.1f} MB as numbers, {gaps.bytes / 1e6:.1f} MB by gaps\n")
    searches: dict[str, Callable[[str], Found]] = {
        "index": lambda phrase: [(m.page, m.positions) for m in index.find(phrase).matches],
        "index, by gaps": gaps.find,
        "intersection": lambda phrase: intersect(postings, phrase),
        "search trees": lambda phrase: search_trees(trees, phrase),
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
    same = all(found == answers["index"] for found in answers.values())
    print(f"\nsame answers: {'yes' if same else 'NO'}")
    return 0 if same else 1
