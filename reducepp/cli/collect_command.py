"""Search, fetch, render and store the result pages of queries; a stopped run resumes."""

import csv
import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from reducepp import __version__
from reducepp.cli.command_input import note_failures
from reducepp.cli.output import note
from reducepp.cli.parts import check_parts, run_in_parts
from reducepp.cluster.part_runs import Rows, read_result, split_part
from reducepp.errors import (
    InputError,
    MissingExtraError,
    ReduceppError,
    UsageError,
    errors_as,
    needs_extra,
)
from reducepp.inputs import read_queries
from reducepp.io.csv_parquet import find_delimiter
from reducepp.io.records import page_to_record
from reducepp.io.writers import json_lines
from reducepp.scraping.fetch.chromium import Programs, find_programs
from reducepp.scraping.fetch.guard import AddressGuard, parse_connect_to, parse_hosts
from reducepp.scraping.post_links import NO_QUERY, expand_post, link_hits
from reducepp.scraping.progress import Progress
from reducepp.scraping.search import Engine, find_engine
from reducepp.scraping.store.store import Query, Store
from reducepp.types import Page

with needs_extra("fetching pages", "collect"):
    from reducepp.scraping.collect import Plan, collect
    from reducepp.scraping.fetch.http import FetchLimits
    from reducepp.scraping.fetch.politeness import user_agent

STORES = "_stores"
"""Folder of the stores of parts, inside that of their results."""
AS_GIVEN = ("render", "images", "browsers", "delay", "jobs", "retry_failures")
"""Options that a plan has under the same name."""


def run(args: Namespace) -> int:
    """Collect into the store; 1 where an engine blocked us, or no search succeeded."""
    if args.images and find_spec("imagehash") is None:
        raise MissingExtraError("hashing images", "images")
    if check_parts(args):
        return _collect_parts(args)
    if args.out is None:
        raise UsageError("--out FILE is needed, the store, or --parts DIR")
    posts: list[Page] = []
    if args.expand_links:
        groups = read_queries(args.expand_links)
        note_failures(failure for group in groups for failure in group.failures)
        posts = [page for group in groups for page in group.pages]
    plan = make_plan(args, posts)
    progress = Progress(sys.stderr, queries=len(plan.queries), results=plan.results)
    try:
        with Store(args.out) as store:
            with store.transaction():
                for hit in link_hits(posts):
                    store.put_hit(hit)
            gave_up = collect(plan, store, progress)
            no_hits = _why_no_hits(plan, store)
            sys.stdout.write(json_lines(page_to_record(expand_post(post, store)) for post in posts))
    finally:
        progress.close()
    note(f"{args.out}: {progress.summary()}")
    for line in gave_up:
        note(f"reducepp collect: {line}; what was found is stored, run again later to go on")
    if no_hits and not gave_up:
        raise ReduceppError(f"no search came through ({no_hits})")
    return 1 if gave_up else 0


def _collect_parts(args: Namespace) -> int:
    if args.query or args.expand_links or args.out or args.queries is None:
        raise UsageError("--parts: needs --queries FOLDER, and no QUERY, --out or --expand-links")
    make_plan(args, queries=[Query(query="")])  # raises now what is wrong with the options
    note("each worker keeps its own --delay: a host gets a request per worker in that time")
    purpose = {"command": "collect", "engines": args.engine, "results": args.results}
    work = partial(collect_part, args=args)
    return run_in_parts(args, [str(args.queries)], work, purpose, jobs=1)


def collect_part(part: str, *, args: Namespace) -> tuple[Rows, int]:
    """Collect the queries of one part into its store, and give its pages as rows.

    Runs on a worker: keys of engines and the browser are those of its machine. What the store
    holds already is not fetched again.
    """
    path = Path(args.parts).resolve() / STORES / f"{Path(part).name}.sqlite"
    path.parent.mkdir(exist_ok=True)
    plan = make_plan(args, queries=_read_queries(Path(part)))
    with Store(path) as store:
        gave_up = collect(plan, store, Progress(None, queries=len(plan.queries), results=0))
        no_hits = _why_no_hits(plan, store)
    if gave_up or no_hits:
        raise ReduceppError(f"{'; '.join(gave_up) or no_hits}; what was found is stored")
    return split_part(str(path))


def _why_no_hits(plan: Plan, store: Store) -> str:
    """Why there is not one hit for any query; "" where there is, or nothing failed."""
    if any(store.hits(query.query, first=1) for query in plan.queries):
        return ""
    return next((f.reason for f in store.failures() if f.stage == "search"), "")


def make_plan(args: Namespace, posts: Sequence[Page] = (), queries: Sequence[Query] = ()) -> Plan:
    """The arguments as a plan; UsageError where they do not fit together."""
    if not (args.engine or posts):
        raise UsageError("--engine NAME is needed, or --expand-links POSTS")
    engines = _engines(args)
    agent = args.user_agent or user_agent(__version__, args.contact)
    if not (agent.isascii() and agent.isprintable()):
        raise UsageError("--user-agent and --contact: use ASCII on one line, as HTTP headers do")
    linked = tuple(Query(query=q) for q in dict.fromkeys(p.query or NO_QUERY for p in posts))
    connect_to = parse_connect_to(args.connect_to)
    guard = AddressGuard(allow_private=args.allow_private, connect_to=connect_to)
    return Plan(
        queries=tuple(queries) or linked or _queries(args),
        engines=engines,
        user_agent=agent,
        results=max(args.results, sum(1 for _ in link_hits(posts))),
        programs=_programs(args.render),
        guard=replace(guard, allow_hosts=parse_hosts(args.allow_page_host)),
        search_guard=replace(
            guard, allow_hosts=parse_hosts(args.allow_host, [engine.base for engine in engines])
        ),
        limits=FetchLimits(timeout=args.timeout, max_bytes=args.max_bytes, retries=args.retries),
        obey_robots=not args.ignore_robots,
        **{name: getattr(args, name) for name in AS_GIVEN},
    )


def _programs(render: str) -> Programs | None:
    found = None if render == "never" else find_programs()
    if render == "always" and found is None:
        raise UsageError(
            "rendering needs Chromium and chromedriver, and one is not there: install the "
            "packages chromium and chromium-driver, or use --render never"
        )
    if render == "auto" and found is None:
        note("no Chromium with chromedriver here: pages are kept as fetched")
    return found


def _queries(args: Namespace) -> tuple[Query, ...]:
    with errors_as(UsageError, "QUERY, --language and --domain must be UTF-8", UnicodeEncodeError):
        " ".join((*args.query, args.language, args.domain)).encode()
    words = [Query(query=q.strip(), language=args.language, domain=args.domain) for q in args.query]
    found = {query.query: query for query in (*words, *_read_queries(args.queries)) if query.query}
    if not found:
        raise UsageError("nothing to search for: give a QUERY or --queries FILE")
    return tuple(found.values())


def _read_queries(path: Path | None) -> list[Query]:
    """Queries of a CSV or Parquet file with a column named query."""
    if path is None:
        return []
    rows = read_result(path).to_pylist() if path.suffix == ".parquet" else _csv_rows(path)
    cells = [{str(n).strip().lower(): str(v or "").strip() for n, v in r.items()} for r in rows]
    if not cells or "query" not in cells[0]:
        raise InputError(f"{path}: no queries in it: a column named query is needed")
    return [
        Query(query=row["query"], language=row.get("language", ""), domain=row.get("domain", ""))
        for row in cells
        if row["query"]
    ]


def _csv_rows(path: Path) -> list[dict[str, str]]:
    """Rows of a table with commas, semicolons or tabs, as spreadsheets write them."""
    try:
        text = path.read_text(encoding="utf-8-sig").lstrip()
        return list(csv.DictReader(io.StringIO(text), delimiter=find_delimiter(text)))
    except (OSError, UnicodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _engines(args: Namespace) -> tuple[Engine, ...]:
    bases: dict[str, str] = {}
    for word in args.engine_url:
        name, equals, url = word.partition("=")
        if not (equals and name in args.engine):
            if len(args.engine) != 1:
                why = "with several engines, NAME=URL says whose it is"
                raise UsageError(f"--engine-url {word}: {why}")
            name, url = args.engine[0], word
        bases[name] = url
    engines: dict[str, Engine] = {}
    for name in args.engine:
        engine = find_engine(name)
        key = os.environ.get(engine.key_variable, "") if engine.key_variable else ""
        engines[engine.name] = replace(engine, base=bases.get(name) or engine.base, key=key)
        engines[engine.name].request_url("x")  # raises now for what is missing
    return tuple(engines.values())
