"""The values that the packages exchange, from a search hit to a reduction.

Every type is frozen and keyword-only. An empty field is ``""``, ``()`` or NaN, never
``None``. This module imports nothing of ours.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Sparse = csr_array[np.float64]
else:
    Sparse = Any  # scipy is imported where a matrix is made: to import it takes a tenth of a second


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """An organic result of a search engine; `rank` counts from 1."""

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
    """The response to fetching a hit, before extraction."""

    hit: SearchHit
    final_url: str = ""
    status: int = 0
    content_type: str = ""
    fetched: bytes = b""
    """The body as the server sent it (after transfer decoding)."""
    rendered: str = ""
    """HTML after a browser rendered it, frames included; empty where not rendered."""
    fetched_at: str = ""
    images: tuple[bytes, ...] = ()
    """Bytes of the content images; only collected on request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostDetails:
    """What only a post in a social network has."""

    followers: float = math.nan
    followees: float = math.nan
    client: str = ""
    """The application it was sent with."""
    expanded_links: tuple[str, ...] = ()
    """Targets of its shortened addresses."""
    linked_body: str = ""
    """Text of the pages that it links to, where they were fetched."""


POST_FIELDS = tuple(field.name for field in fields(PostDetails))
HAS_CONTENT = ("", "home")
"""Classes of pages that have content, if not their own; others are walls, errors and empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page split into its content types, which are what the engine compares.

    `title` is another name of `page_title`. Rank and id are given where they are absent.
    """

    id: str = ""
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
    """Main text of the rendered page, where both bodies exist."""
    rendered_title: str = ""
    """Title of the rendered page, where there is one."""
    fetched_body: str = ""
    """Main text as fetched, untouched, of a page that was also rendered; `body` may be either."""
    fetched_title: str = ""
    """Title as fetched, of a page that was also rendered."""
    snippet: str = ""
    images: tuple[str, ...] = ()
    """Perceptual hashes of the content images, in hexadecimal."""
    posted_at: str = ""
    """When it was published or last modified, ISO 8601."""
    author: str = ""
    content_class: str = ""
    """Why the page has no content of its own: `home`, `error`, `login`, `consent`, `robot` or
    `empty` page; "" for content. Its text is shared with pages that have nothing else in common."""
    post: PostDetails = PostDetails()
    if TYPE_CHECKING:
        title: InitVar[str] = ""

    @property
    def lacks_content(self) -> bool:
        """Whether it is a wall, an error or empty page; a home page has content, if not its own."""
        return self.content_class not in HAS_CONTENT

    def content(self, name: str) -> Any:
        """A content type by its name; those of `post` have no prefix."""
        return getattr(self.post if name in POST_FIELDS else self, name)

    def __repr__(self) -> str:
        """Id, title and length: a list of pages can be read."""
        words = f"{len(self.body.split())} words"
        return f"<Page {self.id or self.url!r}: {self.page_title[:60]!r}, {words}>"


def _accept_title(init: Callable[..., None]) -> Callable[..., None]:
    """The constructor of Page that takes `title` for `page_title`."""

    @wraps(init)
    def with_title(self: Page, *, title: str = "", **fields: Any) -> None:
        if title and fields.setdefault("page_title", title) != title:
            raise TypeError("Page: title and page_title are two names of one field; give one")
        init(self, **fields)

    return with_title


Page.__init__ = _accept_title(Page.__init__)  # type: ignore[method-assign]


PAGE_FIELDS = (*(field.name for field in fields(Page) if field.name != "post"), *POST_FIELDS)
"""Names of all content types and attributes of a page, as in files."""
Queries = Sequence[Sequence[Page]]
"""The pages of each query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A page that could not be used, with the stage that failed and the reason."""

    url: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One content type under one measure, with its weight."""

    name: str
    content: str
    measure: str
    options: Mapping[str, Any] = field(default_factory=dict)
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Signals with their weights, and the threshold for near-duplicates."""

    name: str
    description: str = ""
    signals: tuple[Signal, ...]
    threshold: float
    prepare: str = "syntactic"
    """How body text is prepared: ``syntactic``, ``semantic`` or ``spacy``."""
    missing: str = "zero"
    """Similarity of a content type that only one page has: ``zero`` or ``left out``."""
    linkage: str = "single"
    check_representative: bool = False
    """Split clusters so that every dropped page reaches the threshold with its representative."""
    check_facts: bool = False
    """Keep near-duplicates apart of which most facts in the same place contradict each other."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """A learned model as plain data; empty means the weighted sum."""
    provenance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarities:
    """Signal name to symmetric n×n array in [0, 1]; NaN where both pages lack the content."""

    ids: tuple[str, ...]
    by_signal: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A scored pair of pages; `a` is the better ranked."""

    a: str
    b: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Near-duplicates that are represented by one page, with measures of cohesion."""

    kept: str
    members: tuple[str, ...]
    """In rank order."""
    weakest_link: float = math.nan
    """Lowest score of the tree edges inside it; NaN where there are none, as for a single page."""
    least_similar: Edge | None = None
    """The two members with the lowest score; None for a single page."""
    chained: bool = False
    """Some two members score below the threshold: only other members link them."""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Contribution of one signal to the score of a pair."""

    similarity: float
    """In [0, 1]; NaN where both pages lack the content type."""
    weight: float
    """The signal's share of the weights of all signals that are defined for this pair."""
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A run of words that two bodies share, with its place in each (character offsets)."""

    text: str
    words: int
    in_dropped: tuple[int, int]
    in_kept: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LostSentences:
    """Sentences of a dropped page that its representative does not hold."""

    texts: tuple[str, ...]
    """The first of them."""
    count: int
    total: int
    """All sentences of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A page that is not shown, its representative, and the reasons."""

    id: str
    kept: str
    score: float
    """Of this page and its representative; may be below the threshold in a chained cluster."""
    by_signal: Mapping[str, Share]
    background: float = 0.0
    """What the contributions are added to. The sum is the score or, by a calibrated model, the
    score's log-odds."""
    level: str = ""
    kind: str = ""
    """Kind of duplicate by clicks and content; empty without a click log."""
    action: str = ""
    chain: tuple[Edge, ...] = ()
    """Strongest path from the representative to this page; one edge where directly linked."""
    passages: tuple[Passage, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts of this page (a) and its representative (b): `same` in number, those that `differ`,
    `only_a`, `only_b`, and a `summary` in words; empty where they were not compared."""
    tests: tuple[str, ...] = ()
    """Tests of a learned model on this pair, in words; empty for a weighted mean."""
    lost: LostSentences | None = None
    """None where nothing looked for them."""

    @property
    def weakest_step(self) -> Edge | None:
        """The edge of the chain with the lowest score."""
        return min(self.chain, key=lambda edge: edge.score, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page of an index of which another page is a near-duplicate."""

    query: str
    id: str
    url: str
    title: str
    shown_at: str
    """When it was shown, as given to the index."""
    score: float
    level: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts of the other page (a) and of this one (b), as of a dropped page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A page that is not shown because an earlier run has shown it, or a near-duplicate of it."""

    page: Page
    match: Match


@dataclass(frozen=True, kw_only=True)
class Reduction:
    """Clusters of a query's pages with their representatives, and a reason per dropped page."""

    query: str
    profile: str
    threshold: float
    clusters: tuple[Cluster, ...]
    """In the order of their representatives in the search engine's ranking."""
    dropped: tuple[Dropped, ...]
    cut: tuple[str, ...] = ()
    """Ids of pages left out only because of `target_n`, in rank order."""
    seen: tuple[Seen, ...] = ()
    """Pages that an earlier run has shown, in rank order; they took no part in the clusters."""
    failures: tuple[Failure, ...] = ()
    before: int
    after: int
    mode: str = "collapse"
    keep: str = "rank"
    linkage: str = "single"
    warnings: tuple[str, ...] = ()
    pages: tuple[Page, ...] = ()
    """All pages but those of `seen`, in rank order."""
    scored_by: Profile | None = field(default=None, compare=False)
    """The profile as it was used; `profile` is its name."""

    def __repr__(self) -> str:
        """What came of how many pages, in one line."""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return (
            f"<Reduction {self.query!r}: {self.before} pages, {self.after} shown, "
            f"{len(self.dropped)} dropped{failed} (profile {self.profile}, "
            f"threshold {self.threshold:g})>"
        )

    @property
    def reduction(self) -> float:
        """Share of the pages that are dropped, in [0, 1]; 0 for no pages."""
        return 1 - self.after / self.before if self.before else 0.0

    @property
    def kept(self) -> tuple[str, ...]:
        """Ids of the representatives, in the search engine's order."""
        return tuple(cluster.kept for cluster in self.clusters)

    @property
    def listed(self) -> dict[str, tuple[str, ...]]:
        """Representative to the dropped pages that are listed under it, in rank order.

        In mode `collapse` all of them, in mode `auto` those to show as alternatives, else none.
        """
        found: dict[str, list[str]] = {cluster.kept: [] for cluster in self.clusters}
        for page in self.dropped:
            alternative = page.action.startswith("show as alternative")
            if self.mode == "collapse" or (self.mode == "auto" and alternative):
                found[page.kept].append(page.id)
        return {kept: tuple(ids) for kept, ids in found.items()}

    def report(self, path: str, *, title: str = "") -> None:
        """Write the report on this reduction, one HTML file, to a path."""
        RENDERERS["report"](self, path, title)

    def _repr_html_(self) -> str:
        """For a notebook."""
        return str(RENDERERS["html"](self))

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one row per page."""
        return RENDERERS["pandas"](self)


RENDERERS: dict[str, Callable[..., Any]] = {}
"""Other forms of a reduction; `reducepp.io.notebook` and `reducepp.api` register them."""
