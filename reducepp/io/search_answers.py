"""Answers of search services as JSON: where their results and their query are."""

from collections.abc import Mapping
from typing import Any

RESULT_LISTS = (
    *("pages", "results", "items", "organic_results", "organic", "web.results", "webPages.value"),
    *("data.result.items", "data"),
)
"""Paths of the results: SearXNG, Tavily and Exa; Google; SerpAPI; Serper; Brave; Bing; Qwant;
Kagi."""
QUERY_PLACES = (
    *("query", "query.original", "search_parameters.q", "searchParameters.q"),
    *("queries.request.0.searchTerms", "queryContext.originalQuery"),
)


def value_at(data: Any, path: str) -> Any:
    """The value at a path of keys joined by dots; a number indexes a list; None for none."""
    for key in path.split(".") if path else ():
        if isinstance(data, Mapping):
            data = data.get(key)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def is_answer(record: Any) -> bool:
    """Whether an object is a search service's whole answer, and no page of its own."""
    if not isinstance(record, Mapping) or {"url", "html", "body", "link"}.intersection(record):
        return False
    results = find_results(record)
    return results is not None and all(isinstance(result, Mapping) for result in results)


def find_results(answer: Any) -> list[Any] | None:
    """The list of results in a search service's answer; None where there is none."""
    found = (value_at(answer, path) for path in RESULT_LISTS)
    return next((value for value in found if isinstance(value, list)), None)


def find_query(answer: Any) -> str:
    """The query that a search service's answer repeats; "" where it does not."""
    found = (value_at(answer, path) for path in QUERY_PLACES)
    return next((value for value in found if isinstance(value, str)), "")
