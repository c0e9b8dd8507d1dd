"""An index of pages that were seen before: add pages, ask whether a page is new, reduce them all.

    with Index("seen.idx") as index:
        index.add(pages, shown_at="2026-11-16")
        answer = index.query(page)
        answer.is_new, answer.matches

The file is described in docs/index-of-pages.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reducepp.api import ReduceOptions, find_profile, reduce_pages
from reducepp.errors import UsageError
from reducepp.evidence.page_facts import PageFacts
from reducepp.index.database import Database
from reducepp.index.features import Features, describe_pages
from reducepp.index.known_pages import KnownPages, site_sample
from reducepp.index.lookup import Candidates, find_candidates, look_up, site_shares
from reducepp.index.page_scores import most_scores, score_pages
from reducepp.index.site_documents import SiteDocuments, SitePages, describe_site
from reducepp.io.readers import assign_ids
from reducepp.pipeline import content_warnings
from reducepp.similarity.evidence_candidates import share_bound
from reducepp.text.urls import address_key
from reducepp.types import Array, Failure, Integers, Match, Page, Reduction, Seen, Signal

BATCH = 1000
"""Pages of one transaction; fewer are held in memory at a time."""

LOWEST_THRESHOLD = 0.3
"""Below this score nearly every page of a language is a candidate."""

SITE_PAGES_AT_ONCE = 2000
"""Pages of a site whose words are held in memory beside the page's."""

SCORED_AT_ONCE, MAX_SCORED_AT_ONCE = 50, 800
"""Candidates that are scored first, whose best scores bound which others are scored; then as many
as before, up to a limit: a small group costs nearly as much as a larger one."""

MAX_KNOWN_SITES = 32
"""Sites whose described samples are cached, the last used ones: about 0.6 MB each."""

ROUNDING = 1e-9
"""Error of a bound at most."""

MATCHES = 10
"""Pages that an answer names at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether a page is new, and which pages it duplicates otherwise, best first."""

    matches: tuple[Match, ...]
    candidates: int
    """Pages that could reach the threshold."""
    compared: int
    """Those that were scored: all of them, unless the others cannot be among the best."""

    @property
    def is_new(self) -> bool:
        """Whether no page of the index is a near-duplicate."""
        return not self.matches

    def to_dict(self) -> dict[str, Any]:
        """As plain data: `new`, `matches`, `candidates`, `compared`."""
        return {
            "new": self.is_new,
            "matches": [asdict(match) for match in self.matches],
            "candidates": self.candidates,
            "compared": self.compared,
        }


class Index:
    """An open index file; created where there is none, unless `create` is false."""

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self._database = Database(path, create=create)
        self._profile = find_profile("default")
        self._known = KnownPages(self._database)
        self._sites: dict[tuple[int, ...], SitePages] = {}

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """Pages in the index."""
        self._known.refresh()
        return len(self._known)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add(self, pages: Iterable[Page], *, shown_at: str = "") -> int:
        """Add pages; returns how many were not there yet under their query and id.

        Pages are written BATCH at a time: what was interrupted is added again without harm.
        """
        added, left = 0, iter(pages)
        while batch := list(islice(left, BATCH)):
            added += self._add_batch(batch, shown_at)
        return added

    def _add_batch(self, batch: Sequence[Page], shown_at: str) -> int:
        unique = list({(page.query, page.id): page for page in reversed(batch)}.values())[::-1]
        described = describe_pages(unique)
        try:
            with self._database.transaction():
                self._known.refresh()
                known = self._database.known(unique)
                new = [
                    (page, shown_at, features)
                    for page, features, old in zip(unique, described, known, strict=True)
                    if not old
                ]
                self._database.add(len(self._known), new)
                changed: dict[int, Integers | None] = {}
                for _, _, features in new:
                    changed |= self._known.census.add(features)
                self._database.write_sample(changed)
        except BaseException:
            self._known.forget()
            raise
        self._known.add([features for _, _, features in new])
        return len(new)

    def query(self, page: Page, *, threshold: float | None = None) -> Answer:
        """Whether the page is new, or which pages of the index it duplicates."""
        threshold = self._profile.threshold if threshold is None else threshold
        if not LOWEST_THRESHOLD <= threshold <= 1:
            raise UsageError(f"threshold {threshold}: a number from {LOWEST_THRESHOLD} to 1")
        (features,) = describe_pages([page])
        least = share_bound(self._profile, "off_site", self._text("off_site"), threshold)
        with self._database.transaction(to_write=False):
            self._known.refresh()
            looks = look_up(features, self._known, self._database)
            found = find_candidates(features, self._known, looks, least)
            found, _ = self._able(features, found, threshold)
            here = np.flatnonzero(found.on_site & (found.shares < 1))
            for part in np.split(here, range(SITE_PAGES_AT_ONCE, len(here), SITE_PAGES_AT_ONCE)):
                found.shares[part] = site_shares(
                    features, self._known, looks, found.numbers[part], exactly=True
                )
            found, most = self._able(features, found, threshold)
            site = cache(lambda: self._site_documents(page, features))
            here = np.flatnonzero(found.on_site & (found.shares < 1))
            if len(here):
                found.shares[here] = site_shares(
                    features, self._known, looks, found.numbers[here], exactly=True, site=site()
                )
                found, most = self._able(features, found, threshold)
            by_content = [self._known.columns[name][found.numbers] for name in ("document", "text")]
            order = np.lexsort((*by_content, -most))
            numbers, most = found.numbers[order], most[order]
            scored: list[_Scored] = []
            compared = 0
            while compared < len(numbers):
                if len(scored) >= MATCHES and most[compared] <= scored[MATCHES - 1].score:
                    break  # no other is better
                at_once = min(max(SCORED_AT_ONCE, compared), MAX_SCORED_AT_ONCE)
                batch = numbers[compared : compared + at_once]
                scored += self._score(page, features, batch, threshold, site)
                scored.sort(key=lambda one: (-one.score, one.page.query, one.page.id))
                compared += len(batch)
        matches = tuple(one.to_match() for one in scored[:MATCHES])
        return Answer(matches=matches, candidates=len(numbers), compared=compared)

    def _text(self, scope: str) -> Signal:
        """The signal of the share of common text."""
        return next(s for s in self._profile.signals if s.options.get("scope") == scope)

    def _able(
        self, features: Features, found: Candidates, threshold: float
    ) -> tuple[Candidates, Array]:
        """The candidates that can reach the threshold, and the most that each can score."""
        column = {name: values[found.numbers] for name, values in self._known.columns.items()}
        most = most_scores(features, column, found, self._profile)
        kept = most >= threshold - ROUNDING
        able = Candidates(found.numbers[kept], found.shares[kept], found.on_site[kept])
        return able, most[kept]

    def _site_documents(self, page: Page, features: Features) -> SiteDocuments:
        numbers = tuple(site_sample(features, self._known.columns).tolist())
        known = self._sites.pop(numbers, None)
        known = known or describe_site([one for one, _ in self._database.read(numbers)])
        self._sites[numbers] = known
        if len(self._sites) > MAX_KNOWN_SITES:
            del self._sites[next(iter(self._sites))]
        return SiteDocuments(describe_site([page], [features]), known)

    def _score(
        self,
        page: Page,
        features: Features,
        numbers: Integers,
        threshold: float,
        site: Callable[[], SiteDocuments],
    ) -> list[_Scored]:
        stored = self._database.read(numbers.tolist())
        pages = [replace(page, id=""), *(one for one, _ in stored)]
        scores = score_pages(pages, features, self._known, self._profile, site)
        facts = PageFacts(pages)
        return [
            _Scored(float(scores[place - 1]), known, shown_at, facts, place)
            for place, (known, shown_at) in enumerate(stored, start=1)
            if scores[place - 1] >= threshold
            and _shows_content_of(known, page)
            and not facts.contradict(0, place)
        ]

    def pages(self) -> list[Page]:
        """All pages, by query, rank and id."""
        return self._database.read_all()

    def reduce(self, options: ReduceOptions | None = None) -> Reduction:
        """Reduce all pages of the index as one set: what `reduce` of the same pages gives."""
        ranked = [replace(page, query="", rank=0) for page in self.pages()]
        unique = [page for page in assign_ids(ranked) if isinstance(page, Page)]
        return reduce_pages(unique, options or ReduceOptions())

    def reduce_unseen(
        self,
        pages: Sequence[Page],
        options: ReduceOptions,
        *,
        failures: Sequence[Failure] = (),
        query: str = "",
    ) -> Reduction:
        """Reduce the pages of one query without those that the index has, which are `seen`.

        A page is seen where it has a match: the best with the same facts or, where all differ in
        a fact, the best.
        """
        answers = [(page, self.query(page, threshold=options.threshold).matches) for page in pages]
        seen = [
            Seen(page=page, match=min(matches, key=lambda match: bool(match.facts["summary"])))
            for page, matches in answers
            if matches
        ]
        new = [page for page, matches in answers if not matches]
        found = reduce_pages(new, options, failures=failures, query=query)
        of_new = content_warnings(new)
        warnings = (*content_warnings(pages), *(w for w in found.warnings if w not in of_new))
        return replace(found, seen=tuple(seen), before=len(pages), warnings=warnings)

    def remember(self, reduction: Reduction, *, shown_at: str = "") -> int:
        """Add the pages that a reduction shows; returns how many were not there yet."""
        shown = set(reduction.kept)
        pages = (self.with_own_id(p) for p in reduction.pages if p.id in shown)
        return self.add(pages, shown_at=shown_at)

    def with_own_id(self, page: Page) -> Page:
        """The page, its id marked where another text has it: `add` adds an id once."""
        return replace(page, id=self._database.own_id(page))


def _shows_content_of(known: Page, page: Page) -> bool:
    """Whether who saw the known page saw the other: walls and error pages hide their content.

    One such page is known by its address alone, and does not show what is there now.
    """
    if known.lacks_content and not page.lacks_content:
        return False
    return not page.lacks_content or address_key(page.url) == address_key(known.url) != ""


class _Scored(NamedTuple):
    """A page of the index that reaches the threshold."""

    score: float
    page: Page
    shown_at: str
    facts: PageFacts
    """Of the page that is looked up, which is the first, and others."""
    place: int
    """Of this page among them."""

    def to_match(self) -> Match:
        from reducepp.evidence.facts.fact_comparison import facts_to_dict

        texts = self.facts.explain(0, self.place, passages=False)
        return Match(
            query=self.page.query,
            id=self.page.id,
            url=self.page.url,
            title=self.page.page_title,
            shown_at=self.shown_at,
            score=self.score,
            level=texts.level_at(self.score),
            facts=facts_to_dict(texts.facts),
        )
