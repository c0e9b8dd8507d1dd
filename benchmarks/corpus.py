"""A labelled corpus that anybody can rebuild from packages in public registries.

    python -m benchmarks corpus                 # builds it in build/corpus and prints the figures
    python -m benchmarks corpus --out FOLDER --only 'cmake*'

Documentation in two releases, chapters beside edited copies, notices of a server, states of a web
application, and short answers that we wrote; `corpus.toml` lists the sources. Labels follow from
the construction: pages with the same key are duplicate pairs, all others of a set negative pairs.
Where texts say otherwise, because a page was rewritten or two pages are one text, a pair is left
out. Pages of one set share a template and a subject, so the negative pairs are hard.

One source is shown in several ways: the releases on one host, on a host each, under addresses that
say nothing (numbers per release, ids on one host), and as plain text in one line.
"""

import argparse
import csv
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import combinations
from pathlib import Path
from random import Random

from benchmarks.corpus_sources import KINDS, CorpusPage, Source
from benchmarks.made_sets import all_text
from reducepp.api import reduce
from reducepp.inputs import read_queries
from reducepp.labelled.reading import read_labels

OUT = Path(__file__).parents[1] / "build" / "corpus"
PROFILES = ("default", "paper")
MIN_DUPLICATE, MAX_DIFFERENT = 0.5, 0.7
"""Share of the shorter text's runs of five words from which two releases are one page, and from
which two pages are too much alike to be called different."""
COMMON = 0.25
"""Share of the pages from which a run belongs to the template."""
ADDRESSES = {
    "host": "https://manual.example/{side}/{key}",
    "hosts": "https://{side}.example/{key}",
    "numbers": "https://{side}.example/{number}",
    "ids": "https://manual.example/page/{id}",
    "plain": "https://texts.example/{id}",
}
"""How pages are shown; `plain` is all their text in one line, without a title."""


@dataclass(frozen=True, slots=True)
class CorpusSet:
    """One source, shown in one way; the floor is what a test expects, 0 where none is tested."""

    source: Source
    shown: str
    floor: float


def _read_sets() -> Iterator[tuple[str, CorpusSet]]:
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for name, fields in tables.items():
        kind, shown = KINDS[fields.pop("kind")], fields.pop("shown")
        for way, floor in shown.items():
            full_name = f"{name}-{way}" if len(shown) > 1 else name
            yield full_name, CorpusSet(kind(**fields), way, floor)


SETS = dict(_read_sets())


def main(arguments: Sequence[str] = ()) -> None:
    """Build what is missing, then print precision, recall and F1 per set and profile."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks corpus")
    parser.add_argument("--out", type=Path, default=OUT, help="default: build/corpus")
    parser.add_argument("--only", default="*", help="sets by name, with * and ?")
    options = parser.parse_args(arguments)
    for name in (name for name in SETS if fnmatch(name, options.only)):
        try:
            build(name, options.out)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"{name}: cannot be built here: {error}")
            continue
        for profile in PROFILES:
            figures = pair_counts(name, options.out, profile)
            print(f"{name:<20} {profile:<8} {figures_line(*figures)}", flush=True)


def build(name: str, folder: Path) -> Path:
    """NAME.jsonl and NAME.labels.csv in the folder, made once; returns the pages' file."""
    pages_file = folder / f"{name}.jsonl"
    if pages_file.exists():
        return pages_file
    folder.mkdir(parents=True, exist_ok=True)
    chosen = SETS[name]
    pages = list(chosen.source.pages(folder / "packages"))
    rows = [_row(page, name, number, chosen.shown) for number, page in enumerate(pages)]
    with (folder / f"{name}.labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("query", "a", "b", "duplicate"))
        for a, b, label in _labels(pages, chosen.source.by_text):
            writer.writerow((name, rows[a]["id"], rows[b]["id"], label))
    mixed = Random(1).sample(rows, len(rows))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in mixed)
    pages_file.write_text(lines, "utf-8")
    return pages_file


def _row(page: CorpusPage, query: str, number: int, shown: str) -> dict[str, str]:
    name = f"{number * 7919 % 65_521:04x}"
    address = ADDRESSES[shown].format(side=page.side, key=page.key, number=number // 2, id=name)
    content = {"body": all_text(page.html)} if shown == "plain" else {"html": page.html}
    return {"id": name, "query": query, "url": address, **content}


def _labels(pages: Sequence[CorpusPage], by_text: str) -> Iterator[tuple[int, int, int]]:
    """The labelled pairs of pages, by place."""
    runs = _runs(pages, own=by_text == "own") if by_text else []
    for (i, a), (j, b) in combinations(enumerate(pages), 2):
        same = a.key == b.key
        if same and not (a.original or b.original):
            continue
        share = _contained(runs[i], runs[j]) if by_text else float(same)
        if share >= MIN_DUPLICATE if same else share < MAX_DIFFERENT:
            yield i, j, int(same)


def _runs(pages: Sequence[CorpusPage], *, own: bool) -> list[set[tuple[str, ...]]]:
    """Runs of five words of each page: all, or its own, which few other pages have."""
    words = [re.findall(r"[\u3040-\u9fff]|[^\W_]+", all_text(page.html).lower()) for page in pages]
    runs = [set(zip(*(text[i:] for i in range(5)), strict=False)) for text in words]
    if not own:
        return runs
    counts = Counter(run for text in runs for run in text)
    return [{run for run in text if counts[run] < max(4, COMMON * len(runs))} for text in runs]


def _contained(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    """Share of the smaller set that the other has; 0 where it is empty."""
    return len(one & other) / max(1, min(len(one), len(other)))


def pair_counts(name: str, folder: Path, profile: str) -> tuple[int, int, int, int]:
    """Duplicate pairs in one cluster, duplicate pairs, negative pairs in one cluster, negatives."""
    (group,) = read_queries(str(build(name, folder)))
    clusters = reduce(group.pages, profile=profile, explain=False).clusters
    place = {member: cluster.kept for cluster in clusters for member in cluster.members}
    counts = Counter(
        (label.duplicate, label.a in place and place[label.a] == place.get(label.b))
        for label in read_labels(folder / f"{name}.labels.csv")
    )
    found, wrong = counts[True, True], counts[False, True]
    return found, found + counts[True, False], wrong, wrong + counts[False, False]


def f1_of(found: int, duplicates: int, wrong: int, negatives: int) -> float:
    """Harmonic mean of precision and recall; without duplicates the negatives kept apart."""
    if not duplicates:
        return 1 - wrong / negatives
    return 2 * found / (found + duplicates + wrong) if found else 0.0


def figures_line(found: int, duplicates: int, wrong: int, negatives: int) -> str:
    """The counts as a line to read."""
    merged = f"{wrong} of {negatives} negative pairs in one cluster"
    if not duplicates:
        return f"        {merged}"
    f1 = f1_of(found, duplicates, wrong, negatives)
    return f"F1 {f1:.3f}: {found} of {duplicates} duplicate pairs, {merged}"
