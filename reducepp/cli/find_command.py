"""Find a phrase in a query's pages: which hold it, where, and how the candidates shrank."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from reducepp.cli.command_input import read_input
from reducepp.cli.output import write_output
from reducepp.errors import UsageError
from reducepp.io.escaping import escape_controls
from reducepp.io.writers import json_lines
from reducepp.text.languages import LANGUAGES
from reducepp.text.phrase_index import PhraseIndex, phrase_words
from reducepp.text.tokenise import normalise, word_spans, words
from reducepp.types import Page

CONTEXT_WORDS = 6
"""Words shown on each side of a match."""


def run(args: Namespace) -> int:
    own = (normalise(word.strip()) for word in args.stop_words.split(",") if word.strip())
    known = LANGUAGES.get(args.stop_words)
    stop_words = known.stop_words if known else frozenset(own)
    phrase = without_words(args.phrase, stop_words)
    phrase_words(phrase)
    if args.partial and args.format == "jsonl":
        raise UsageError("--partial prints a table or json")
    found = []
    for group in read_input(args):
        ranked = sorted(group.pages, key=lambda page: (page.rank, page.id))
        texts = [without_words(_text(page, args.content), stop_words) for page in ranked]
        index = PhraseIndex(texts)
        if args.partial:
            order = index.rank(phrase, weights=args.weights, every_page=args.all)
            parts: dict[str, Any] = {
                "ranking": [
                    {**_named(ranked[page]), "words": matched, "cosine": round(cosine, 6)}
                    for page, matched, cosine in order
                ]
            }
        else:
            parts = find_pages(index, phrase, ranked, texts)
        head = {"query": group.query, "phrase": args.phrase, "pages": len(ranked)}
        found.append({**head, **parts})
    write_output(_as_text(found, args.format), args.out)
    return 0


def without_words(text: str, stop_words: frozenset[str]) -> str:
    """The text's words without some of them; the text as it is where there are none to remove."""
    if not stop_words:
        return text
    return " ".join(word for word in words(text, digits=True) if word not in stop_words)


def find_pages(
    index: PhraseIndex, phrase: str, ranked: Sequence[Page], texts: Sequence[str]
) -> dict[str, Any]:
    """Steps and matches of one query as plain data, in rank order."""
    search = index.find(phrase)
    return {
        "steps": [
            {"word": s.word, "candidates": s.candidates, "share": round(s.share, 6)}
            for s in search.steps
        ],
        "matches": [
            _match(ranked[m.page], texts[m.page], m.positions, len(search.words))
            for m in search.matches
        ],
    }


def _text(page: Page, content: str) -> str:
    value = page.content(content)
    return value if isinstance(value, str) else "\n".join(value)


def _named(page: Page) -> dict[str, Any]:
    return {"id": page.id, "rank": page.rank, "url": page.url}


def _match(page: Page, text: str, positions: Sequence[int], length: int) -> dict[str, Any]:
    """A page's matches: positions, places (characters), and the first in its context."""
    _, spans = word_spans(text, digits=True)
    places = [[spans[at - 1][0], spans[at + length - 2][1]] for at in positions]
    start = spans[max(0, positions[0] - 1 - CONTEXT_WORDS)][0]
    end = spans[min(len(spans), positions[0] - 1 + length + CONTEXT_WORDS) - 1][1]
    context = " ".join(text[start:end].split())
    return {**_named(page), "positions": list(positions), "places": places, "context": context}


def _table_lines(query: dict[str, Any]) -> Iterator[str]:
    yield f"{query['query'] or '(no query)'}: {query['pages']} pages"
    for step in query.get("steps", ()):
        yield f"  {step['word']:<20} {step['candidates']:>6} {step['share']:>7.1%}"
    for match in query.get("matches", ()):
        yield f"{match['rank']:>4}  {match['id']}  at {', '.join(map(str, match['positions']))}"
        yield f"      {match['context']}"
    for page in query.get("ranking", ()):
        words = f"{page['words']} words  cosine {page['cosine']:.3f}"
        yield f"{page['rank']:>4}  {page['id']}  {words}"


def _as_text(found: Sequence[dict[str, Any]], form: str) -> str:
    if form == "json":
        return json.dumps({"queries": list(found)}, ensure_ascii=False, indent=2) + "\n"
    if form == "jsonl":
        matches = ({"query": query["query"], **m} for query in found for m in query["matches"])
        return json_lines(matches)
    lines = [line for query in found for line in [*_table_lines(query), ""]]
    return "\n".join(map(escape_controls, lines))
