"""Strategies for short posts: their signals, and the profiles written from fitted ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.post_fit import Fit
from reducepp.types import Profile, Signal

Row = tuple[str, str, str, dict[str, Any]]
"""Signal, content type, measure, options."""

SYNTACTIC: tuple[Row, ...] = (
    ("levenshtein", "body", "levenshtein", {"longest": 140}),
    ("terms", "body", "shared", {"items": "terms"}),
    ("hashtags", "body", "shared", {"items": "hashtags"}),
    ("urls", "post_links", "jaccard", {}),
    ("expanded_urls", "expanded_links", "jaccard", {}),
    ("length", "body", "length_gap", {"longest": 140}),
)
OURS: tuple[Row, ...] = (
    ("letters", "body", "levenshtein", {"spelling": "words", "enough": 0.5}),
    ("aligned", "body", "aligned", {}),
    ("amount", "body", "shared", {"items": "content", "of": "amount", "weigh": "rarity"}),
    ("opening", "body", "opening", {}),
    ("names", "body", "unmatched", {"items": "names"}),
    ("voice", "body", "voice", {}),
)


def _semantic(content: str, prefix: str = "") -> tuple[Row, ...]:
    kinds = ("entities", "entity_types", "topics", "nouns", "synsets")
    rows = [(f"{prefix}{kind}", content, "shared", {"items": kind}) for kind in kinds]
    return (*rows, (f"{prefix}wordnet", content, "lin", {}))


SEMANTIC = _semantic("body")
ENRICHED = _semantic("enriched_body", "linked_")
CONTEXTUAL: tuple[Row, ...] = (
    ("time", "posted_at", "time_gap", {"days": 14}),
    ("followees", "followees", "log_gap", {"largest": 7}),
    ("followers", "followers", "log_gap", {"largest": 7}),
    ("client", "client", "same", {}),
)

STRATEGIES: dict[str, tuple[Row, ...]] = {
    "sy": (*SYNTACTIC, *OURS),
    "syse": (*SYNTACTIC, *OURS, *SEMANTIC),
    "syco": (*SYNTACTIC, *OURS, *CONTEXTUAL),
    "syseco": (*SYNTACTIC, *OURS, *SEMANTIC, *CONTEXTUAL),
    "syseen": (*SYNTACTIC, *OURS, *SEMANTIC, *ENRICHED),
    "syseenco": (*SYNTACTIC, *OURS, *SEMANTIC, *ENRICHED, *CONTEXTUAL),
}
PAPER: dict[str, tuple[float, float]] = {
    "hashtags": (0.4450, 0.0018),
    "urls": (1.2648, 0.0018),
    "expanded_urls": (0.8832, 0.0054),
    "linked_entities": (-0.8819, 0.0720),
    "linked_entity_types": (0.9578, 0.1799),
    "linked_topics": (-0.1825, 0.1834),
    "linked_nouns": (-2.0867, 0.0984),
    "linked_synsets": (2.5496, 0.1015),
    "linked_wordnet": (0.7949, 0.6042),
    "time": (12.6370, 1 - 0.2041),
    "followees": (-0.4504, 1 - 0.4034),
    "followers": (0.3757, 1 - 0.4423),
    "client": (-0.1150, 0.1604),
}
"""Coefficient (Table 3, of a similarity) and mean (Table 1) of what the labelled posts lack."""


def make_signals(rows: Sequence[Row]) -> tuple[Signal, ...]:
    """Signals of a strategy; the model holds what each counts."""
    return tuple(
        Signal(name=name, content=content, measure=measure, options=options, weight=0.0)
        for name, content, measure, options in rows
    )


def make_profile(
    name: str, rows: Sequence[Row], fit: Fit, cut: float, learned: Sequence[str]
) -> Profile:
    """A strategy as a profile: its cut moved to 0.5, the cascade before the model."""
    coefficients = dict(zip(learned, fit.coefficients.tolist(), strict=True))
    missing = dict(zip(learned, fit.mean.tolist(), strict=True))
    intercept = fit.intercept - cut
    for signal, (coefficient, mean) in PAPER.items():
        if any(signal == row[0] for row in rows):
            coefficients[signal], missing[signal] = coefficient, mean
            intercept -= coefficient * mean
    names = [row[0] for row in rows]
    logistic = {
        "kind": "logistic",
        "intercept": round(intercept, 4),
        "coefficients": {name: round(coefficients[name], 4) for name in names},
        "missing": {name: round(missing[name], 4) for name in names},
    }
    copied = Signal(name="copied", content="body", measure="copied", weight=0.0)
    return Profile(
        name=name,
        description=f"Short posts, after Tao et al. (2013): {DESCRIPTIONS[name]}.",
        signals=(copied, *make_signals(rows)),
        threshold=0.5,
        missing="left out",
        model={"kind": "cascade", "first": "copied", "then": logistic},
        provenance=PROVENANCE,
    )


DESCRIPTIONS = {
    "posts": "the best of the strategies, posts-sy",
    "posts-sy": "syntactic features and ours",
    "posts-syse": "syntactic and semantic features",
    "posts-syco": "syntactic and contextual features",
    "posts-syseco": "syntactic, semantic and contextual features",
    "posts-syseen": "syntactic, semantic and enriched features",
    "posts-syseenco": "all features",
}
PROVENANCE = (
    "python -m benchmarks posts --write: cost-sensitive logistic regression on labelled pairs of "
    "English posts, cut for F1. Hashtags, addresses, linked pages and context, which those posts "
    "lack, count as in the paper's Table 3, around the means of its Table 1."
)
