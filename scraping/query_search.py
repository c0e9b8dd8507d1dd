"""One query on one engine → its hits in the store, result page by result page."""

from reducepp.errors import BlockedError, FetchError, ParseError, SandboxError
from reducepp.io.sqlite_file import now
from reducepp.scraping.fetch.page_fetch import PageFetcher
from reducepp.scraping.search import Engine, ResultPage
from reducepp.scraping.search.saved_pages import decode_page
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Failure

STAGE = "search"
LAST_PAGE = "last"
"""Outcome of a result page without new hits: the search is complete."""


async def search(
    store: Store, fetcher: PageFetcher, query: Query, engine: Engine, *, results: int
) -> None:
    """Read result pages until there are `results` hits or no more; those in the store are skipped.

    BlockedError where the engine blocks us; pages that were read before stay in the store.
    """
    name = engine.name
    max_pages = 3 * (results // max(1, engine.results_per_page) + 1)
    for number in range(1, max_pages + 1):
        outcome = store.search_outcomes(query.query, name).get(number, "")
        known = {hit.url for hit in store.engine_hits(query.query, name)}
        if outcome == LAST_PAGE or (not outcome and len(known) >= results):
            return
        if outcome:
            continue
        page = await _result_page(fetcher, query, engine, number)
        is_last = all(hit.url in known for hit in page.hits)
        with store.transaction():
            outcome = LAST_PAGE if is_last else page.outcome
            store.add_search(query.query, name, number, outcome=outcome, hits=page.hits, at=now())
            store.clear_failures(_failure_url(query, engine), STAGE)
        if is_last:
            return


def search_failure(query: Query, engine: Engine, error: Exception) -> Failure:
    """A search that failed, under a name that does not contain the key."""
    return Failure(url=_failure_url(query, engine), stage=STAGE, reason=str(error))


def _failure_url(query: Query, engine: Engine) -> str:
    return f"{engine.name}: {query.query}"


async def _result_page(
    fetcher: PageFetcher, query: Query, engine: Engine, number: int
) -> ResultPage:
    """A result page over plain HTTP, or rendered where that cannot be parsed."""
    url = engine.request_url(query.query, page=number, language=query.language)
    with_browser = not (fetcher.renderer.why_not or fetcher.render == "never" or engine.is_api)
    if not (with_browser and fetcher.render == "always"):
        try:
            headers = engine.request_headers()
            response = await fetcher.polite.get(url, robots=False, headers=headers)
            if engine.is_api and response.status >= 400:
                raise FetchError(f"status {response.status}")
            if response.status in (403, 429) or response.status >= 500:
                raise BlockedError(f"{engine.name} answers with status {response.status}")
            return await _parse(fetcher, engine, response.body, query, number)
        except (BlockedError, ParseError):
            if not with_browser:
                raise
    async with fetcher.polite.rate_limiter.slot(url):
        rendered = await fetcher.renderer.render(url, fetcher.polite.fetcher.guard)
    return await _parse(fetcher, engine, rendered.html, query, number)


async def _parse(
    fetcher: PageFetcher, engine: Engine, source: bytes | str, query: Query, number: int
) -> ResultPage:
    """The page as hits or as empty; BlockedError for a block, captcha or consent page."""
    try:
        page: ResultPage = await fetcher.polite.parse(
            parse_source, engine, source, query.query, number
        )
    except SandboxError as error:
        raise ParseError(f"{engine.name}: the result page {error}") from None
    if page.outcome == "blocked":
        raise BlockedError(f"{engine.name} blocked the request: {page.reason} page")
    return page


def parse_source(engine: Engine, source: bytes | str, query: str, number: int) -> ResultPage:
    """A result page as fetched or as rendered; for a sandboxed worker."""
    text = decode_page(source) if isinstance(source, bytes) else source
    return engine.parse(text, query=query, page=number)
