"""What each of the five papers prints, on your own data, beside the published numbers."""

import shlex
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from reducepp.api import ReduceOptions, find_profile, resolve_profile
from reducepp.cli.command_input import LabelledInput, no_labels, read_input, read_labelled
from reducepp.cli.output import claim_folder, count_done, note, write_output
from reducepp.cli.sweep_command import sweep_options, sweep_query
from reducepp.demo import label_rows, read_documents, read_pages_html
from reducepp.errors import InputError, MissingExtraError, UsageError, errors_as
from reducepp.evaluation.advice import Swept
from reducepp.evaluation.figure_tables import Table, page_of, write_tables
from reducepp.evaluation.sweep import threshold_range
from reducepp.inputs import QueryPages, group_reads, read_queries
from reducepp.labelled.reading import PairLabel, read_labels
from reducepp.parallel import map_in_order
from reducepp.replication import paper1, paper2, paper3, paper4, paper5
from reducepp.replication.ablations import ablation_table, agreement_table
from reducepp.similarity.click_log import LogNotes
from reducepp.similarity.click_scores import load_clicks, read_clicks
from reducepp.similarity.compare import drop_empty_signals
from reducepp.types import Profile, Queries

TITLES = {
    1: "The paper's tables and figures on these pages",
    2: "Multiple-signal duplicate detection (Huffman et al. 2007)",
    3: "Near-duplicates of posts (Tao et al. 2013)",
    4: "Duplicates from clicks (Radlinski et al. 2011)",
    5: "Phrases by word positions (Uwamahoro and Zuping 2013)",
}
PROFILES = ("posts", "twinder-sy", "twinder-syse", "twinder-syseenco", "posts-sy", "posts-syseenco")
"""Profiles of paper 3's tables; the last has all features."""


def run(args: Namespace) -> int:
    """Collect where --queries is given, then print and write the tables of one paper."""
    _check_usage(args)
    if args.out:
        claim_folder(Path(args.out), ("*.csv", "*.png", "*.svg"), mark="replication.md")
    if args.queries:
        args.input = [_collect(args)]
    if args.paper == 1:
        return _replicate_reduce(args)
    made = _tables(args)
    page = page_of(TITLES[args.paper], made)
    write_output(page)
    if args.out:
        written = write_tables(page, made, Path(args.out))
        note(f"{len(written)} files in {args.out}: begin with replication.md")
    return 0


def _check_usage(args: Namespace) -> None:
    """UsageError for what the paper needs and was not given, before a folder is made."""
    if args.queries and not (args.out and args.engine):
        raise UsageError("--queries goes with --engine NAME and --out DIR")
    if args.paper == 1 and not args.out:
        raise UsageError("--out DIR is needed for paper 1")
    if args.paper == 4 and not args.input:
        raise UsageError("--paper 4 needs a click log: reducepp replicate log.jsonl --paper 4")
    if args.paper == 5 and args.input:
        raise UsageError("--paper 5 has data of its own and takes no INPUT")


def _collect(args: Namespace) -> str:
    """Run `collect` for the queries into OUT/pages.sqlite, and return that store."""
    from reducepp.cli import main

    store = str(Path(args.out) / "pages.sqlite")
    words = [word for name in args.engine for word in ("--engine", name)]
    words += ["--out", store, *shlex.split(args.collect)]
    packaged = files("reducepp.replication") / paper1.QUERIES_FILE
    with as_file(packaged) as path:
        source = str(path) if args.queries == "table-3" else args.queries
        status = main(["collect", "--queries", source, *words])
    if status:
        raise InputError(f"{args.queries}: could not be collected")
    return store


def _tables(args: Namespace) -> list[Table]:
    """Tables of papers 2 to 5."""
    if args.paper == 5:
        return paper5.tables()
    if args.paper == 4:
        return _click_tables(args)
    data = read_labelled(args) if args.input else demo_labelled()
    if not data.labels:
        raise no_labels(args, f"for paper {args.paper}")
    if args.paper == 2:
        return paper2.tables(data.queries, data.labels, _signals(args, data.queries))
    return paper3.tables(data.queries, data.labels, {name: find_profile(name) for name in PROFILES})


def _click_tables(args: Namespace) -> list[Table]:
    """Tables of paper 4; with --out also the plot of the scores by kind."""
    log, labels = args.input[0], _read_labels(args)
    notes = LogNotes()
    scores = paper4.scores_by_kind(read_clicks(log, notes=notes), labels)
    notes.check(log)
    if args.out:
        from reducepp.evaluation.plots import draw_click_scores, save

        Path(args.out).mkdir(parents=True, exist_ok=True)
        save(draw_click_scores(scores), Path(args.out) / "scores-by-kind")
    groups = read_queries(args.pages, jobs=args.jobs) if args.pages else ()
    pages = [page for group in groups for page in group.pages]
    found = paper4.tables(scores, labels)
    if labels:
        found += paper4.learned_tables(load_clicks(log), labels, _signals(args, [pages]), pages)
    return found


def _read_labels(args: Namespace) -> list[PairLabel]:
    return [label for path in args.labels for label in read_labels(path, scale=args.scale)]


def _signals(args: Namespace, queries: Queries) -> Profile:
    """The profile `signals` without those of which the pages have nothing."""
    profile = find_profile("signals", prepare=args.prepare)
    return drop_empty_signals(profile, [page for pages in queries for page in pages])


def demo_labelled() -> LabelledInput:
    """The pages that the package carries, and labels from their true groups."""
    found = LabelledInput(queries=[], labels=[])
    for query in read_pages_html():
        (group,) = group_reads(read_documents(query), jobs=1)
        found.queries.append(
            [replace(p, language=query.language, domain=query.domain) for p in group.pages]
        )
        found.labels.extend(
            PairLabel(query=name, a=a, b=b, grade=grade) for name, a, b, grade in label_rows(query)
        )
    return found


def _replicate_reduce(args: Namespace) -> int:
    """Paper 1: sweep every query under every profile, then write."""
    if find_spec("matplotlib") is None or find_spec("sklearn") is None:
        raise MissingExtraError("replicating paper 1", "evaluate")
    queries = (
        [group for group in read_input(args) if group.pages]
        if args.input
        else [
            QueryPages(query=pages[0].query, pages=list(pages)) for pages in demo_labelled().queries
        ]
    )
    swept = [_sweep(name, queries, args) for name in args.profile or ["paper", "default"]]
    pages = [group.pages for group in queries]
    more = _ablations(args, pages, swept) if args.ablations else []
    with errors_as(InputError, f"{args.out}: cannot write", OSError):
        written = paper1.write_replication(pages, swept, Path(args.out), more=more)
    for one in swept:
        print(paper1.headline_line(paper1.headline_figures(one)))
    note(f"{len(written)} files in {args.out}: begin with replication.md")
    return 0


def _ablations(args: Namespace, pages: Queries, swept: Sequence[Swept]) -> list[Table]:
    labels = _read_labels(args)
    labels = labels or ([] if args.input else demo_labelled().labels)
    own = {
        one.profile: [
            replace(c, profile=replace(c.profile, threshold=one.threshold)) for c in one.comparisons
        ]
        for one in swept
    }
    return [agreement_table(own), ablation_table(pages, find_profile("paper"), labels)]


def _sweep(name: str, queries: Sequence[QueryPages], args: Namespace) -> Swept:
    options = ReduceOptions(profile=name, linkage=args.linkage, prepare=args.prepare)
    profile = resolve_profile([page for group in queries for page in group.pages], options)
    own = profile.threshold if args.threshold is None else args.threshold
    thresholds = threshold_range(args.start, args.stop, args.step)
    fixed = sorted({*paper1.THRESHOLDS, own})
    work = partial(sweep_query, how=sweep_options(args))
    swept = map_in_order(work, queries, profile, [*thresholds, *fixed], jobs=args.jobs)
    found = list(count_done(swept, profile.name, queries))
    return Swept(
        profile=profile.name,
        threshold=own,
        comparisons=tuple(comparison for comparison, _ in found),
        rows=tuple(row for _, rows in found for row in rows[: len(thresholds)]),
        table_rows=tuple(row for _, rows in found for row in rows[len(thresholds) :]),
    )
