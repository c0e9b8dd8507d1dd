"""What every search engine here is: a request address, and a reader of its answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from reducepp.errors import ParseError, UsageError
from reducepp.scraping.search.web_archive import unarchive
from reducepp.types import SearchHit

Outcome = Literal["results", "empty", "blocked"]

MAX_CHARACTERS = 20_000_000
"""A longer answer is refused: no result page is a tenth of it."""
MAX_HITS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One organic result as read from an answer, before it has a query and a rank."""

    url: str
    title: str = ""
    snippet: str = ""


BLANKED = 3
"""An address under as many titles as this stands in the place of others."""


def keep_once(results: Iterable[Found], *, apart: bool = False) -> tuple[Found, ...]:
    """Each address once, the first of it; one that was put in the place of many, as in pages
    made anonymous, once for every result. Results that may be read twice, because one element
    lies in another, are told by their texts; those known to stand `apart` count each."""
    found = list(results)
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for one in found:
        titles[one.url].add(one.title)
    taken: dict[object, Found] = {}
    for place, one in enumerate(found):
        blanked = len(titles[one.url]) >= BLANKED
        taken.setdefault((place if apart else one) if blanked else one.url, one)
    return tuple(taken.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer says. Outcome ``""`` means: nothing was recognised."""

    found: tuple[Found, ...] = ()
    outcome: Outcome | Literal["error", ""] = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """A result page as a value: organic hits in order, or why there are none."""

    hits: tuple[SearchHit, ...] = ()
    outcome: Outcome
    reason: str = ""
    """For ``blocked``: ``captcha``, ``consent`` or ``block``, then what was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request for one page of results, in the words all engines share."""

    query: str
    page: int
    language: str
    """Two letters, or empty for the engine's own choice."""
    key: str
    base: str


class Reader(Protocol):
    """Reads one answer; does no input or output and never raises on a strange page."""

    def __call__(self, text: str, /) -> Reading: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A search engine: where to ask, and how to read what it answers."""

    name: str
    base: str
    """Address of the service; another one (a SearXNG instance, a test server) may be given."""
    address: Callable[[Ask], str]
    read: Reader
    marks: tuple[str, ...] = ()
    """Pieces of source that give an answer of this engine away."""
    hosts: tuple[str, ...] = ()
    """Host names without ``www.``; one that ends in a dot stands for all countries."""
    is_api: bool = False
    """Answers are JSON."""
    results_per_page: int = 10
    key_variable: str = ""
    """Environment variable of the key for engines that want one; empty for the others."""
    headers: Callable[[str], Mapping[str, str]] = lambda key: {}

    @property
    def needs_key(self) -> bool:
        """Whether requests need a key from the engine's owner."""
        return bool(self.key_variable)

    def request_url(
        self, query: str, *, page: int = 1, language: str = "", key: str = "", base: str = ""
    ) -> str:
        """The address to fetch for a query; pages count from 1."""
        if page < 1:
            raise UsageError(f"page {page} of {self.name}: pages count from 1")
        if self.needs_key and not key:
            raise UsageError(f"{self.name} needs a key: set {self.key_variable}")
        base = base or self.base
        if not base:
            raise UsageError(f"{self.name} needs the address of an instance")
        ask = Ask(query=query, page=page, language=language, key=key, base=base.rstrip("/"))
        return self.address(ask)

    def request_headers(self, key: str = "") -> dict[str, str]:
        """Headers that belong to the request, the key among them where it goes there."""
        return dict(self.headers(key))

    def parse(self, text: str, *, query: str = "", page: int = 1) -> ResultPage:
        """The organic hits of an answer; ParseError where it is none of the three outcomes."""
        if len(text) > MAX_CHARACTERS:
            raise ParseError(
                f"{self.name}: an answer of {len(text)} characters; at most {MAX_CHARACTERS}"
            )
        reading = self.read(unarchive(text))
        if reading.outcome == "error":
            raise ParseError(f"{self.name}: an error page: {reading.reason}")
        if not reading.outcome:
            raise ParseError(
                f"{self.name}: nothing recognised; neither results, nor an empty result page, "
                "nor a block, captcha or consent page"
            )
        first = (page - 1) * self.results_per_page + 1
        hits = tuple(
            SearchHit(
                query=query,
                engine=self.name,
                rank=rank,
                url=found.url,
                title=found.title,
                snippet=found.snippet,
                sources=(self.name,),
            )
            for rank, found in enumerate(reading.found[:MAX_HITS], start=first)
        )
        return ResultPage(hits=hits, outcome=reading.outcome, reason=reading.reason)
