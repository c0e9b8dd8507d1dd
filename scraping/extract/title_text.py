"""Titles and names as text: separators, words that name nothing, and fit to the page's host."""

import re
import unicodedata
from functools import cache, lru_cache

from reducepp.scraping.extract.vocabulary import read_words
from reducepp.text.tokenise import is_latin
from reducepp.text.urls import host_of

# Titles have single spaces. A colon alone is no separator: French writes " : " inside titles, and
# guillemets quote.
_CJK = "[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
_SEPARATOR = (
    r"\s»\s?(?i:blog archives?)\s?»\s|\s(?:[|\-–—−‒―·•●∙~/\\⋆★☆✩✦◆←→⇒›‹»«]|::+|//|\|\||--+|>>?|<)\s"
    r"|\s?[|｜¦]\s?"
)
_CJK_SEPARATOR = rf"(?<={_CJK})\s?[_\-–]{{1,9}}\s?(?=\w)|(?<=\w)\s?[_\-–]{{1,9}}\s?(?={_CJK})"
_QUOTED = re.compile("«[^«»]*»|“[^“”]*”")
_ADDRESS = re.compile(
    r"^(?:https?://|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|fr|co|uk|io|gov|edu|ma|dz|tn|eg|sa|ae|tv|de|at|ch|es|it|eu|nl|be|pl)/?$",
    re.I,
)
_PLATFORMS, _TECHNICAL_LABELS, _CONNECTING_WORDS = (
    frozenset(read_words("titles", key))
    for key in ("platforms", "technical_labels", "connecting_words")
)
_ARABIC = ("بتثجحخدذرزسشصضطظغفقكلمنه", "bttjhkddrzsssdtzgfkklmnh")
_CYRILLIC = ("бвгджзклмнпрстфхцчшщ", "bvgdjzklmnprstfhccss")
_LETTERS = {
    a: b for ours, theirs in (_ARABIC, _CYRILLIC) for a, b in zip(ours, theirs, strict=True)
}
"""Consonants in one rough Latin spelling; every other letter counts as a vowel."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "&": " and "})
_LATIN = str.maketrans({**dict.fromkeys("aeiouyw", ""), "q": "k", "c": "k", "p": "b", "v": "f"})
_ARTICLE = re.compile(r"^(?:the|le|la|les|l['’]|el|al|il|der|die|das)\b\s*", re.IGNORECASE)


@cache
def _separator(is_latin: bool) -> re.Pattern[str]:
    return re.compile(_SEPARATOR if is_latin else f"{_SEPARATOR}|{_CJK_SEPARATOR}")


def split_title(title: str) -> list[str]:
    """The parts of a `<title>` between separators, in order; quotations stay whole."""
    return [title[start:end] for start, end in part_spans(title)]


def part_spans(title: str) -> list[tuple[int, int]]:
    """Start and end of each part of a `<title>`."""
    masked = _QUOTED.sub(lambda quote: "x" * len(quote.group()), title)
    ends = [(cut.start(), cut.end()) for cut in _separator(is_latin(title)).finditer(masked)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(title)], strict=True)
    trimmed = ((end - len(title[start:end].lstrip()), end) for start, end in spans)
    return [(i, i + len(title[i:j].rstrip())) for i, j in trimmed if title[i:j].strip()]


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Letters and digits only, in lower case, without accents and Arabic marks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


_GENERIC_NAMES, _UNTITLED, _SECTION_LABELS = (
    frozenset(map(fold, read_words("titles", key)))
    for key in ("generic_names", "untitled", "section_labels")
)


def is_generic(text: str) -> bool:
    """Whether a text occurs as a name on sites of all kinds, and so names none."""
    return fold(text) in _GENERIC_NAMES


def is_untitled(text: str) -> bool:
    """Whether a text is the default title of pages without one."""
    return fold(text) in _UNTITLED


def is_section_label(text: str) -> bool:
    """Whether a part of a `<title>` names a section that most sites have, not the page."""
    return fold(text) in _SECTION_LABELS


def is_address(text: str) -> bool:
    """Whether a name is nothing but a web address."""
    return bool(_ADDRESS.search(text))


def without_article(text: str) -> str:
    """A name without the article at its start."""
    return _ARTICLE.sub("", text) or text


def word_list(text: str) -> list[str]:
    """The folded words of a text in order."""
    return [word for word in map(fold, re.findall(r"\w+", text)) if word]


def word_set(text: str) -> set[str]:
    """The folded words of a text."""
    return set(word_list(text))


def site_host(url: str) -> str:
    """The host of an address without `www.`; "" where it has none."""
    return host_of(url).removeprefix("www.")


@lru_cache(maxsize=1024)
def labels_of(host: str) -> tuple[str, ...]:
    """The labels of a host that may hold the site's name, folded; the registered one last."""
    labels = host.split(".")
    labels = labels[:-1] if len(labels) > 1 else labels
    if len(labels) > 1 and labels[-1] in _PLATFORMS:
        labels = labels[:-1]
    labels = [label for label in labels if label not in _TECHNICAL_LABELS]
    own = labels[-1:]
    return tuple(fold(label) for label in labels if label in own or not is_generic(label))


@lru_cache(maxsize=4096)
def host_fit(name: str, host: str) -> float:
    """Fit in [0, 1]: 0 where name and host share nothing, 1 where the host spells the name.

    The values between order the kinds of match; they were chosen with the weights of `site_title`.
    """
    if len(fold(name)) < 2 or not host:
        return 0.0
    spellings = {name, name.lower().translate(UMLAUTS)}
    if any(fold(s) in addresses_of(host) for s in spellings):
        return 1.0
    labels = labels_of(host)
    return max((_label_fit(s, fold(s), label) for s in spellings for label in labels), default=0.0)


@lru_cache(maxsize=1024)
def addresses_of(host: str) -> frozenset[str]:
    """The host as a name may give it: with `www.`, or as one of the domains above it."""
    labels = host.split(".")
    above = (labels[start:] for start in range(1, len(labels) - 1))
    domains = (".".join(domain) for domain in above if domain[0] not in _PLATFORMS)
    return frozenset(fold(address) for address in (host, f"www.{host}", *domains))


def _label_fit(name: str, plain: str, label: str) -> float:
    if plain == label or fold(without_article(name)) == label.removeprefix("the"):
        return 1.0
    words = word_list(name)
    if len(label) >= 3 and len(words) <= 8 and _abbreviates(tuple(words), label):
        return 0.9
    if len(words) <= 5 and _sounds_like(words, label):
        return 0.9
    if len(label) >= 3 and label in plain:
        return 0.8 if len(plain) <= 2 * len(label) + 4 else 0.5
    held = sum(len(w) for w in set(words) if len(w) >= 4 and w in label)
    return 0.5 if held >= max(5, 0.6 * len(label)) and len(words) <= 5 else 0.0


def _abbreviates(words: tuple[str, ...], label: str) -> bool:
    """Whether a label is made of the beginnings of all words in order, small words apart."""
    ends = {0}
    for word in words:
        starts = [word[:size] for size in range(1, len(word) + 1)]
        reached = {end + len(s) for end in ends for s in starts if label.startswith(s, end)}
        ends = reached | ends if word in _CONNECTING_WORDS else reached
    return len(label) in ends


def _sounds_like(words: list[str], label: str) -> bool:
    """Whether neighbouring Arabic or Cyrillic words have the consonants of a Latin label."""
    if all(word.isascii() for word in words) or len(wanted := _consonants(label)) < 3:
        return False
    consonants = [_consonants(word) for word in words]
    spans = (
        consonants[i:j] for i in range(len(consonants)) for j in range(i + 1, len(consonants) + 1)
    )
    return any(_without_repeats("".join(span)) == wanted for span in spans)


@lru_cache(maxsize=4096)
def _consonants(text: str) -> str:
    """The consonants of a word in one rough Latin spelling."""
    text = re.sub("kh|gh|sh|ch|th|dh", lambda pair: pair.group()[0].replace("c", "s"), text)
    latin = "".join(_LETTERS.get(c, c if c.isascii() else "") for c in text)
    return _without_repeats(latin.translate(_LATIN))


def _without_repeats(text: str) -> str:
    """Letters that follow themselves, once."""
    return re.sub(r"(.)\1+", r"\1", text)
