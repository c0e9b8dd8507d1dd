"""The website's name: as tags state it, else the name that most on the page speaks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reducepp.scraping.extract.host_names import addresses_of, host_fit, labels_of
from reducepp.scraping.extract.title_evidence import TitleEvidence
from reducepp.scraping.extract.title_text import (
    fold,
    is_address,
    is_generic,
    split_title,
    without_article,
)

ENOUGH = 1.9
"""Score from which a name stands: the last part of `<title>` alone has it, a link's text not."""
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\S*$")
_EDGES = ' |-–—·•~/:»«<>[]()_,;.!"“”'
_JOINTS = "|-–—·•~/»«<>[(_"
"""What may stand between a page's title and the rest of `<title>`."""
_NAME_FIRST = re.compile(
    r"blog archive|\b(?:view|viewing) (?:topic|thread)\b|(?:voir|afficher) le sujet|thema anzeigen"
    r"|(?:عرض|مشاهدة) الموضوع",
    re.IGNORECASE,
)
"""What software that puts the website's name first says between it and the page's title."""
SPELLED = 0.9
"""Fit from which the host has the whole of a name."""
_HOST = 3.0
"""What a name that the host spells has more than one that the host does not know."""


@dataclass(slots=True)
class _Name:
    """One name: how it is written, and how much each source speaks for it."""

    text: str
    votes: dict[str, float] = field(default_factory=dict)


def stated_site(evidence: TitleEvidence) -> str:
    """The first name that tags state and that is no address and not the page's title."""
    titles = {fold(t) for t in (*evidence.stated[:1], *evidence.headings)}
    own_title = fold(evidence.title)
    for name in evidence.names:
        plain = fold(name)
        if not plain or is_generic(name) or is_address(name) or len(name) > 80:
            continue
        if plain in titles and plain != own_title and host_fit(name, evidence.host) == 0:
            continue
        return name
    return ""


def derived_site(evidence: TitleEvidence) -> str:
    """The name that `<title>`, links home, feeds, copyright lines and the host agree on best."""
    return _parted_name(evidence) or _voted_name(evidence)


def _parted_name(evidence: TitleEvidence) -> str:
    """A name that holds a separator itself ("Lamp - the blog"): whole in two kinds of places."""
    title, shown = fold(evidence.title), {fold(t) for t in evidence.stated[:2]}
    homes, feeds = ({fold(text) for text in texts} for texts in (evidence.home, evidence.feeds))
    for name in (*evidence.home, *evidence.feeds):
        plain = fold(name)
        if len(split_title(name)) < 2 or (plain in shown and not evidence.is_home):
            continue
        if (plain in homes) + (plain in feeds) + title.endswith(plain) > 1:
            return name
    return ""


def _voted_name(evidence: TitleEvidence) -> str:
    """The name with the most votes; "" where no name has enough."""
    found: dict[str, _Name] = {}
    for source, weight, raw in _candidates(evidence):
        text = _VERSION.sub("", raw).strip()
        key = _key(text, evidence.host)
        if (
            key
            and len(text) <= 80
            and (not is_generic(text) or host_fit(text, evidence.host) >= SPELLED)
        ):
            name = found.setdefault(key, _Name(text))
            name.votes[source] = max(weight, name.votes.get(source, 0.0))
            if is_address(name.text) and not is_address(text):
                name.text = text
    scores = {k: sum(n.votes.values()) + _merit(n.text, evidence) for k, n in found.items()}
    best = max(scores, key=lambda key: scores[key], default="")
    return found[best].text if best and scores[best] >= ENOUGH else ""


def _key(text: str, host: str) -> str:
    """One spelling of a name: no article, no accents, no top-level domain."""
    plain, labels = fold(without_article(text)), labels_of(host)
    return labels[-1] if labels and plain in addresses_of(host) else plain


def _candidates(evidence: TitleEvidence) -> Iterator[tuple[str, float, str]]:
    """Source, weight and text of everything that may be the website's name."""
    yield from (("stated", 4.0, text) for text in evidence.publishers[:3])
    yield from (("title", weight, text) for weight, text in _in_title(evidence))
    for text in evidence.home:
        yield from (("home", 1.0, part) for part in {text, *split_title(text)})
    yield from (("aside", 1.2, text) for text in evidence.asides)
    yield from (("rights", 1.2, text) for text in evidence.rights)
    for text in (*evidence.home, *evidence.rights):
        yield from (("home", 0.5, span) for span in host_spans(text, evidence.host))


def _in_title(evidence: TitleEvidence) -> Iterator[tuple[float, str]]:
    """Parts of `<title>`, the last one most; what it has beside a title that the page shows."""
    title, parts = evidence.title, split_title(evidence.title)
    weights = [1.0, *(0.2 for _ in parts[1:-1]), 2.0] if len(parts) > 1 else [0.0 for _ in parts]
    for weight, part in zip(weights, parts, strict=True):
        yield weight, part
        if part is parts[-1] and (len(part.split()) > 4 or part[:1].islower()):
            yield from ((max(weight - 1, 0.2), span) for span in host_spans(part, evidence.host))
    for rest in _left_over(evidence):
        yield (2.2 if len(split_title(rest)) == 1 else 1.2), rest
    if _NAME_FIRST.search(title):
        yield 5.0, parts[0]
    before, colon, after = title.partition(":")
    yield from ((1.0, part) for part in (before, after) if colon and 0 < len(part.split()) <= 5)
    if evidence.is_home:
        yield (2.0 if len(parts) == 1 and len(title.split()) <= 6 else 1.0), title


def _left_over(evidence: TitleEvidence) -> Iterator[str]:
    """What stands in `<title>` before or after a title that the page shows or states."""
    title = evidence.title
    for known in (*evidence.headings, *evidence.stated[:2]):
        if title.startswith(known):
            rest = title.removeprefix(known).strip()
            joint = rest[:1]
        elif title.endswith(known):
            rest = title.removesuffix(known).strip()
            joint = rest[-1:]
        else:
            continue
        if joint and joint in _JOINTS:
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


def _merit(name: str, evidence: TitleEvidence) -> float:
    """What the host says for a name, less what its form and the page's titles say against."""
    fit = host_fit(name, evidence.host)
    merit = _HOST * fit - 0.5 * max(0, len(name.split()) - 5)
    if name[:1].islower() and not is_address(name) and " " in name:
        merit -= 0.7
    if fit < SPELLED and _is_page_title(name, evidence):
        merit -= 2.5
    return merit


def _is_page_title(name: str, evidence: TitleEvidence) -> bool:
    """Whether the page shows or states a name as its own title, and not above it or as a way home.

    Forums put their name in the h1; the other part of `<title>` is then in a lower heading.
    """
    plain = fold(name)
    if evidence.is_home or plain in map(fold, evidence.home):
        return False
    if plain in map(fold, evidence.stated[:2]):
        return True
    if plain not in map(fold, evidence.headings):
        return False
    title, lower = fold(evidence.title), [fold(text) for text in evidence.lower if len(text) > 3]
    rest = title.removeprefix(plain).removesuffix(plain)
    return rest == title or not any(rest.startswith(low) or rest.endswith(low) for low in lower)
