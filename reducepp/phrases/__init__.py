"""Word positions: phrases found, text around a query's words, passages that two pages share."""

from reducepp.phrases.index import PhraseIndex, PhraseMatch, PhraseSearch, Step
from reducepp.phrases.passages import SHORTEST_PASSAGE, WordPlaces, shared_passages
from reducepp.phrases.snippets import query_snippets, snippets_of

__all__ = [
    "SHORTEST_PASSAGE",
    "PhraseIndex",
    "PhraseMatch",
    "PhraseSearch",
    "Step",
    "WordPlaces",
    "query_snippets",
    "shared_passages",
    "snippets_of",
]
