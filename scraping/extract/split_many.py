"""Many pages split in order, in sandboxed workers on several cores, in constant memory."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from reducepp.errors import ReduceppError
from reducepp.sandbox import map_sandboxed
from reducepp.scraping.extract.site_title import share_site_titles
from reducepp.types import Failure, Page, RawPage

WINDOW = 256
"""Pages that share website titles; as many are held in memory."""

Item = RawPage | Mapping[str, Any]
Result = Page | Failure


def split_many(
    items: Iterable[Item], *, jobs: int = 0, links: str = "content"
) -> Iterator[Page | Failure]:
    """Every item as a Page or a Failure, in order, on `jobs` processes (0: all cores).

    An item is a RawPage or a mapping with `html` and `url` (and id, query, rank, language).
    Website titles are shared among each `WINDOW` pages, so memory does not grow.
    """
    results = map_sandboxed(split_one, items, links, failed=split_failure, jobs=jobs)
    while window := list(islice(results, WINDOW)):
        pages = iter(share_site_titles([r for r in window if isinstance(r, Page)]))
        for result in window:
            yield next(pages) if isinstance(result, Page) else result


@lru_cache(maxsize=1)
def splitter_version() -> str:
    """Hash of the code and data that split a page; it changes with every change of them."""
    digest = hashlib.sha256()
    folders = (Path(__file__).parent, Path(__file__).parent.parent / "decode")
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def split_failure(item: Item, reason: str) -> Failure:
    """The Failure of an item that cannot be split."""
    url = item.hit.url if isinstance(item, RawPage) else str(item.get("url") or "")
    return Failure(url=url, stage="split", reason=reason)


def split_one(item: Item, links: str = "content", images: bool = False) -> Result:
    """One page, or the Failure that says why it cannot be split; in this process."""
    from reducepp.scraping.extract.split import split_html, split_page

    try:
        if isinstance(item, RawPage):
            return split_page(item, links=links, images=images)
        known = {k: item[k] for k in ("id", "query", "rank", "language") if item.get(k)}
        url = str(item.get("url") or "")
        page = split_html(item.get("html") or "", url=url, links=links, **known)
        return replace(page, domain=str(item.get("domain") or ""))
    except ReduceppError as error:
        return split_failure(item, str(error))
    except MemoryError:
        raise  # the sandbox ends the worker
    except Exception as error:  # hostile bytes make parsers raise anything
        return split_failure(item, f"{type(error).__name__}: {error}")
