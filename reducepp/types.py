"""The values that walk through the house, from a search hit to a reduction.

Every type is frozen and keyword-only. An empty field is ``""``, ``()`` or NaN, never
``None``. This module imports nothing of ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One organic result of a search engine; `rank` counts from 1."""

    query: str = ""
    engine: str = ""
    rank: int = 0
    url: str
    title: str = ""
    snippet: str = ""
    sources: tuple[str, ...] = ()
    """Every engine that returned this address, `engine` first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """What came from the web for one hit, before anything was read out of it."""

    hit: SearchHit
    final_url: str = ""
    status: int = 0
    content_type: str = ""
    fetched: bytes = b""
    """The body as the server sent it (after transfer decoding)."""
    rendered: str = ""
    """The document as a browser shows it, frames grafted in; empty where not rendered."""
    fetched_at: str = ""
    images: tuple[bytes, ...] = ()
    """Stored bytes of content images, only where they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page split into its content types: what the engine compares."""

    id: str
    query: str = ""
    rank: int = 0
    url: str = ""
    language: str = ""
    domain: str = ""
    """Subject area of the query in the paper's Table I (general, science, ...)."""
    site_title: str = ""
    page_title: str = ""
    subtitles: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    body: str = ""
    visible: str = ""
    """All visible text, navigation included, of a page with little main text; else empty."""
    rendered_body: str = ""
    """Main text of the page as rendered, where both bodies exist."""
    snippet: str = ""
    images: tuple[str, ...] = ()
    """Perceptual hashes of the content images, in hexadecimal."""
    posted_at: str = ""
    """When it was published or last modified, ISO 8601."""
    author: str = ""
    followers: float = math.nan
    followees: float = math.nan
    client: str = ""
    """The application a post was sent with."""
    expanded_links: tuple[str, ...] = ()
    """Where shortened addresses lead."""
    linked_body: str = ""
    """Text of the pages it links to, where somebody fetched them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A page that could not be used: where it failed, and why."""

    url: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One content type under one measure, and how much it counts."""

    name: str
    content: str
    measure: str
    options: Mapping[str, Any] = field(default_factory=dict)
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Which signals, how much each counts, and from which score two pages are one."""

    name: str
    description: str = ""
    signals: tuple[Signal, ...]
    threshold: float
    prepare: str = "syntactic"
    """How body text is prepared: ``syntactic`` or ``semantic``."""
    missing: str = "zero"
    """A content type that one of two pages lacks counts ``zero`` or is ``left out``."""
    linkage: str = "single"
    model: Mapping[str, Any] = field(default_factory=dict)
    """A learned model as plain data; empty means the weighted sum."""
    provenance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarities:
    """Signal name to symmetric n×n array in [0, 1]; NaN where both pages lack the content."""

    ids: tuple[str, ...]
    by_signal: Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Two pages and the score between them; `a` is the better ranked."""

    a: str
    b: str
    score: float


@dataclass(frozen=True, kw_only=True)
class Tree:
    """All clusterings at once: cut every edge whose score is below the threshold.

    `first`, `second` are page indices and `scores` the heights of the n - 1 merges, highest
    first. For single linkage this is the maximum spanning tree.
    """

    ids: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    scores: Array
    linkage: str = "single"

    @cached_property
    def thresholds(self) -> tuple[float, ...]:
        """The distinct scores at which the clustering changes, highest first."""
        return tuple(float(s) for s in dict.fromkeys(self.scores.tolist()))

    def labels_at(self, threshold: float) -> NDArray[np.int64]:
        """Cluster number of each page, numbered by first member; an edge stands at score >= t."""
        parent = list(range(len(self.ids)))

        def root(i: int) -> int:
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i

        for a, b, score in zip(
            self.first.tolist(), self.second.tolist(), self.scores.tolist(), strict=True
        ):
            if score < threshold:
                break
            low, high = sorted((root(a), root(b)))
            parent[high] = low
        numbers: dict[int, int] = {}
        return np.array(
            [numbers.setdefault(root(i), len(numbers)) for i in range(len(parent))], dtype=np.int64
        )

    def clusters_at(self, threshold: float) -> tuple[tuple[int, ...], ...]:
        """Page indices of each cluster, in order of their first members."""
        groups: dict[int, list[int]] = {}
        for index, label in enumerate(self.labels_at(threshold).tolist()):
            groups.setdefault(label, []).append(index)
        return tuple(tuple(group) for group in groups.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Pages that count as one, and how well they hang together."""

    kept: str
    members: tuple[str, ...]
    """In rank order."""
    weakest_link: float = math.nan
    """Lowest score among the links that hold it together; NaN for a single page."""
    least_similar: Edge | None = None
    """The two members that are least alike; None for a single page."""
    chained: bool = False
    """Some two members are less alike than the threshold: only others link them."""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one signal gave to a score."""

    similarity: float
    """In [0, 1]; NaN where both pages lack the content type."""
    weight: float
    """The signal's share of the weights that counted for this pair."""
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A run of words that two bodies share, with its place in each (character offsets)."""

    text: str
    words: int
    in_dropped: tuple[int, int]
    in_kept: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A page that is not shown: for which page, and why."""

    id: str
    kept: str
    score: float
    """Between this page and the kept one; may lie below the threshold in a chained cluster."""
    by_signal: Mapping[str, Share]
    level: str = ""
    kind: str = ""
    """What clicks and content together make of it; empty without a click log."""
    action: str = ""
    chain: tuple[Edge, ...] = ()
    """The steps from the kept page to this one, strongest path; one step where directly linked."""
    passages: tuple[Passage, ...] = ()
    tests: tuple[str, ...] = ()
    """What a learned model asked of the two pages, in words; empty for a weighted mean."""

    @property
    def weakest_step(self) -> Edge | None:
        """The weakest step of the chain."""
        return min(self.chain, key=lambda edge: edge.score, default=None)


@dataclass(frozen=True, kw_only=True)
class Reduction:
    """What is shown for a query, and the reason for every page that is not."""

    query: str
    profile: str
    threshold: float
    clusters: tuple[Cluster, ...]
    """In the order of their kept pages in the search engine's ranking."""
    dropped: tuple[Dropped, ...]
    cut: tuple[str, ...] = ()
    """Ids of pages left out only because a number of results was asked for, in rank order."""
    failures: tuple[Failure, ...] = ()
    before: int
    after: int
    mode: str = "collapse"
    keep: str = "rank"
    linkage: str = "single"
    warnings: tuple[str, ...] = ()
    pages: tuple[Page, ...] = ()
    """All pages, in rank order."""

    @property
    def reduction(self) -> float:
        """Share of the pages that are no longer shown, in [0, 1]; 0 for no pages."""
        return 1 - self.after / self.before if self.before else 0.0

    @property
    def kept(self) -> tuple[str, ...]:
        """Ids of the pages shown, in the search engine's order."""
        return tuple(cluster.kept for cluster in self.clusters)

    def _repr_html_(self) -> str:
        """For a notebook; drawn in `reducepp.io.notebook`."""
        return str(import_module("reducepp.io.notebook").as_html(self))

    def to_pandas(self) -> Any:
        """One row a page as a pandas DataFrame; made in `reducepp.io.notebook`."""
        return import_module("reducepp.io.notebook").as_frame(self)
