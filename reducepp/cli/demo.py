"""The main job on the pages the package carries: search, collect, reduce, report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from reducepp.cli.command_input import options_of
from reducepp.cli.options import make_parser
from reducepp.cli.output import claim_folder, note
from reducepp.demo.web_server import Reply, Request, Result, Sites, search_page
from reducepp.types import RawPage, Reduction, SearchHit

if TYPE_CHECKING:
    from reducepp.demo import DemoQuery

SEARCH = "http://search.example"
PACKAGE = "package"
MADE_HERE = ".reducepp-demo"
"""File that marks a folder whose contents the demo made and may overwrite."""


def run(args: argparse.Namespace) -> int:
    """Collect, reduce, compare with the truth, print; write the report."""
    from reducepp.demo import read_pages_html
    from reducepp.io.terminal_table import find_screen, table_of
    from reducepp.io.writers import FORMATS

    queries = read_pages_html()
    store = _fresh_store(Path(args.out))
    note(collect_demo(queries, store, args.render))
    reductions = _reduce(store, args)
    form, screen = FORMATS[args.format], find_screen()
    if args.format == "table":
        form = replace(form, render=lambda reduction: table_of(reduction, screen=screen))
    sys.stdout.write(form(reductions))
    for query, reduction in zip(queries, reductions, strict=True):
        note(f"{query.query}: {against_truth(query, reduction)}")
    _report(store, args)
    return 0


def collect_demo(queries: Sequence[DemoQuery], store: Path, render: str) -> str:
    """Fill a store with the demo's pages over loopback; a line that says how."""
    try:
        import httpx  # noqa: F401
        import protego  # noqa: F401
    except ImportError:
        _read_directly(queries, store)
        return "collected without a network: for the real way, pip install 'reducepp[collect]'"
    from reducepp.cli.collect import make_plan
    from reducepp.scraping.collect import collect
    from reducepp.scraping.progress import Progress
    from reducepp.scraping.store.store import Query, Store

    asked = [Query(query=q.query, language=q.language, domain=q.domain) for q in queries]
    with Sites(_DemoWeb(queries)) as sites, Store(store) as opened:
        words = ["--engine", "searxng", "--engine-url", SEARCH, "--render", render]
        words += ["--connect-to", f"*=127.0.0.1:{sites.port}", "--delay", "0", "--retries", "0"]
        plan = make_plan(make_parser("collect").parse_args(words), queries=asked)
        collect(plan, opened, Progress(sys.stderr, queries=len(queries), results=plan.results))
        hits = opened.rows("SELECT count(*) FROM hits")[0][0]
        shown = opened.rows("SELECT count(*) FROM raw WHERE length(rendered) > 0")[0][0]
    browser = "with the browser" if plan.programs and render != "never" else "without a browser"
    return f"collected {hits} pages {browser} ({shown} rendered), {len(sites.requests)} requests"


def against_truth(query: DemoQuery, reduction: Reduction) -> str:
    """How the clusters compare with the groups the pages truly belong to."""
    from reducepp.demo import true_pairs

    true = {frozenset(map(_address, pair)) for pair in true_pairs(query)}
    found = {
        frozenset(pair)
        for cluster in reduction.clusters
        for pair in combinations(cluster.members, 2)
    }
    return (
        f"{reduction.before} pages shown as {reduction.after}; {len(true & found)} of "
        f"{len(true)} true pairs of duplicates found, {len(found - true)} wrong"
    )


class _DemoWeb:
    """Every demo page at its address, and the search engine that finds them."""

    def __init__(self, queries: Sequence[DemoQuery]) -> None:
        self._pages = {_address(page.url): page for query in queries for page in query.pages}
        self._results = {
            query.query: [
                Result(url=_address(page.url), title=f"{page.kind}: {page.url}")
                for page in query.pages
            ]
            for query in queries
        }

    def __call__(self, request: Request) -> Reply | None:
        if request.url.startswith(f"{SEARCH}/"):
            return search_page(request, self._results)
        page = self._pages.get(request.url)
        return Reply(body=page.html, content_type=page.content_type) if page else None


def _address(url: str) -> str:
    """A demo page's address on loopback, where nothing is encrypted."""
    return url.replace("https://", "http://", 1)


def _fresh_store(folder: Path) -> Path:
    store = folder / "pages.sqlite"
    claim_folder(folder, (store.name, "report.html"), mark=MADE_HERE)
    (folder / MADE_HERE).touch()
    for suffix in ("", "-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    return store


def _read_directly(queries: Sequence[DemoQuery], store: Path) -> None:
    from reducepp.scraping.extract.split_many import split_one, splitter_version
    from reducepp.scraping.store.store import Query, Store

    with Store(store) as opened, opened.transaction():
        for query in queries:
            opened.add_query(Query(query=query.query, language=query.language, domain=query.domain))
            for page in query.pages:
                url, kind = _address(page.url), page.content_type
                hit = SearchHit(query=query.query, engine=PACKAGE, rank=page.rank, url=url)
                opened.put_hit(hit)
                raw = RawPage(hit=hit, status=200, content_type=kind, fetched=page.html)
                opened.add_raw(url, raw)
                opened.add_split(url, split_one(raw), splitter=splitter_version())


def _reduce(store: Path, args: argparse.Namespace) -> list[Reduction]:
    from reducepp.api import reduce_pages
    from reducepp.inputs import read_queries

    options = options_of(args)
    return [
        reduce_pages(group.pages, options, failures=group.failures, query=group.query)
        for group in read_queries(str(store))
    ]


def _report(store: Path, args: argparse.Namespace) -> None:
    """The report beside the store, through the command that writes reports."""
    from reducepp.cli import main

    out = store.with_name("report.html")
    words = ["report", str(store), "--profile", args.profile, "--out", str(out)]
    words += [] if args.threshold is None else ["--threshold", str(args.threshold)]
    if main(words) == 0:
        note(f"report: {out}")
