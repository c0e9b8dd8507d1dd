"""Files of a set of pages in parts: its stages, blocks and tiles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

from reducepp.cluster.part_runs import read_rows


class Stage(StrEnum):
    """Folders of the files that tasks write for later ones; the result's has no name."""

    PAGES, KEYS, RUNS, SITES = "_pages", "_keys", "_runs", "_sites"
    COPIES, CENSUS, COUNTS, BLOCKS = "_copies", "_census", "_counts", "_blocks"
    PAIRS, COMPONENTS, LINKS, DEALT = "_pairs", "_components", "_links", "_dealt"
    RESULT = ""


BLOCKS_OF_A_SIDE = 2
"""Blocks whose pages are compared with those of as many others in a tile."""
WHOLE_SET = "set.parquet"
"""Name of the one task that sees a row for every page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFiles:
    """Where the files of a set are, and which of its pages are in which block."""

    folder: str
    parts: tuple[tuple[str, int], ...]
    """Files of pages in order, and their pages."""
    size: int
    """Pages of a block; the last one has what is left."""

    @property
    def count(self) -> int:
        """Pages of the set."""
        return sum(pages for _, pages in self.parts)

    @property
    def of(self) -> int:
        """Number of blocks."""
        return max(1, -(-self.count // self.size))

    @property
    def blocks(self) -> list[str]:
        """Names of the blocks' files."""
        return [f"block-{block:05}-of-{self.of:05}.parquet" for block in range(self.of)]

    @property
    def tiles(self) -> list[str]:
        """Names of the files of every two sides, then of each alone: two take longer."""
        sides = -(-self.of // BLOCKS_OF_A_SIDE)
        pairs = ((a, b) for a in range(sides) for b in range(a, sides))
        ordered = sorted(pairs, key=lambda pair: pair[0] == pair[1])
        return [f"tile-{a:05}-{b:05}-of-{sides:05}.parquet" for a, b in ordered]

    def path(self, stage: Stage, name: str = WHOLE_SET) -> Path:
        return Path(self.folder, stage, name)

    def every(self, stage: Stage) -> list[Path]:
        return [self.path(stage, name) for name in self.blocks]

    def range_of(self, block: int) -> tuple[int, int]:
        """The first page of a block, and the first after it."""
        return min(block * self.size, self.count), min((block + 1) * self.size, self.count)

    def read_pages(self, block: int) -> Any:
        """The rows of a block's pages."""
        (start, stop), first, found = self.range_of(block), 0, []
        for path, pages in self.parts:
            mine = max(start - first, 0), min(stop - first, pages)
            if mine[0] < mine[1]:
                found.append(read_rows(path, *mine))
            first += pages
        return import_module("pyarrow").concat_tables(found)


def place_of(name: str) -> tuple[int, ...]:
    """The numbers in the name of a result: the block or blocks, and how many there are."""
    return tuple(int(part) for part in Path(name).stem.split("-") if part.isdigit())
