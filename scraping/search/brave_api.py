"""Brave Search API; the key goes into a header."""

from __future__ import annotations

from collections.abc import Mapping as Headers
from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.json_results import Mapping, read_answer

MAPPING = Mapping(
    results="web.results", snippet="description", error="error.detail", known=("query", "type")
)


def address(ask: Ask) -> str:
    """Twenty results a page; `offset` counts pages from 0 and ends at 9."""
    parameters = {"q": ask.query, "count": "20", "offset": str(ask.page - 1)}
    if ask.language:
        parameters |= {"search_lang": ask.language}
    return f"{ask.base}/res/v1/web/search?{urlencode(parameters)}"


def headers(key: str) -> Headers[str, str]:
    """The key's header."""
    return {"Accept": "application/json", "X-Subscription-Token": key}


def read(text: str) -> Reading:
    """The results of an answer."""
    return read_answer(text, MAPPING)


ENGINE = Engine(
    name="brave-api",
    base="https://api.search.brave.com",
    address=address,
    read=read,
    marks=('"more_results_available"', '"mixed"', '"is_source_local"', '"spellcheck_off"'),
    hosts=("api.search.brave.com",),
    results_per_page=20,
    key_variable="REDUCEPP_BRAVE_API_KEY",
    headers=headers,
    is_api=True,
)
