"""Reduce search results: cluster near-duplicates, show one page of each, say why."""

from argparse import Namespace
from collections.abc import Iterable, Iterator

from reducepp.api import ReduceOptions, compare_query, lowest_score, reduce_pages, resolve_cut
from reducepp.cli.command_input import note_failures, options_of, stream_input
from reducepp.cli.output import PageCounter, note, write_parts
from reducepp.errors import UsageError
from reducepp.inputs import QueryPages
from reducepp.io.terminal_table import Screen, find_screen, table_of
from reducepp.io.writers import FORMATS, Form, markdown_of
from reducepp.parallel import map_in_order
from reducepp.types import Reduction

EXPLAINED = ("json", "jsonl")
SHOW_LOST = ("table", "md", *EXPLAINED)
"""Formats that name lost sentences with `--explain`."""
GRAPHML = "graphml"
WITHOUT_FAILURES = ("csv", "pages", GRAPHML)

Printed = tuple[str, int, str]
"""A query as it is printed, its number of pages, and its name."""


def run(args: Namespace) -> int:
    """Read, compare and cut each query and print it: query by query, on all cores."""
    if args.seen and args.format == GRAPHML:
        raise UsageError("--format graphml: not with --seen")
    if args.remember and not args.seen:
        raise UsageError("--remember: name the index with --seen")
    if args.one_set and not args.parts:
        raise UsageError("--one-set: name a folder for the results with --parts")
    if args.parts or args.cluster:
        return _reduce_parts(args)
    with PageCounter("reducing") as counter:
        queries = counter.expect(_note_failures(stream_input(args), args))
        done: Iterable[Printed] = (
            _reduce_unseen(queries, args)
            if args.seen
            else map_in_order(_reduce_query, queries, args, jobs=args.jobs, memory=args.memory)
        )
        texts = (counter.count(text, pages, query) for text, pages, query in done)
        write_parts(_form(args.format).join(texts), args.out)
    if args.format == "pages":
        note(f"pages as mode {args.mode} shows them")
    if args.format == GRAPHML and args.mode != "collapse":
        note("a graph holds all pages, whatever --mode")
    return 0


def _note_failures(queries: Iterable[QueryPages], args: Namespace) -> Iterator[QueryPages]:
    """The queries; pages that cannot be used are noted where the format has no place for them."""
    for group in queries:
        note_failures(group.failures if args.format in WITHOUT_FAILURES else ())
        yield group


def _reduce_parts(args: Namespace) -> int:
    from reducepp.cli.parts import check_output, check_parts, reduce_one_set, score_in_parts
    from reducepp.cluster.part_runs import reduce_part

    check_parts(args)
    check_output(args, "table")
    return reduce_one_set(args) if args.one_set else score_in_parts(args, "reduce", reduce_part)


def _form(name: str) -> Form:
    if name != GRAPHML:
        return FORMATS[name]
    from reducepp.clustering.graph import GRAPHML_HEAD, GRAPHML_TAIL

    return Form(render=repr, head=GRAPHML_HEAD, tail=GRAPHML_TAIL)


def _reduce_query(group: QueryPages, args: Namespace) -> Printed:
    """One query, reduced or as its similarity graph; in a worker process."""
    options = _options(args)
    if args.format != GRAPHML:
        found = reduce_pages(group.pages, options, failures=group.failures, query=group.query)
        return _print(found, args)
    from reducepp.clustering.graph import graph_element, similarity_graph
    from reducepp.pipeline import cut

    floor = lowest_score(group.pages, options)
    compared = compare_query(group.pages, options, query=group.query, floor=floor)
    how = resolve_cut(compared, options)
    graph = similarity_graph(compared.pages, compared.scores, how.threshold)
    clusters = cut(compared, how).clusters
    return graph_element(graph, group.query, clusters), len(group.pages), group.query


def _reduce_unseen(queries: Iterable[QueryPages], args: Namespace) -> Iterator[Printed]:
    """The same without what the index has; with --remember, and what earlier queries showed."""
    from reducepp.index import Index
    from reducepp.io.sqlite_file import now

    options = _options(args)
    with Index(args.seen, create=args.remember) as index:
        for one in queries:
            found = index.reduce_unseen(one.pages, options, failures=one.failures, query=one.query)
            yield _print(found, args)
            if args.remember:
                index.remember(found, shown_at=now())


def _options(args: Namespace) -> ReduceOptions:
    return options_of(args, explain=args.explain or args.format in EXPLAINED)


def _print(found: Reduction, args: Namespace) -> Printed:
    if args.explain and args.format in SHOW_LOST:
        from reducepp.evaluation.lost_sentences import with_lost

        found = with_lost(found)
    if args.format == "table":
        screen = find_screen() if args.out == "-" else Screen()
        text = table_of(found, explain=args.explain, screen=screen)
    elif args.format == "md":
        text = markdown_of(found, explain=args.explain)
    else:
        text = FORMATS[args.format].render(found)
    return text, found.before, found.query
