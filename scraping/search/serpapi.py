"""SerpAPI; the key goes into the address."""

from __future__ import annotations

from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.json_results import Mapping, read_answer

MAPPING = Mapping(
    results="organic_results", url="link", known=("search_metadata", "search_information")
)
NO_RESULTS = "hasn't returned any results"


def address(ask: Ask) -> str:
    """Google's results, ten a page."""
    parameters = {
        "engine": "google",
        "q": ask.query,
        "start": str((ask.page - 1) * 10),
        "api_key": ask.key,
    }
    if ask.language:
        parameters |= {"hl": ask.language}
    return f"{ask.base}/search.json?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The results of an answer; its `error` also says when there are none."""
    reading = read_answer(text, MAPPING)
    if reading.outcome == "results" or NO_RESULTS in text:
        return reading if reading.found else Reading(outcome="empty")
    return read_answer(text, Mapping(results="organic_results", error="error", known=MAPPING.known))


ENGINE = Engine(
    name="serpapi",
    base="https://serpapi.com",
    address=address,
    read=read,
    marks=('"search_metadata"', '"organic_results"', '"search_parameters"', "serpapi.com"),
    hosts=("serpapi.com",),
    key_variable="REDUCEPP_SERPAPI_KEY",
    is_api=True,
)
