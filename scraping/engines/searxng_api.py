"""SearXNG's JSON answers (`format=json`, where an instance allows it)."""

from __future__ import annotations

from urllib.parse import urlencode

from scraping.engines.answers import Mapping, read_answer
from scraping.engines.engine import Ask, Engine, Reading

MAPPING = Mapping(results="results", snippet="content", known=("query",))


def address(ask: Ask) -> str:
    """The same search as the page, answered in JSON."""
    parameters = {"q": ask.query, "format": "json", "pageno": str(ask.page)}
    if ask.language:
        parameters |= {"language": ask.language}
    return f"{ask.base}/search?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The results of an answer."""
    return read_answer(text, MAPPING)


ENGINE = Engine(
    name="searxng-api",
    base="",
    address=address,
    read=read,
    marks=('"unresponsive_engines"', '"number_of_results"', '"infoboxes"'),
    is_api=True,
)
