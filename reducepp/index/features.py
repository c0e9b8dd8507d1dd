"""What an index keeps of a page: codes of its runs, and of what names it.

Codes are 64-bit hashes of words and letters, the same in every file and every process, where those
of `reducepp.similarity.shingles` mean something within one set only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import (
    FULL_TEXT,
    LONG_RUN,
    code_of,
    file_name,
    in_sentences,
    title_words,
)
from reducepp.similarity.measures.rare_runs import (
    FIVE_WORDS,
    LETTER_RUN,
    LETTERS,
    THREE_WORDS,
    WORDS,
    beginnings,
)
from reducepp.similarity.shingles import (
    RunCodes,
    distinct,
    letter_run_codes,
    mix,
    single_word_codes,
    word_forms,
    word_run_codes,
)
from reducepp.text.preparation import Texts
from reducepp.text.urls import address_key, site_name
from reducepp.types import Bools, Integers, Page

UNITS = (LETTERS, WORDS, THREE_WORDS, FIVE_WORDS)
COLUMNS = ("site", "title", "name", "address", "text", "document", "length", *UNITS[:3])
"""Of a page: codes of what names it (0 for nothing), its words, and its distinct runs by unit."""


_word_code = lru_cache(maxsize=1 << 18)(code_of)


def are_of_unit(codes: Integers, unit: str) -> Bools:
    """Which codes are of runs of a unit: their bits 1 and 2 say so."""
    found: Bools = (codes >> 1) & 3 == UNITS.index(unit)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Codes of one page."""

    row: Integers
    """Values of COLUMNS."""
    runs: dict[str, Integers]
    """Distinct codes by unit, sorted."""
    all_runs: Integers
    """Those of all units, sorted; different units have different codes."""
    in_order: dict[str, Integers]
    """The codes by unit as they follow each other in the text."""

    def __getitem__(self, column: str) -> int:
        return int(self.row[COLUMNS.index(column)])


def word_codes(texts: Texts) -> Integers:
    """The code of every word of the texts, in order."""
    vocabulary = np.array([*map(_word_code, texts.vocabulary)], dtype=np.int64)
    return vocabulary[texts.words]


def run_codes(texts: Texts, numbers: Integers, unit: str) -> RunCodes:
    """Text and code of every run of a unit; `numbers` are the codes of the texts' words."""
    if unit == LETTERS:
        rows, codes = letter_run_codes(beginnings(texts), LETTER_RUN)
    elif unit == WORDS:
        forms, unspaced = word_forms(texts)
        rows, codes = single_word_codes(forms, word_codes(forms), unspaced)
    else:
        marked = in_sentences(texts.vocabulary) if unit == FIVE_WORDS else None
        length = LONG_RUN if unit == FIVE_WORDS else 3
        rows, codes = word_run_codes(texts, numbers, length, marked)
    mark = UNITS.index(unit) << 1
    last = (codes & 1) | mark if unit == FIVE_WORDS else np.int64(mark)  # odd: no function word
    return rows, (mix(codes).view(np.int64) & ~7) | last


def describe_pages(pages: Sequence[Page]) -> list[Features]:
    """The features of each page; they do not depend on the other pages."""
    return describe_set(PageSet(pages))


def describe_set(page_set: PageSet) -> list[Features]:
    """The same for a page set, which keeps its prepared texts for other uses."""
    texts = page_set.texts(FULL_TEXT, "plain")
    numbers = word_codes(texts)
    runs = {unit: _by_text(*run_codes(texts, numbers, unit), texts.count) for unit in UNITS}
    contents = np.split(numbers, np.cumsum(texts.lengths)[:-1])
    bare = page_set.values(FULL_TEXT)
    return [
        _describe(
            page,
            contents[i].tobytes() or "".join(bare[i].split()).encode("utf-8", "surrogatepass"),
            {unit: found[i] for unit, found in runs.items()},
            int(texts.lengths[i]),
        )
        for i, page in enumerate(page_set.pages)
    ]


def _by_text(rows: Integers, codes: Integers, count: int) -> list[Integers]:
    order = np.argsort(rows, kind="stable")
    ends = np.cumsum(np.bincount(rows, minlength=count))[:-1]
    return np.split(codes[order], ends)


def _describe(page: Page, content: bytes, in_order: dict[str, Integers], length: int) -> Features:
    """Equal words, or without words equal signs, are one text."""
    runs = {unit: distinct(codes) for unit, codes in in_order.items()}
    site, name = site_name(page.url), file_name(page.url)
    title = title_words(page)
    text = code_of(f"{bool(length)} {blake2b(content).hexdigest()}") if content else 0
    named = f"{site}\n{title}\n{name}" if title and name else f"text {text}"
    keys = [code_of(key) for key in (site, title, name, address_key(page.url))]
    sizes = [len(runs[unit]) for unit in UNITS[:3]]
    row = np.array([*keys, text, code_of(named), length, *sizes], dtype=np.int64)
    all_runs = np.sort(np.concatenate(list(runs.values())))
    return Features(row=row, runs=runs, all_runs=all_runs, in_order=in_order)
