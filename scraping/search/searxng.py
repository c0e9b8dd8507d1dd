"""SearXNG and searx: any instance's result page, in the themes since 2017."""

from __future__ import annotations

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout

NOT_ORGANIC = "#infoboxes, #answers, #suggestions, #corrections, #sidebar, .result-images, aside"
LAYOUTS = (
    ResultLayout(
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
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector="#anubis_challenge, script#anubis_challenge",
        phrases=("verifying your request", "making sure you're not a bot"),
    ),
    PageRule(
        outcome="blocked",
        reason="block",
        phrases=("rate limit exceeded", "too many requests", "429 too many"),
    ),
    PageRule(
        outcome="error",
        reason="no engine answered the instance",
        selector=".dialog-error:has(svg), .alert-danger",
        phrases=("engines cannot retrieve results",),
    ),
    PageRule(
        outcome="empty",
        selector=(
            ".dialog-error-block, .dialog-error, .alert-info, .dialog-warning-block, "
            ".dialog-warning"
        ),
        phrases=(
            "we didn't find any results",
            "no results were found",
            "keine ergebnisse",
            "aucun résultat",
            "no se encontraron resultados",
        ),
    ),
)


ENGINE = Engine(
    name="searxng",
    base="",
    path="/search?q={query}&pageno={page}&category_general=1",
    language_parameters="&language={language}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES),
    fingerprints=(
        'content="searxng/',
        'content="searx/',
        'name="generator" content="searx',
        'class="results_endpoint"',
        'id="main_results"',
        "searxng limiter",
        "searx",
    ),
)
