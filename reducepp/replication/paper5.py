"""Paper 5, Uwamahoro and Zuping (2013): its eight documents, candidates per step, and Table 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reducepp.replication.tables import Table
from reducepp.text.phrase_index import PhraseIndex

QUERY = "freshwater tropical fish tank and saltwater tropical tank"
STOP_WORDS = ("to", "and")
"""Left out of the printed scores, though the documents and the query print them."""
DOCUMENTS = (
    "tropical fish include fish found tropical environments word including freshwater salt water "
    "species",
    "fishkeepers use term tropical fish to refer requiring freshwater saltwater tropical fish "
    "referred marine fish",
    "tropical fish popular aquarium fish due bright coloration fishkeepers use term tropical fish "
    "refer particularly requiring freshwater tropical saltwater tropical fish referred marine fish",
    "freshwater fish coloration typically derives iridescence salt water fish generally pigmented "
    "marine tropical fish interest fishkeepers fish live close relation coral reefs",
    "articles library contains large sections cichlids beta fish aim offer articles targeting "
    "beginners experienced tropical fish keepers training tropical fish disease aquariums general",
    "saltwater aquarium complicated handle basic freshwater tropical fish tank invested time "
    "efforts rewarded possibility keep remarkably beautiful fascinating saltwater fish species "
    "find freshwater tropical fish tank saltwater tropical fish tank beginner guides help pet fish "
    "way hopefully aquarium beginner guides help learn basics",
    "ac tropical fish started out site tropical aquarium fish keepers has grown include areas such "
    "coldwater species set maintenance saltwater aquarium",
    "find freshwater tropical fish tank and saltwater tropical fish tank beginner guides help pet "
    "fish way hopefully aquarium beginner guides help learn basics buying fish",
)
"""Its Table 3."""
PUBLISHED = (0.511890, 0.578541, 0.604367, 0.361961, 0.367404, 0.695353, 0.406181, 0.622375)
PUBLISHED_ORDER = (8, 6, 3, 2, 1, 4, 5, 7)
"""Scores and the order by word positions of its Table 4."""


def tables(texts: Sequence[str] = DOCUMENTS, phrase: str = QUERY) -> list[Table]:
    """Candidates per word, and Table 4; published numbers beside the paper's own documents."""
    steps = PhraseIndex(texts).find(phrase).steps
    candidates = [
        {"word": s.word, "candidates": s.candidates, "share of words": s.share} for s in steps
    ]
    return [
        Table(name="candidates", title="Candidates after each word", rows=candidates),
        Table(name="table-4", title="Table 4: ranking", rows=_ranking(texts, phrase)),
    ]


def _ranking(texts: Sequence[str], phrase: str) -> list[dict[str, Any]]:
    short = [_without(text) for text in texts]
    counts = {p: s for p, _, s in PhraseIndex(short).rank(_without(phrase), every_page=True)}
    tfidf = PhraseIndex(texts).rank(phrase, weights="tfidf", every_page=True)
    rows = []
    for order, (page, matched, score) in enumerate(tfidf, 1):
        row: dict[str, Any] = {
            "order": order,
            "document": f"d{page + 1}",
            "words in a row": matched,
        }
        row |= {"cosine of counts": counts[page], "cosine of tf-idf": score}
        if texts is DOCUMENTS:
            row |= {
                "paper score": PUBLISHED[page],
                "paper order": PUBLISHED_ORDER.index(page + 1) + 1,
            }
        rows.append(row)
    return rows


def _without(text: str) -> str:
    return " ".join(word for word in text.split() if word.lower() not in STOP_WORDS)
