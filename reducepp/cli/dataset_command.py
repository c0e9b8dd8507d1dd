"""Count a store of collected pages as the paper's Table I does; take pages in and out."""

import json
from argparse import Namespace

from reducepp.cli.output import note, write_output
from reducepp.errors import InputError
from reducepp.io.escaping import csv_text, escape_controls
from reducepp.scraping.store.dataset import read_store_pages, table_one
from reducepp.scraping.store.exchange import export_store, import_file
from reducepp.scraping.store.store import Store

Counts = dict[str, dict[str, int]]
"""What `table_one` counts."""
ROWS = (
    ("Queries / Language", "queries_by_language"),
    ("Queries / Domain", "queries_by_domain"),
    ("Records / Language", "records_by_language"),
    ("Records / Domain", "records_by_domain"),
    ("Failures / Reason", "failures_by_reason"),
)


def run(args: Namespace) -> int:
    for source in args.sources:
        if not source.exists():
            raise InputError(f"{source}: no such file")
    if args.sources:
        with Store(args.store) as store:
            for source in args.sources:
                note(f"{source}: {import_file(store, source)} pages in")
    if args.export:
        with Store(args.store, mode="read") as store:
            note(f"{args.export}: {export_store(store, args.export)} pages out")
        short = sum(bool(page.visible) for page in read_store_pages(args.store))
        if short and args.export.suffix.lower() == ".csv":
            what = f"the visible text of {short} pages with little main text"
            note(f"left out, as it is no column of Table I: {what}; .jsonl and .parquet keep it")
    write_output(_FORMATS[args.format](table_one(args.store)), args.out)
    return 0


def _totals(table: Counts) -> dict[str, int]:
    """All queries, and all pages once for each query that found them."""
    names = ("queries", "records")
    return {name: sum(table.get(f"{name}_by_language", {}).values()) for name in names}


def _as_table(table: Counts) -> str:
    lines = [", ".join(f"{number} {name}" for name, number in _totals(table).items())]
    for title, name in ROWS:
        if counts := table.get(name):
            width = max(len(key) for key in counts)
            lines += ["", title, *(f"  {key:<{width}}  {n:>7}" for key, n in counts.items())]
    return "\n".join(map(escape_controls, lines)) + "\n"


def _as_csv(table: Counts) -> str:
    rows = [
        (*title.lower().split(" / "), key, number)
        for title, name in ROWS
        for key, number in table.get(name, {}).items()
    ]
    return csv_text([("count", "by", "value", "number"), *rows])


def _as_json(table: Counts) -> str:
    whole = {**_totals(table), **{name: table.get(name, {}) for _, name in ROWS}}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


_FORMATS = {"table": _as_table, "csv": _as_csv, "json": _as_json}
