"""Page texts as the report carries them: cut to size, words and sentences numbered and placed.

Words are numbered here, by the engine's own reading of a text, so that the passages two pages
share are found in the browser without reading any language there. What each page holds is packed
so that the browser can add it up for any shown pages.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from reducepp.evaluation.datelines import without_datelines
from reducepp.evaluation.information_kept import Coverage, whole_text
from reducepp.evaluation.report.pack import fair_limit, pack_bits, pack_numbers
from reducepp.evidence.passages import WordPlaces
from reducepp.text.query_snippets import query_snippets
from reducepp.text.tokenise import sentences
from reducepp.types import Page

DIGITS = 12
"""Of a sentence's weight."""
TEXT_BUDGET = 1_600_000
"""Bytes of page texts in a report of up to a hundred pages; longer ones are cut to fit."""
TEXT_PER_PAGE = TEXT_BUDGET // 100
MAX_TEXT_BYTES = 8_000_000
"""Bytes of page texts in a report of any size."""
SNIPPET_CHARS = 280
MAX_LINE_CHARS = 300
"""Characters of a title, a query or another line; what is longer is cut."""
MAX_ADDRESS_CHARS = 2_000
"""Characters of an address or id."""
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
"""Control characters, and those that turn the direction of the writing after them."""


def text_limit(pages: Sequence[Page], budget: int) -> int:
    """Bytes of each text that are carried, so that short ones stay whole; 0 is the budget above."""
    budget = budget or min(max(TEXT_BUDGET, TEXT_PER_PAGE * len(pages)), MAX_TEXT_BYTES)
    return fair_limit([len(whole_text(page).encode("utf-8", "replace")) for page in pages], budget)


def cut_text(text: str, limit: int) -> str:
    """The beginning of a text that takes no more than `limit` bytes."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= limit else data[:limit].decode("utf-8", "ignore")


def pack_words(texts: Sequence[str]) -> list[str]:
    """For each text its words, packed: step from the last start, length, number of the word and of
    what is before it.

    Numbers are shared by all texts, what is most frequent is 0. Places are a browser's.
    """
    read = [WordPlaces(text) for text in texts]
    numbers, signs = _number(r.words for r in read), _number(r.signs for r in read)
    packed = []
    for text in read:
        steps: list[int] = []
        last = 0
        spans = browser_places(text.body, text.spans)
        for word, before, (start, end) in zip(text.words, text.signs, spans, strict=True):
            steps += (start - last, end - start, numbers[word], signs[before])
            last = start
        packed.append(pack_numbers(steps))
    return packed


def _number(lists: Iterable[Sequence[str]]) -> dict[str, int]:
    frequency = Counter(chain.from_iterable(lists))
    return {text: number for number, (text, _) in enumerate(frequency.most_common())}


def browser_places(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places as a browser counts them: characters beyond the first plane count two."""
    far = [place for place, sign in enumerate(text) if ord(sign) > 0xFFFF]
    if not far:
        return list(spans)
    return [(start + bisect_left(far, start), end + bisect_left(far, end)) for start, end in spans]


def one_line(text: str, most: int = MAX_LINE_CHARS) -> str:
    """A text as a line to read: white space folded, unseen characters gone, cut to size."""
    line = " ".join(CONTROLS.sub(" ", text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[:most].rstrip()} …"


def address_of(url: str) -> str:
    """An address as it is; one that is too long is cut, and a space in it keeps it from links."""
    return url if len(url) <= MAX_ADDRESS_CHARS else f"{url[:MAX_ADDRESS_CHARS]} …"


def snippet_of(page: Page, *, quick: bool = False) -> str:
    """The search engine's snippet, else the text around the query's words, else its beginning.

    `quick` does not look for the query's words.
    """
    text = whole_text(page)[:8_000]
    found = (
        page.snippet or ("" if quick else _around(text, page.query)) or text[: SNIPPET_CHARS * 4]
    )
    line = " ".join(CONTROLS.sub(" ", found[: 8 * SNIPPET_CHARS]).split())
    cut = line[:SNIPPET_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + " …"
    return line if len(line) <= SNIPPET_CHARS else cut


def _around(text: str, query: str) -> str:
    """Stretches around the query's words, with dots where text is left out between them."""
    found, end = "", 0
    for line in query_snippets(text, query, most_words=45).splitlines():
        start = max(text.find(line, end), end)
        found += ("… " if text[end:start].strip() else "") + line + " "
        end = start + len(line)
    goes_on = found and re.search(r"\w", text[end:])
    return f"{found}…" if goes_on else found


def information_data(coverage: Coverage) -> dict[str, Any]:
    """Every sentence of every page, and which pages hold it.

    `counts` are the sentences of each page; `sentences` holds four numbers for each: step from
    the last start, length, number of its weight, number of its set of holders. A sentence of
    length 0 is not found as written. `holders` are sets of pages, one bit per page.
    """
    weights: dict[float, int] = {}
    holders: dict[bytes, int] = {}
    counts: list[int] = []
    numbers: list[int] = []
    for page in range(len(coverage.pages)):
        placed = sorted(_placed(coverage, page))
        counts.append(len(placed))
        last = 0
        for start, end, i in placed:
            weight = float(f"{coverage.weights[i]:.{DIGITS}g}")
            numbers += (start - last, end - start, weights.setdefault(weight, len(weights)))
            numbers.append(holders.setdefault(coverage.held[i].tobytes(), len(holders)))
            last = start
    return {
        "counts": counts,
        "sentences": pack_numbers(numbers),
        "weights": list(weights),
        "holders": pack_bits([np.frombuffer(held, dtype=bool) for held in holders]),
    }


def _placed(coverage: Coverage, page: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and number of each sentence of a page; 0 and 0 where not found as written."""
    own = np.flatnonzero(coverage.owner == page).tolist()
    own.sort(key=lambda i: (-coverage.weights[i], i))  # the order of `Coverage.lost`
    text, end = whole_text(coverage.pages[page]), 0
    spans: dict[str, tuple[int, int]] = {}
    for sentence in sentences(without_datelines(text)):
        start = text.index(sentence, end)
        end = start + len(sentence)
        spans.setdefault(sentence, (start, end))
    found = [spans.get(lost.text, (0, 0)) for lost in coverage.lost(page, ())]
    for (start, end), i in zip(browser_places(text, found), own, strict=True):
        yield start, end, i
