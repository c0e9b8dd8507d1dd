"""The page's own title and the website's, told apart."""

from __future__ import annotations

from reducepp.scraping.extract.host_names import host_fit
from reducepp.scraping.extract.title_evidence import TitleEvidence
from reducepp.scraping.extract.title_text import (
    fold,
    is_generic,
    part_spans,
    says_no_title,
    split_title,
    words_of,
)
from reducepp.scraping.extract.website_title import derived_site, stated_site
from reducepp.text.urls import registered_domain

KICKER = 3
"""Most words before a title inside its heading that are no part of it."""
HEADLINE = 4
"""Words from which a heading is a sentence of its own and not a label or a logo."""
AGREES = 0.5
"""Share of words from which a heading and a stated title speak of one thing."""


def settle_titles(evidence: TitleEvidence) -> tuple[str, str]:
    """Page title and website title; either is "" where nothing speaks for one."""
    site = stated_site(evidence) or derived_site(evidence)
    page = _home_title(evidence, site) if evidence.is_home else _page_title(evidence, site)
    return page, site or registered_domain(evidence.host)


def _home_title(evidence: TitleEvidence, site: str) -> str:
    """The stated title or heading that `<title>` has, else `<title>` without a name at its end."""
    parts = split_title(evidence.title)
    for heading in (*evidence.stated[:1], *evidence.headings):
        if fold(heading) in map(fold, parts):
            return heading
    rest = [part for part in parts if not says_no_title(part)]
    if len(rest) < len(parts) and len(rest) == 1:
        return rest[0]
    if len(parts) > 1 and _is_site_part(parts[0], site, evidence):
        return evidence.title
    return _page_title(evidence, site)


def _page_title(evidence: TitleEvidence, site: str) -> str:
    """The h1 that agrees best with the stated titles, else those without the site's part."""
    headings = [h for h in evidence.headings if not _names_site(h, site, evidence)]
    stated = [_without_site(t, site, evidence) for t in (*evidence.stated[:2], evidence.title) if t]
    stated = [t for t in stated if t and not says_no_title(t)]
    if headings:
        stated = [t for t in stated if fold(t) != fold(site)]
    best = _best_heading(headings, stated)
    if not best and len(headings) < len(evidence.headings):
        best = _best_heading([h for h in evidence.lower if _is_whole(h)], stated, 0.75)
    if best:
        return best
    if len(headings) == 1 and (not stated or _is_headline(headings[0], stated, evidence)):
        return headings[0]
    return next(iter(stated), "") or evidence.title or next(iter(evidence.headings), "")


def _is_headline(heading: str, stated: list[str], evidence: TitleEvidence) -> bool:
    """Whether a page's only h1 is its title though `<title>`, alone, is worded otherwise."""
    return (
        not evidence.stated
        and len(stated) == len(evidence.headings) == 1
        and len(heading.split()) >= HEADLINE
        and host_fit(heading, evidence.host) == 0
        and fold(heading) not in map(fold, evidence.home)
    )


def _best_heading(headings: list[str], stated: list[str], least: float = AGREES) -> str:
    """The heading that agrees best with a stated title; "" where none agrees enough."""
    scored = [
        max(((*_agreement(h, t), h) for t in stated), default=(0.0, 0.0, h)) for h in headings
    ]
    score, _, best = max(scored, key=lambda item: item[:2], default=(0.0, 0.0, ""))
    alone = len(headings) == 1 and any(words_of(best) <= words_of(t) for t in stated)
    return _without_kicker(best, stated) if score >= least or (score > 0 and alone) else ""


def _without_kicker(heading: str, stated: list[str]) -> str:
    """A heading without what stands around the title in it, where no stated title has that."""
    whole, plain = fold(heading), [fold(title) for title in stated]
    if any(whole in title for title in plain):
        return heading
    agreed = len(stated) > 1 and len(set(plain)) == 1
    for title, inner in zip(stated, plain, strict=True):
        more = len(heading.split()) - len(title.split())
        if len(title.split()) > 1 and (
            (inner in whole and agreed) or (whole.endswith(inner) and more <= KICKER)
        ):
            return title
    return heading


def _is_whole(heading: str) -> bool:
    return not heading.endswith(("...", "…"))


def _agreement(heading: str, reference: str) -> tuple[float, float]:
    """Share of a heading's words found in a stated title, less where these are few of the
    title's; then the share of all their words that both have.
    """
    words, others = words_of(heading), words_of(reference)
    if not words or not others:
        return 0.0, 0.0
    shared = len(words & others)
    share = min(shared / len(words), 1.25 * shared / len(others) + 0.25)
    return share, shared / len(words | others)


def _names_site(heading: str, site: str, evidence: TitleEvidence) -> bool:
    """Whether an h1 holds the website's name, or nothing, and not the page's title."""
    plain = fold(heading)
    if not plain or says_no_title(heading):
        return True
    if is_generic(heading) and plain not in map(fold, split_title(evidence.title)):
        return True
    if plain == fold(evidence.title) and len(evidence.headings) == 1:
        return False
    if plain == fold(site):
        return plain != fold(evidence.title)
    if plain in map(fold, evidence.home) and plain != fold(evidence.title):
        return any(_agreement(lower, evidence.title)[0] >= AGREES for lower in evidence.lower)
    return False


def _without_site(title: str, site: str, evidence: TitleEvidence) -> str:
    """A title without the parts at either end that name the website."""
    before, colon, after = title.partition(": ")
    if colon and site and fold(before) in (fold(site), fold(evidence.host)):
        title = after.strip()
    spans = part_spans(title)
    while len(spans) > 1 and _is_site_end([title[i:j] for i, j in spans], site, evidence):
        spans.pop()
    while len(spans) > 1 and _is_site_part(title[slice(*spans[0])], site, evidence):
        spans.pop(0)
    return title[spans[0][0] : spans[-1][1]] if spans else ""


def _is_site_end(parts: list[str], site: str, evidence: TitleEvidence) -> bool:
    """Whether the last part names the website, by itself or ("Blog") after a part that does."""
    if is_generic(parts[-1]) and len(parts) > 2:
        return _is_site_part(parts[-2], site, evidence)
    return _is_site_part(parts[-1], site, evidence)


def _is_site_part(part: str, site: str, evidence: TitleEvidence) -> bool:
    plain, name = fold(part), fold(site)
    if not plain:
        return True
    if name and (
        plain == name
        or (len(plain) > 3 and plain in name)
        or (name in plain and len(part) < 2 * len(site))
    ):
        return True
    if any(plain == fold(text) for text in (*evidence.names, *evidence.home)):
        return True
    fit = host_fit(part, evidence.host)
    return len(part.split()) <= 5 and fit >= (0.8 if plain in map(fold, evidence.headings) else 0.5)
