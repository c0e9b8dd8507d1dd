"""Components of the graph of pairs, dealt to blocks and cut there; rows of the result."""

import heapq
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from reducepp.api import ReduceOptions, lowest_score, reduce_pages, resolve_cut, resolve_profile
from reducepp.cluster.counted_pages import read_counted
from reducepp.cluster.part_runs import Dealt, Rows, read_all, read_dealt, read_result, write_result
from reducepp.cluster.set_files import SetFiles, Stage, place_of
from reducepp.comparison import compare_scored, rank_order
from reducepp.evidence.page_frame import MAX_FRAME_PAGES
from reducepp.io.readers import assign_ids
from reducepp.io.records import dict_to_page
from reducepp.io.writers import cluster_to_dict, dropped_to_dict
from reducepp.pipeline import cut
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.pair_matrix import PairTable
from reducepp.similarity.pairs import concatenate, star_pairs
from reducepp.similarity.sparse import connect
from reducepp.types import PAGE_FIELDS, Integers, Page, Reduction


def find_components(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """The block that cuts each page's component; the links go to `_links` by block."""
    paths = [files.path(Stage.PAIRS, tile) for tile in files.tiles]
    read = read_all(paths, ["a", "b"])
    census = read_result(files.path(Stage.CENSUS), ["certain"])
    links = read["a"].to_numpy(), read["b"].to_numpy()
    known = concatenate([links, star_pairs(census["certain"].to_numpy())])
    block = deal(connect(files.count, *known), files.of)
    rows = {"a": links[0], "b": links[1]}
    write_result(files.path(Stage.LINKS, name), Dealt(rows=rows, to=block[links[0]], of=files.of))
    return Dealt(rows={"block": block}, to=np.arange(len(block)) // files.size, of=files.of), 0


def deal_pages(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """The pages of a block for the blocks that cut their components."""
    table = read_result(files.path(Stage.BLOCKS, name))
    own, _ = place_of(name)
    to = read_dealt([files.path(Stage.COMPONENTS)], own)["block"].to_numpy()
    columns = {key: table[key] for key in table.column_names}
    return Dealt(rows=columns, to=to, of=files.of), 0


def cut_dealt(name: str, *, files: SetFiles, options: ReduceOptions) -> tuple[Rows, int]:
    """One row per page of the components that are dealt to one block."""
    block, _ = place_of(name)
    load = partial(read_dealt, files.every(Stage.DEALT), block)
    pages = [dict_to_page(row) for row in load(PAGE_FIELDS).to_pylist()]
    profile, floor = resolve_profile((), options), lowest_score((), options)
    links = read_dealt([files.path(Stage.LINKS)], block)
    places = np.array([page.rank - 1 for page in pages], dtype=np.int64)
    page_set = read_counted(load, pages)
    table = PairTable(page_set, profile, certain_groups(page_set, profile))
    table.add(*(np.searchsorted(places, links[side].to_numpy()) for side in "ab"), floor=floor)
    found = compare_scored(table, floor)
    reduction = cut(found, resolve_cut(found, options), _first_pages(files))
    return _result_rows(reduction, pages), len(pages)


def reduce_whole(name: str, *, files: tuple[str, ...], options: ReduceOptions) -> tuple[Rows, int]:
    """One row per page of a set that one worker holds: for scores that need more than counts."""
    rows = (row for file in files for row in read_result(file).to_pylist() if not row["error"])
    read = [replace(dict_to_page(row), query="", rank=0) for row in rows]
    pages = [page for page in assign_ids(read) if isinstance(page, Page)]
    return _result_rows(reduce_pages(pages, options), rank_order(pages)), len(pages)


def _first_pages(files: SetFiles) -> list[Page]:
    """The pages of the set in which figures of the frame are looked for."""
    blocks = files.every(Stage.BLOCKS)[: -(-MAX_FRAME_PAGES // files.size)]
    rows = read_all(blocks, PAGE_FIELDS).to_pylist()[:MAX_FRAME_PAGES]
    return [dict_to_page(row) for row in rows]


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


def _result_rows(reduction: Reduction, pages: Sequence[Page]) -> dict[str, list[str]]:
    """Columns of the result: who represents each page, its cluster or why it is dropped."""
    clusters = {one.kept: one for one in reduction.clusters}
    dropped = {one.id: one for one in reduction.dropped}
    return {
        "id": [page.id for page in pages],
        "url": [page.url for page in pages],
        "kept": [page.id if page.id in clusters else dropped[page.id].kept for page in pages],
        "cluster": [_json(cluster_to_dict, clusters.get(page.id)) for page in pages],
        "dropped": [_json(dropped_to_dict, dropped.get(page.id)) for page in pages],
    }


def _json(to_dict: Any, value: Any) -> str:
    return "" if value is None else json.dumps(to_dict(value), ensure_ascii=False)
