"""SearXNG and searx: any instance's result page, in the themes since 2017."""

from __future__ import annotations

from urllib.parse import urlencode

from reducepp.scraping.search.engine import Ask, Engine, Reading
from reducepp.scraping.search.markup import Layout, Sign, read_page

NOT_ORGANIC = "#infoboxes, #answers, #suggestions, #corrections, #sidebar, .result-images, aside"
LAYOUTS = (
    Layout(
        result="article.result, div.result",
        link=(
            "h3 > a[href]",
            "h4 > a[href]",
            "h3 a[href]",
            "h4 a[href]",
            "a.url_header[href]",
            "a.url_wrapper[href]",
        ),
        title=("h3", "h4"),
        snippet=("p.content", ".content", "p.result-content", ".result-content", ".altlink ~ p"),
        skip=NOT_ORGANIC,
    ),
)
SIGNS = (
    Sign(
        outcome="blocked",
        reason="captcha",
        selector="#anubis_challenge, script#anubis_challenge",
        words=("verifying your request", "making sure you're not a bot"),
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=("rate limit exceeded", "too many requests", "429 too many"),
    ),
    Sign(
        outcome="error",
        reason="no engine answered the instance",
        selector=".dialog-error:has(svg), .alert-danger",
        words=("engines cannot retrieve results",),
    ),
    Sign(
        outcome="empty",
        selector=(
            ".dialog-error-block, .dialog-error, .alert-info, .dialog-warning-block, "
            ".dialog-warning"
        ),
        words=(
            "we didn't find any results",
            "no results were found",
            "keine ergebnisse",
            "aucun résultat",
            "no se encontraron resultados",
        ),
    ),
)


def address(ask: Ask) -> str:
    """An instance's own page; how many results it holds depends on its engines."""
    parameters = {"q": ask.query, "pageno": str(ask.page), "category_general": "1"}
    if ask.language:
        parameters |= {"language": ask.language}
    return f"{ask.base}/search?{urlencode(parameters)}"


def read(text: str) -> Reading:
    """The hits of a result page."""
    return read_page(text, LAYOUTS, SIGNS)


ENGINE = Engine(
    name="searxng",
    base="",
    address=address,
    read=read,
    marks=(
        'content="searxng/',
        'content="searx/',
        'name="generator" content="searx',
        'class="results_endpoint"',
        'id="main_results"',
        "searxng limiter",
        "searx",
    ),
)
