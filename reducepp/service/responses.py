"""What the service answers, as models for the OpenAPI; the answers are made in `handlers`.

Every field that is sent is described: the models allow no others, and tests read real answers
with them.
"""

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(extra="forbid")


class Problem(Answer):
    """One plain line: what, where, and what is allowed."""

    error: str


class EdgeAnswer(Answer):
    """Two pages and the score between them."""

    a: str
    b: str
    score: float


class ResultAnswer(Answer):
    """A page that is shown."""

    id: str
    rank: int
    url: str
    title: str
    similar: list[str] = []
    demoted: bool = False


class ClusterAnswer(Answer):
    """A cluster of near-duplicates."""

    kept: str
    members: list[str]
    size: int
    weakest_link: float | None
    least_similar: EdgeAnswer | None
    chained: bool
    label: str


class ShareAnswer(Answer):
    """Contribution of one signal to a score."""

    similarity: float | None
    weight: float
    contribution: float


class PassageAnswer(Answer):
    """Words that both pages share, with their places."""

    text: str
    words: int
    in_dropped: list[int]
    in_kept: list[int]


class FactDifferenceAnswer(Answer):
    """Two facts in the same place that contradict each other."""

    a: str
    b: str
    context: str


class FactsAnswer(Answer):
    """Facts of two near-duplicates that stand in the same place."""

    same: int
    differ: list[FactDifferenceAnswer]
    only_a: list[str]
    only_b: list[str]
    summary: str


class DroppedAnswer(Answer):
    """A dropped page: its representative, and why."""

    id: str
    kept: str
    score: float
    level: str
    kind: str
    """What clicks and content together make of it; empty without a click log."""
    action: str
    signals: dict[str, ShareAnswer]
    tests: list[str]
    """What a learned model asked of the two pages; empty for a weighted mean."""
    chain: list[EdgeAnswer]
    weakest_step: EdgeAnswer | None
    passages: list[PassageAnswer]
    facts: FactsAnswer | dict[str, None]
    background: float | None = None
    """Log odds before any signal, where the profile has a log-odds model."""


class FailureAnswer(Answer):
    """A page that could not be used."""

    url: str
    stage: str
    reason: str


class WordsAnswer(Answer):
    """Words of all pages' texts, and of those that are shown."""

    before: int
    after: int


class ReductionAnswer(Answer):
    """The results, and the reason for every dropped page."""

    query: str
    profile: str
    threshold: float
    before: int
    after: int
    reduction: float
    words: WordsAnswer
    mode: str
    keep: str
    linkage: str
    results: list[ResultAnswer]
    clusters: list[ClusterAnswer]
    dropped: list[DroppedAnswer]
    cut: list[str] = []
    """Ids left out only because of target_n."""
    failures: list[FailureAnswer]
    warnings: list[str]


class CompareAnswer(Answer):
    """How alike two pages are."""

    score: float
    duplicate: bool
    level: str
    facts: FactsAnswer
    signals: dict[str, float | None]


class MatchAnswer(Answer):
    """A page of the index of which the page is a near-duplicate, and where it was shown."""

    query: str
    id: str
    url: str
    title: str
    shown_at: str
    score: float
    level: str


class SeenAnswer(Answer):
    """Whether a page is new; the best matches otherwise."""

    new: bool
    matches: list[MatchAnswer]
    candidates: int
    """Pages of the index that could reach the threshold."""
    compared: int
    """Those that were scored."""


class SweepRow(Answer):
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


class SweepAnswer(Answer):
    """One row per threshold."""

    profile: str
    rows: list[SweepRow]
    failures: list[FailureAnswer]


class SplitAnswer(Answer):
    """A page's content types; the optional ones where the page has them."""

    id: str
    url: str
    language: str
    site_title: str
    page_title: str
    subtitles: list[str]
    links: list[str]
    body: str
    posted_at: str
    rank: int = 0
    visible: str = ""
    rendered_body: str = ""
    snippet: str = ""
    images: list[str] = []
    author: str = ""
    content_class: str = ""


class Health(Answer):
    """Whether requests are taken."""

    status: str
    version: str
    workers: int
    waiting: int
