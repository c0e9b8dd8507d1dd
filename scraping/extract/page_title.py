"""Choose the page's own title and the website's from the evidence on the page."""

import re
from collections.abc import Iterator

from reducepp.scraping.extract.site_title import declared_site, infer_site
from reducepp.scraping.extract.title_evidence import TitleEvidence, join_pieces
from reducepp.scraping.extract.title_text import (
    fold,
    host_fit,
    is_generic,
    is_section_label,
    is_untitled,
    part_spans,
    split_title,
    word_list,
    word_set,
)
from reducepp.text.urls import registered_domain

# Values chosen on the pages of news-en, news-fr and news-ar; `python -m benchmarks titles` measures
# the result on other pages (docs/splitting.md).
MAX_PIECES = 8
"""Elements of one heading that are read; more are letters or words of a drawn text."""
MIN_PIECE_CHARS = 6
"""A shorter one, such as the year of an archive, is not the title."""
MIN_HEADLINE_WORDS = 4
"""Words from which a heading is a headline and not a label or a logo."""
MIN_AGREEMENT = 0.5
"""Share of words from which a heading and a declared title are the same title."""
MIN_AGREEMENT_OF_LOWER_HEADING = 0.75
MIN_SLUG_FIT = 0.75
"""Share of the slug's words from which a heading is what the slug was made of."""
MIN_SHARE_DISPLAYED = 0.3
"""Share of a declared title from which a line with its beginning or end is the title, no label."""
_JOINT_AT_END = re.compile(r"(?<=\S)(?:\s?[|:]{1,3}|\s[-–—·•~/>]{1,3}|[-–—](?=\s))\s?$")
_JOINT_AT_START = re.compile(r"\s?[|:]{1,3}\s?|\s?[-–—·•~/>]{1,3}\s")
"""Separators between a title and a website's name; one without a space is part of a word."""
_PART_END = re.compile(rf"$|{_JOINT_AT_START.pattern}|,\s|\s\(")


def choose_titles(evidence: TitleEvidence) -> tuple[str, str]:
    """Page title and website title; either is "" where the page has no evidence of one."""
    site = declared_site(evidence) or infer_site(evidence)
    page = _home_title(evidence, site) if evidence.is_home else _page_title(evidence, site)
    return page, site or registered_domain(evidence.host)


def _home_title(evidence: TitleEvidence, site: str) -> str:
    """The declared title or heading that `<title>` contains, else `<title>` without the site."""
    if fold(evidence.title) in map(fold, evidence.headings):
        return evidence.title
    parts = split_title(evidence.title)
    kept = [fold(part) for n, part in enumerate(parts) if n == 0 or fold(part) != fold(site)]
    for heading in (*evidence.declared[:1], *evidence.headings):
        if fold(heading) in kept:
            return heading
    rest = [part for part in parts if not is_untitled(part)]
    if len(rest) < len(parts) and len(rest) == 1:
        return rest[0]
    if len(parts) > 1 and _is_site_part(parts[0], site, evidence):
        return evidence.title
    own = _without_site(evidence.title, site, evidence)
    if fold(own) in ("", fold(site)):
        return _page_title(evidence, site)
    own_headings = [h for h in evidence.headings if fold(h) != fold(site)]
    return _best_heading(own_headings, [own], evidence, MIN_AGREEMENT_OF_LOWER_HEADING) or own


def _page_title(evidence: TitleEvidence, site: str) -> str:
    """The heading that is the title, else a declared title without the site's part."""
    headings = [h for h in evidence.headings if not _names_site(h, site, evidence)]
    labels = headings or [h for h in evidence.headings if fold(h) != fold(site)]
    declared = _declared_titles(evidence, site, is_displayed=bool(labels))
    if title := _title_heading(headings, declared, site, evidence):
        return title
    distinct = list({fold(heading): heading for heading in labels}.values())
    if len(distinct) > 1 and len(declared) == 1 and not evidence.declared:
        distinct = [h for h in distinct if len(h.split()) >= MIN_HEADLINE_WORDS]
    only = distinct if len(distinct) == 1 else []
    if only and _is_headline(only[0], evidence):
        return only[0]
    part = _displayed_part(declared[0], evidence) if declared else ""
    return next(filter(None, (part, *declared, *only, evidence.title, *evidence.headings)), "")


def _declared_titles(evidence: TitleEvidence, site: str, *, is_displayed: bool) -> list[str]:
    """Titles in tags without the site's part; not the site's name, where there is another title."""
    titles = (*evidence.declared[:2], evidence.title)
    declared = [_without_site(t, site, evidence) for t in titles if t]
    declared = [t for t in declared if t and not is_untitled(t)]
    own = [t for t in declared if fold(t) != fold(site)]
    return own if is_displayed or (own and not evidence.is_home) else declared


def _title_heading(
    headings: list[str], declared: list[str], site: str, evidence: TitleEvidence
) -> str:
    """The h1 or lower heading that agrees with a declared title, or with the slug; "" for none."""
    best = _best_heading(headings, declared, evidence)
    if not best and len(headings) < len(evidence.headings):
        whole = [h for h in evidence.lower_headings if not h.endswith(("...", "…"))]
        best = _best_heading(whole, declared, evidence, MIN_AGREEMENT_OF_LOWER_HEADING)
    own = _without_name(best, site) if site in evidence.site_names else best
    if fold(own) in (fold(part) for title in declared for part in (title, *split_title(title))):
        return own
    if displayed := _displayed_title(declared, evidence):
        return displayed
    if not word_set(best) & set(evidence.slug):
        rivals = [] if headings else declared
        known = (*rivals, *headings, *evidence.lower_headings)
        by_slug = max(known, key=evidence.slug_fit, default="")
        is_found = evidence.slug_fit(by_slug) >= MIN_SLUG_FIT and by_slug not in rivals
        best = by_slug if is_found else best
    return best


def _displayed_title(declared: list[str], evidence: TitleEvidence) -> str:
    """The declared title that a lower heading displays; of a lone `<title>`, also parts of it."""
    lower = {fold(h) for h in evidence.lower_headings if len(word_list(h)) > 1}
    if not evidence.declared:
        declared = [run for title in declared for run in _runs(title)]
    return next((t for t in declared if fold(t) in lower), "")


def _displayed_part(title: str, evidence: TitleEvidence) -> str:
    """The longest beginning or end of a title that is a line of its own on the page; "" for none.

    It is what readers see of "Title - Section" or "Title, by Author" where no heading displays it.
    """
    plain, best = title.lower(), ""
    for block in evidence.blocks:
        least = max(len(best) + 1, MIN_SHARE_DISPLAYED * len(title))
        if not least <= block.length <= len(title) or block.is_linked:
            continue
        text = block.text.lower()
        if plain.startswith(text) and _PART_END.match(title, block.length):
            best = title[: block.length]
        elif plain.endswith(text) and _JOINT_AT_END.search(title[: -block.length]):
            best = title[-block.length :]
    return best


def _runs(title: str) -> Iterator[str]:
    """The parts of a title from the first one on, the longest first; then the greater part of it
    that ends it."""
    spans = part_spans(title)
    yield from (title[:end] for _, end in reversed(spans))
    yield from (title[start:] for start, _ in spans[1:] if 2 * start <= len(title))


def _is_headline(heading: str, evidence: TitleEvidence) -> bool:
    """Whether an h1 is a sentence or a phrase of its own, and neither a label nor the website."""
    return (
        len(heading.split()) >= MIN_HEADLINE_WORDS
        and not (evidence.is_home and evidence.declared)
        and host_fit(heading, evidence.host) == 0
        and fold(heading) not in map(fold, evidence.home_links)
    )


def _best_heading(
    headings: list[str], declared: list[str], evidence: TitleEvidence, least: float = MIN_AGREEMENT
) -> str:
    """The heading that agrees best with a declared title; "" where none agrees enough."""
    scored = [
        max(((*_agreement(h, t), h) for t in declared), default=(0.0, 0.0, h)) for h in headings
    ]
    score, _, best = max(scored, key=lambda item: item[:2], default=(0.0, 0.0, ""))
    is_only = len(headings) == 1 and any(word_set(best) <= word_set(t) for t in declared)
    is_found = score >= least or (score > 0 and is_only)
    return _without_kicker(best, declared, evidence) if is_found else ""


def _without_kicker(heading: str, declared: list[str], evidence: TitleEvidence) -> str:
    """Of an h1 of several elements (a kicker, the title, a date), those that agree best."""
    pieces = evidence.pieces.get(heading, [])[:MAX_PIECES]
    ends = range(1, len(pieces) + 1)
    runs = [join_pieces(pieces[i:j]) for j in ends for i in range(j)]
    runs = [run for run in runs if len(run) >= MIN_PIECE_CHARS]
    return max(
        [heading, *runs],
        key=lambda run: max((*_agreement(run, t)[::-1], fold(run) == fold(t)) for t in declared),
    )


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
    name = fold(site)
    middle = [k for k, (i, j) in enumerate(spans) if k and fold(title[i:j]) == name]
    if middle and fold(title[slice(*spans[-1])]) not in map(fold, evidence.headings):
        spans = spans[: middle[0]]
    while len(spans) > 1 and _is_site_part(title[slice(*spans[-1])], site, evidence):
        spans.pop()
    while len(spans) > 1 and _is_site_start([title[i:j] for i, j in spans], site, evidence):
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


def _is_site_start(parts: list[str], site: str, evidence: TitleEvidence) -> bool:
    """Whether the first part names the website, or stands before what the slug begins with."""
    starts = [word_list(part)[:2] for part in parts[:2]]
    is_before_slug = len(evidence.slug) > 2 and starts[1] == list(evidence.slug[:2])
    return is_before_slug or _is_site_part(parts[0], site, evidence)


def _is_site_part(part: str, site: str, evidence: TitleEvidence) -> bool:
    plain, name = fold(part), fold(site)
    if not plain or is_section_label(part) or plain in evidence.folders:
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
