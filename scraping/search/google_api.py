"""Google Programmable Search; the key is written `KEY:CX` (key and search engine id)."""

from __future__ import annotations

from urllib.parse import urlencode

from reducepp.errors import UsageError
from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.json_results import Mapping, read_answer

MAPPING = Mapping(results="items", url="link", error="error.message", known=("kind", "queries"))


def address(ask: Ask) -> str:
    """Ten results a page, at most ten pages; key and engine id go into the address."""
    key, separator, engine_id = ask.key.partition(":")
    if not separator or not key or not engine_id:
        raise UsageError("the key of google-api is KEY:CX, the key and the search engine id")
    parameters = {
        "key": key,
        "cx": engine_id,
        "q": ask.query,
        "num": "10",
        "start": str((ask.page - 1) * 10 + 1),
    }
    if ask.language:
        parameters |= {"hl": ask.language, "lr": f"lang_{ask.language}"}
    return f"{ask.base}/customsearch/v1?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The results of an answer."""
    return read_answer(text, MAPPING)


ENGINE = Engine(
    name="google-api",
    base="https://www.googleapis.com",
    address=address,
    read=read,
    marks=("customsearch#search", "customsearch#result", '"cseImage"', "cse_image"),
    hosts=("googleapis.com", "customsearch.googleapis.com"),
    key_variable="REDUCEPP_GOOGLE_API_KEY",
    is_api=True,
)
