"""Titles and names as text: folding, separators, and words that name nothing."""

import re
import unicodedata
from functools import lru_cache

from reducepp.scraping.extract.vocabulary import read_words

# Titles have single spaces. A colon alone is no separator: French writes " : " inside titles, and
# guillemets quote.
_CJK = "[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
_SEPARATOR = re.compile(
    r"\s»\s?blog archives?\s?»\s|\s(?:[|\-–—−‒―·•●∙~/\\⋆★☆✩✦◆←→⇒›‹»«]|::+|//|\|\||--+|>>?|<)\s"
    rf"|\s?[|｜¦]\s?|(?<={_CJK})\s?[_\-–]{{1,9}}\s?(?=\w)|(?<=\w)\s?[_\-–]{{1,9}}\s?(?={_CJK})",
    re.IGNORECASE,
)
_QUOTED = re.compile("«[^«»]*»|“[^“”]*”")
_ADDRESS = re.compile(
    r"^(?:https?://|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|fr|co|uk|io|gov|edu|ma|dz|tn|eg|sa|ae|tv)/?$",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|le|la|les|l['’]|el|al|il|der|die|das)\b\s*", re.IGNORECASE)


def split_title(title: str) -> list[str]:
    """The parts of a `<title>` between separators, in order; quotations stay whole."""
    return [title[start:end] for start, end in part_spans(title)]


def part_spans(title: str) -> list[tuple[int, int]]:
    """Start and end of each part of a `<title>`."""
    masked = _QUOTED.sub(lambda quote: "x" * len(quote.group()), title)
    ends = [(cut.start(), cut.end()) for cut in _SEPARATOR.finditer(masked)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(title)], strict=True)
    trimmed = ((start + _indent(title[start:end]), end) for start, end in spans)
    return [(i, i + len(title[i:j].rstrip())) for i, j in trimmed if title[i:j].strip()]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


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
    """Whether a text is the default title of pages that nobody gave one."""
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
