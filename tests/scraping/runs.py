"""What tests of collecting share: the command, the store as data, when to interfere."""

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from reducepp.demo.web_server import Reply, Request, Sites
from reducepp.scraping.fetch.chromium import find_programs
from reducepp.scraping.store.store import Store
from reducepp.types import SearchHit
from tests.scraping import web

needs_browser = pytest.mark.skipif(
    find_programs() is None, reason="no chromium and chromedriver here"
)


def arguments(sites: Sites, out: Path, *more: str) -> list[str]:
    """The command line of a run on made-up sites, with time enough on a busy machine."""
    return [
        *("collect", web.QUERY, "--engine", "searxng", "--engine-url", "http://search.example"),
        *("--connect-to", f"*=127.0.0.1:{sites.port}", "--out", str(out), "--results", "100"),
        *("--delay", "0.02", "--timeout", "60", "--max-bytes", "300000", "--retries", "0", *more),
    ]


def dump(path: Path) -> dict[str, list[Any]]:
    """Everything a store holds, but for the times."""
    with Store(path, mode="read") as store:
        urls = [url for (url,) in store.rows("SELECT url FROM raw ORDER BY url")]
        raws = [store.raw(SearchHit(url=url)) for url in urls]
        return {
            "queries": store.rows("SELECT * FROM queries ORDER BY position"),
            "searches": store.rows("SELECT query, engine, page, outcome FROM searches ORDER BY 3"),
            "hits": store.rows("SELECT * FROM hits ORDER BY query, engine, rank"),
            "raw": [
                (url, raw.final_url, raw.status, raw.content_type, raw.fetched, raw.rendered)
                for url, raw in zip(urls, raws, strict=True)
                if raw is not None
            ],
            "pages": store.rows("SELECT * FROM pages ORDER BY url"),
            "failures": [(f.url, f.stage, f.reason) for f in store.failures()],
        }


def stored(path: Path) -> set[str]:
    """Addresses that a store is done with."""
    if not path.exists() or not path.stat().st_size:
        return set()
    with Store(path) as store:  # opening it as the next run would
        return {url for (url,) in store.rows("SELECT url FROM raw UNION SELECT url FROM failures")}


class Steady:
    """The same web without the pages that take their time, counting what is asked."""

    slow = ("http://slow.example/page", "http://endless.example/feed")

    def __call__(self, request: Request) -> Reply | None:
        if request.url in self.slow:
            return None
        time.sleep(0.03)
        return web.answer(request)


def wait_for_requests(sites: Sites, child: subprocess.Popen[bytes], count: int) -> None:
    """Wait until the server was asked so often, or the run has ended."""
    deadline = time.monotonic() + 120
    while len(sites.requests) < count and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
