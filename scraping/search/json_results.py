"""Parses the answers of JSON search services."""

import re
from dataclasses import dataclass
from typing import Any

from reducepp.io.bounded_reading import try_json
from reducepp.io.search_answers import value_at
from reducepp.scraping.extract.html_parsing import parse_for_css
from reducepp.scraping.search.engine import ResultPage
from reducepp.scraping.search.result_links import is_web_address
from reducepp.scraping.search.result_tree import text_of
from reducepp.types import SearchHit

MARKUP = re.compile(r"<[a-zA-Z/][^<>]*+>|&[#a-zA-Z0-9]+;")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonParser:
    """Parser of a service's answers; paths are keys joined by dots (``web.results``)."""

    results: str
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    error: str = ""
    """A value at this path means that the service rejected the request; it is the reason."""
    no_results: str = ""
    """An error that contains this means that nothing was found."""
    known: tuple[str, ...] = ()
    """An answer without a list of results is empty if one of these paths exists."""
    unresponsive: str = ""
    """List of sources that did not answer: no results because of them is an error."""

    def __call__(self, text: str, /) -> ResultPage:
        data = try_json(text)
        error = plain_text(value_at(data, self.error)) if self.error else ""
        nothing_found = bool(self.no_results) and self.no_results in error
        if error and not nothing_found:
            return ResultPage(outcome="blocked", reason=f"block ({error[:200]})")
        results = value_at(data, self.results)
        if isinstance(results, list) and (found := self._results(results)):
            return ResultPage(hits=found, outcome="results")
        if silent := _source_names(value_at(data, self.unresponsive) if self.unresponsive else ()):
            return ResultPage(outcome="error", reason=f"no answer from {', '.join(silent)}"[:200])
        known = any(value_at(data, path) is not None for path in self.known)
        is_empty = isinstance(results, list) or nothing_found or known
        return ResultPage(outcome="empty") if is_empty else ResultPage()

    def _results(self, items: list[Any]) -> tuple[SearchHit, ...]:
        """Results with a web address, the first of each URL."""
        found: dict[str, SearchHit] = {}
        for item in items:
            url = value_at(item, self.url)
            if isinstance(url, str) and is_web_address(url):
                title = plain_text(value_at(item, self.title))
                snippet = plain_text(value_at(item, self.snippet))
                found.setdefault(url, SearchHit(url=url, title=title, snippet=snippet))
        return tuple(found.values())


def plain_text(value: Any) -> str:
    """A value as text with single spaces, without tags such as `<strong>`; entities decoded."""
    text = "" if value is None else str(value)
    if MARKUP.search(text):
        return text_of(parse_for_css(text).body)
    return " ".join(text.split())


def _source_names(entries: Any) -> tuple[str, ...]:
    """Names in a list of names or of [name, reason] pairs, as SearXNG writes it."""
    if not isinstance(entries, list):
        return ()
    rows = (entry if isinstance(entry, list) else [entry] for entry in entries)
    return tuple(
        plain_text(r[0]) + (f" ({plain_text(r[1])})" if len(r) > 1 else "") for r in rows if r
    )
