"""The text around a query's words, longer than a search engine shows."""

from reducepp.text.languages import LANGUAGES
from reducepp.text.tokenise import word_spans, words

CONTEXT_WORDS = 30
"""Words on each side of a query word: some sixty words a place, where result pages show twenty."""
MAX_SNIPPET_WORDS = 400
"""Of one page's snippets together."""


def query_snippets(
    text: str, query: str, *, around: int = CONTEXT_WORDS, most_words: int = MAX_SNIPPET_WORDS
) -> str:
    """Stretches of a text around a query's words, as written, a line each; "" without any.

    Stretches that touch are one. Those with more of the query's words come first into the
    `most_words` there is room for, then earlier ones; they are written in the text's order.
    """
    wanted = query_words(query)
    if wanted.isdisjoint(words(text, digits=True)):
        return ""  # places take far longer to find than words
    found, spans = word_spans(text, digits=True)
    hits = [(i, word) for i, word in enumerate(found) if word in wanted]
    stretches: list[tuple[int, int, set[str]]] = []
    for position, word in hits:
        first, last, seen = max(0, position - around), position + around, {word}
        if stretches and first <= stretches[-1][1] + 1:
            first, _, before = stretches.pop()
            seen |= before
        stretches.append((first, min(last, len(spans) - 1), seen))
    room, taken = most_words, []
    for first, end, _ in sorted(stretches, key=lambda stretch: (-len(stretch[2]), stretch[0])):
        last = min(end, first + room - 1)
        if last < first:
            break
        taken.append((spans[first][0], spans[last][1]))
        room -= last - first + 1
    return "\n".join(text[start:end] for start, end in sorted(taken))


def query_words(query: str) -> frozenset[str]:
    """A query's words without the stop words of any language, unless nothing else is left."""
    terms = frozenset(words(query, digits=True))
    stop = frozenset[str]().union(*(language.stop_words for language in LANGUAGES.values()))
    return terms - stop or terms
