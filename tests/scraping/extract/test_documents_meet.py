"""A PDF or DOCX and an HTML page of the same text meet in one cluster, in every language."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest

from reducepp.api import find_profile
from reducepp.comparison import compare_pages
from reducepp.inputs import split_documents
from reducepp.io.records import Document
from reducepp.pipeline import Cut, cut
from reducepp.types import Page

CASES = Path(__file__).parent / "cases"
TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def as_html(expected: dict[str, str]) -> str:
    paragraphs = "".join(f"<p>{html.escape(line)}</p>" for line in expected["body"].splitlines())
    title = html.escape(expected["page_title"])
    around = "<nav><a href='/'>Home</a> <a href='/news'>News</a></nav>"
    return f"<title>{title}</title>{around}<article><h1>{title}</h1>{paragraphs}</article>"


@pytest.mark.parametrize("kind", ["pdf", "docx"])
@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_a_document_and_its_web_page_are_one(kind: str, language: str) -> None:
    pytest.importorskip("pypdfium2")
    case = CASES / f"report-{kind}-{language}"
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    other = json.loads((CASES / f"recipe-{language}" / "expected.json").read_text("utf-8"))
    documents = [
        Document(
            page=Page(id="document", rank=1),
            content=(case / f"page.{kind}").read_bytes(),
            content_type=TYPES[f".{kind}"],
        ),
        Document(page=Page(id="page", rank=2), content=as_html(expected)),
        Document(page=Page(id="other", rank=3), content=as_html(other)),
    ]
    pages = [page for page in split_documents(documents, jobs=1) if isinstance(page, Page)]
    profile = find_profile("default")
    reduction = cut(compare_pages(pages, profile), Cut(threshold=profile.threshold))
    assert [c.members for c in reduction.clusters] == [("document", "page"), ("other",)]
