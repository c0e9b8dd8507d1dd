"""The text around a query's words, longer than a search engine shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reducepp.text.languages import LANGUAGES
from reducepp.text.tokenise import word_spans, words

AROUND = 30
"""Words on each side of a query word: some sixty words a place, where result pages show twenty."""

MOST_WORDS = 400
"""Of one page's snippets together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    first: int
    last: int
    words: frozenset[str]


def query_snippets(
    text: str, query: str, *, around: int = AROUND, most_words: int = MOST_WORDS
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
    stretches = sorted(
        _stretches(hits, len(spans), around),
        key=lambda stretch: (-len(stretch.words), stretch.first),
    )
    room, taken = most_words, []
    for stretch in stretches:
        last = min(stretch.last, stretch.first + room - 1)
        if last < stretch.first:
            break
        taken.append((spans[stretch.first][0], spans[last][1]))
        room -= last - stretch.first + 1
    return "\n".join(text[start:end] for start, end in sorted(taken))


def query_words(query: str) -> frozenset[str]:
    """A query's words without the stop words of any language, unless nothing else is left."""
    terms = frozenset(words(query, digits=True))
    stop = frozenset[str]().union(*(language.stop_words for language in LANGUAGES.values()))
    return terms - stop or terms


def _stretches(hits: Sequence[tuple[int, str]], length: int, around: int) -> Iterator[_Stretch]:
    """Runs of words within `around` of a hit (position and word), joined where they touch."""
    start, end, seen = 0, -1, set[str]()
    for position, word in hits:
        if seen and position - around > end + 1:
            yield _Stretch(first=start, last=end, words=frozenset(seen))
            seen = set()
        if not seen:
            start = max(0, position - around)
        seen.add(word)
        end = min(length - 1, position + around)
    if seen:
        yield _Stretch(first=start, last=end, words=frozenset(seen))
