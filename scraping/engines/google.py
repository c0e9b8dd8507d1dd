"""Google: rendered, mobile and script-free result pages since 2017.

Class names change several times a year, so a hit is told by its structure first: a link
that holds a heading (or a heading that holds a link) in the results column, with a target
outside the search itself. What lies inside one of `NOT_ORGANIC` is an ad, a related question,
news, a video or product card, a featured answer or a site link. A featured answer is not a hit;
where its address also stands among the results, it counts there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scraping.engines.engine import Ask, Engine, Found, Reading
from scraping.engines.markup import (
    Sign,
    ancestors,
    first_text,
    host_of,
    ids_of,
    is_web_address,
    lies_in,
    parameter,
    parse_html,
    path_of,
    read_rest,
    text_of,
)

HEADED_LINKS = "h3, [role='heading'], div.BNeawe.vvjwJb, div.MBeuO, div.LC20lb"
"""Titles of results; `h3` on desktop, a heading role on phones."""
PLAIN_TITLES = "h3"

SCOPES = ("#rso", "#search", "#ires", "#res", "#center_col", "#main", "#rcnt", "body")
"""The results column, best known first."""

NOT_ORGANIC = ", ".join(
    (
        # ads
        "#tads, #tadsb, #bottomads, #tvcap, #atvcap, #taw .ads-ad, [data-text-ad], .uEierd",
        ".ads-ad, .ad_cclk, .commercial-unit-desktop-top, .commercial-unit-desktop-rhs",
        ".cu-container",
        ".commercial-unit-mobile-top, .pla-unit, .mnr-c.pla-unit, [data-pla]",
        ".sh-sr__shop-result-group",
        # related questions
        "[data-q], .related-question-pair, .cUnQKe, .Wt5Tfe, [jsname='Cpkphb'], [jsname='yEVEwb']",
        "[jsname='N760b'], .g-accordion, g-accordion, g-accordion-expander, .xpc, .duf-h",
        "[data-initq], .kno-ftr, .r21Kzd, .KFFQ0c",
        # featured answers and other cards above the results
        "block-component, .c2xzTb, .ifM9O, .xpdopen, .V3FYCf .xpdbox, .M8OgIe, .ULSxyf .ifM9O",
        "[data-attrid^='wa:/'], [data-attrid='FeaturedSnippet']",
        # news, videos, pictures, places, products, posts
        "g-scrolling-carousel, g-inner-card, g-section-with-header, [role='listitem'] g-inner-card",
        ".JJZKK, .VibNM, .RzdJxc, .mLmaBd, .sHEJob, .WwmvNc, .uVMCKf, .IJl0Z, .osrp-blk .cLjAic",
        "#imagebox_bigimages, #iur, .isv-r, .islrc, .lu_map_section, .VkpGBb",
        ".rllt__details, .cXedhc",
        ".jobs-result, g-expandable-content, .EDblX, .nChh6e, .s3v9rd .Y3v8qd",
        # right-hand side, foot, hints
        "#rhs, #rhs_block, #bres, #botstuff .card-section, #foot, #footcnt, #brs, #extrares",
        "[role='complementary'], [role='contentinfo'], [role='navigation']",
        "[role='dialog'], header",
        # site links and menus of a hit
        "table.nrgt, table.jmjoTe, .mslg, .sld, .usJj9c, .HiHjCd, .osl, .action-menu, .oIk2Cb",
        "[jsname='m7irxf'], .St3GK, .fl.iUh30",
    )
)
"""Everything inside one of these is no hit."""

RESULTS = (
    ".tF2Cxc, .rc, .N54PNb, .Ww4FFb, .g, .mnr-c, .Gx5Zad, .ZINbbc, .MjjYud, .srg > div, .ezO2md, "
    ".xpd, .hlcw0c, .A6K0A, .b8lM7"
)
"""One result, from the innermost outwards."""

SNIPPETS = (
    ".VwiC3b",
    "[data-sncf]",
    ".lEBKkf",
    ".IsZvec",
    "span.st",
    ".st",
    ".s",
    ".ITZIwc",
    ".MUxGbd.yDYNvb",
    ".BNeawe.s3v9rd.AP7Wnd .BNeawe.s3v9rd.AP7Wnd",
    ".BNeawe.s3v9rd.AP7Wnd",
    ".fYyStc:not(.CVA68e)",
    ".FrIlee",
    ".kCrYT:not(:first-child)",
)

SIGNS = (
    Sign(
        outcome="blocked",
        reason="captcha",
        selector=(
            "#captcha-form, form[action='CaptchaRedirect'], form[action*='/sorry/'], #recaptcha"
        ),
        words=("our systems have detected unusual traffic", "unusual traffic from your computer"),
        source=("google.com/sorry/", "/sorry/index"),
    ),
    Sign(
        outcome="blocked",
        reason="consent",
        selector=(
            "form[action*='consent.google'], form[action*='consent.youtube'], "
            "a[href*='consent.google.'][href*='/d?'], "
            "form[action*='/save'] input[name='bl'][value*='identityfrontend']"
        ),
        words=(
            "before you continue to google",
            "bevor sie zu google weitergehen",
            "bevor sie fortfahren",
            "avant d'accéder à google",
            "antes de ir a google",
            "antes de continuar",
            "prima di continuare su google",
            "voordat je verdergaat naar google",
        ),
        source=("https://consent.google.",),
    ),
    Sign(
        outcome="empty",
        selector=".mnr-c p[role='heading'] ~ ul.card-section, #topstuff .mnr-c.card-section ul li",
        words=(
            "did not match any documents",
            "did not match any news results",
            "no results containing all your search terms",
            "your search did not match",
            "looks like there aren't many great matches",
            "stimmt mit keinem dokument überein",
            "stimmen mit keinem der gefundenen dokumente überein",
            "es wurden keine mit ihrer suchanfrage",
            "aucun document ne correspond",
            "ne correspond à aucun document",
            "no obtuvo ningún resultado",
            "no se han encontrado resultados",
            "non ha prodotto risultati in nessun documento",
            "nessun risultato",
            "não encontrou nenhum documento",
            "komt met geen enkel document overeen",
            "ничего не найдено",
            "لم يتم العثور",
            "لم يطابق بحثك",
            "に一致する情報は見つかりませんでした",
            "找不到和您查询的",
            "找不到符合搜尋字詞",
        ),
    ),
    Sign(
        outcome="blocked",
        reason="block (the page asks for JavaScript)",
        selector=(
            "meta[content*='/httpservice/retry/enablejs'], a[href*='/httpservice/retry/enablejs']"
        ),
        source=("/httpservice/retry/enablejs", "knitsail", "SG_SS"),
    ),
)

OWN_PATHS = re.compile(
    r"/(?:search|aclk|imgres|imgurl|setprefs|preferences|advanced_search|webhp|maps/(?:search|place|dir)"
    r"|maps$|sorry|support|travel/(?:hotels|flights|search)|flights|shopping|policies|searchbyimage"
    r"|history|intl/[^/]+/policies|save)\b"
)


def address(ask: Ask) -> str:
    """Ten results a page; `hl` sets the language of the page and of the results."""
    parameters = {"q": ask.query, "num": "10", "start": str((ask.page - 1) * 10)}
    if ask.language:
        parameters |= {"hl": ask.language, "lr": f"lang_{ask.language}"}
    return f"{ask.base}/search?{urlencode(parameters)}"


def unwrap(href: str) -> str:
    """The target of a result link; empty where it leads to the search itself."""
    url = urljoin("https://www.google.com/", href.strip())
    if "google." in host_of(url) and path_of(url) in ("/url", "/interstitial"):
        url = parameter(url, "q", "url", "u", "imgrefurl") or ""
    if not is_web_address(url):
        return ""
    return "" if is_own_address(url) else url


def is_own_address(url: str) -> bool:
    """Whether the address is a service of the result page (further searches, ads, maps)."""
    host = host_of(url)
    if not re.search(r"(?:^|\.)(?:google(?:\.[a-z]{2,3}){1,2}|googleadservices\.com)$", host):
        return False
    if host.startswith(
        ("webcache.", "translate.", "maps.", "policies.", "accounts.", "support.", "consent.")
    ):
        return host.startswith(("webcache.", "consent.")) or path_of(url) in ("/translate", "/maps")
    return "adservices" in host or bool(OWN_PATHS.match(path_of(url)))


def read(text: str) -> Reading:
    """The hits of a result page; the script-free kinds are told by the same structure."""
    tree = parse_html(text)
    found = tuple(_unique(_results(tree)))
    if found:
        return Reading(found=found, outcome="results")
    return read_rest(tree, text, SIGNS, unwrap)


def _unique(found: Iterator[Found]) -> list[Found]:
    taken: dict[str, Found] = {}
    for one in found:
        taken.setdefault(one.url, one)
    return list(taken.values())


def _results(tree: LexborHTMLParser) -> Iterator[Found]:
    excluded = ids_of(tree.css(NOT_ORGANIC))
    scope = next((node for css in SCOPES if (node := tree.css_first(css)) is not None), None)
    if scope is None:
        return
    containers = ids_of(tree.css(RESULTS))
    for titles in (PLAIN_TITLES, HEADED_LINKS):
        found = [
            one
            for title in scope.css(titles)
            if not lies_in(title, excluded)
            if (one := _result(title, containers)) is not None
        ]
        if found:
            yield from found
            return


def _result(title: LexborNode, containers: set[int]) -> Found | None:
    link = _link_of(title)
    url = unwrap(link.attributes.get("href") or "") if link is not None else ""
    heading = text_of(title)
    if not url or not heading:
        return None
    return Found(url=url, title=heading, snippet=_snippet(title, containers))


def _link_of(title: LexborNode) -> LexborNode | None:
    """The link around a title, else the first inside it."""
    if title.tag == "a":
        return title
    around = next((node for node in ancestors(title) if node.tag == "a"), None)
    return around if around is not None else title.css_first("a[href]")


def _snippet(title: LexborNode, containers: set[int]) -> str:
    """The description in the smallest container around the title that has one."""
    for node in ancestors(title):
        if node.mem_id in containers and (text := first_text(node, SNIPPETS)):
            return text
    return ""


ENGINE = Engine(
    name="google",
    base="https://www.google.com",
    address=address,
    read=read,
    marks=(
        'content="/images/branding/googleg/',
        "- Google Search</title>",
        "google.com/sorry",
        "consent.google.",
        "window.google",
        "google.kEI",
        "/httpservice/retry/enablejs",
        'id="rso"',
        "gstatic.com",
        "BNeawe",
    ),
    hosts=("google.", "consent.google.", "ipv4.google."),
)
