"""The website's title: as tags declare it, else the candidate with the highest score.

Pages of one host can also share it (`share_site_titles`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reducepp.scraping.extract.title_evidence import TitleEvidence
from reducepp.scraping.extract.title_text import (
    addresses_of,
    fold,
    host_fit,
    is_address,
    is_generic,
    labels_of,
    site_host,
    split_title,
    without_article,
)
from reducepp.text.urls import registered_domain
from reducepp.types import Page

MIN_SCORE = 1.9
"""Score from which a candidate is chosen: the last part of `<title>` alone has it, a link's text
does not. This and the weights below were chosen on pages of news-en, news-fr and news-ar with their
tags removed; `python -m benchmarks titles` measures them on other pages."""
_VERSION = re.compile(r"(?<!\s)\s++v?\d++(?:\.\d++)++\S*+$")
_EDGES = ' |-–—·•~/:»«<>[]()_,;.!"“”'
_JOINTS = "|-–—·•~/»«<>[(_"
"""Separators between a page's title and the rest of `<title>`."""
_NAME_FIRST = re.compile(
    r"blog archive|\b(?:view|viewing) (?:topic|thread)\b|(?:voir|afficher) le sujet|thema anzeigen"
    r"|(?:عرض|مشاهدة) الموضوع",
    re.IGNORECASE,
)
"""Texts in `<title>` of software that puts the website's name before the page's title."""
MIN_FIT_OF_SPELLED = 0.9
"""Fit to the host from which the host spells the whole name."""
HOST_WEIGHT = 3.0
"""Weight of the fit to the host."""
MAX_NAME_CHARS = 80


def declared_site(evidence: TitleEvidence) -> str:
    """The first name in tags that is no address and not the page's title."""
    titles = {fold(t) for t in (*evidence.declared[:1], *evidence.headings)}
    own_title = fold(evidence.title)
    for name in evidence.site_names:
        plain = fold(name)
        if not plain or is_generic(name) or is_address(name) or len(name) > MAX_NAME_CHARS:
            continue
        if plain in titles and plain != own_title and host_fit(name, evidence.host) == 0:
            continue
        return name
    return ""


def infer_site(evidence: TitleEvidence) -> str:
    """The name that `<title>`, links home, feeds, copyright lines and the host support most."""
    return _name_with_separator(evidence) or _best_candidate(evidence)


def _name_with_separator(evidence: TitleEvidence) -> str:
    """A name that contains a separator ("Lamp - the blog") and is whole in two kinds of sources."""
    title, own = fold(evidence.title), {fold(t) for t in evidence.declared[:2]}
    homes, feeds = (set(map(fold, t)) for t in (evidence.home_links, evidence.feed_titles))
    for name in (*evidence.home_links, *evidence.feed_titles):
        plain = fold(name)
        if len(split_title(name)) < 2 or (plain in own and not evidence.is_home):
            continue
        if (plain in homes) + (plain in feeds) + title.endswith(plain) > 1:
            return name
    return ""


def _best_candidate(evidence: TitleEvidence) -> str:
    """The candidate with the highest score; "" where none reaches `MIN_SCORE`."""
    names: dict[str, str] = {}
    weights: dict[str, dict[str, float]] = {}
    for source, weight, raw in _candidates(evidence):
        text = _VERSION.sub("", raw).strip(" ©")
        key = _key(text, evidence.host)
        is_name = not is_generic(text) or host_fit(text, evidence.host) >= MIN_FIT_OF_SPELLED
        if key and len(text) <= MAX_NAME_CHARS and is_name:
            known = weights.setdefault(key, {})
            known[source] = max(weight, known.get(source, 0.0))
            if key not in names or (is_address(names[key]) and not is_address(text)):
                names[key] = text
    scores = {k: sum(weights[k].values()) + _prior(name, evidence) for k, name in names.items()}
    best = max(scores, key=lambda key: scores[key], default="")
    return names[best] if best and scores[best] >= MIN_SCORE else ""


def _key(text: str, host: str) -> str:
    """One spelling of a name: no article, no accents, no top-level domain."""
    plain, labels = fold(without_article(text)), labels_of(host)
    return labels[-1] if labels and plain in addresses_of(host) else plain


def _candidates(evidence: TitleEvidence) -> Iterator[tuple[str, float, str]]:
    """Kind of source, weight and text of everything that may be the website's name."""
    yield from (("stated", 4.0, text) for text in evidence.publishers[:3])
    yield from (("title", weight, text) for weight, text in _in_title(evidence))
    for text in evidence.home_links:
        yield from (("home", 1.0, part) for part in {text, *split_title(text)})
    yield from (("aside", 1.2, text) for text in evidence.feed_names)
    yield from (("rights", 1.2, text) for text in evidence.copyright_names)
    for text in (*evidence.home_links, *evidence.copyright_names):
        yield from (("home", 0.5, span) for span in host_spans(text, evidence.host))


def _in_title(evidence: TitleEvidence) -> Iterator[tuple[float, str]]:
    """Parts of `<title>`, the last one with most weight; what remains beside the page's title."""
    title, parts = evidence.title, split_title(evidence.title)
    weights = [1.0, *(0.2 for _ in parts[1:-1]), 2.0] if len(parts) > 1 else [0.0 for _ in parts]
    for weight, part in zip(weights, parts, strict=True):
        yield weight, part
        if part is parts[-1] and (len(part.split()) > 4 or part[:1].islower()):
            yield from ((max(weight - 1, 0.2), span) for span in host_spans(part, evidence.host))
    for rest in _rest_of_title(evidence):
        yield (2.2 if len(split_title(rest)) == 1 else 1.2), rest
    if _NAME_FIRST.search(title):
        yield 5.0, parts[0]
    before, colon, after = title.partition(":")
    around = (part.strip(" :") for part in (before, after) if colon)
    yield from ((1.0, part) for part in around if 0 < len(part.split()) <= 5)
    if evidence.is_home:
        yield (2.0 if len(parts) == 1 and len(title.split()) <= 6 else 1.0), title


def _rest_of_title(evidence: TitleEvidence) -> Iterator[str]:
    """What remains of `<title>` before or after a heading or a declared title."""
    title = evidence.title
    for known in (*evidence.headings, *evidence.declared[:2]):
        is_first = title.startswith(known)
        rest = (title.removeprefix if is_first else title.removesuffix)(known).strip()
        joint = rest[:1] if is_first else rest[-1:]
        if rest != title and joint and joint in _JOINTS:
            yield rest.strip(_EDGES)


def host_spans(text: str, host: str) -> Iterator[str]:
    """The neighbouring words of a longer text that spell the host."""
    words = text.split()
    if not 2 <= len(words) <= 30 or not host:
        return
    for size in range(min(5, len(words) - 1), 0, -1):
        for start in range(len(words) - size + 1):
            span = " ".join(words[start : start + size]).strip(_EDGES + ".!?")
            if host_fit(span, host) == 1.0:
                yield span
                return


def _prior(name: str, evidence: TitleEvidence) -> float:
    """Score of a name by its fit to the host, lowered by its form and the page's own titles."""
    fit = host_fit(name, evidence.host)
    prior = HOST_WEIGHT * fit - 0.5 * max(0, len(name.split()) - 5)
    if name[:1].islower() and not is_address(name) and " " in name:
        prior -= 0.7
    if fit < MIN_FIT_OF_SPELLED and _is_page_title(name, evidence):
        prior -= 2.5
    return prior


def _is_page_title(name: str, evidence: TitleEvidence) -> bool:
    """Whether a name is the page's own title: a heading or a declared title, and no link home.

    Forums put their name in the h1; the other part of `<title>` is then in a lower heading.
    """
    plain = fold(name)
    if evidence.is_home or plain in map(fold, evidence.home_links):
        return False
    title, lower = fold(evidence.title), [fold(t) for t in evidence.lower_headings if len(t) > 3]
    rest = title.removeprefix(plain).removesuffix(plain)
    is_of_forum = rest != title and any(rest.startswith(t) or rest.endswith(t) for t in lower)
    is_heading = plain in map(fold, evidence.headings) and not is_of_forum
    return is_heading or plain in map(fold, evidence.declared[:2])


def share_site_titles(pages: Sequence[Page]) -> list[Page]:
    """The same pages, in order, with website titles that are only known from other pages of a host.

    A page named by its domain alone takes the name that most pages of its host have, or the
    part that its title shares, at the same end, with the title of another page of the host.
    """
    by_host: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_host[site_host(page.url)].append(page)
    names = {host: _common_name(group) for host, group in by_host.items() if host}
    return [_with_site_title(page, names.get(site_host(page.url), "")) for page in pages]


def _common_name(group: Sequence[Page]) -> str:
    """The name most pages of a host have, else the title part that two of them share."""
    known = Counter(p.site_title for p in group if p.site_title and not _is_fallback(p))
    if known:
        return min(known, key=lambda name: (-known[name], name))
    counts: Counter[str] = Counter()
    for title in {p.page_title for p in group}:
        parts = split_title(title)
        counts.update({parts[0], parts[-1]} if len(parts) > 1 else ())
    shared = [part for part, count in counts.items() if count > 1]
    return min(shared, key=lambda part: (-counts[part], part), default="")


def _is_fallback(page: Page) -> bool:
    return "." in page.site_title and page.site_title == registered_domain(page.url)


def _with_site_title(page: Page, name: str) -> Page:
    """The page with its website's name, which is removed from its own title."""
    if not name or not _is_fallback(page):
        return page
    title, parts = page.page_title, split_title(page.page_title)
    if len(parts) > 1 and fold(parts[-1]) == fold(name):
        title = title[: title.rfind(parts[-1])]
    elif len(parts) > 1 and fold(parts[0]) == fold(name):
        title = title[title.find(parts[0]) + len(parts[0]) :]
    return replace(page, site_title=name, page_title=title.strip(" |-–—·•~/:»«<>"))
