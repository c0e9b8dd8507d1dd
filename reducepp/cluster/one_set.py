"""One set of pages in parts, without a worker that holds it: counted, scored in tiles, cut.

Each stage is a folder of Parquet files that a stopped run goes on with:

1. `_pages`: the pages of every part, split. Then they are in blocks, in the order of the set.
2. `_keys` to `_blocks`: how many documents have each run and key (`set_counts`).
3. `_pairs`: the pairs that reach the floor. A tile has the pages of two sides, or of one, and the
   counts of the set, and finds and scores their pairs by the functions of `reduce`.
4. `_components`: of the graph of these pairs. A component is cut within one block, which `_dealt`
   has the pages for.
5. The result.

A set whose profile needs more than counts, or whose bounds do not help, and one with `lsh`
candidates is reduced by one worker that holds it (docs/scaling.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from reducepp.api import ReduceOptions, lowest_score, resolve_profile
from reducepp.cluster.counted_pages import is_counted, read_counted
from reducepp.cluster.part_runs import (
    Done,
    Make,
    Rows,
    Workers,
    read_all,
    read_result,
    result_path,
    split_part,
)
from reducepp.cluster.set_counts import (
    count_runs,
    describe_block,
    find_copies,
    join_block,
    take_census,
)
from reducepp.cluster.set_cuts import cut_dealt, deal_pages, find_components, reduce_whole
from reducepp.cluster.set_files import BLOCKS_OF_A_SIDE, WHOLE_SET, SetFiles, Stage, place_of
from reducepp.errors import UsageError
from reducepp.input_kinds import AUTO, DEFAULT
from reducepp.io.records import dict_to_page
from reducepp.similarity.candidates import EXACT, candidate_pairs
from reducepp.similarity.contents import PageSet
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.pair_matrix import PairTable
from reducepp.types import Page, Profile

KIND_CHARS = 2000
"""Characters of a text by which the kind of the pages is detected."""
PAGES_OF_A_BLOCK = 1000
LEAST_BLOCKS = 2
"""So few blocks keep two workers busy with a set of any size."""


def reduce_set(
    parts: Sequence[Path], folder: Path, options: ReduceOptions, workers: Workers
) -> Iterator[Done]:
    """Reduce the pages of all parts as one set; ends after a stage of which something failed."""
    if options.target_n is not None or options.keep == "walk":
        raise UsageError("--one-set: has no --target-n and --keep walk, which need one machine")
    paths = sorted(result_path(folder / Stage.PAGES, part) for part in parts)
    for done in workers.run(split_part, parts, folder / Stage.PAGES):
        yield replace(done, pages=0)  # they count when they are cut
    if not all(path.exists() for path in paths):
        return
    counted = tuple((str(path), _pages_in(path)) for path in paths)
    pages = sum(count for _, count in counted)
    size = max(1, min(PAGES_OF_A_BLOCK, -(-pages // LEAST_BLOCKS)))
    files = SetFiles(folder=str(folder), parts=counted, size=size)
    _forget(files)
    options = replace(options, profile=_find_profile(paths, options))
    for stage, make, names in _stages(files, options):
        yield from workers.run(make, names, folder / stage)
        if not all((folder / stage / name).exists() for name in names):
            return


def _forget(files: SetFiles) -> None:
    """Delete results whose tasks wrote more than is still there, so that they run again."""
    beside = (Stage.RUNS, Stage.SITES)
    names = [(Stage.KEYS, name, other) for name in files.blocks for other in beside]
    for stage, name, other in [*names, (Stage.COMPONENTS, WHOLE_SET, Stage.LINKS)]:
        if not files.path(other, name).exists():
            files.path(stage, name).unlink(missing_ok=True)


def _pages_in(path: Path) -> int:
    """Pages of a part that were split; those that failed come after them."""
    errors = read_result(path, ["error"])["error"]
    return int(np.count_nonzero(np.asarray(errors.to_pylist(), dtype=object) == ""))


def _find_profile(paths: Sequence[Path], options: ReduceOptions) -> Profile:
    """The profile for the kind of the pages: by the beginnings of their texts, up to the first page
    with a title, which is no post."""
    seen: list[Page] = []
    for path in paths if options.profile in (AUTO, DEFAULT) else ():
        rows = (row for row in read_result(path).to_pylist() if not row["error"])
        seen += [dict_to_page(row | {"body": row["body"][:KIND_CHARS]}) for row in rows]
        if any(page.page_title for page in seen):
            break
    return resolve_profile(seen, options)


def _stages(files: SetFiles, options: ReduceOptions) -> Iterator[tuple[Stage, Make, Sequence[str]]]:
    """Folder, function and names of the tasks of each stage after the first."""
    profile, floor = resolve_profile((), options), lowest_score((), options)
    blocks = files.blocks
    if not files.count or not _is_divided(profile, options, floor):
        paths = tuple(path for path, _ in files.parts)
        yield Stage.RESULT, partial(reduce_whole, files=paths, options=options), [WHOLE_SET]
        return
    yield Stage.KEYS, partial(describe_block, files=files), blocks
    yield Stage.COPIES, partial(find_copies, files=files), blocks
    yield Stage.CENSUS, partial(take_census, files=files, profile=profile), [WHOLE_SET]
    yield Stage.COUNTS, partial(count_runs, files=files), blocks
    yield Stage.BLOCKS, partial(join_block, files=files), blocks
    yield Stage.PAIRS, partial(_score_tile, files=files, profile=profile, floor=floor), files.tiles
    yield Stage.COMPONENTS, partial(find_components, files=files), [WHOLE_SET]
    yield Stage.DEALT, partial(deal_pages, files=files), blocks
    yield Stage.RESULT, partial(cut_dealt, files=files, options=options), blocks


def _is_divided(profile: Profile, options: ReduceOptions, floor: float) -> bool:
    """Whether pairs are scored without the whole set: by counts, and found by bounds."""
    some = PageSet([Page(id="")])
    bounded = floor > 0 and candidate_pairs(some, profile, floor) is not None
    return options.candidates == EXACT and is_counted(profile) and bounded


def _score_tile(name: str, *, files: SetFiles, profile: Profile, floor: float) -> tuple[Rows, int]:
    """The pairs of two sides, or of one, that reach the floor, by their places in the set."""
    a, b, _ = place_of(name)
    blocks = np.arange(files.of)
    blocks = blocks[np.isin(blocks // BLOCKS_OF_A_SIDE, (a, b))]
    pages = np.concatenate([np.arange(*files.range_of(int(block))) for block in blocks])
    own = [files.every(Stage.BLOCKS)[block] for block in blocks]
    page_set = read_counted(partial(read_all, own))
    sides = None if a == b else pages // files.size // BLOCKS_OF_A_SIDE == b
    found = candidate_pairs(page_set, profile, floor, sides=sides)
    table = PairTable(page_set, profile, certain_groups(page_set, profile))
    table.add(*(found or ()), floor=floor)
    first, second, scores = table.scored_pairs()
    return {"a": pages[first], "b": pages[second], "score": scores}, 0
