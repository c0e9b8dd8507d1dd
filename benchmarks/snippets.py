"""`default` and `snippets` on labelled news of which title, address and snippet are known.

    python -m benchmarks snippets

Reads news-*.jsonl.gz with its labels and posts-en.jsonl.gz from the folder in REDUCEPP_DATA, else
../shared/data. Three snippets a page: the first 30 words of its text (`lead`); its description,
else the lead (`description`); and, as different engines show one page differently, 25 to 50
words that begin anywhere in the first 25, or the description, drawn by the page's id (`mixed`).
The profiles keep their thresholds. MinHash and tf-idf see title and snippet as one text; their
thresholds are the best ones on the other two languages. Posts have neither title nor address.
"""

import csv
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import html as lxml_html

from benchmarks.data import DATA
from reducepp.api import find_profile
from reducepp.evaluation.methods import compare_baseline
from reducepp.inputs import as_pages
from reducepp.labelled.scoring import (
    Ranking,
    average_precision,
    best_threshold,
    count_all,
    count_at,
)
from reducepp.labelled.scoring import rank_pairs as rank
from reducepp.pipeline import compare_pages
from reducepp.types import Array, Page

KINDS = ("lead", "description", "mixed")
LANGUAGES = ("en", "fr", "ar")
Score = Callable[[Sequence[Page]], Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSet:
    """One language with one kind of snippet: results, and which pairs are duplicates."""

    language: str
    kind: str
    pages: tuple[Page, ...]
    first: list[int]
    second: list[int]
    duplicate: Any

    def rank(self, score: Score) -> Ranking:
        """The labelled pairs by score."""
        return rank(score(self.pages)[self.first, self.second], self.duplicate)


def read_sets() -> Iterator[ResultSet]:
    """Every language with every kind of snippet."""
    for language in LANGUAGES:
        with gzip.open(DATA / f"news-{language}.jsonl.gz", "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        described = {record["id"]: _description(record["html"]) for record in records}
        pages, _ = as_pages(records)
        places = {page.id: place for place, page in enumerate(pages)}
        with (DATA / f"news-{language}.labels.csv").open(encoding="utf-8") as labels:
            rows = [r for r in csv.DictReader(labels) if r["a"] in places and r["b"] in places]
        for kind in KINDS:
            yield ResultSet(
                language=language,
                kind=kind,
                pages=tuple(_result(page, described[page.id], kind) for page in pages),
                first=[places[row["a"]] for row in rows],
                second=[places[row["b"]] for row in rows],
                duplicate=np.array([row["duplicate"] == "1" for row in rows]),
            )


def _description(source: str) -> str:
    tree = lxml_html.fromstring(source.encode("utf-8", "replace"))
    found = tree.xpath("//meta[@name='description' or @property='og:description']/@content")
    return " ".join(str(found[0]).split()[:50]) if found else ""


def _result(page: Page, description: str, kind: str) -> Page:
    draw = random.Random(page.id)
    lead = " ".join(page.body.split()[:30])
    start = draw.randrange(25)
    passage = " ".join(page.body.split()[start : start + draw.randint(25, 50)])
    text = {
        "lead": lead,
        "description": description or lead,
        "mixed": draw.choice([description or lead, lead, passage, passage]),
    }[kind]
    known = {"page_title": page.page_title, "url": page.url, "rank": page.rank}
    return Page(id=page.id, body=text, snippet=text, **known)


def by_profile(name: str) -> Score:
    """Scores of a profile."""
    return lambda pages: compare_pages(pages, find_profile(name)).scores


def by_baseline(name: str) -> Score:
    """Scores of a baseline on title and snippet as one text."""

    def score(pages: Sequence[Page]) -> Array:
        whole = [replace(page, body=f"{page.page_title}\n{page.body}") for page in pages]
        return compare_baseline(whole, name).scores

    return score


METHODS: dict[str, Score] = {
    "snippets": by_profile("snippets"),
    "default": by_profile("default"),
    "tfidf": by_baseline("tfidf"),
    "minhash": by_baseline("minhash"),
}


def elsewhere(sets: Sequence[ResultSet], rankings: Sequence[Ranking], language: str) -> float:
    """The mean of the best thresholds on the other languages' sets."""
    others = [r for s, r in zip(sets, rankings, strict=True) if s.language != language]
    return float(np.mean([best_threshold(ranking) for ranking in others]))


def main() -> int:
    """Print a table a kind of snippet, and the posts."""
    if not (DATA / "news-en.jsonl.gz").exists():
        print(f"no labelled pages in {DATA}: set REDUCEPP_DATA", file=sys.stderr)
        return 0
    sets = list(read_sets())
    print("method     snippet      lang  pairs  AP     precision  recall  F      threshold")
    for method, score in METHODS.items():
        rankings = [one.rank(score) for one in sets]
        fixed = find_profile(method).threshold if method in ("snippets", "default") else None
        for one, ranking in zip(sets, rankings, strict=True):
            threshold = fixed or elsewhere(sets, rankings, one.language)
            print(f"{method:10} {one.kind:12} {one.language:5} {_figures(ranking, threshold)}")
    _print_posts()
    return 0


def _figures(ranking: Ranking, threshold: float) -> str:
    found = count_at(ranking, np.array([threshold]))
    ap = float(average_precision(count_all(ranking))[0])
    precision, recall, f = (float(x[0, 0]) for x in (found.precision, found.recall, found.f1))
    wanted = int(found.labelled[0, 0])
    return f"{wanted:5}  {ap:.3f}  {precision:9.3f}  {recall:6.3f}  {f:.3f}  {threshold:.3f}"


def _print_posts() -> None:
    with gzip.open(DATA / "posts-en.jsonl.gz", "rt", encoding="utf-8") as file:
        pairs = [pair for line in file if (pair := json.loads(line))["votes"] != 3]
    profile = find_profile("snippets")
    scores = [
        compare_pages([Page(id=side, body=pair[side]["body"]) for side in "ab"], profile).scores
        for pair in pairs
    ]
    ranking = rank(
        np.array([score[0, 1] for score in scores]), np.array([p["votes"] >= 4 for p in pairs])
    )
    print(f"{'snippets':10} {'posts':12} {'en':5} {_figures(ranking, profile.threshold)}")
