"""An index of pages seen before: add pages, query whether a page is new, reduce them all."""

from argparse import Namespace
from collections.abc import Iterator

from reducepp.api import ReduceOptions
from reducepp.cli.command_input import read_input
from reducepp.cli.output import note, write_output
from reducepp.index import Index
from reducepp.io.sqlite_file import now
from reducepp.io.writers import FORMATS, json_lines
from reducepp.types import Page


def input_pages(args: Namespace) -> Iterator[Page]:
    """The pages of INPUT."""
    for group in read_input(args):
        yield from group.pages


def add_pages(args: Namespace) -> int:
    pages = list(input_pages(args))
    with Index(args.index) as index:
        added = index.add(pages, shown_at=args.shown_at or now())
        note(f"{args.index}: {added} added, {len(pages) - added} known, {len(index)} in all")
    return 0


def query_pages(args: Namespace) -> int:
    """Answer for each page of INPUT."""
    with Index(args.index, create=False) as index:
        found = ((page, index.query(page, threshold=args.threshold)) for page in input_pages(args))
        lines = json_lines({"query": p.query, "id": p.id, **a.to_dict()} for p, a in found)
    write_output(lines, args.out)
    return 0


def reduce_all(args: Namespace) -> int:
    with Index(args.index, create=False) as index:
        reduction = index.reduce(ReduceOptions(threshold=args.threshold))
    write_output(FORMATS[args.format]([reduction]), args.out)
    return 0


ACTIONS = {"add": add_pages, "query": query_pages, "reduce": reduce_all}
