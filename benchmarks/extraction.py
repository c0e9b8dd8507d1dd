"""Splitting beside trafilatura, readability-lxml and resiliparse: exactness, pages a second.

    python -m benchmarks extraction

On our own cases every field has a true value. The labelled news pages (REDUCEPP_DATA, or
../shared/data) have none: there the body is compared with what trafilatura and readability-lxml
both say, on the pages where those two agree, and the website's title with the one that tags
state after these tags were taken away. `--gold` takes a folder of pages with their true texts
instead (see `gold.py`). One core, one page at a time, after some pages to warm up.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.gold import markup_text, print_table, read_gold
from reducepp.text.detect import detect_language
from scraping.names import fold
from scraping.split import split_html

CASES = Path(__file__).parent.parent / "tests" / "scraping" / "cases"
AGREED = 0.9
"""Token F1 between two other extractors from which their text counts as true."""

WARM_UP = 10
"""Pages read before the clock starts, so that what loads once is loaded."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page, and what is known to be true of it."""

    html: str
    url: str
    language: str
    expected: dict[str, Any]


def token_f1(found: str, true: str) -> float:
    """Harmonic mean of precision and recall over words, counted; 1 for two empty texts."""
    a, b = Counter(re.findall(r"\w+", found.lower())), Counter(re.findall(r"\w+", true.lower()))
    if not a and not b:
        return 1.0
    common = sum((a & b).values())
    return 2 * common / (a.total() + b.total())


def our_body(page: Sample) -> str:
    """Everything we split is done here, not the body alone."""
    return split_html(page.html, url=page.url).body


def trafilatura_body(page: Sample) -> str:
    import trafilatura

    return trafilatura.extract(page.html, fast=True, include_comments=False) or ""


def readability_body(page: Sample) -> str:
    from readability import Document

    return markup_text(Document(page.html).summary())


def resiliparse_body(page: Sample) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(page.html, main_content=True, alt_texts=False))


EXTRACTORS: dict[str, Callable[[Sample], str]] = {
    "reducepp": our_body,
    "trafilatura fast": trafilatura_body,
    "readability-lxml": readability_body,
    "resiliparse": resiliparse_body,
}


def run(extract: Callable[[Sample], str], pages: Sequence[Sample]) -> tuple[list[str], float]:
    """Body of each page ("" where the extractor fails) and seconds for all."""
    for page in pages[:WARM_UP]:
        _safely(extract, page)
    start = time.process_time()
    bodies = [_safely(extract, page) for page in pages]
    return bodies, time.process_time() - start


def _safely(extract: Callable[[Sample], str], page: Sample) -> str:
    try:
        return extract(page)
    except Exception:  # other people's extractors raise what they like
        return ""


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


def data_folder() -> Path | None:
    """Where the labelled pages are; None where they are absent."""
    named = os.environ.get("REDUCEPP_DATA")
    folder = Path(named) if named else Path(__file__).parent.parent.parent / "shared" / "data"
    return folder if (folder / "news-en.jsonl.gz").exists() else None


def news_pages(folder: Path) -> list[Sample]:
    found = []
    for language in ("en", "fr", "ar"):
        with gzip.open(folder / f"news-{language}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                item = json.loads(line)
                found.append(Sample(item["html"], item["url"], language, {}))
    return found


def report_cases(pages: Sequence[Sample]) -> None:
    """Body of all extractors, then the other fields of ours, on our own cases."""
    print(f"our cases ({len(pages)} pages): body token F1")
    for name, extract in EXTRACTORS.items():
        bodies, seconds = run(extract, pages)
        known = [(b, p) for b, p in zip(bodies, pages, strict=True) if "body" in p.expected]
        scores = [token_f1(b, p.expected["body"]) for b, p in known]
        print(f"  {name:<18} {sum(scores) / len(scores):.3f}  {len(pages) / seconds:7.1f} pages/s")
    split = [split_html(p.html, url=p.url) for p in pages]
    for field in ("page_title", "site_title", "language", "posted_at"):
        stated = [(s, p) for s, p in zip(split, pages, strict=True) if field in p.expected]
        right = sum(getattr(s, field) == p.expected[field] for s, p in stated)
        print(f"  {field:<18} {right / len(stated):.3f} exact")


def report_news(pages: Sequence[Sample]) -> None:
    """Body against what two others agree on, and speed, on real pages."""
    results = {name: run(extract, pages) for name, extract in EXTRACTORS.items()}
    one, two = results["trafilatura fast"][0], results["readability-lxml"][0]
    agreed = [i for i in range(len(pages)) if token_f1(one[i], two[i]) >= AGREED and one[i]]
    print(f"real news pages ({len(pages)}; body on the {len(agreed)} where two others agree)")
    for name, (bodies, seconds) in results.items():
        score = sum(token_f1(bodies[i], one[i]) for i in agreed) / len(agreed)
        print(f"  {name:<18} {score:.3f}  {len(pages) / seconds:7.1f} pages/s")
    right, known = hidden_site_titles(pages)
    print(f"  site title with its tags taken away: {right} of {known} hosts ({right / known:.3f})")


_STATING = re.compile(
    r"<meta[^>]+(?:og:site_name|application-name|apple-mobile-web-app-title)[^>]*>"
    r"|<script[^>]+ld\+json.*?</script>",
    re.IGNORECASE | re.DOTALL,
)


def hidden_site_titles(pages: Sequence[Sample]) -> tuple[int, int]:
    """How many hosts keep their name when no tag states it any more; one page a host."""
    stated: dict[str, tuple[str, str]] = {}
    for page in pages:
        whole = split_html(page.html, url=page.url)
        host = page.url.split("/")[2]
        without = split_html(_STATING.sub("", page.html), url=page.url)
        if f'content="{whole.site_title}"' in page.html and host not in stated:
            stated[host] = (fold(whole.site_title), fold(without.site_title))
    right = sum(a == b or (len(b) > 3 and (a in b or b in a)) for a, b in stated.values())
    return right, len(stated)


def report_gold(folder: Path) -> None:
    """Body of all extractors on a folder of pages with their true texts."""
    gold = read_gold(folder)
    if not gold:
        raise SystemExit(f"{folder}: no pages with a text beside them (source.html, expected.html)")
    pages = [Sample(page.html, page.url, "", {}) for page in gold]
    print_table(gold, {name: run(tool, pages) for name, tool in EXTRACTORS.items()}, token_f1)


def main(arguments: Sequence[str] = ()) -> int:
    """Print both tables, the second only where the labelled pages are; or that of a folder."""
    parser = ArgumentParser(prog="benchmarks extraction", description=__doc__)
    parser.add_argument("--gold", type=Path, metavar="FOLDER", help="pages with their true texts")
    args = parser.parse_args(arguments)
    logging.disable(logging.ERROR)
    detect_language("Kissa istuu matolla")  # loads the n-grams, once a process: not a page's time
    if args.gold:
        report_gold(args.gold)
        return 0
    report_cases(our_cases())
    folder = data_folder()
    if folder is None:
        print("real news pages: skipped, no folder of labelled pages (REDUCEPP_DATA)")
        return 0
    report_news(news_pages(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
