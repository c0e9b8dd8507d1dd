"""Fit of a name to the host of its page: spelled out, abbreviated, or transliterated."""

import re
from functools import lru_cache

from reducepp.scraping.extract.title_text import fold, is_generic, without_article, word_list
from reducepp.scraping.extract.vocabulary import read_words
from reducepp.text.urls import host_of

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
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "&": " and "})
_LATIN = str.maketrans({**dict.fromkeys("aeiouyw", ""), "q": "k", "c": "k", "p": "b", "v": "f"})


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
    spellings = {name, name.lower().translate(_UMLAUTS)}
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
    if len(plain) >= 4 and plain in label:
        return 0.8 if 2 * len(plain) >= len(label) else 0.4
    held = sum(len(w) for w in set(words) if len(w) >= 4 and w in label)
    return 0.5 if held >= max(5, 0.6 * len(label)) and len(words) <= 5 else 0.0


def _abbreviates(words: tuple[str, ...], label: str) -> bool:
    """Whether a label is made of the beginnings of all words in order, small words apart."""
    ends = {0}
    for word in words:
        longest = [_common_prefix_length(label[end:], word) for end in ends]
        reached = {
            end + size
            for end, most in zip(ends, longest, strict=True)
            for size in range(1, most + 1)
        }
        ends = reached | ends if word in _CONNECTING_WORDS else reached
    return len(label) in ends


def _common_prefix_length(text: str, word: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(text, word, strict=False)) if a != b),
        min(len(text), len(word)),
    )


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
