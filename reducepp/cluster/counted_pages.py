"""Some pages of a set with the counts of the whole set: what measures need of the other pages.

A score depends on how many documents of the set, and of a site, have a run, and on how many pages
have a title, a file name or an address. `CountedSet` has these from a table (`set_counts`), so that
two of its pages score what they score in the whole set, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from reducepp.index.features import UNITS, word_codes
from reducepp.similarity.contents import Made, PageSet
from reducepp.similarity.documents import (
    FULL_TEXT,
    parts_of_addresses,
    plain_texts_of,
    snippets_of,
    texts_of,
    titles_of,
)
from reducepp.similarity.measures.other_subject import Repeats, subject_words, table_of_repeats
from reducepp.similarity.measures.rare_equality import address_states, name_rarity, title_rarity
from reducepp.similarity.measures.rare_runs import FIVE_WORDS, draws_of, set_runs, site_runs
from reducepp.similarity.measures.same_frame import FRAME_WORDS
from reducepp.similarity.measures.same_page import bare_texts_of, excerpts_of, results_of
from reducepp.similarity.run_weights import PRIOR, Background, Runs, smooth
from reducepp.similarity.shingles import mix, repeated_word_codes, table_of_runs, word_forms
from reducepp.text.preparation import Texts
from reducepp.types import Array, Bools, Integers, Page, Profile

ADDRESS = ("site", "file_name", "address", "undated", "path")
"""Keys that an address gives, in the order of `address_parts`."""
CELLS = ("run", "documents", "on_site")
"""Of a run of a page: its number, the documents that have it, and those of the page's site."""
PAGE = ("page_title", "content_class")
"""Contents that measures read as they are."""
PART_CELLS = 200_000
"""Runs of pages whose weights are found at once."""
COLUMN_OF: dict[Callable[[PageSet], Any], str] = {
    plain_texts_of: "is_plain",
    snippets_of: "is_snippet",
    excerpts_of: "is_excerpt",
    results_of: "is_result",
    bare_texts_of: "is_bare_text",
    address_states: "states",
    title_rarity: "title_rarity",
    name_rarity: "name_rarity",
}
"""Column of a table to what it has of each page."""
COUNTED = ("rare_runs", "rare_same", "other_name", "same_frame", "same_text", "other_result",
           "other_class", "other_subject")  # fmt: skip
"""Measures that ask for nothing of the set but what is counted."""
Load = Callable[[Sequence[str]], Any]
"""Columns of the pages to a table."""


def is_counted(profile: Profile) -> bool:
    """Whether every signal of a profile can be computed from counts."""
    contents = (FULL_TEXT, "url", *PAGE)
    return all(s.measure in COUNTED and s.content in contents for s in profile.signals)


class CountedSet(PageSet):
    """Pages with what is known of them: the results of functions that are `made_once`, or what
    makes them from a table."""

    def __init__(
        self,
        pages: Sequence[Any],
        known: Mapping[Any, Any],
        *,
        loaders: Mapping[Any, Callable[[], Any]] = {},
        lengths: Any = (),
        words: Any = (),
    ) -> None:
        super().__init__(pages)
        self.shared |= known
        self._loaders = loaders
        self._texts[FULL_TEXT, "plain"] = Texts(
            count=len(lengths),
            vocabulary=(),
            words=np.asarray(words, dtype=np.int32),
            lengths=np.asarray(lengths, dtype=np.int64),
            begins=np.zeros(len(words), dtype=bool),
        )

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """What is known of the set, else what `make` makes of the pages."""
        found: Made = super().once(key, self._loaders.get(key, make))
        return found


def read_counted(load: Load, pages: Sequence[Page] = ()) -> CountedSet:
    """The counted pages of a table; with the pages themselves where more than scores is needed."""
    columns = [*ADDRESS, *COLUMN_OF.values(), *PAGE]
    table = load([*columns, "title", "text", "length", "wordless", "frame"])
    known = keyed(table) | {(of,): table[column].to_numpy() for of, column in COLUMN_OF.items()}
    for content, column in {FULL_TEXT: "wordless", **{name: name for name in PAGE}}.items():
        known["derived", content] = table[column].to_pylist()
    sites = known[parts_of_addresses,][0]
    loaders: dict[Any, Callable[[], Any]] = {(subject_words,): partial(_subject_words, load)}
    for unit in UNITS:
        loaders[FULL_TEXT, set_runs, unit] = partial(_set_runs, load, unit)
        loaders[FULL_TEXT, site_runs, unit] = partial(_site_runs, sites, load, unit)
    return CountedSet(
        pages or [Page(id="", page_title=title) for title in known["derived", "page_title"]],
        known,
        loaders=loaders,
        lengths=table["length"].to_numpy(),
        words=_words(table),
    )


def keyed(table: Any) -> dict[Any, Any]:
    """Numbers of sites, titles and other keys, as they are known of a page set."""
    parts = tuple(numbers_of(table[name].to_numpy()) for name in ADDRESS)
    return {
        (parts_of_addresses,): parts,
        (titles_of,): numbers_of(table["title"].to_numpy()),
        (texts_of,): numbers_of(table["text"].to_numpy()),
    }


def numbers_of(codes: Integers) -> Integers:
    """A number per distinct code, -1 for the code 0."""
    found = np.unique(codes, return_inverse=True)[1]
    return np.where(codes == 0, -1, found).astype(np.int64)


def are_framed(lengths: Integers, plain: Bools) -> Bools:
    """Which words are among the first or last FRAME_WORDS of a `plain` text."""
    ends = np.cumsum(lengths)
    place = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    left = np.repeat(lengths, lengths) - place
    found: Bools = ((place < FRAME_WORDS) | (left <= FRAME_WORDS)) & np.repeat(plain, lengths)
    return found


def _words(table: Any) -> Any:
    """The words of all texts as numbers; only those of frames are known, the others are 0."""
    lengths, plain = table["length"].to_numpy(), table["is_plain"].to_numpy()
    words = np.zeros(int(lengths.sum()), dtype=np.int32)
    frames = import_module("pyarrow.compute").list_flatten(table["frame"]).to_numpy()
    if len(frames):
        numbers = np.unique(frames, return_inverse=True)[1]
        words[are_framed(lengths, plain)] = numbers
    return words


def coded_subjects(texts: Texts) -> Any:
    """The words of each text by occurrence, as codes: odd where the text has the next one too."""
    forms, unspaced = word_forms(texts)
    rows, codes, again = repeated_word_codes(forms, word_codes(forms), unspaced)
    return list_column((mix(codes).view(np.int64) & ~1) | again, rows, texts.count)


def _subject_words(load: Load) -> Repeats:
    """`subject_words` of the pages of a table."""
    table, compute = load(["subjects"]), import_module("pyarrow.compute")
    sizes = compute.list_value_length(table["subjects"]).to_numpy()
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    codes = compute.list_flatten(table["subjects"]).to_numpy()
    return table_of_repeats(rows, codes >> 1, (codes & 1).astype(bool), len(sizes))


def list_column(values: Any, rows: Integers, count: int) -> Any:
    """A column of lists: the values of each row, of which there are `count`, in order of rows."""
    arrow = import_module("pyarrow")
    ends = np.cumsum(np.bincount(rows, minlength=count))
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    return arrow.ListArray.from_arrays(offsets, arrow.array(values))


def join_arrays(parts: Sequence[Any]) -> Any:
    """Columns of the same kind, one after the other."""
    arrow = import_module("pyarrow")
    return arrow.chunked_array([arrow.array(part) for part in parts])


def _cells_of(table: Any, unit: str) -> tuple[Integers, ...]:
    """Row and CELLS of every run of a unit that several pages of the set have."""
    compute = import_module("pyarrow.compute")
    sizes = compute.list_value_length(table[f"run {unit}"]).to_numpy()
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    return rows, *(compute.list_flatten(table[f"{key} {unit}"]).to_numpy() for key in CELLS)


def _load_unit(load: Load, unit: str) -> Any:
    cells = [f"{key} {unit}" for key in CELLS]
    return load([*cells, f"cells {unit}", "listed", "documents", "site_documents"])


def _set_runs(load: Load, unit: str) -> Runs:
    """The runs of the pages against the documents of the set."""
    table, draws = _load_unit(load, unit), draws_of("off_site", unit)
    rows, runs, documents, _ = _cells_of(table, unit)
    own = _in_set(table, *_ALONE).own_weights(draws)
    lone = _count_alone(table, unit, rows, runs) @ own

    def background(cells: Integers) -> Background:
        return _in_set(table, documents[cells], (runs[cells] & 1).astype(bool))

    return _columns(rows, runs, background, draws, lone)


def _site_runs(sites: Integers, load: Load, unit: str) -> Runs:
    """The runs of the pages against the documents of their sites, with columns for each site."""
    table, draws = _load_unit(load, unit), draws_of("on_site", unit)
    count = table["site_documents"].to_numpy()
    rows, runs, documents, on_site = _cells_of(table, unit)
    alone, lone = _in_set(table, *_ALONE), np.zeros(len(table))
    for listed, number in enumerate(_count_alone(table, unit, rows, runs).T):
        of_set = alone.take(np.full(len(table), listed))
        lone += number * of_set.on_site(np.ones(len(table)), count).own_weights(draws)
    crowded = ((np.bincount(sites + 1)[sites + 1] > 1) & (sites >= 0))[rows]
    rows, runs = rows[crowded], runs[crowded]
    documents, on_site = documents[crowded], on_site[crowded]

    def background(cells: Integers) -> Background:
        of_set = _in_set(table, documents[cells], (runs[cells] & 1).astype(bool))
        return of_set.on_site(on_site[cells], count[rows[cells]])

    keys = runs * (int(sites.max(initial=0)) + 1) + sites[rows]
    return _columns(rows, keys, background, draws, lone)


_ALONE = (np.ones(2), np.array([False, True]))
"""Documents that have a run of one page: one, for a run in sentences and for one in lists."""


def _in_set(table: Any, documents: Any, listed: Bools) -> Background:
    count = int(table["documents"][0].as_py()) if len(table) else 0
    return smooth(documents, count, PRIOR, PRIOR, listed)


def _count_alone(table: Any, unit: str, rows: Integers, runs: Integers) -> Array:
    """Runs of each page that no other page of the set has: in sentences, and in lists."""
    every = table[f"cells {unit}"].to_numpy()
    listed = table["listed"].to_numpy() if unit == FIVE_WORDS else np.zeros_like(every)
    kept = [np.bincount(rows[(runs & 1) == flag], minlength=len(table)) for flag in (0, 1)]
    return np.stack([every - listed - kept[0], listed - kept[1]], axis=1).astype(np.float64)


def _columns(
    rows: Integers,
    keys: Integers,
    background: Callable[[Integers], Background],
    draws: int,
    lone: Array,
) -> Runs:
    """Pages × keys; the weight of a key that one page has is added to what is `lone`.

    `background` gives that of some cells. A key may be taken for one that several pages have by its
    remainder, which costs a column.
    """
    room = 2 << len(keys).bit_length()
    shared = np.bincount(keys % room, minlength=room)[keys % room] > 1
    matrix, _ = table_of_runs(rows[shared], keys[shared], len(lone))
    cells = np.zeros(matrix.shape[1], dtype=np.int64)
    cells[matrix.indices] = np.flatnonzero(shared)  # cells of a page are in the order of runs
    single = np.flatnonzero(~shared)
    for some in (single[i : i + PART_CELLS] for i in range(0, len(single), PART_CELLS)):
        weights = background(some).own_weights(draws)
        lone = lone + np.bincount(rows[some], weights=weights, minlength=len(lone))
    known = background(cells) if len(keys) else smooth(np.zeros(1), 0, PRIOR, PRIOR)
    return Runs(matrix=matrix, background=known, lone=lone)
