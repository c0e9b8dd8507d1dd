"""Find a phrase in a query's pages: which hold it, where, and how the candidates shrank.

example:
  reducepp find results.jsonl "city council"

Words are compared in lower case and in one form each; positions count words from 1. Case,
punctuation and line breaks between the words do not matter.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from reducepp.cli.common import add_input, add_output, read_input, write_output
from reducepp.errors import UsageError
from reducepp.types import Page

CONTENTS = ("body", "rendered_body", "page_title", "site_title", "subtitles", "snippet")
FORMATS = ("table", "json", "jsonl")
AROUND = 6
"""Words shown on each side of a match."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_input(parser)
    parser.add_argument("phrase", metavar="PHRASE", help="words that stand in a row")
    parser.add_argument("--content", choices=CONTENTS, default="body", help="where to look")
    parser.add_argument(
        "--partial",
        action="store_true",
        help="rank the pages by how many of the phrase's words they hold in a row from its first",
    )
    parser.add_argument("--format", choices=FORMATS, default="table")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Print the matches of every query in the input."""
    from reducepp.text.phrase_index import phrase_words

    phrase_words(args.phrase)
    if args.partial and args.format == "jsonl":
        raise UsageError("--partial prints a table or json")
    search = rank_pages if args.partial else find_pages
    found = [
        search(group.query, group.pages, args.phrase, args.content) for group in read_input(args)
    ]
    write_output(_FORMATS[args.format](found), args.out)
    return 0


def find_pages(query: str, pages: Sequence[Page], phrase: str, content: str) -> dict[str, Any]:
    """One query's matches as plain data, in rank order."""
    from reducepp.text.phrase_index import PhraseIndex

    ranked = sorted(pages, key=lambda page: (page.rank, page.id))
    texts = [_text(page, content) for page in ranked]
    search = PhraseIndex(texts).find(phrase)
    return {
        "query": query,
        "phrase": phrase,
        "pages": len(ranked),
        "steps": [
            {"word": s.word, "candidates": s.candidates, "share": round(s.share, 6)}
            for s in search.steps
        ],
        "matches": [
            _match(ranked[m.page], texts[m.page], m.positions, len(search.words))
            for m in search.matches
        ],
    }


def rank_pages(query: str, pages: Sequence[Page], phrase: str, content: str) -> dict[str, Any]:
    """One query's pages by how far the phrase goes on in them, then by cosine with it."""
    from reducepp.text.phrase_index import PhraseIndex

    ranked = sorted(pages, key=lambda page: (page.rank, page.id))
    order = PhraseIndex([_text(page, content) for page in ranked]).rank(phrase)
    return {
        "query": query,
        "phrase": phrase,
        "pages": len(ranked),
        "ranking": [
            {**_named(ranked[page]), "words": matched, "cosine": round(score, 6)}
            for page, matched, score in order
        ],
    }


def _text(page: Page, content: str) -> str:
    value = page.content(content)
    return value if isinstance(value, str) else "\n".join(value)


def _named(page: Page) -> dict[str, Any]:
    return {"id": page.id, "rank": page.rank, "url": page.url}


def _match(page: Page, text: str, positions: Sequence[int], length: int) -> dict[str, Any]:
    """A page's matches: positions, places (characters), and the first in its context."""
    from reducepp.text.tokenise import word_spans

    _, spans = word_spans(text, digits=True)
    places = [[spans[at - 1][0], spans[at + length - 2][1]] for at in positions]
    start = spans[max(0, positions[0] - 1 - AROUND)][0]
    end = spans[min(len(spans), positions[0] - 1 + length + AROUND) - 1][1]
    context = " ".join(text[start:end].split())
    return {**_named(page), "positions": list(positions), "places": places, "context": context}


def _as_json(found: Sequence[dict[str, Any]]) -> str:
    return json.dumps({"queries": list(found)}, ensure_ascii=False, indent=2) + "\n"


def _as_jsonl(found: Sequence[dict[str, Any]]) -> str:
    lines = [
        json.dumps({"query": query["query"], **match}, ensure_ascii=False)
        for query in found
        for match in query["matches"]
    ]
    return "".join(line + "\n" for line in lines)


def _as_table(found: Sequence[dict[str, Any]]) -> str:
    return "\n".join(line for query in found for line in [*_table_lines(query), ""])


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


_FORMATS = {"table": _as_table, "json": _as_json, "jsonl": _as_jsonl}
