"""Choose the page's own title and the website's from the evidence on the page."""

import re

from reducepp.scraping.extract.site_title import declared_site, infer_site
from reducepp.scraping.extract.title_evidence import TitleEvidence
from reducepp.scraping.extract.title_text import (
    fold,
    host_fit,
    is_generic,
    is_section_label,
    is_untitled,
    part_spans,
    split_title,
    word_set,
)
from reducepp.text.urls import registered_domain

# Values chosen on the pages of news-en, news-fr and news-ar; `python -m benchmarks titles` measures
# the result on other pages (docs/splitting.md).
MAX_KICKER_WORDS = 3
"""Words before a title inside its heading, at most, that are not part of it."""
MIN_HEADLINE_WORDS = 4
"""Words from which a heading is a headline and not a label or a logo."""
MIN_AGREEMENT = 0.5
"""Share of words from which a heading and a declared title are the same title."""
MIN_AGREEMENT_OF_LOWER_HEADING = 0.75
_JOINT_AT_END = re.compile(r"(?<=\S)(?:\s?[|:]{1,3}|\s[-–—·•~/>]{1,3}|[-–—](?=\s))\s?$")
_JOINT_AT_START = re.compile(r"\s?[|:]{1,3}\s?|\s?[-–—·•~/>]{1,3}\s")
"""Separators between a title and a website's name; one without a space is part of a word."""


def choose_titles(evidence: TitleEvidence) -> tuple[str, str]:
    """Page title and website title; either is "" where the page has no evidence of one."""
    site = declared_site(evidence) or infer_site(evidence)
    page = _home_title(evidence, site) if evidence.is_home else _page_title(evidence, site)
    return page, site or registered_domain(evidence.host)


def _home_title(evidence: TitleEvidence, site: str) -> str:
    """The declared title or heading that `<title>` contains, else `<title>` without the site."""
    parts = split_title(evidence.title)
    for heading in (*evidence.declared[:1], *evidence.headings):
        if fold(heading) in map(fold, parts):
            return heading
    rest = [part for part in parts if not is_untitled(part)]
    if len(rest) < len(parts) and len(rest) == 1:
        return rest[0]
    if len(parts) > 1 and _is_site_part(parts[0], site, evidence):
        return evidence.title
    return _page_title(evidence, site)


def _page_title(evidence: TitleEvidence, site: str) -> str:
    """The h1 that agrees best with the declared titles, else those without the site's part."""
    headings = [h for h in evidence.headings if not _names_site(h, site, evidence)]
    titles = (*evidence.declared[:2], evidence.title)
    declared = [_without_site(t, site, evidence) for t in titles if t]
    declared = [t for t in declared if t and not is_untitled(t)]
    if headings:
        declared = [t for t in declared if fold(t) != fold(site)]
    lower = {fold(h) for h in evidence.lower_headings if len(h.split()) > 1}
    displayed = next((t for t in declared if fold(t) in lower), "")
    best = _best_heading(headings, declared)
    if not best and len(headings) < len(evidence.headings):
        whole = [h for h in evidence.lower_headings if not h.endswith(("...", "…"))]
        best = _best_heading(whole, declared, MIN_AGREEMENT_OF_LOWER_HEADING)
    if best:
        return displayed if displayed and fold(best) not in map(fold, declared) else best
    distinct = list({fold(heading): heading for heading in headings}.values())
    if len(distinct) > 1 and len(declared) == 1 and not evidence.declared:
        distinct = [h for h in distinct if len(h.split()) >= MIN_HEADLINE_WORDS]
    if len(distinct) == 1 and not displayed and _is_headline(distinct[0], evidence):
        return distinct[0]
    only = distinct if len(distinct) == 1 else []
    return next(filter(None, (*declared, *only, evidence.title, *evidence.headings)), "")


def _is_headline(heading: str, evidence: TitleEvidence) -> bool:
    """Whether an h1 is a sentence or a phrase of its own, and neither a label nor the website."""
    return (
        len(heading.split()) >= MIN_HEADLINE_WORDS
        and not (evidence.is_home and evidence.declared)
        and host_fit(heading, evidence.host) == 0
        and fold(heading) not in map(fold, evidence.home_links)
    )


def _best_heading(headings: list[str], declared: list[str], least: float = MIN_AGREEMENT) -> str:
    """The heading that agrees best with a declared title; "" where none agrees enough."""
    scored = [
        max(((*_agreement(h, t), h) for t in declared), default=(0.0, 0.0, h)) for h in headings
    ]
    score, _, best = max(scored, key=lambda item: item[:2], default=(0.0, 0.0, ""))
    is_only = len(headings) == 1 and any(word_set(best) <= word_set(t) for t in declared)
    return _without_kicker(best, declared) if score >= least or (score > 0 and is_only) else ""


def _without_kicker(heading: str, declared: list[str]) -> str:
    """A heading without the words around the title in it, where no declared title has them."""
    whole, plain = fold(heading), [fold(title) for title in declared]
    if any(whole in title for title in plain):
        return heading
    all_equal = len(declared) > 1 and len(set(plain)) == 1
    for title, inner in zip(declared, plain, strict=True):
        more = len(heading.split()) - len(title.split())
        if len(title.split()) > 1 and (
            (inner in whole and all_equal) or (whole.endswith(inner) and more <= MAX_KICKER_WORDS)
        ):
            return title
    return heading


def _agreement(heading: str, title: str) -> tuple[float, float]:
    """Share of a heading's words that a declared title has, less where these are few of the
    title's; then the share of all their words that both have.
    """
    words, others = word_set(heading), word_set(title)
    if not words or not others:
        return 0.0, 0.0
    shared = len(words & others)
    share = min(shared / len(words), 1.25 * shared / len(others) + 0.25)
    return share, shared / len(words | others)


def _names_site(heading: str, site: str, evidence: TitleEvidence) -> bool:
    """Whether an h1 holds the website's name, or nothing, and not the page's title."""
    plain = fold(heading)
    if not plain or is_untitled(heading):
        return True
    if is_generic(heading) and plain not in map(fold, split_title(evidence.title)):
        return True
    return plain == fold(site) and plain != fold(evidence.title)


def _without_site(title: str, site: str, evidence: TitleEvidence) -> str:
    """A title without the parts at either end that name the website or a section ("News")."""
    for name in filter(None, (site, evidence.host)):
        title = _without_name(title, name)
    spans = part_spans(title)
    while len(spans) > 1 and _is_site_end([title[i:j] for i, j in spans], site, evidence):
        spans.pop()
    while len(spans) > 1 and _is_site_part(title[slice(*spans[0])], site, evidence):
        spans.pop(0)
    return title[spans[0][0] : spans[-1][1]] if spans else ""


def _without_name(title: str, name: str) -> str:
    """A title without a name that a separator joins to either end of it ("Ships: The Bay")."""
    size = len(name)
    if title[-size:].lower() == name.lower() and (joint := _JOINT_AT_END.search(title[:-size])):
        return title[: joint.start()] or title
    if title[:size].lower() == name.lower() and (joint := _JOINT_AT_START.match(title, size)):
        return title[joint.end() :] or title
    return title


def _is_site_end(parts: list[str], site: str, evidence: TitleEvidence) -> bool:
    """Whether the last part names the website, by itself or ("Blog") after a part that does."""
    is_label = is_generic(parts[-1]) and len(parts) > 2
    return _is_site_part(parts[-2 if is_label else -1], site, evidence)


def _is_site_part(part: str, site: str, evidence: TitleEvidence) -> bool:
    plain, name = fold(part), fold(site)
    if not plain or is_section_label(part):
        return True
    if name and (
        plain == name
        or (len(plain) > 3 and plain in name)
        or (name in plain and len(part) < 2 * len(site))
    ):
        return True
    if any(plain == fold(text) for text in (*evidence.site_names, *evidence.home_links)):
        return True
    fit = host_fit(part, evidence.host)
    return len(part.split()) <= 5 and fit >= (0.8 if plain in map(fold, evidence.headings) else 0.5)
