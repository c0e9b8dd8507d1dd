"""Count a store of collected pages as the paper's Table I does; take pages in and out.

example:
  reducepp dataset pages.sqlite
  reducepp dataset pages.sqlite --format json
  reducepp dataset pages.sqlite --export pages.parquet
  reducepp dataset new.sqlite --import crawl.warc.gz --import pages.jsonl

The form of an imported or exported file is told by its name: .jsonl, .csv (Table I's columns),
.parquet, .warc, .warc.gz. Importing makes the store where there is none.
"""

import argparse
import csv
import io
import json

from reducepp.cli.output import note, write_output
from reducepp.errors import InputError
from reducepp.io.escaping import escape_cells, escape_controls
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


def run(args: argparse.Namespace) -> int:
    """Import, export, count, print."""
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
        if args.export.suffix.lower() == ".csv":
            _say_what_is_lost(sum(bool(page.visible) for page in read_store_pages(args.store)))
    write_output(_FORMATS[args.format](table_one(args.store)), args.out)
    return 0


def _say_what_is_lost(pages: int) -> None:
    if pages:
        what = f"the visible text of {pages} pages with little main text"
        note(f"left out, as it is no column of Table I: {what}; .jsonl and .parquet keep it")


def _totals(table: Counts) -> dict[str, int]:
    """All queries, and all pages once for each query that found them."""
    return {
        name: sum(table.get(f"{name}_by_language", {}).values()) for name in ("queries", "records")
    }


def _as_table(table: Counts) -> str:
    lines = [", ".join(f"{number} {name}" for name, number in _totals(table).items())]
    for title, name in ROWS:
        if counts := table.get(name):
            width = max(len(key) for key in counts)
            lines += ["", title, *(f"  {key:<{width}}  {n:>7}" for key, n in counts.items())]
    return "\n".join(map(escape_controls, lines)) + "\n"


def _as_csv(table: Counts) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("count", "by", "value", "number"))
    for title, name in ROWS:
        what, _, by = title.lower().partition(" / ")
        counts = table.get(name, {})
        writer.writerows(escape_cells((what, by, key, n)) for key, n in counts.items())
    return text.getvalue()


def _as_json(table: Counts) -> str:
    whole = {**_totals(table), **{name: table.get(name, {}) for _, name in ROWS}}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


_FORMATS = {"table": _as_table, "csv": _as_csv, "json": _as_json}
