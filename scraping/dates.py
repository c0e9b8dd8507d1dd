"""When a page was published or last changed, where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from scraping.metadata import Metadata
from scraping.tree import Element
from scraping.written import read_written

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
_DATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:date|datum|fecha|published|publish|pubdate|posted|postdate|postdatum|dateline"
    r"|timestamp|publi|updated|modified)(?:$|[\s_-])|تاريخ|(?-i:[a-z]Date\b)",
    re.IGNORECASE,
)
MAX_SHOWN = 120
"""Characters of a line that is a date; longer ones are text that holds one."""
MAX_TRIED = 100
MAX_PIECES = 40
_IN_PATH = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)")


def stated_date(metadata: Metadata, root: Element, url: str = "") -> str:
    """ISO 8601 date of the last stated change, else of publication, else ""."""
    for value in _statements(metadata, root):
        date = read_date(value)
        if date:
            return date
    match = _IN_PATH.search(url)
    return _iso(*match.groups()) if match else _shown_date(root)


def _shown_date(root: Element) -> str:
    """The first date shown in an element that is named as one; dates in running text are not."""
    for element in islice(_named_as_dates(root), MAX_TRIED):
        text = _short_text(element)
        if text and (date := read_written(text) or read_date(text)):
            return date
    return ""


def _named_as_dates(root: Element) -> Iterator[Element]:
    for element in root.iter():
        if element.tag == "time" or _DATE_NAMES.search(
            f"{element.get('class') or ''} {element.get('id') or ''}"
        ):
            yield element


def _short_text(element: Element) -> str:
    """The element's text; "" where it is longer than a line."""
    text = ""
    for piece in islice(element.itertext(), MAX_PIECES):
        text += str(piece)
        if len(text.strip()) > MAX_SHOWN:
            return ""
    return text.strip()


def _statements(metadata: Metadata, root: Element) -> Iterator[str]:
    """Dates as stated, the most telling first."""
    for key in ("dateModified", "datePublished", "uploadDate", "dateCreated"):
        names = _MODIFIED if key == "dateModified" else _PUBLISHED if key == "datePublished" else ()
        yield from (metadata.meta[name] for name in names if name in metadata.meta)
        yield from (v for o in metadata.objects if isinstance(v := o.get(key), str))
    for index, element in enumerate(root.iter("time")):
        if index >= 20:
            break
        if element.get("pubdate") is not None or element.get("itemprop") or index == 0:
            yield element.get("datetime") or ""


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
