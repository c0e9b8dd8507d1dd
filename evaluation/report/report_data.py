"""Comparisons to the plain data that the report's page carries.

The page cuts the tree itself: the tree and the scores are carried bit for bit, so that a
threshold on the page gives the clusters of `reducepp reduce --threshold`. The signals are
carried too, so that other weights can be tried. A weighted mean is explained in the page. A model
is not carried; its answers are, for every two pages of which one can be folded under the other when
the best ranked page is shown.
"""

import math
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reducepp import __version__
from reducepp.clustering.levels import MIN_SAME_TEXT, text_levels
from reducepp.clustering.representatives import find_policy
from reducepp.clustering.tree import Tree
from reducepp.comparison import Comparison
from reducepp.errors import UsageError
from reducepp.evaluation.information_kept import cover, whole_text
from reducepp.evaluation.report.large_sets import (
    Links,
    is_large,
    levels_of_links,
    links_data,
    strongest_links,
)
from reducepp.evaluation.report.pack import pack_numbers, pack_triangle
from reducepp.evaluation.report.page_texts import (
    address_of,
    cut_text,
    information_data,
    one_line,
    pack_words,
    snippet_of,
    text_limit,
)
from reducepp.evaluation.validity import INDICES, Validity, distances_of, validity
from reducepp.evidence.facts.fact_comparison import differences
from reducepp.evidence.page_facts import PageFacts
from reducepp.io.writers import plain
from reducepp.pipeline import Cut, cluster_labels
from reducepp.similarity.combine import background, explain_pairs
from reducepp.similarity.models import LOG_ODDS
from reducepp.similarity.models.log_odds import neutral_share
from reducepp.types import Page, Profile

FORMAT = "reducepp-report"
VERSION = 1
THRESHOLDS = tuple(i / 100 for i in range(101))
"""Those of the curves of validity indices."""
FACTS_FLOOR = 0.2
"""Score from which on the facts of a pair are compared."""
FACTS_BUDGET = 6_000_000
"""Characters of text whose facts are compared: about two seconds."""
FACTS_SHOWN = 8
"""Differences of a pair that are carried."""
MAX_EXPLAINED_PAIRS = 5_000
"""Pairs of which the answers of a model are carried."""
EXACT_VALUES = 150_000
"""Pairs times signals up to which similarities are carried with all their digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """Where the report opens: NaN is the profile's threshold."""

    threshold: float = math.nan
    keep: str = "rank"
    title: str = ""
    text_budget: int = 0
    """Bytes of page texts that are carried; 0 is 1.6 MB, more for more than a hundred pages."""

    def threshold_for(self, profile: Profile) -> float:
        """The threshold given, else the profile's."""
        return profile.threshold if math.isnan(self.threshold) else self.threshold


def report_data(
    comparisons: Sequence[Comparison],
    options: ReportOptions | None = None,
    facts: Sequence[PageFacts] = (),
) -> dict[str, Any]:
    """Everything the page needs, one entry per query; all comparisons share one profile, and the
    signals are those that every query has. `facts` of each comparison are those read before.
    """
    options = options or ReportOptions()
    find_policy(options.keep)
    if not comparisons:
        raise UsageError("a report needs at least one query with pages")
    profile = shared_profile(comparisons)
    pages = [page for comparison in comparisons for page in comparison.pages]
    pairs = sum(len(c.pages) * (len(c.pages) - 1) // 2 for c in comparisons)
    limit = text_limit(pages, options.text_budget)
    exact = pairs * len(profile.signals) <= EXACT_VALUES
    facts = facts or [PageFacts(comparison.pages) for comparison in comparisons]
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": options.title,
        "versions": versions(),
        "profile": describe_profile(profile),
        "threshold": options.threshold_for(profile),
        "keep": options.keep,
        "queries": [
            _query_data(comparison, known, limit, exact)
            for comparison, known in zip(comparisons, facts, strict=True)
        ],
    }


def versions() -> dict[str, str]:
    """What the report was made with."""
    python = platform.python_version()
    return {"reducepp": __version__, "numpy": np.__version__, "python": python}


def shared_profile(comparisons: Sequence[Comparison]) -> Profile:
    """The profile of all queries, with the signals that every one with pages needed."""
    profiles = [c.profile for c in comparisons if c.pages] or [c.profile for c in comparisons]
    return min(profiles, key=lambda profile: len(profile.signals))


def describe_profile(profile: Profile) -> dict[str, Any]:
    """A profile as plain data; of a model that adds evidence with its coefficients."""
    coefficients = profile.model.get("coefficients", {})
    signals = []
    for signal in profile.signals:
        data = {key: getattr(signal, key) for key in ("name", "content", "measure")}
        plain_options = {key: _plain(value) for key, value in signal.options.items()}
        data |= {"options": plain_options, "weight": signal.weight}
        signals.append(data | ({"coefficient": coefficients[signal.name]} if coefficients else {}))
    return {
        **{key: getattr(profile, key) for key in _PROFILE_KEYS},
        "provenance": _for_readers(profile.provenance),
        "learned": bool(profile.model),
        "log_odds": _log_odds(profile.model),
        "signals": signals,
    }


def _log_odds(model: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is needed beside the coefficients to add up evidence; None for another model."""
    if model.get("kind") != LOG_ODDS:
        return None
    neutral = {name: neutral_share(model, name) for name in model["shares"]}
    return {"background": model["background"], "smoothing": model["smoothing"], "neutral": neutral}


_PROFILE_KEYS = (
    *("name", "description", "threshold", "prepare", "missing", "linkage"),
    *("check_representative", "check_facts"),
)
_POINTER = re.compile(r" \([^()]{0,80}docs/[^()]{0,80}\)")


def _for_readers(text: str) -> str:
    """A profile's provenance without Markdown, and without what points to a file."""
    sentences = _POINTER.sub("", " ".join(text.replace("`", "").split())).split(". ")
    return ". ".join(one for one in sentences if "docs/" not in one).strip()


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else str(value)


def _query_data(
    comparison: Comparison, facts: PageFacts, limit: int, exact: bool
) -> dict[str, Any]:
    """One query; `limit` is in bytes of each page's text, `exact` of the similarities."""
    if not is_large(comparison.pages):
        return _shared_data(comparison, limit) | _pair_data(comparison, facts, exact)
    links = strongest_links(comparison)  # nothing that needs all pairs
    with levels_of_links(comparison, links) as levels:
        data = _shared_data(comparison, limit) | {"facts": facts_data(comparison, facts, links)}
        data["links"] = links_data(comparison, links) | {"levels": levels()}
    return data | {"information": None, "sweep": {"threshold": []}}


def _shared_data(comparison: Comparison, limit: int) -> dict[str, Any]:
    """What the page needs of a query of any size."""
    tree = comparison.tree
    return {
        "query": one_line(comparison.query),
        "pages": _pages_data(comparison.pages, limit),
        "tree": {key: getattr(tree, key).tolist() for key in ("first", "second", "scores")},
        "explained": explained_data(comparison),
        "failures": [{k: one_line(t) for k, t in plain(f).items()} for f in comparison.failures],
    }


def _pair_data(comparison: Comparison, facts: PageFacts, exact: bool) -> dict[str, Any]:
    """Of a query all of whose pairs are carried, a pair i < j after the other.

    Levels are places of text levels in LEVELS; what score and facts change, the page derives.
    """
    pages, by_signal = comparison.pages, comparison.similarities.by_signal
    coverage, levels = cover(pages), text_levels(pages)[np.triu_indices(len(pages), 1)]
    return {
        "scores": pack_triangle(comparison.scores),
        "signals": {name: pack_triangle(v, exact=exact) for name, v in by_signal.items()},
        "information": information_data(coverage) if coverage.total else None,
        "sweep": indices_data(comparison, facts),
        "levels": pack_numbers(levels.tolist()),
        "facts": facts_data(comparison, facts),
    }


def indices_data(comparison: Comparison, facts: PageFacts | None = None) -> dict[str, list[Any]]:
    """The validity indices by threshold: null where one is not defined, and the reason."""
    distances, facts = distances_of(comparison.scores), facts or PageFacts(comparison.pages)
    found: list[Validity] = []
    known: dict[bytes, Validity] = {}
    for threshold in THRESHOLDS:
        labels = cluster_labels(comparison, Cut(threshold=threshold), facts)
        key = labels.tobytes()
        if key not in known:
            known[key] = validity(distances, labels, distances)
        found.append(known[key])
    indices = {name: [_short(getattr(one, name)) for one in found] for name in INDICES}
    return {"threshold": list(THRESHOLDS), **indices, "reason": [one.reason for one in found]}


def _short(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.6g}")


def facts_data(
    comparison: Comparison, facts: PageFacts, links: Links | None = None
) -> list[dict[str, Any]]:
    """Pairs whose facts differ: what differs in a and b, whether they contradict each other, and
    whether their texts may be called the same.

    Pairs from FACTS_FLOOR on that were needed before, and the strongest others as long as
    FACTS_BUDGET lasts.
    """
    pages = comparison.pages
    a, b = (links.first, links.second) if links else np.triu_indices(len(pages), 1)
    scores = links.scores if links else comparison.scores[a, b]
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= FACTS_FLOOR]
    lengths = np.array([len(page.body) for page in pages])
    left = FACTS_BUDGET // 4 if links else FACTS_BUDGET
    needed, check, found = facts.needed(), comparison.profile.check_facts, []
    for pair in zip(a[order].tolist(), b[order].tolist(), strict=True):
        left -= 0 if pair in needed else lengths[list(pair)].sum()
        if left < 0 and pair not in needed:
            continue
        i, j = needed.get(pair, pair)
        compared = facts.compare(i, j)
        differ = differences(compared)
        if differ:
            contradict = check and facts.contradict(i, j)
            named = {
                what: [[one_line(x, 60) for x in item] for item in items[:FACTS_SHOWN]]
                for what, items in differ.items()
            }
            same_text = compared.shared_of_longer >= MIN_SAME_TEXT
            both = {"a": i, "b": j, "differ": named}
            found.append(both | {"contradict": contradict, "same_text": same_text})
    return found


def _pages_data(pages: Sequence[Page], limit: int) -> list[dict[str, Any]]:
    texts = [cut_text(whole_text(page), limit) for page in pages]
    large = is_large(pages)
    packed = [""] * len(texts) if large else pack_words(texts)
    return [
        {
            "id": address_of(page.id),
            "rank": page.rank,
            "url": address_of(page.url),
            "title": one_line(page.page_title) or one_line(page.site_title),
            "language": one_line(page.language, 35),
            "posted": one_line(page.posted_at, 40),
            "snippet": snippet_of(page, quick=large),
            "body": text,
            "places": places,
            "length": len(page.body),
            "without": "" if page.content_class == "home" else page.content_class,
            "clipped": len(text) < len(whole_text(page)),
        }
        for page, text, places in zip(pages, texts, packed, strict=True)
    ]


def explained_data(comparison: Comparison) -> dict[str, Any] | None:
    """By the numbers of the kept and the dropped page: tests, and how far each signal moved.

    None for a profile without a model, and for log-odds, which the page adds up itself.
    """
    profile = comparison.profile
    if not profile.model or profile.model["kind"] == LOG_ODDS:
        return None
    folds = sorted(possible_folds(comparison.tree))[:MAX_EXPLAINED_PAIRS]
    explained = explain_pairs(comparison.similarities, profile, folds)
    return {
        f"{kept} {i}": {
            "tests": list(tests),
            "moved": {name: float(f"{s.contribution:.6g}") for name, s in moved.items()},
            "background": background(profile, float(comparison.scores[kept, i]), moved),
        }
        for (kept, i), (moved, tests) in zip(folds, explained, strict=True)
    }


def possible_folds(tree: Tree) -> set[tuple[int, int]]:
    """Every (kept, folded) at any threshold: as groups merge, the better ranked head takes over."""
    members = {i: [i] for i in range(len(tree.ids))}
    head = list(range(len(tree.ids)))
    found: set[tuple[int, int]] = set()
    for a, b in zip(tree.first.tolist(), tree.second.tolist(), strict=True):
        low, high = sorted((head[a], head[b]))
        for i in members.pop(high):
            head[i] = low
            members[low].append(i)
            found.add((low, i))
    return found
