"""Paper 5, Uwamahoro and Zuping (2013): its eight documents, candidates per step, and Table 4."""

from collections.abc import Sequence
from typing import Any

from reducepp.evaluation.figure_tables import Table
from reducepp.replication import PUBLISHED
from reducepp.text.phrase_index import PhraseIndex

_PRINTED = PUBLISHED["paper5"]
QUERY: str = _PRINTED["query"]
DOCUMENTS: list[str] = _PRINTED["documents"]


def tables(texts: Sequence[str] = DOCUMENTS, phrase: str = QUERY) -> list[Table]:
    """Candidates per word, and Table 4; published numbers beside the paper's own documents."""
    steps = PhraseIndex(texts).find(phrase).steps
    found = [{"word": s.word, "candidates": s.candidates, "share of words": s.share} for s in steps]
    return [
        Table(name="candidates", title="Candidates after each word", rows=found),
        Table(name="table-4", title="Table 4: ranking", rows=_ranking(texts, phrase)),
    ]


def _ranking(texts: Sequence[str], phrase: str) -> list[dict[str, Any]]:
    short = [_without(text) for text in texts]
    counts = {p: s for p, _, s in PhraseIndex(short).rank(_without(phrase), every_page=True)}
    tfidf = PhraseIndex(texts).rank(phrase, weights="tfidf", every_page=True)
    rows = []
    for order, (page, matched, score) in enumerate(tfidf, 1):
        row = {"order": order, "document": f"d{page + 1}", "words in a row": matched}
        row |= {"cosine of counts": counts[page], "cosine of tf-idf": score}
        if texts is DOCUMENTS:
            row["paper score"] = _PRINTED["scores"][page]
            row["paper order"] = _PRINTED["order"].index(page + 1) + 1
        rows.append(row)
    return rows


def _without(text: str) -> str:
    return " ".join(word for word in text.split() if word.lower() not in _PRINTED["stop_words"])
