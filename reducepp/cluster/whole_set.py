"""One set of pages where every worker holds it: for scores that need more than counts.

Each pair is found, scored and explained by the functions of `reduce` on the whole set. The rows
that candidates are looked up for are dealt to the blocks.
"""

import os
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np

from reducepp.api import ReduceOptions, lowest_score, prepare_pages, resolve_cut, resolve_profile
from reducepp.cluster.part_runs import Rows, read_result
from reducepp.cluster.set_cuts import deal, result_rows
from reducepp.cluster.set_files import place_of
from reducepp.comparison import compare_scored, rank_order, rank_pages
from reducepp.io.readers import assign_ids
from reducepp.io.records import dict_to_page
from reducepp.pipeline import cut
from reducepp.similarity.candidates import candidate_pairs
from reducepp.similarity.compare import drop_empty_signals
from reducepp.similarity.contents import PageSet
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.inverted_index import Block
from reducepp.similarity.pair_matrix import PairTable
from reducepp.similarity.pairs import PairArrays, concatenate
from reducepp.similarity.sparse import connect
from reducepp.types import Integers, Page, Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSet:
    """The pages of all parts in rank order, ready to be compared."""

    pages: tuple[Page, ...]
    page_set: PageSet
    profile: Profile
    certain: Integers
    """Groups of pages that score 1 with each other."""
    floor: float


_loading = Lock()
_loaded: list[tuple[Any, LoadedSet]] = []
"""The set that this process holds, after what it was made from."""


def score_block(name: str, *, files: tuple[str, ...], options: ReduceOptions) -> tuple[Rows, int]:
    """The pairs of one block that reach the floor."""
    loaded = load_set(files, options)
    table = PairTable(loaded.page_set, loaded.profile, loaded.certain)
    table.add(*_candidates(loaded, options, place_of(name)), floor=loaded.floor)
    links = table.spanning_links(loaded.floor)
    return dict(zip(("a", "b", "score"), links, strict=True)), 0


def cut_block(
    name: str, *, files: tuple[str, ...], options: ReduceOptions, pairs: tuple[str, ...]
) -> tuple[Rows, int]:
    """One row per page of the components that are dealt to one block."""
    loaded, read = load_set(files, options), [read_result(file) for file in pairs]
    first, second = concatenate([(t["a"].to_numpy(), t["b"].to_numpy()) for t in read])
    block, of = place_of(name)
    mine = deal(connect(len(loaded.pages), first, second), of) == block
    own = first[mine[first]], second[mine[first]]
    certain = np.where(mine, loaded.certain, -1)
    table = PairTable(loaded.page_set, loaded.profile, certain)
    table.add(*own, floor=loaded.floor)
    found = compare_scored(table, loaded.floor)
    found = replace(found, pages=loaded.pages)
    reduction = cut(found, resolve_cut(found, options))
    wanted = {loaded.pages[i].id for i in np.flatnonzero(mine)}
    return result_rows(reduction, loaded.pages, wanted), len(wanted)


def load_set(files: tuple[str, ...], options: ReduceOptions) -> LoadedSet:
    """The set of these files; once per process, whatever the number of threads and blocks."""
    key = options, [(file, os.stat(file).st_mtime_ns) for file in files]
    with _loading:
        if not _loaded or _loaded[0][0] != key:
            _loaded[:] = [(key, _load(files, options))]
        return _loaded[0][1]


def _load(files: tuple[str, ...], options: ReduceOptions) -> LoadedSet:
    rows = (row for file in files for row in read_result(file).to_pylist() if not row["error"])
    read = [replace(dict_to_page(row), query="", rank=0) for row in rows]
    pages = [page for page in assign_ids(read) if isinstance(page, Page)]
    profile = resolve_profile(pages, options)
    page_set = rank_pages(prepare_pages(pages, profile), profile)
    profile = drop_empty_signals(profile, page_set.pages)
    return LoadedSet(
        pages=rank_order(pages),
        page_set=page_set,
        profile=profile,
        certain=certain_groups(page_set, profile),
        floor=lowest_score(pages, options),
    )


def _candidates(loaded: LoadedSet, options: ReduceOptions, block: tuple[int, ...]) -> PairArrays:
    """The block's candidates; where bounds do not help, the block's share of all pairs."""
    found = candidate_pairs(
        loaded.page_set,
        loaded.profile,
        loaded.floor,
        options.candidates,
        block=Block(number=block[0], of=block[1]),
    )
    if found is not None:
        return found
    count = len(loaded.pages)
    rows = np.arange(block[0], count, block[1])
    first = np.repeat(rows, count - 1 - rows)
    second = np.concatenate([np.arange(row + 1, count) for row in rows] or [first])
    return first, second
