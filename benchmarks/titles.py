"""Titles and language on a folder of saved pages, against what the pages themselves state.

    python -m benchmarks titles --pages FOLDER

Website title: on pages that state one (og:site_name), all tags that state it are taken away; right
is the same name but for article, accents and top-level domain; near is one that holds the other.
Page title: on pages whose h1 is also their og:title, with og:title and JSON-LD taken away.
Language: against `lang`, which is itself wrong on some pages. One page a host; the address is the
canonical one that the page states. Others who give the same field are asked the same.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.rivals import FIELDS, Sample, safely
from reducepp.errors import SplitError
from reducepp.scraping.decode.charset import decode
from reducepp.scraping.extract.html_parsing import parse_html
from reducepp.scraping.extract.metadata import Metadata, read_metadata
from reducepp.scraping.extract.title_evidence import gather_titles
from reducepp.scraping.extract.title_text import fold, site_host, without_article

_NAMES = re.compile(
    r"<meta[^>]+(?:og:site_name|application-name|apple-mobile-web-app-title|twitter:site|al:\w+:"
    r"app_name|msapplication-tooltip|publisher|copyright)[^>]*>|<script[^>]+ld\+json.*?</script>",
    re.IGNORECASE | re.DOTALL,
)
_TITLES = re.compile(
    r"<meta[^>]+(?:og|twitter):title[^>]*>|<script[^>]+ld\+json.*?</script>",
    re.IGNORECASE | re.DOTALL,
)
KNOWN = "known"
"""In the counts: how many pages state a field."""
Counts = Counter[tuple[str, str]]
_DOMAIN = re.compile(r"\.(?:com|net|org|info|[a-z]{2})$", re.IGNORECASE)


def measure(html: str, metadata: Metadata, url: str) -> Iterator[tuple[str, str]]:
    """What is known of one page, and who found it."""
    site, title = metadata.meta.get("og:site_name", ""), metadata.meta.get("og:title", "")
    if site and fold(site) != fold(title):
        yield "site", KNOWN
        page = Sample(_NAMES.sub("", html), url, "", {})
        for tool, extract in FIELDS["site_title"].items():
            short, long = sorted(map(name_of, (site, safely(extract, page))), key=len)
            yield from (("site", tool),) if short == long else ()
            near = short == long or (len(short) > 3 and short in long)
            yield from (("near", tool),) if near else ()
    headings = gather_titles(parse_html(html), metadata, url).headings
    if title and fold(title) in map(fold, headings) and fold(title) != fold(site):
        yield "page", KNOWN
        page = Sample(_TITLES.sub("", html), url, "", {})
        for tool, extract in FIELDS["page_title"].items():
            yield from (("page", tool),) if fold(safely(extract, page)) == fold(title) else ()
    if len(metadata.language) == 2:
        yield "language", KNOWN
        page = Sample(html, url, "", {})
        for tool, extract in FIELDS["language"].items():
            same = safely(extract, page) == metadata.language
            yield from (("language", tool),) if same else ()


def name_of(text: str) -> str:
    """A website's name as it is compared."""
    return fold(without_article(_DOMAIN.sub("", text.strip().removeprefix("www."))))


def measure_pages(pages: Iterable[tuple[str, str]]) -> Counts:
    """Counts over pages (markup and address, which may be "" where the page states it)."""
    counts: Counts = Counter()
    hosts: set[str] = set()
    for html, known in pages:
        try:
            metadata = read_metadata(parse_html(html))
            url = known or metadata.canonical or metadata.meta.get("og:url", "")
            if site_host(url) in hosts or not site_host(url):
                continue
            hosts.add(site_host(url))
            counts.update(measure(html, metadata, url))
        except SplitError:
            continue
    return counts


def measure_folder(folder: Path) -> Counts:
    """Counts over all pages of a folder, one a host."""
    paths = sorted(folder.rglob("*.htm*"))
    return measure_pages((decode(path.read_bytes()), "") for path in paths)


def print_counts(counts: Counts) -> None:
    """How often each tool was right, a table a field."""
    for what, field, tools in (
        ("website title, no tag states it", "site", "site_title"),
        ("  one name in the other", "near", "site_title"),
        ("page title, h1 and <title> alone", "page", "page_title"),
        ("language as declared", "language", "language"),
    ):
        known = counts[("site" if field == "near" else field), KNOWN]
        for tool in FIELDS[tools]:
            right = counts[field, tool]
            share = f"{right / known:.3f}" if known else "-"
            print(f"{what:<34} {tool:<16} {right:5} of {known:<5} {share}")


def main(arguments: Sequence[str] = ()) -> None:
    """Print how often each was right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks titles")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="saved pages (.html)")
    folder = parser.parse_args(arguments).pages
    if folder is None:
        print("titles: skipped, no folder of saved pages (--pages FOLDER)")
        return
    print_counts(measure_folder(folder))
