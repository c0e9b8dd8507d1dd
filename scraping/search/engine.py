"""What a search engine is here: a request URL, and a parser of its result pages."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import quote

from reducepp.errors import ParseError, UsageError
from reducepp.scraping.search.saved_pages import restore_archived_urls
from reducepp.types import SearchHit

Outcome = Literal["results", "empty", "blocked", "error", ""]

MAX_PAGE_CHARS = 20_000_000
"""A longer page is rejected; the largest saved result page has a tenth of this."""
MAX_HITS = 1_000
"""Hits taken from one result page; engines return at most 100."""
MIN_TITLES_OF_PLACEHOLDER = 3
"""A URL with this many different titles on one page is a placeholder in an anonymised page."""


def unique_results(found: Iterable[SearchHit], *, separate: bool = False) -> tuple[SearchHit, ...]:
    """The first result of each URL, in page order.

    A placeholder URL (see `MIN_TITLES_OF_PLACEHOLDER`) is kept once per result. Results may have
    been read twice, because their elements nest; then equal texts are one result. `separate`
    states that they were not.
    """
    found = list(found)
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for result in found:
        titles[result.url].add(result.title)
    kept: dict[object, SearchHit] = {}
    for index, result in enumerate(found):
        placeholder = len(titles[result.url]) >= MIN_TITLES_OF_PLACEHOLDER
        kept.setdefault((index if separate else result) if placeholder else result.url, result)
    return tuple(kept.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """A result page: organic hits in order, or why there are none.

    What a parser returns has hits without query and rank, and its outcome may also be ``error``, or
    ``""`` where nothing was recognised.
    """

    hits: tuple[SearchHit, ...] = ()
    outcome: Outcome = ""
    reason: str = ""
    """For ``blocked``: ``captcha``, ``consent`` or ``block``, then details."""


def _fill(template: str, values: Mapping[str, str]) -> str:
    """The template with values in the place of their names in braces; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


ResultParser = Callable[[str], ResultPage]
"""Parses one page; does no input or output and never raises on a strange page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A search engine: how to request a result page, and how to parse it.

    URL templates may hold ``{query}``, ``{page}`` (from 1), ``{page_index}`` (from 0), ``{offset}``
    (results before this page), ``{first}`` (rank of the page's first), ``{count}``, ``{language}``,
    ``{LANGUAGE}`` (upper case) and the parts of the key.
    """

    name: str
    base: str
    """Origin of the service; empty where an instance has to be named."""
    path: str
    """Template of the URL after `base`."""
    next_page_parameters: str = ""
    """Template appended from page 2 on."""
    language_parameters: str = ""
    """Template appended where the query has a language."""
    language_path: str = ""
    """Replaces `path` where the query has a language."""
    parse_text: ResultParser
    fingerprints: tuple[str, ...] = ()
    """Substrings of the source by which a page of this engine is detected."""
    hosts: tuple[str, ...] = ()
    """Host names without ``www.``; one that ends in a dot matches all countries."""
    is_api: bool = False
    """Pages are JSON."""
    results_per_page: int = 10
    key_variable: str = ""
    """Environment variable of the key, for engines that need one."""
    key_form: str = "key"
    """Parts of the key, separated by colons; each is a placeholder in templates."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Templates of request headers; only parts of the key are filled in."""
    key: str = field(default="", repr=False)

    def request_url(self, query: str, *, page: int = 1, language: str = "") -> str:
        """The URL of one result page; pages count from 1."""
        if page < 1:
            raise UsageError(f"page {page} of {self.name}: pages count from 1")
        if self.key_variable and not self.key:
            raise UsageError(f"{self.name} needs a key: set {self.key_variable}")
        if not self.base:
            raise UsageError(f"{self.name} needs the address of an instance")
        offset = (page - 1) * self.results_per_page
        values = {
            **self._key_parts(),
            "query": query,
            "page": page,
            "page_index": page - 1,
            "offset": offset,
            "first": offset + 1,
            "count": self.results_per_page,
            "language": language,
            "LANGUAGE": language.upper(),
        }
        url = (language and self.language_path) or self.path
        url += self.next_page_parameters if page > 1 else ""
        url += self.language_parameters if language else ""
        escaped = {name: quote(str(value), safe="") for name, value in values.items()}
        return self.base.rstrip("/") + _fill(url, escaped)

    def _key_parts(self) -> dict[str, str]:
        names = self.key_form.split(":")
        parts = self.key.split(":", len(names) - 1)
        if self.key and (len(parts) < len(names) or not all(parts)):
            raise UsageError(f"the key of {self.name} has the form {self.key_form.upper()}")
        return dict(zip(names, parts, strict=False))

    def request_headers(self) -> dict[str, str]:
        """Headers of the request, the key among them where it is sent there."""
        return {name: _fill(value, self._key_parts()) for name, value in self.headers.items()}

    def parse(self, text: str, *, query: str = "", page: int = 1) -> ResultPage:
        """The organic hits of a page; ParseError where it is none of the three outcomes."""
        if len(text) > MAX_PAGE_CHARS:
            raise ParseError(f"{self.name}: {len(text)} characters; at most {MAX_PAGE_CHARS}")
        parsed = self.parse_text(restore_archived_urls(text))
        if parsed.outcome == "error":
            raise ParseError(f"{self.name}: an error page: {parsed.reason}")
        if not parsed.outcome:
            raise ParseError(
                f"{self.name}: nothing recognised; neither results, nor an empty result page, "
                "nor a block, captcha or consent page"
            )
        first = (page - 1) * self.results_per_page + 1
        hits = tuple(
            replace(hit, query=query, engine=self.name, rank=rank, sources=(self.name,))
            for rank, hit in enumerate(parsed.hits[:MAX_HITS], start=first)
        )
        return replace(parsed, hits=hits)
