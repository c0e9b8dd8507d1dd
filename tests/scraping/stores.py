"""A small store that tests of the store and of its exchange forms fill."""

from collections.abc import Iterator
from pathlib import Path

from reducepp.scraping.extract.split import split_page
from reducepp.scraping.extract.split_many import splitter_version
from reducepp.scraping.store.dataset import Collected, read_opened
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Failure, RawPage, SearchHit

HTML = (
    "<html lang='{lang}'><head><title>{title} - Site {n}</title></head><body><h1>{title}</h1>"
    "<p>{text}</p><h2>More about number {n}</h2><p>{text}</p>"
    "<a href='http://x.example/{n}'>a link</a></body></html>"
)
TEXTS = {
    "en": "The keeper of the light wrote the weather into the book every evening of the year. " * 4,
    "fr": "Le gardien du phare notait chaque soir le temps dans son grand registre relié. " * 4,
}
QUERIES = (
    Query(query="lights", language="en", domain="history"),
    Query(query="phares", language="fr", domain="science"),
)


def read_store(path: str | Path) -> Iterator[Collected]:
    """The queries of a store one after the other, with their pages and failures."""
    with Store(path, mode="read") as store:
        yield from read_opened(store)


def fill(path: Path) -> Path:
    """Two queries, five pages, one of them found by both queries, one failure."""
    with Store(path) as store, store.transaction():
        for query in QUERIES:
            store.add_query(query)
        for query, numbers in ((QUERIES[0], (1, 2, 3)), (QUERIES[1], (3, 4, 5, 6))):
            hits = [
                SearchHit(url=f"http://s{n}.example/p?a=1&b=é", title=f"T{n}", snippet=f"S{n}")
                for n in numbers
            ]
            store.add_search(query.query, "bing", 1, outcome="results", hits=hits, at="now")
        for n in range(1, 6):
            hit = SearchHit(url=f"http://s{n}.example/p?a=1&b=é")
            language = "en" if n < 4 else "fr"
            html = HTML.format(lang=language, title=f"Title {n}", n=n, text=TEXTS[language])
            raw = RawPage(
                hit=hit,
                final_url=hit.url + "&z",
                status=200,
                content_type="text/html; charset=utf-8",
                fetched=html.encode(),
                rendered=html.replace("evening", "night") if n == 2 else "",
                fetched_at="2026-01-02T03:04:05+00:00",
            )
            store.add_raw(hit.url, raw)
            store.add_split(hit.url, split_page(raw), splitter=splitter_version())
        gone = Failure(url="http://s6.example/p?a=1&b=é", stage="fetch", reason="status 404")
        store.add_failure(gone, "now")
    return path
