"""What is handed on to the next program: the pages that are shown, and the words that saves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reducepp.io.records import page_to_dict
from reducepp.types import Page, Reduction


def as_kept_pages(reductions: Sequence[Reduction]) -> str:
    """Every page that is shown, one a line, in the form that any command reads.

    `similar` names the dropped pages listed under it; demoted ones stand at the end.
    """
    lines = (json.dumps(record, ensure_ascii=False) for r in reductions for record in _records(r))
    return "".join(line + "\n" for line in lines)


def _records(reduction: Reduction) -> Iterator[dict[str, Any]]:
    pages = {page.id: page for page in reduction.pages}
    for kept, similar in reduction.listed.items():
        listed = {"similar": list(similar)} if similar else {}
        yield page_to_dict(pages[kept], filled=True) | listed
    if reduction.mode == "demote":
        yield from (
            page_to_dict(pages[d.id], filled=True) | {"demoted": True} for d in reduction.dropped
        )


def count_words(reduction: Reduction) -> dict[str, int]:
    """Words of all pages' texts, and of those that are shown: what a reader or model is spared."""
    shown = {cluster.kept for cluster in reduction.clusters}
    return {
        "before": _words(reduction.pages),
        "after": _words(page for page in reduction.pages if page.id in shown),
    }


def _words(pages: Iterable[Page]) -> int:
    return sum(len((page.body or page.snippet).split()) for page in pages)
