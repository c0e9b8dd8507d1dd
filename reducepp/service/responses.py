"""What the service answers, as models for the OpenAPI; the answers are made by `work`."""

from __future__ import annotations

from pydantic import BaseModel


class Problem(BaseModel):
    """One plain line: what, where, and what is allowed."""

    error: str


class EdgeAnswer(BaseModel):
    """Two pages and the score between them."""

    a: str
    b: str
    score: float


class ResultAnswer(BaseModel):
    """A page that is shown."""

    id: str
    rank: int
    url: str
    title: str
    similar: list[str] = []
    demoted: bool = False


class ClusterAnswer(BaseModel):
    """Pages that count as one."""

    kept: str
    members: list[str]
    size: int
    weakest_link: float | None
    least_similar: EdgeAnswer | None
    chained: bool
    label: str


class ShareAnswer(BaseModel):
    """What one signal gave to a score."""

    similarity: float | None
    weight: float
    contribution: float


class PassageAnswer(BaseModel):
    """Words that both pages share, with their places."""

    text: str
    words: int
    in_dropped: list[int]
    in_kept: list[int]


class FactDifferenceAnswer(BaseModel):
    """Two facts in the same place that contradict each other."""

    a: str
    b: str
    context: str


class FactsAnswer(BaseModel):
    """Facts of two near-duplicates that stand in the same place."""

    same: int
    differ: list[FactDifferenceAnswer]
    only_a: list[str]
    only_b: list[str]
    summary: str


class DroppedAnswer(BaseModel):
    """A page that is not shown: for which page, and why."""

    id: str
    kept: str
    score: float
    level: str
    action: str
    signals: dict[str, ShareAnswer]
    chain: list[EdgeAnswer]
    weakest_step: EdgeAnswer | None
    passages: list[PassageAnswer]
    facts: FactsAnswer | dict[str, None]


class FailureAnswer(BaseModel):
    """A page that could not be used."""

    url: str
    stage: str
    reason: str


class ReductionAnswer(BaseModel):
    """What is shown, and the reason for every page that is not."""

    query: str
    profile: str
    threshold: float
    before: int
    after: int
    reduction: float
    mode: str
    keep: str
    linkage: str
    results: list[ResultAnswer]
    clusters: list[ClusterAnswer]
    dropped: list[DroppedAnswer]
    failures: list[FailureAnswer]
    warnings: list[str]


class CompareAnswer(BaseModel):
    """How alike two pages are."""

    score: float
    duplicate: bool
    level: str
    facts: FactsAnswer
    signals: dict[str, float | None]


class SweepRow(BaseModel):
    """One threshold; null where a figure is not defined."""

    query: str
    threshold: float
    pages: int
    clusters: int
    reduction: float | None
    information_kept: float | None
    silhouette: float | None
    davies_bouldin: float | None
    calinski_harabasz: float | None
    rand: float | None
    adjusted_rand: float | None
    ami: float | None
    nmi: float | None
    fowlkes_mallows: float | None
    homogeneity: float | None
    completeness: float | None
    v_measure: float | None
    largest: int
    chained: int


class SweepAnswer(BaseModel):
    """A row a threshold."""

    profile: str
    rows: list[SweepRow]
    failures: list[FailureAnswer]


class SplitAnswer(BaseModel):
    """A page's content types; more fields where the page has them."""

    id: str
    url: str
    language: str
    site_title: str
    page_title: str
    subtitles: list[str]
    links: list[str]
    body: str
    posted_at: str


class Health(BaseModel):
    """Whether requests are taken."""

    status: str
    version: str
    workers: int
    waiting: int
