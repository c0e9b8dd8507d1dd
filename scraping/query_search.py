"""One query, one engine → its hits in the store, result page by result page."""

from __future__ import annotations

from dataclasses import dataclass

from reducepp.errors import BlockedError, FetchError, ParseError
from reducepp.scraping.clock import now
from reducepp.scraping.fetch.page_fetch import PageFetcher
from reducepp.scraping.search import Engine, ResultPage
from reducepp.scraping.search.saved_pages import decode_page
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Failure

STAGE = "search"
LAST = "last"
"""Outcome of a result page with nothing new on it: there are no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredEngine:
    """A search engine as one run uses it."""

    engine: Engine
    base: str = ""
    """Another address of the service; empty for its own."""
    key: str = ""


async def search(
    store: Store, page_fetcher: PageFetcher, query: Query, use: ConfiguredEngine, *, results: int
) -> None:
    """Read result pages until there are `results` hits or no more; those in the store stand.

    BlockedError where the engine refuses; what was read before stays, to go on from later.
    """
    name = use.engine.name
    where = f"{name}: {query.query}"
    most = 3 * (results // max(1, use.engine.results_per_page) + 1)
    for number in range(1, most + 1):
        outcome = store.search_outcomes(query.query, name).get(number, "")
        have = len(store.engine_hits(query.query, name))
        if outcome == LAST or (not outcome and have >= results):
            return
        if outcome:
            continue
        page = await _result_page(page_fetcher, query, use, number)
        known = {hit.url for hit in store.engine_hits(query.query, name)}
        last = all(hit.url in known for hit in page.hits)
        with store.transaction():
            outcome = LAST if last else page.outcome
            store.add_search(query.query, name, number, outcome=outcome, hits=page.hits, at=now())
            store.clear_failures(stage=STAGE, url=where)
        if last:
            return


def search_failure(query: Query, use: ConfiguredEngine, error: Exception) -> Failure:
    """A search that failed, under a name that holds no key."""
    return Failure(url=f"{use.engine.name}: {query.query}", stage=STAGE, reason=str(error))


async def _result_page(
    page_fetcher: PageFetcher, query: Query, use: ConfiguredEngine, number: int
) -> ResultPage:
    """A result page over plain HTTP, or through the browser where that is not understood."""
    url = use.engine.request_url(
        query.query, page=number, language=query.language, key=use.key, base=use.base
    )
    with_browser = (
        page_fetcher.renderer.is_available
        and page_fetcher.render != "never"
        and not use.engine.is_api
    )
    if with_browser and page_fetcher.render == "always":
        return _understood(use.engine, await _rendered(page_fetcher, url), query, number)
    try:
        answer = await page_fetcher.polite.get(
            url, robots=False, headers=use.engine.request_headers(use.key)
        )
        text = decode_page(answer.body)
        if answer.status >= 400 and use.engine.is_api:
            raise FetchError(f"status {answer.status}")
        return _understood(use.engine, text, query, number, status=answer.status)
    except (BlockedError, ParseError):
        if not with_browser:
            raise
    return _understood(use.engine, await _rendered(page_fetcher, url), query, number)


async def _rendered(page_fetcher: PageFetcher, url: str) -> str:
    async with page_fetcher.polite.rate_limiter.slot(url):
        return (await page_fetcher.renderer.render(url)).html


def _understood(
    engine: Engine, text: str, query: Query, number: int, *, status: int = 200
) -> ResultPage:
    """The page as hits or as empty; BlockedError for a block, captcha or consent page."""
    if status in (403, 429) or status >= 500:
        raise BlockedError(f"{engine.name} answers with status {status}")
    page = engine.parse(text, query=query.query, page=number)
    if page.outcome == "blocked":
        raise BlockedError(f"{engine.name} blocked the request: {page.reason} page")
    return page
