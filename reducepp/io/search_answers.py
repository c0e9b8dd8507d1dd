"""Answers of search services as JSON: where their results and their query are."""

from collections.abc import Mapping
from typing import Any

from reducepp.errors import InputError

RESULT_LISTS = (
    *("pages", "results", "items", "organic_results", "organic", "web.results", "webPages.value"),
    *("data.result.items", "data", "response.docs"),
)
"""Paths of the results: SearXNG, Tavily and Exa; Google; SerpAPI; Serper; Brave; Bing; Qwant;
Kagi; Solr."""
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


def find_answers(data: Any, where: str) -> list[tuple[str, list[Any]]]:
    """Query and results of each answer in a JSON document, which may be a list of answers.

    A list of results is an answer without a query; InputError where there is no list.
    """
    is_many = isinstance(data, list) and bool(data) and all(map(is_answer, data))
    found = []
    for answer in data if is_many else [data]:
        results = answer if isinstance(answer, list) else find_results(answer)
        if results is None:
            raise InputError(f"{where}: no list of pages or results in it")
        found.append((find_query(answer), results))
    return found


def find_results(answer: Any) -> list[Any] | None:
    """The list of results in a search service's answer; None for what is no answer.

    An answer without results has no list, but repeats its query inside another object.
    """
    found = (value_at(answer, path) for path in RESULT_LISTS)
    is_answer = any(isinstance(value_at(answer, place), str) for place in QUERY_PLACES[1:])
    return next((value for value in found if isinstance(value, list)), [] if is_answer else None)


def find_query(answer: Any) -> str:
    """The query that a search service's answer repeats; "" where it does not."""
    found = (value_at(answer, path) for path in QUERY_PLACES)
    return next((value for value in found if isinstance(value, str)), "")
