"""Yandex: `li.serp-item` with `.organic` (2017) and `OrganicTitle` (2020 on)."""

from __future__ import annotations

from reducepp.scraping.search.engine import Engine
from reducepp.scraping.search.html_results import HtmlParser, PageRule, ResultLayout
from reducepp.scraping.search.result_links import absolute, parameter, path_of
from reducepp.text.urls import host_of

NOT_ORGANIC = (
    ".serp-adv-item, .serp-adv__item, .t-construct-adapter__adv, "
    ".OrganicPureEntity, "
    ".AdvRsyaCompetitor, "
    "[data-fast-name='adv'], .composite_gap_none.direct, .serp-item_type_adv, .premiumAd, .Distro, "
    ".VideoSnippet-Carousel, .entity-search, .EntityCard, .ImagesGrid, [data-fast-name='images'], "
    "[data-fast-name='videowiz'], [data-fast-name='video-unisearch'], "
    "[data-fast-name='entity_search'], "
    ".serp-item__related, [data-fast-name='related_discovery'], #search-result-aside, "
    ".main__carousel, "
    ".QuestionsAndAnswers, .PeopleAlsoAsk, [data-fast-name='people_ask'], .RelatedBottom"
)
OWN = ("yandex.ru", "yandex.com", "ya.ru", "yandex.net", "yastatic.net")
LAYOUTS = (
    ResultLayout(
        result="li.serp-item, .serp-item, .Organic",
        link=(
            "a.OrganicTitle-Link[href]",
            ".OrganicTitle a[href]",
            "a.organic__url[href]",
            ".organic__title-wrapper a[href]",
            ".organic__title a[href]",
            "h2 a[href]",
            "h3 a[href]",
            "a[href]:has(h2)",
        ),
        title=(
            ".OrganicTitle-LinkText",
            ".OrganicTitleContentSpan",
            ".organic__url-text",
            ".organic__title",
            "h2",
            "h3",
        ),
        snippet=(
            ".OrganicTextContentSpan",
            ".OrganicText",
            ".organic__text",
            ".b-serp-item__text",
            ".organic__content-wrapper .text-container",
            ".text-container",
            ".TextContainer",
            ".Organic-ContentWrapper",
            ".organic__content-wrapper",
        ),
        skip=NOT_ORGANIC,
        ad_labels=".organic__advLabel, .AdvLabel, .OrganicAdvLabel, [class*='abel_theme_direct']",
    ),
)
PAGE_RULES = (
    PageRule(
        outcome="blocked",
        reason="captcha",
        selector=(
            ".CheckboxCaptcha, .AdvancedCaptcha, .captcha, .form__captcha, "
            "form[action*='checkcaptcha'], .SmartCaptcha"
        ),
        phrases=(
            "please confirm that you and not a robot",
            "запросы, отправленные с вашего",
            "подтвердите, что запросы",
            "you're not a robot",
            "вы не робот",
        ),
        source=("showcaptcha", "checkcaptcha", "captcha.yandex", "smartcaptcha"),
    ),
    PageRule(
        outcome="empty",
        selector=".EmptySearchResults, .misspell__message_type_nothing",
        phrases=(
            "ничего не нашлось",
            "ничего не найдено",
            "no matching results",
            "nothing found",
            "no results found",
            "sonuç bulunamadı",
        ),
    ),
)


def unwrap(href: str) -> str:
    """The target of a result link; empty for ads and for Yandex's own searches."""
    url = absolute("https://yandex.com/", href)
    host = host_of(url)
    if "yandex." not in host and host != "ya.ru":
        return url
    if host.startswith(("yabs.", "an.")):
        return ""
    if path_of(url).startswith(("/clck/", "/redir", "/count/")):
        return parameter(url, "url")
    own = (
        "/search",
        "/images",
        "/video",
        "/news",
        "/maps",
        "/yandsearch",
        "/collections",
        "/sprav",
    )
    root = host.removeprefix("www.").split(".")[0] in ("yandex", "ya")
    return "" if root and path_of(url).startswith(own) else url


ENGINE = Engine(
    name="yandex",
    base="https://yandex.com",
    path="/search/?text={query}&p={page_index}",
    language_parameters="&lang={language}",
    parse_text=HtmlParser(layouts=LAYOUTS, rules=PAGE_RULES, unwrap=unwrap, own=OWN),
    fingerprints=(
        "yastatic.net",
        "serp-item",
        "OrganicTitle",
        "— Яндекс",
        "Yandex:",
        "showcaptcha",
        "smartcaptcha",
        "yandex.com/search",
        "yandex.ru/search",
        "mc.yandex.ru",
    ),
    hosts=("yandex.", "ya.ru"),
)
