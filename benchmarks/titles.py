"""Titles and language on a folder of saved pages, against what the pages themselves state.

    python -m benchmarks titles --pages FOLDER

Website title: on pages that state one (og:site_name), all tags that state it are taken away; right
is the same name but for article, accents and top-level domain; near is one that holds the other.
Page title: on pages whose h1 is also their og:title, with og:title and JSON-LD taken away.
Language: against `lang`, which is itself wrong on some pages. One page a host; the address is the
canonical one that the page states.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from reducepp.errors import SplitError
from scraping.charset import decode
from scraping.evidence import gather_titles
from scraping.hosts import host_of
from scraping.metadata import Metadata, read_metadata
from scraping.names import fold, without_article
from scraping.split import split_html
from scraping.tree import parse_html

_NAMES = re.compile(
    r"<meta[^>]+(?:og:site_name|application-name|apple-mobile-web-app-title|twitter:site|al:\w+:"
    r"app_name|msapplication-tooltip|publisher|copyright)[^>]*>|<script[^>]+ld\+json.*?</script>",
    re.IGNORECASE | re.DOTALL,
)
_TITLES = re.compile(
    r"<meta[^>]+(?:og|twitter):title[^>]*>|<script[^>]+ld\+json.*?</script>",
    re.IGNORECASE | re.DOTALL,
)
_DOMAIN = re.compile(r"\.(?:com|net|org|info|[a-z]{2})$", re.IGNORECASE)


def measure(html: str, metadata: Metadata, url: str) -> Iterator[str]:
    """What is known of one page, and whether it was found."""
    site, title = metadata.meta.get("og:site_name", ""), metadata.meta.get("og:title", "")
    if site and fold(site) != fold(title):
        short, long = sorted(
            (name_of(site), name_of(split_html(_NAMES.sub("", html), url=url).site_title)), key=len
        )
        yield "site known"
        yield from ("site right",) if short == long else ()
        yield from ("site near",) if short == long or (len(short) > 3 and short in long) else ()
    headings = gather_titles(parse_html(html), metadata, url).headings
    if title and fold(title) in map(fold, headings) and fold(title) != fold(site):
        yield "page known"
        page = split_html(_TITLES.sub("", html), url=url)
        yield from ("page right",) if fold(page.page_title) == fold(title) else ()
    if len(metadata.language) == 2:
        yield "language known"
        same = split_html(html, url=url).language == metadata.language
        yield from ("language right",) if same else ()


def name_of(text: str) -> str:
    """A website's name as it is compared."""
    return fold(without_article(_DOMAIN.sub("", text.strip().removeprefix("www."))))


def measure_folder(folder: Path) -> Counter[str]:
    """Counts over all pages of a folder, one a host."""
    counts: Counter[str] = Counter()
    hosts: set[str] = set()
    for path in sorted(folder.rglob("*.htm*")):
        html = decode(path.read_bytes())
        try:
            metadata = read_metadata(parse_html(html))
            url = metadata.canonical or metadata.meta.get("og:url", "")
            if host_of(url) in hosts or not host_of(url):
                continue
            hosts.add(host_of(url))
            counts.update(measure(html, metadata, url))
        except SplitError:
            continue
    return counts


def main(arguments: Sequence[str] = ()) -> None:
    """Print how often each was right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks titles")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="saved pages (.html)")
    folder = parser.parse_args(arguments).pages
    if folder is None:
        print("titles: skipped, no folder of saved pages (--pages FOLDER)")
        return
    counts = measure_folder(folder)
    for what, found in (
        ("website title, no tag states it", "site right"),
        ("  one name in the other", "site near"),
        ("page title, h1 and <title> alone", "page right"),
        ("language as declared", "language right"),
    ):
        known = counts[found.split()[0] + " known"]
        share = f"{counts[found] / known:.3f}" if known else "-"
        print(f"{what:<34} {counts[found]:5} of {known:<5} {share}")
