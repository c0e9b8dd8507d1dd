"""Splitting beside trafilatura, readability-lxml and resiliparse: exactness, pages a second.

    python -m benchmarks extraction

On our own cases every field has a true value. The labelled news pages (REDUCEPP_DATA, or
../shared/data) have none: there the body is compared with what trafilatura and readability-lxml
both say, on the pages where those two agree, and titles and language with what the pages
state (see `titles.py`). `--gold` takes a folder of pages with their true texts
instead (see `gold.py`). One core, one page at a time, after some pages to warm up.
"""

from __future__ import annotations

import json
import logging
import re
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.data import SETS, has_labelled_data, read_rows
from benchmarks.gold import print_table, print_titles, read_gold
from benchmarks.processes import timed
from benchmarks.rivals import BODY, FIELDS, Sample, Tool, safely, split_or_empty
from benchmarks.titles import measure_pages, print_counts
from reducepp.text.language_detection import detect_language

CASES = Path(__file__).parent.parent / "tests" / "scraping" / "extract" / "cases"
MIN_AGREEMENT = 0.9
"""Token F1 between two other extractors from which their text counts as true."""

HELD_OUT = ("web-es", "terms-dating", "docs-sql", "docs-office-es")
"""Sets that were collected after the vocabularies."""
WITHOUT: dict[str, dict[str, Any]] = {
    "all vocabularies": {},
    "without class names": {"blocks.classify_names": lambda names: 0},
    "without phrases of boilerplate": {
        "boilerplate.is_notice": lambda text: False,
        "boilerplate.is_prompt_or_legal": lambda text: False,
    },
}
"""Functions of extraction that are replaced to switch a vocabulary off."""
WARM_UP = 10
"""Pages read before the clock starts, so that what loads once is loaded."""


def token_f1(found: str, true: str) -> float:
    """Harmonic mean of precision and recall over words, counted; 1 for two empty texts."""
    a, b = Counter(re.findall(r"\w+", found.lower())), Counter(re.findall(r"\w+", true.lower()))
    if not a and not b:
        return 1.0
    return 2 * sum((a & b).values()) / (a.total() + b.total())


def run(extract: Tool, pages: Sequence[Sample]) -> tuple[list[str], float]:
    """Body of each page ("" where the extractor fails) and seconds for all."""
    for page in pages[:WARM_UP]:
        safely(extract, page)
    return timed(lambda: [safely(extract, page) for page in pages], time.process_time)


def our_cases() -> list[Sample]:
    """Cases of HTML pages, decoded; those in a legacy encoding are left to the tests."""
    found = []
    for folder in sorted(CASES.iterdir()):
        path = folder / "page.html"
        if path.exists():
            meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
            expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
            html = path.read_bytes().decode("utf-8", "ignore")
            if meta["kind"] != "old":
                found.append(Sample(html, meta["url"], expected["language"], expected))
    return found


def real_pages(*names: str) -> list[Sample]:
    """All pages of some of the labelled sets."""
    return [
        Sample(row["html"], row["url"], name[-2:], {}) for name in names for row in read_rows(name)
    ]


def agreed_pages(one: Sequence[str], two: Sequence[str]) -> list[int]:
    """Numbers of the pages of which two extractors say the same."""
    both = enumerate(zip(one, two, strict=True))
    return [i for i, (a, b) in both if a and token_f1(a, b) >= MIN_AGREEMENT]


def report_cases(pages: Sequence[Sample]) -> None:
    """Body of all extractors, then each other field of those that give it, on our own cases."""
    print(f"our cases ({len(pages)} pages): body token F1")
    for name, extract in BODY.items():
        bodies, seconds = run(extract, pages)
        known = [(b, p) for b, p in zip(bodies, pages, strict=True) if "body" in p.expected]
        scores = [token_f1(b, p.expected["body"]) for b, p in known]
        print(f"  {name:<18} {sum(scores) / len(scores):.3f}  {len(pages) / seconds:7.1f} pages/s")
    for field, tools in FIELDS.items():
        stated = [p for p in pages if field in p.expected]
        print(f"  {field} on {len(stated)} pages, exact")
        for name, extract in tools.items():
            right = sum(_is_value(field, safely(extract, p), p.expected[field]) for p in stated)
            print(f"    {name:<16} {right / len(stated):.3f}")


def _is_value(field: str, found: str, true: str | None) -> bool:
    """Whether a field is right; of a moment its day, as others give no more."""
    return found[:10] == (true or "")[:10] if field == "posted_at" else found == (true or "")


def report_news(pages: Sequence[Sample]) -> None:
    """Body against what two others agree on, and speed, on real pages."""
    results = {name: run(extract, pages) for name, extract in BODY.items()}
    one = results["trafilatura fast"][0]
    agreed = agreed_pages(one, results["readability-lxml"][0])
    print(f"real news pages ({len(pages)}; body on the {len(agreed)} where two others agree)")
    for name, (bodies, seconds) in results.items():
        score = sum(token_f1(bodies[i], one[i]) for i in agreed) / len(agreed)
        print(f"  {name:<18} {score:.3f}  {len(pages) / seconds:7.1f} pages/s")
    print_counts(measure_pages((page.html, page.url) for page in pages))


def report_vocabularies() -> None:
    """Body without each vocabulary, on sets that were not read when these were collected."""
    pages = real_pages(*HELD_OUT)
    one, two = (run(BODY[name], pages)[0] for name in ("trafilatura fast", "readability-lxml"))
    agreed = agreed_pages(one, two)
    print(f"{', '.join(HELD_OUT)}: body token F1 on the {len(agreed)} pages where two others agree")
    for name, changes in WITHOUT.items():
        with ExitStack() as stack:
            for target, value in changes.items():
                stack.enter_context(patch(f"reducepp.scraping.extract.{target}", value))
            scores = [token_f1(safely(BODY["reducepp"], pages[i]), one[i]) for i in agreed]
        print(f"  {name:<32} {sum(scores) / len(scores):.3f}")


def report_gold(folder: Path) -> None:
    """Body of all extractors on a folder of pages with their true texts."""
    gold = read_gold(folder)
    if not gold:
        raise SystemExit(f"{folder}: no pages with a text beside them (source.html, expected.html)")
    pages = [Sample(page.html, page.url, "", {}) for page in gold]
    print_table(gold, {name: run(tool, pages) for name, tool in BODY.items()}, token_f1)
    tools = list(FIELDS["page_title"].items())[1:]
    titles = {name: [safely(tool, page) for page in pages] for name, tool in tools}
    print_titles(gold, [split_or_empty(page) for page in pages], titles)


def main(arguments: Sequence[str] = ()) -> None:
    """Print both tables, the second only where the labelled pages are; or that of a folder."""
    parser = ArgumentParser(prog="benchmarks extraction", description=__doc__)
    parser.add_argument("--gold", type=Path, metavar="FOLDER", help="pages with their true texts")
    parser.add_argument("--ablate", action="store_true", help="without each vocabulary, held out")
    args = parser.parse_args(arguments)
    logging.disable(logging.ERROR)
    try:
        _report(args.gold, ablate=args.ablate)
    finally:
        logging.disable(logging.NOTSET)


def _report(gold: Path | None, *, ablate: bool) -> None:
    detect_language("Kissa istuu matolla")  # loads the n-grams, once a process: not a page's time
    if gold:
        report_gold(gold)
        return
    if not ablate:
        report_cases(our_cases())
    if has_labelled_data():
        report_vocabularies() if ablate else report_news(real_pages(*SETS))
