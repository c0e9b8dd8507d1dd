"""One set of pages in parts: read by part, scored by block of candidates, cut by component.

Three stages, each a folder of Parquet files that a stopped run goes on with:

1. `_pages`: the pages of every part, split.
2. `_pairs`: the pairs that reach the floor. The rows that candidates are looked up for are dealt to
   the blocks, so that every pair is found and scored in one of them.
3. The result. A component of the graph of these pairs is cut within one block: pages of different
   components are never in one cluster.

Each pair is found, scored and explained by the functions of `reduce` on the whole set, so that the
result is the same. Every worker process holds the whole set (docs/scaling.md has the bytes).
"""

import heapq
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from reducepp.api import ReduceOptions, lowest_score, prepare_pages, resolve_cut, resolve_profile
from reducepp.cluster.part_runs import Done, Rows, Workers, read_result, result_path, split_part
from reducepp.comparison import compare_scored, rank_pages
from reducepp.errors import UsageError
from reducepp.io.readers import assign_ids
from reducepp.io.records import dict_to_page
from reducepp.io.writers import cluster_to_dict, dropped_to_dict
from reducepp.pipeline import cut
from reducepp.similarity.candidates import candidate_pairs
from reducepp.similarity.compare import drop_empty_signals
from reducepp.similarity.contents import PageSet
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.inverted_index import Block
from reducepp.similarity.pair_matrix import PairTable
from reducepp.similarity.pairs import PairArrays, concatenate
from reducepp.similarity.sparse import connect
from reducepp.types import Integers, Page, Profile, Reduction

PAGES, PAIRS = "_pages", "_pairs"
PAGES_OF_A_BLOCK = 2000
LEAST_BLOCKS = 4
"""So few blocks keep two workers busy with a set of any size."""


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


def reduce_set(
    parts: Sequence[Path], folder: Path, options: ReduceOptions, workers: Workers
) -> Iterator[Done]:
    """Reduce the pages of all parts as one set; ends after a stage of which something failed."""
    if options.target_n is not None or options.keep == "walk":
        raise UsageError("--one-set: has no --target-n and --keep walk, which need one machine")
    files = tuple(sorted(str(result_path(folder / PAGES, part)) for part in parts))
    for done in workers.run(split_part, parts, folder / PAGES):
        yield replace(done, pages=0)  # they count when they are cut
    if not all(map(os.path.exists, files)):
        return
    pages = sum(read_result(file).num_rows for file in files)
    of = max(LEAST_BLOCKS, -(-pages // PAGES_OF_A_BLOCK))
    blocks = [f"block-{block:05}-of-{of:05}.parquet" for block in range(of)]
    pairs = tuple(str(folder / PAIRS / block) for block in blocks)
    score = partial(_score_block, files=files, options=options)
    yield from workers.run(score, blocks, folder / PAIRS)
    if all(map(os.path.exists, pairs)):
        cut_pairs = partial(_cut_block, files=files, options=options, pairs=pairs)
        yield from workers.run(cut_pairs, blocks, folder)


def _score_block(name: str, *, files: tuple[str, ...], options: ReduceOptions) -> tuple[Rows, int]:
    """The pairs of one block that reach the floor."""
    loaded = load_set(files, options)
    table = PairTable(loaded.page_set, loaded.profile, loaded.certain)
    table.add(*_candidates(loaded, options, _place(name)), floor=loaded.floor)
    links = table.spanning_links(loaded.floor)
    return dict(zip(("a", "b", "score"), links, strict=True)), 0


def _cut_block(
    name: str, *, files: tuple[str, ...], options: ReduceOptions, pairs: tuple[str, ...]
) -> tuple[Rows, int]:
    """One row per page of the components that are dealt to one block."""
    loaded, read = load_set(files, options), [read_result(file) for file in pairs]
    first, second = concatenate([(t["a"].to_numpy(), t["b"].to_numpy()) for t in read])
    block, of = _place(name)
    mine = deal(connect(len(loaded.pages), first, second), of) == block
    own = first[mine[first]], second[mine[first]]
    certain = np.where(mine, loaded.certain, -1)
    table = PairTable(loaded.page_set, loaded.profile, certain)
    table.add(*own, floor=loaded.floor)
    found = compare_scored(table, loaded.floor)
    found = replace(found, pages=loaded.pages)
    reduction = cut(found, resolve_cut(found, options))
    wanted = {loaded.pages[i].id for i in np.flatnonzero(mine)}
    return _rows(reduction, loaded.pages, wanted), len(wanted)


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
        pages=tuple(sorted(pages, key=lambda page: (page.rank, page.id))),
        page_set=page_set,
        profile=profile,
        certain=certain_groups(page_set, profile),
        floor=lowest_score(pages, options),
    )


def _place(name: str) -> tuple[int, int]:
    """Block and number of blocks, from the name of a result."""
    _, block, _, of = Path(name).stem.split("-")
    return int(block), int(of)


def _candidates(loaded: LoadedSet, options: ReduceOptions, block: tuple[int, int]) -> PairArrays:
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


def deal(components: Integers, of: int) -> Integers:
    """Block of each page: whole components, the costliest first, each to the block with least.

    A component costs the square of its pages, since all its pairs may be scored.
    """
    sizes = np.bincount(components)
    blocks = [(0, block) for block in range(of)]
    of_component = np.zeros(len(sizes), dtype=np.int64)
    for component in np.argsort(-sizes, kind="stable").tolist():
        cost, block = heapq.heappop(blocks)
        of_component[component] = block
        heapq.heappush(blocks, (cost + int(sizes[component]) ** 2, block))
    return np.asarray(of_component[components])


def _rows(reduction: Reduction, pages: Sequence[Page], wanted: set[str]) -> dict[str, list[str]]:
    """Columns of the result: who represents each page, its cluster or why it is dropped."""
    clusters = {one.kept: one for one in reduction.clusters if one.kept in wanted}
    dropped = {one.id: one for one in reduction.dropped if one.id in wanted}
    mine = [page for page in pages if page.id in wanted]
    return {
        "id": [page.id for page in mine],
        "url": [page.url for page in mine],
        "kept": [page.id if page.id in clusters else dropped[page.id].kept for page in mine],
        "cluster": [_json(cluster_to_dict, clusters.get(page.id)) for page in mine],
        "dropped": [_json(dropped_to_dict, dropped.get(page.id)) for page in mine],
    }


def _json(to_dict: Any, value: Any) -> str:
    return "" if value is None else json.dumps(to_dict(value), ensure_ascii=False)
