"""What a page without results is, told by elements, by words that are seen, by its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

from reducepp.scraping.search.engine import Outcome
from reducepp.scraping.search.result_tree import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What gives a page away that has no results: an element, or words in its text."""

    outcome: Outcome | Literal["error"]
    reason: str = ""
    selector: str = ""
    words: tuple[str, ...] = ()
    """Lower case; any of them in the visible text or the title."""
    source: tuple[str, ...] = ()
    """Any of them in the source as it stands."""
    unless: str = ""
    """A page with one of these elements is not meant."""


def visible_text(tree: LexborHTMLParser) -> str:
    """Title and body in lower case."""
    title = tree.css_first("title")
    return f"{text_of(title)} {text_of(tree.body)}".lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A page as signs look at it: elements, visible text in lower case, source."""

    tree: LexborHTMLParser
    visible: str
    source: str


def first_sign(signs: Iterable[Sign], seen: Seen, *, with_words: bool = True) -> Sign | None:
    """The first sign by its element, else by words that are seen, else by a piece of source.

    Pages carry the addresses of captchas and consent forms in scripts and footers they never show.
    """
    open_signs = [sign for sign in signs if not (sign.unless and seen.tree.css_first(sign.unless))]
    by_element = (
        sign for sign in open_signs if sign.selector and seen.tree.css_first(sign.selector)
    )
    by_words = (sign for sign in open_signs if any(word in seen.visible for word in sign.words))
    by_source = (sign for sign in open_signs if any(piece in seen.source for piece in sign.source))
    ways = (by_element, by_words, by_source) if with_words else (by_element,)
    return next((sign for way in ways for sign in way), None)


COMMON_SIGNS = (
    Sign(
        outcome="blocked",
        reason="captcha",
        selector=(
            ".g-recaptcha, .h-captcha, iframe[src*='recaptcha'], iframe[src*='hcaptcha'], "
            "#captcha-form, form[action*='captcha' i], #cf-challenge-running, #challenge-form, "
            ".cf-turnstile, #challenge-running, img[src*='captcha' i], input[name*='captcha' i]"
        ),
        words=(
            "unusual traffic",
            "captcha",
            "are you a robot",
            "not a robot",
            "not a bot",
            "verify you are human",
            "verify you're human",
            "verifying you are human",
            "verifying your request",
            "confirm you are human",
            "just a moment...",
            "checking your browser",
            "checking if the site connection is secure",
            "anomaly detected",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="block",
        words=(
            "access denied",
            "access to this page has been denied",
            "forbidden",
            "pardon our interruption",
            "enable javascript and cookies to continue",
            "too many requests",
            "429 too many",
            "request blocked",
            "you have been blocked",
            "automated requests",
            "automated queries",
            "rate limit",
        ),
    ),
    Sign(
        outcome="error",
        reason="the service is not available",
        words=(
            "internal server error",
            "server error",
            "bad gateway",
            "service unavailable",
            "temporarily unavailable",
            "gateway timeout",
            "gateway time-out",
            "something went wrong",
            "404 not found",
            "400 bad request",
            "an error occurred",
            "that’s an error",
            "that's an error",
            "there was an error",
            "this page could not be found",
            "will be right back",
        ),
    ),
    Sign(
        outcome="empty",
        words=(
            "no results found",
            "no results were found",
            "no results for",
            "there are no results",
            "did not match any",
            "find any results",
            "keine ergebnisse",
            "aucun résultat",
            "sin resultados",
            "no se han encontrado resultados",
            "nessun risultato",
            "geen resultaten",
            "nenhum resultado",
            "ничего не найдено",
            "没有找到",
            "見つかりませんでした",
        ),
    ),
)
