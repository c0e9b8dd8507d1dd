"""Every folder in `cases` is a page, what must come out of it, and where it came from.

`page.*` holds the bytes as fetched; `meta.json` its address and content type; `expected.json` the
fields that must match exactly. Adding a folder adds a test.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reducepp.scraping.extract.split import split_page
from reducepp.types import Page, RawPage, SearchHit

KINDS = """
    news opinion shop forum qa wiki docs gov recipe lyrics parked spa wall listing blog old
    report-pdf report-docx
"""
CASES = sorted((Path(__file__).parent / "cases").iterdir())


def split_case(folder: Path) -> Page:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (page,) = folder.glob("page.*")
    return split_page(
        RawPage(
            hit=SearchHit(url=meta["url"]),
            fetched=page.read_bytes(),
            content_type=meta["content_type"],
        )
    )


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    page = split_case(folder)
    for field, value in expected.items():
        found = getattr(page, field)
        assert (list(found) if isinstance(found, tuple) else found) == value, field


def test_there_are_enough_cases_of_every_kind_and_language() -> None:
    names = {folder.name for folder in CASES}
    assert len(names) >= 40
    assert {
        f"{kind}-{language}" for kind in KINDS.split() for language in ("en", "fr", "ar")
    } <= names
