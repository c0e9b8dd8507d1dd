"""The main job on the pages the package carries: search, collect, reduce, report."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

from reducepp.api import reduce_pages
from reducepp.cli.command_input import options_of
from reducepp.cli.options import make_parser
from reducepp.cli.output import claim_folder, note
from reducepp.demo import DemoQuery, read_pages_html, true_pairs
from reducepp.demo.web_server import Reply, Request, Sites, search_page
from reducepp.inputs import read_queries
from reducepp.io.terminal_table import find_screen, table_of
from reducepp.io.writers import FORMATS
from reducepp.scraping.extract.split_many import split_one, splitter_version
from reducepp.scraping.progress import Progress
from reducepp.scraping.store.store import Query, Store
from reducepp.types import RawPage, Reduction, SearchHit

SEARCH = "http://search.example"
PACKAGE = "package"
MADE_HERE = ".reducepp-demo"
"""File that marks a folder whose contents the demo made and may overwrite."""


def run(args: Namespace) -> int:
    """Collect, reduce, compare with the truth, print; write the report."""
    queries = read_pages_html()
    store = Path(args.out) / "pages.sqlite"
    claim_folder(store.parent, (store.name, "report.html"), mark=MADE_HERE)
    (store.parent / MADE_HERE).touch()
    for suffix in ("", "-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    note(collect_demo(queries, store, args.render))
    options = options_of(args)
    reductions = [
        reduce_pages(group.pages, options, failures=group.failures, query=group.query)
        for group in read_queries(str(store))
    ]
    form, screen = FORMATS[args.format], find_screen()
    if args.format == "table":
        form = replace(form, render=lambda reduction: table_of(reduction, screen=screen))
    sys.stdout.write(form(reductions))
    for query, reduction in zip(queries, reductions, strict=True):
        note(f"{query.query}: {against_truth(query, reduction)}")
    return write_report(store, args)


def collect_demo(queries: Sequence[DemoQuery], store: Path, render: str) -> str:
    """Fill a store with the demo's pages over loopback; a line on how."""
    if not (find_spec("httpx") and find_spec("protego")):
        _read_directly(queries, store)
        return "collected without a network: for the real way, pip install 'reducepp[collect]'"
    from reducepp.cli.collect_command import make_plan
    from reducepp.scraping.collect import collect

    wanted = [Query(query=q.query, language=q.language, domain=q.domain) for q in queries]
    pages = {_address(page.url): page for query in queries for page in query.pages}
    results = {
        query.query: [
            SearchHit(url=_address(p.url), title=f"{p.kind}: {p.url}") for p in query.pages
        ]
        for query in queries
    }

    def respond(request: Request) -> Reply | None:
        """Every demo page at its address, and the search engine that finds them."""
        if request.url.startswith(f"{SEARCH}/"):
            return search_page(request, results)
        page = pages.get(request.url)
        return Reply(body=page.html, content_type=page.content_type) if page else None

    with Sites(respond) as sites, Store(store) as opened:
        words = ["--engine", "searxng", "--engine-url", SEARCH, "--render", render]
        words += ["--connect-to", f"*=127.0.0.1:{sites.port}", "--delay", "0", "--retries", "0"]
        plan = make_plan(make_parser("collect").parse_args(words), queries=wanted)
        collect(plan, opened, Progress(sys.stderr, queries=len(queries), results=plan.results))
        hits = opened.rows("SELECT count(*) FROM hits")[0][0]
        shown = opened.rows("SELECT count(*) FROM raw WHERE length(rendered) > 0")[0][0]
    browser = "with the browser" if plan.programs and render != "never" else "without a browser"
    return f"collected {hits} pages {browser} ({shown} rendered), {len(sites.requests)} requests"


def against_truth(query: DemoQuery, reduction: Reduction) -> str:
    """How the clusters compare with the groups the pages truly belong to."""
    true = {frozenset(map(_address, pair)) for pair in true_pairs(query)}
    found = {frozenset(pair) for c in reduction.clusters for pair in combinations(c.members, 2)}
    return (
        f"{reduction.before} pages shown as {reduction.after}; {len(true & found)} of "
        f"{len(true)} true pairs of duplicates found, {len(found - true)} wrong"
    )


def _address(url: str) -> str:
    """A demo page's address on loopback, where nothing is encrypted."""
    return url.replace("https://", "http://", 1)


def _read_directly(queries: Sequence[DemoQuery], store: Path) -> None:
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


def write_report(store: Path, args: Namespace) -> int:
    """The report beside the store, through the command that writes reports; its exit status."""
    from reducepp.cli import main

    out = store.with_name("report.html")
    words = ["report", str(store), "--profile", args.profile, "--out", str(out)]
    words += [] if args.threshold is None else ["--threshold", str(args.threshold)]
    words += ["--prepare", args.prepare] if args.prepare else []
    status = main(words)
    if status == 0:
        note(f"report: {out}")
    return status
