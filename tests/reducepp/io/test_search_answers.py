"""Answers of search services: where each puts its results and its query."""

import json
from pathlib import Path
from typing import Any

import pytest

from reducepp.io.readers import read_pages
from reducepp.types import Page

ANSWERS: dict[str, Any] = {
    "searxng": {"query": "q", "results": [{"url": "u", "title": "t", "content": "s"}]},
    "google": {
        "kind": "customsearch#search",
        "queries": {"request": [{"searchTerms": "q"}]},
        "items": [{"link": "u", "title": "t", "snippet": "s"}],
    },
    "brave": {
        "query": {"original": "q"},
        "web": {"results": [{"url": "u", "title": "t", "description": "s"}]},
    },
    "serpapi": {
        "search_parameters": {"q": "q"},
        "organic_results": [{"position": 1, "link": "u", "title": "t", "snippet": "s"}],
    },
    "bing": {
        "queryContext": {"originalQuery": "q"},
        "webPages": {"value": [{"url": "u", "name": "t", "snippet": "s"}]},
    },
}


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_answers_of_search_services(tmp_path: Path, name: str) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(ANSWERS[name]))
    (found,) = read_pages(str(path))
    assert (found.query, found.url, found.page_title) == ("q", "u", "t")
    assert (found.snippet, found.body) == ("s", "s")


SERVICES: dict[str, Any] = {
    "serper": {
        "searchParameters": {"q": "bees"},
        "organic": [{"title": "Roof bees", "link": "https://a.example/", "snippet": "Honey."}],
    },
    "kagi": {
        "meta": {"id": "1"},
        "data": [{"t": 0, "url": "https://a.example/", "title": "Roof bees", "snippet": "Honey."}],
    },
    "solr": {
        "responseHeader": {"status": 0},
        "response": {
            "numFound": 1,
            "docs": [{"url": "https://a.example/", "title": "Roof bees", "content": "Honey."}],
        },
    },
    "tavily": {
        "query": "bees",
        "results": [
            {"title": "Roof bees", "url": "https://a.example/", "content": "Honey.", "score": 0.9,
             "raw_content": None}
        ],
    },
    "exa": {"results": [{"title": "Roof bees", "url": "https://a.example/", "summary": "Honey."}]},
    "ddgs": [{"title": "Roof bees", "href": "https://a.example/", "body": "Honey."}],
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", SERVICES)
def test_answers_of_search_services_by_content(
    tmp_path: Path, name: str, indent: int | None
) -> None:
    for suffix in (".json", ".jsonl", ".txt", ""):
        path = tmp_path / f"pasted{suffix}"
        if suffix == ".jsonl" and indent and name != "ddgs":
            continue
        path.write_text(json.dumps(SERVICES[name], indent=indent), "utf-8")
        (page,) = read_pages(str(path))
        assert (page.page_title, page.url, page.snippet, page.body) == (
            "Roof bees",
            "https://a.example/",
            "Honey.",
            "Honey.",
        )


def test_answers_line_by_line_are_queries(tmp_path: Path) -> None:
    lines = [{"query": q, "results": [{"title": q, "url": f"https://{q}.example"}]} for q in "ab"]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    found = read_pages(str(path))
    assert [(p.query, p.url) for p in found if isinstance(p, Page)] == [
        ("a", "https://a.example"),
        ("b", "https://b.example"),
    ]


@pytest.mark.parametrize(
    "empty",
    [
        {"search_metadata": {"status": "Success"}, "search_parameters": {"q": "b"}},
        {"kind": "customsearch#search", "queries": {"request": [{"searchTerms": "b"}]}},
        {"type": "search", "query": {"original": "b"}},
        {"_type": "SearchResponse", "queryContext": {"originalQuery": "b"}},
    ],
)
def test_an_answer_without_results_among_others(tmp_path: Path, empty: dict[str, object]) -> None:
    path = tmp_path / "answers.json"
    for answers in ([empty], [SERVICES["serper"], empty]):
        path.write_text(json.dumps(answers), "utf-8")
        assert len(list(read_pages(str(path)))) == len(answers) - 1


def read_result(tmp_path: Path, **result: Any) -> Page:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({"query": "q", "results": [result]}), "utf-8")
    (page,) = read_pages(str(path))
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("<strong>Bees</strong> &amp; <b>honey</b>", "Bees & honey"),
        ('The <span class="searchmatch">keeper</span>&#39;s hive', "The keeper's hive"),
        ("&lt;b&gt; and &amp;amp; explained", "<b> and &amp; explained"),
        ("When to use <b> and <em>", "When to use <b> and <em>"),
        ("x < y && y > z; a&b; AT&T;", "x < y && y > z; a&b; AT&T;"),
    ],
)
def test_markup_of_a_search_service(tmp_path: Path, sent: str, read: str) -> None:
    page = read_result(tmp_path, url="https://a.example/", title=sent, description=sent)
    assert (page.page_title, page.snippet, page.body) == (read, read, read)


def test_a_page_that_we_wrote_is_not_decoded(tmp_path: Path) -> None:
    text = "<b>bold</b> and &amp; explained"
    page = read_result(tmp_path, url="https://a.example/", page_title=text, snippet=text, body=text)
    assert (page.page_title, page.snippet, page.body) == (text, text, text)


def test_further_snippets_follow_the_first(tmp_path: Path) -> None:
    more = ["Honey.", " Roof <strong>hives</strong>. ", 7, ""]
    brave = read_result(
        tmp_path, url="u", description="Honey.", extra_snippets=more, page_age="2026-03-01"
    )
    assert (brave.snippet, brave.body) == ("Honey.\nRoof hives.", "Honey.\nRoof hives.")
    assert brave.posted_at == "2026-03-01"
    exa = read_result(tmp_path, url="u", text="All of it.", highlights=["All of it."])
    assert (exa.snippet, exa.body) == ("All of it.", "All of it.")
    product = read_result(tmp_path, url="u", title="Lamp", highlights="Bright|Small")
    assert product.snippet == ""
