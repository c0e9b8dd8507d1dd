"""Scrapy: pipelines that cluster a crawl's items at its end, or drop duplicates while it runs.

Needs scrapy: ``pip install 'reducepp[scrapy]'``. With REDUCEPP_FILE items pass through as they are,
and the answer is a file and figures among the crawl's statistics. With REDUCEPP_DROP an item that
duplicates an earlier one is dropped at once; the earlier ones are in an index on disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from operator import methodcaller
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from reducepp.errors import ReduceppError, UsageError, check_choice, needs_extra
from reducepp.index import Index
from reducepp.io.atomic import check_can_write, write_text_file
from reducepp.io.records import LIST_FIELDS, Document, find_field
from reducepp.io.sqlite_file import now
from reducepp.io.writers import FORMATS
from reducepp.plugins.postprocess import PostProcessor, as_ranked_pages
from reducepp.types import Match, Page

with needs_extra("the Scrapy plugin", "scrapy"):
    from itemadapter import ItemAdapter
    from scrapy.exceptions import DropItem, NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

log = logging.getLogger("reducepp.scrapy")
PREFIX = "REDUCEPP_"
SETTINGS = (
    *("FILE", "QUERY_FIELD", "FIELDS", "PROFILE", "THRESHOLD", "MIN_SCORE", "TARGET_N", "KEEP"),
    *("LINKAGE", "MAX_ITEMS", "DROP", "INDEX"),
)
"""The settings, without their prefix."""
MAX_ITEMS = 10_000
"""Items kept per query; further ones are counted under `reducepp/not_compared`."""


class _Pipeline:
    """What Scrapy needs to make a pipeline, and the options that both have."""

    def __init__(self, settings: BaseSettings, stats: Any) -> None:
        for name in settings:
            if str(name).startswith(PREFIX):
                check_choice("no setting", str(name), [PREFIX + known for known in SETTINGS])
        self.query_field: str = settings.get("REDUCEPP_QUERY_FIELD", "query")
        self.stats = stats
        names = settings.getdict("REDUCEPP_FIELDS")
        self.processor = PostProcessor(
            profile=settings.get("REDUCEPP_PROFILE", "auto"),
            threshold=_number(settings, "REDUCEPP_THRESHOLD"),
            min_score=_number(settings, "REDUCEPP_MIN_SCORE"),
            target_n=_number(settings, "REDUCEPP_TARGET_N", int),
            keep=settings.get("REDUCEPP_KEEP", "rank"),
            linkage=settings.get("REDUCEPP_LINKAGE", ""),
            fields={ours: methodcaller("get", theirs, "") for ours, theirs in names.items()},
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings, crawler.stats)

    def read(self, item: Any) -> tuple[str, Page | Document]:
        """Query of an item, and what is compared of it."""
        adapter = ItemAdapter(item)
        read = self.processor.read({k: _as_text(k, v) for k, v in adapter.asdict().items()})
        if read == Page(id=""):
            self._note_empty(adapter)
        return str(adapter.get(self.query_field) or ""), read

    def _note_empty(self, adapter: ItemAdapter) -> None:
        """Count an item of which nothing is compared; the first one is in the log."""
        if not self.stats.get_value("reducepp/empty"):
            names = ", ".join(adapter.field_names())
            log.warning("nothing to compare in an item (%s): name its REDUCEPP_FIELDS", names)
        self.stats.inc_value("reducepp/empty")


class ReducePipeline(_Pipeline):
    """Collects the crawl's items by query and writes one reduction per line at the end.

    Settings: REDUCEPP_FILE (where to write; without it the pipeline is off), REDUCEPP_PROFILE,
    REDUCEPP_THRESHOLD, REDUCEPP_MIN_SCORE, REDUCEPP_TARGET_N, REDUCEPP_KEEP, REDUCEPP_LINKAGE,
    REDUCEPP_QUERY_FIELD (default `query`), REDUCEPP_FIELDS (our name of a field → the item's),
    REDUCEPP_MAX_ITEMS.
    """

    def __init__(self, settings: BaseSettings, stats: Any) -> None:
        if not settings.get("REDUCEPP_FILE"):
            wanted = "set REDUCEPP_FILE to the file that reductions go to"
            raise NotConfigured(f"{wanted}; REDUCEPP_DROP is for DropPipeline")
        super().__init__(settings, stats)
        self.path = Path(settings.get("REDUCEPP_FILE"))
        check_can_write(self.path)
        self.most = settings.getint("REDUCEPP_MAX_ITEMS", MAX_ITEMS)
        self.items: dict[str, list[Page | Document]] = {}

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Record the item's texts and return it unchanged; older Scrapy passes the spider."""
        query, read = self.read(item)
        seen = self.items.setdefault(query, [])
        if len(seen) < self.most:
            seen.append(read)
        else:
            self.stats.inc_value("reducepp/not_compared")
        return item

    def close_spider(self, spider: Any = None) -> None:
        """Cluster each query's items and write the reductions aside, then rename."""
        found = [self.processor.reduce(reads, query=query) for query, reads in self.items.items()]
        write_text_file(self.path, FORMATS["jsonl"](found))
        self.stats.set_value("reducepp/queries", len(found))
        self.stats.set_value("reducepp/items", sum(r.before for r in found))
        self.stats.set_value("reducepp/shown", sum(r.after for r in found))


class DropPipeline(_Pipeline):
    """Drops an item that is a near-duplicate of an earlier one, while the crawl runs.

    Settings: REDUCEPP_DROP (true turns it on), REDUCEPP_INDEX (the file of earlier items, kept from
    crawl to crawl; without it a passing one), REDUCEPP_THRESHOLD, REDUCEPP_QUERY_FIELD,
    REDUCEPP_FIELDS. Memory does not grow with the items.
    """

    def __init__(self, settings: BaseSettings, stats: Any) -> None:
        if not settings.getbool("REDUCEPP_DROP"):
            raise NotConfigured("set REDUCEPP_DROP to true to drop near-duplicate items")
        super().__init__(settings, stats)
        self.path = settings.get("REDUCEPP_INDEX")
        self.threshold = self.processor.threshold
        self.started = now()

    def open_spider(self, spider: Any = None) -> None:
        """Open the index, or one for this crawl alone."""
        self.folder = TemporaryDirectory(prefix="reducepp-")
        self.index = Index(self.path or Path(self.folder.name) / "items.idx")

    def close_spider(self, spider: Any = None) -> None:
        self.stats.set_value("reducepp/indexed", len(self.index))
        self.index.close()
        self.folder.cleanup()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """The item where it is new; DropItem with the earlier one's address where it is not.

        An item that the index cannot take, as on a full disk, passes: no crawl loses items by it.
        """
        query, read = self.read(item)
        (page,) = as_ranked_pages([read], query=query)
        try:
            match = self._find_or_add(page)
        except ReduceppError as error:
            if not self.stats.get_value("reducepp/not_compared"):
                log.error("items pass without comparison: %s", error)
            self.stats.inc_value("reducepp/not_compared")
            return item
        if match is not None:
            self.stats.inc_value("reducepp/dropped")
            raise DropItem(f"near-duplicate of {match.url or match.id} (score {match.score:.3f})")
        return item

    def _find_or_add(self, page: Page) -> Match | None:
        """The best near-duplicate in the index; None for a new page, which is added."""
        answer = self.index.query(page, threshold=self.threshold)
        if not answer.is_new:
            return answer.matches[0]
        name = page.url or f"item {len(self.index) + 1}"
        self.index.add([self.index.with_own_id(replace(page, id=name))], shown_at=self.started)
        return None


def _as_text(name: str, value: Any) -> Any:
    """A list of texts as one text, as item loaders collect them; lists of links stay."""
    is_collected = isinstance(value, list) and all(isinstance(text, str) for text in value)
    return "\n".join(value) if is_collected and find_field(name)[0] not in LIST_FIELDS else value


def _number(settings: BaseSettings, name: str, kind: Callable[[Any], Any] = float) -> Any:
    """The number of a setting, which may be a text (`-s NAME=0.7`); None where it is not set."""
    value = settings.get(name)
    try:
        return None if value is None else kind(value)
    except (TypeError, ValueError):
        raise UsageError(f"{name} {value!r}: a number is needed") from None
