"""What each of the five papers prints, on your own data, beside the published numbers.

example:
  reducepp replicate --paper 1 --out replication           the demo's pages
  reducepp replicate pages.jsonl --out replication --profile paper --profile mine.toml
  reducepp replicate --queries table-3 --engine mojeek --out replication   from queries to tables
  reducepp replicate pages.jsonl --labels pairs.csv --paper 2
  reducepp replicate labelled-posts.jsonl --paper 3
  reducepp replicate log.jsonl --paper 4 --labels judge-1.csv --labels judge-2.csv --pages p.jsonl
  reducepp replicate --paper 5

Paper 1 (REDUCE++): Table I, Table III, Fig. 4 to 7, the headline, agreement with other clusterings,
ablations, and the curve of information kept. 2 (multiple signals): signals alone, groups, cost.
3 (Twinder): features, strategies, topics, levels, diversification. 4 (clicks): kinds, scores,
and of judged pairs their agreement and what is learned from clicks, from pages, and from both.
5 (word positions): candidates and Table 4. Tables are printed as Markdown; --out also writes CSV
and, for paper 1, SVG and PNG. --queries collects first (again after an interruption: what the store
OUT/pages.sqlite holds is not fetched again). Without INPUT the demo's pages and labels are used.
"""

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from reducepp.api import ReduceOptions, find_profile, resolve_profile
from reducepp.cli.command_input import LabelledInput, read_input, read_labelled
from reducepp.cli.output import claim_folder, note, progress, write_output
from reducepp.cli.sweep import sweep_options, sweep_query
from reducepp.errors import InputError, LabelsError, MissingExtraError, UsageError
from reducepp.evaluation.advice import Swept
from reducepp.evaluation.sweep import threshold_range
from reducepp.inputs import QueryPages, as_pages, read_queries
from reducepp.labelled.reading import PairLabel, read_labels
from reducepp.parallel import map_in_order
from reducepp.replication import paper2, paper3, paper4, paper5
from reducepp.replication.ablations import ablation_table, agreement_table
from reducepp.replication.paper1 import (
    QUERIES_FILE,
    THRESHOLDS,
    headline,
    headline_line,
    write_replication,
)
from reducepp.replication.tables import Table, page_of, write_tables
from reducepp.similarity.click_log import LogNotes
from reducepp.similarity.click_scores import load_clicks, read_clicks
from reducepp.similarity.compare import drop_empty_signals
from reducepp.types import Page, Profile

TITLES = {
    1: "The paper's tables and figures on these pages",
    2: "Multiple-signal duplicate detection (Huffman et al. 2007)",
    3: "Near-duplicates of posts (Tao et al. 2013)",
    4: "Duplicates from clicks (Radlinski et al. 2011)",
    5: "Phrases by word positions (Uwamahoro and Zuping 2013)",
}
STRATEGIES = (
    *("posts", "twinder-sy", "twinder-syse", "twinder-syseenco"),
    *("posts-sy", "posts-syseenco"),
)
"""Profiles of paper 3's tables; the last has all features."""


def run(args: argparse.Namespace) -> int:
    """Collect where asked for, then print and write the tables of one paper."""
    if args.out:
        claim_folder(Path(args.out), ("*.csv", "*.png", "*.svg"), mark="replication.md")
    if args.queries:
        args.input = [_collect(args)]
    if args.paper == 1:
        return _replicate_reduce(args)
    made = _tables(args)

    write_output(page_of(TITLES[args.paper], made))
    if args.out:
        written = write_tables(TITLES[args.paper], made, Path(args.out))
        note(f"{len(written)} files in {args.out}: begin with replication.md")
    return 0


def _collect(args: argparse.Namespace) -> str:
    """Run `collect` for the queries into OUT/pages.sqlite, and return that store."""
    from reducepp.cli import main

    if not args.out or not args.engine:
        raise UsageError("--queries goes with --engine NAME and --out DIR")
    store = str(Path(args.out) / "pages.sqlite")
    words = [word for name in args.engine for word in ("--engine", name)]
    words += ["--out", store, *shlex.split(args.collect)]
    packaged = files("reducepp.replication") / QUERIES_FILE
    with as_file(packaged) as path:
        source = str(path) if args.queries == "table-3" else args.queries
        status = main(["collect", "--queries", source, *words])
    if status:
        raise InputError(f"{args.queries}: could not be collected")
    return store


def _tables(args: argparse.Namespace) -> list[Table]:
    """Tables of papers 2 to 5."""
    if args.paper == 5:
        if args.input:
            raise UsageError("--paper 5 has data of its own and takes no INPUT")
        return paper5.tables()
    if args.paper == 4:
        return _click_tables(args)
    data = _labelled(args)
    if args.paper == 2:
        base = _drop_absent(find_profile("signals", prepare=args.prepare), data.queries)
        return paper2.tables(data.queries, data.labels, base)
    strategies = {name: find_profile(name) for name in STRATEGIES}
    return paper3.tables(data.queries, data.labels, strategies)


def _click_tables(args: argparse.Namespace) -> list[Table]:
    """Tables of paper 4; with --out also the plot of the scores by kind."""
    if not args.input:
        raise UsageError("--paper 4 needs a click log: reducepp replicate log.jsonl --paper 4")
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
    content = _drop_absent(find_profile("signals", prepare=args.prepare), [pages])
    learned = paper4.learned_tables(load_clicks(log), labels, content, pages) if labels else []
    return [*paper4.tables(scores, labels), *learned]


def _read_labels(args: argparse.Namespace) -> list[PairLabel]:
    return [label for path in args.labels for label in read_labels(path, scale=args.scale)]


def _drop_absent(profile: Profile, queries: Sequence[Sequence[Page]]) -> Profile:
    return drop_empty_signals(profile, [page for pages in queries for page in pages])


def _labelled(args: argparse.Namespace) -> LabelledInput:
    """Pages with labels: what was given, else the demo's pages with their true groups."""
    if not args.input:
        return demo_labelled()
    data = read_labelled(args)
    if not data.labels:
        raise LabelsError(f"--labels FILE is needed for paper {args.paper}")
    return data


def demo_labelled() -> LabelledInput:
    """The pages that the package carries, and labels from their true groups."""
    from reducepp.demo import label_rows, read_pages_html

    found = LabelledInput(queries=[], labels=[])
    for query in read_pages_html():
        records = [
            {"url": p.url, "id": p.url, "rank": p.rank, "query": query.query,
             "language": query.language, "domain": query.domain,
             "html": p.html.decode("utf-8", "replace")}
            for p in query.pages
        ]  # fmt: skip
        pages, _ = as_pages(records)
        found.queries.append(pages)
        found.labels.extend(
            PairLabel(query=name, a=a, b=b, grade=grade) for name, a, b, grade in label_rows(query)
        )
    return found


def _read_groups(args: argparse.Namespace) -> list[QueryPages]:
    if not args.input:
        pages = demo_labelled().queries
        return [QueryPages(query=group[0].query, pages=list(group)) for group in pages]
    return [group for group in read_input(args) if group.pages]


def _replicate_reduce(args: argparse.Namespace) -> int:
    """Paper 1: sweep every query under every profile, then write."""
    if not args.out:
        raise UsageError("--out DIR is needed for paper 1")
    if find_spec("matplotlib") is None or find_spec("sklearn") is None:
        raise MissingExtraError("replicating paper 1", "evaluate")
    queries = _read_groups(args)
    swept = [_sweep(name, queries, args) for name in args.profile or ["paper", "default"]]
    pages = [group.pages for group in queries]
    more = _ablations(args, pages, swept) if args.ablations else []
    try:
        written = write_replication(pages, swept, Path(args.out), more=more)
    except OSError as error:
        raise InputError(f"{args.out}: cannot write: {error.strerror or error}") from None
    for one in swept:
        print(headline_line(headline(one)))
    note(f"{len(written)} files in {args.out}: begin with replication.md")
    return 0


def _ablations(
    args: argparse.Namespace, pages: Sequence[Sequence[Page]], swept: Sequence[Swept]
) -> list[Table]:
    labels = _read_labels(args)
    labels = labels or ([] if args.input else demo_labelled().labels)
    own = {
        s.profile: [replace(c, profile=replace(c.profile, threshold=s.threshold))
                    for c in s.comparisons]
        for s in swept
    }  # fmt: skip
    return [agreement_table(own), ablation_table(pages, find_profile("paper"), labels)]


def _sweep(name: str, queries: Sequence[QueryPages], args: argparse.Namespace) -> Swept:
    options = ReduceOptions(profile=name, linkage=args.linkage, prepare=args.prepare)
    profile = resolve_profile([page for group in queries for page in group.pages], options)
    own = profile.threshold if args.threshold is None else args.threshold
    thresholds = threshold_range(args.start, args.stop, args.step)
    fixed = sorted({*THRESHOLDS, own})
    work = partial(sweep_query, how=sweep_options(args))
    found = list(
        progress(
            map_in_order(work, queries, profile, [*thresholds, *fixed], jobs=args.jobs),
            profile.name,
            total=len(queries),
        )
    )
    return Swept(
        profile=profile.name,
        threshold=own,
        comparisons=tuple(comparison for comparison, _ in found),
        rows=tuple(row for _, rows in found for row in rows[: len(thresholds)]),
        table_rows=tuple(row for _, rows in found for row in rows[len(thresholds) :]),
    )
