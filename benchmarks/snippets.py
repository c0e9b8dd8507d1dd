"""`default` and `snippets` on labelled news of which title, address and snippet are known.

    python -m benchmarks snippets

Reads news-*.jsonl.gz with its labels and posts-en.jsonl.gz from the folder in REDUCEPP_DATA, else
../shared/data. Three snippets a page: the first 30 words of its text (`lead`); its description,
else the lead (`description`); and, as different engines show one page differently, 25 to 50
words that begin anywhere in the first 25, or the description, drawn by the page's id (`mixed`).
The profiles keep their thresholds. MinHash and tf-idf see title and snippet as one text; their
thresholds are the best ones on the other two languages. Posts have neither title nor address.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from lxml import html as lxml_html

from benchmarks.data import has_labelled_data, labels_of, read_rows
from reducepp.api import find_profile
from reducepp.comparison import Comparison, compare_pages
from reducepp.evaluation.methods import compare_baseline
from reducepp.evaluation.pair_evaluation import rank_labelled
from reducepp.inputs import as_pages
from reducepp.labelled.labelled_pairs import LabelledPairs, find_pairs
from reducepp.labelled.scoring import (
    Ranking,
    average_precision,
    best_threshold,
    count_all,
    count_at,
    rank_pairs,
)
from reducepp.types import Page

KINDS = ("lead", "description", "mixed")
LANGUAGES = ("en", "fr", "ar")
Compare = Callable[[Sequence[Page]], Comparison]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSet:
    """One language with one kind of snippet."""

    language: str
    kind: str
    pairs: LabelledPairs

    def rank(self, compare: Compare) -> Ranking:
        """The labelled pairs by score."""
        return rank_labelled([compare(pages) for pages in self.pairs.pages], self.pairs)


def read_sets() -> Iterator[ResultSet]:
    """Every language with every kind of snippet."""
    for language in LANGUAGES:
        records = read_rows(f"news-{language}")
        described = {record["id"]: _description(record["html"]) for record in records}
        pages, labels = as_pages(records)[0], labels_of(f"news-{language}")
        for kind in KINDS:
            results = [_result(page, described[page.id], kind) for page in pages]
            yield ResultSet(language=language, kind=kind, pairs=find_pairs([results], labels))


def _description(source: str) -> str:
    parser = lxml_html.HTMLParser(encoding="utf-8")
    tree = lxml_html.fromstring(source.encode("utf-8", "replace"), parser=parser)
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
    return Page(id=page.id, query=page.query, body=text, snippet=text, **known)


def by_profile(name: str) -> Compare:
    """Pages compared by a profile."""
    return lambda pages: compare_pages(pages, find_profile(name))


def by_baseline(name: str) -> Compare:
    """Title and snippet as one text, compared by a baseline."""
    return lambda pages: compare_baseline(
        [replace(page, body=f"{page.page_title}\n{page.body}") for page in pages], name
    )


METHODS: dict[str, Compare] = {
    "snippets": by_profile("snippets"),
    "default": by_profile("default"),
    "tfidf": by_baseline("tfidf"),
    "minhash": by_baseline("minhash"),
}


def elsewhere(sets: Sequence[ResultSet], rankings: Sequence[Ranking], language: str) -> float:
    """The mean of the best thresholds on the other languages' sets."""
    others = [r for s, r in zip(sets, rankings, strict=True) if s.language != language]
    return float(np.mean([best_threshold(ranking) for ranking in others]))


def main() -> None:
    """Print a table a kind of snippet, and the posts."""
    if not has_labelled_data():
        return
    sets = list(read_sets())
    print("method     snippet      lang  pairs  AP     precision  recall  F      threshold")
    for method, compare in METHODS.items():
        rankings = [one.rank(compare) for one in sets]
        fixed = find_profile(method).threshold if method in ("snippets", "default") else None
        for one, ranking in zip(sets, rankings, strict=True):
            threshold = fixed or elsewhere(sets, rankings, one.language)
            print(f"{method:10} {one.kind:12} {one.language:5} {_figures(ranking, threshold)}")
    _print_posts()


def _figures(ranking: Ranking, threshold: float) -> str:
    found = count_at(ranking, np.array([threshold]))
    ap = float(average_precision(count_all(ranking))[0])
    precision, recall, f = (float(x[0, 0]) for x in (found.precision, found.recall, found.f1))
    wanted = int(found.labelled[0, 0])
    return f"{wanted:5}  {ap:.3f}  {precision:9.3f}  {recall:6.3f}  {f:.3f}  {threshold:.3f}"


def _print_posts() -> None:
    profile = find_profile("snippets")
    pairs = [row for row in read_rows("posts-en") if row["votes"] != 3]
    found = [[Page(id=side, body=pair[side]["body"]) for side in "ab"] for pair in pairs]
    scores = np.array([compare_pages(pages, profile).scores[0, 1] for pages in found])
    ranking = rank_pairs(scores, np.array([pair["votes"] >= 4 for pair in pairs]))
    print(f"{'snippets':10} {'posts':12} {'en':5} {_figures(ranking, profile.threshold)}")
