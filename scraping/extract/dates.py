"""When a page was published or last changed, where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from reducepp.scraping.extract.html_parsing import Element
from reducepp.scraping.extract.metadata import Metadata, types_of
from reducepp.scraping.extract.visible_dates import (
    date_by_title,
    date_in_named_element,
    is_of_others,
    labelled_date,
)

_MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "lastmod",
    "last-modified",
    "dcterms.modified",
    "dc.date.modified",
)
_PUBLISHED = (
    "article:published_time",
    "article:published",
    "og:published_time",
    "datepublished",
    "article:publicationdate",
    "date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "publication_date",
    "published_date",
    "sailthru.date",
    "parsely-pub-date",
    "cxenseparse:recs:publishtime",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "dcterms.issued",
    "citation_publication_date",
    "citation_date",
    "originalpublicationdate",
    "article_date_original",
    "ptime",
)
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_NOT_THE_PAGE = frozenset(
    ("Comment", "UserComments", "Review", "Answer", "Event", "Offer", "Person")
)
"""Things with dates of their own that stand on a page."""
MAX_TIMES = 20
_IN_PATH = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)")


@dataclass(slots=True, frozen=True)
class Shown:
    """What a page shows, where a date may be read that it does not state."""

    lines: Sequence[str] = ()
    title: int = -1
    """Which of the lines is the page's title; -1 for none."""
    day_first: bool = False
    """Whether 3/5/2021 is the third of May."""


NOTHING = Shown()


def stated_date(metadata: Metadata, root: Element, url: str = "", shown: Shown = NOTHING) -> str:
    """ISO 8601 date of the last stated change, else of publication, else as shown, else ""."""
    for value in _statements(metadata, root):
        date = read_date(value)
        if date:
            return date
    match = _IN_PATH.search(url)
    if match and (date := _iso(*match.groups())):
        return date
    near = date_by_title(shown.lines, shown.title, day_first=shown.day_first)
    return near or _first_time(root) or _elsewhere(root, shown)


def _elsewhere(root: Element, shown: Shown) -> str:
    named = date_in_named_element(root, day_first=shown.day_first)
    return named or labelled_date(shown.lines, day_first=shown.day_first)


def _statements(metadata: Metadata, root: Element) -> Iterator[str]:
    """Dates as stated, the most telling first."""
    objects = [o for o in metadata.objects if not types_of(o) & _NOT_THE_PAGE]
    for key in ("dateModified", "datePublished", "uploadDate", "dateCreated"):
        names = _MODIFIED if key == "dateModified" else _PUBLISHED if key == "datePublished" else ()
        yield from (metadata.meta[name] for name in names if name in metadata.meta)
        yield from (v for o in objects if isinstance(v := o.get(key), str))
    for element in islice(root.iter("time"), MAX_TIMES):
        if element.get("pubdate") is not None or element.get("itemprop"):
            yield element.get("datetime") or ""


def _first_time(root: Element) -> str:
    """The first `<time>` that is not another page's."""
    for element in islice(root.iter("time"), MAX_TIMES):
        if not is_of_others(element) and (date := read_date(element.get("datetime") or "")):
            return date
    return ""


def read_date(value: str) -> str:
    """A stated date as ISO 8601 (ISO-like or mail format); "" where it is neither."""
    match = _ISO.search(value)
    if match:
        return _iso(*match.groups())
    try:
        return parsedate_to_datetime(value).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _iso(
    year: str,
    month: str,
    day: str,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    zone: str | None = None,
) -> str:
    try:
        date = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0))
    except ValueError:
        return ""
    if hour is None:
        return date.date().isoformat()
    offset = "+00:00" if zone and zone.upper() in ("Z", "UTC", "GMT") else zone or ""
    if offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:]}"
    return f"{date.isoformat()[:17]}{int(second or 0):02d}{offset}"
