"""Names and titles as text: folding, separators, and the words that name nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# A colon alone is no separator: French writes " : " inside titles, and guillemets quote.
_CJK = "[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
_SEPARATOR = re.compile(
    r"\s+»\s*blog archives?\s*»\s+|\s+(?:[|\-–—−‒―·•●∙~/\\⋆★☆✩✦◆←→⇒›‹»«]|::+|//|\|\||--+|>>?|<)\s+"
    rf"|\s*[|｜¦]\s*|(?<={_CJK})\s*[_\-–]+\s*(?=\w)|(?<=\w)\s*[_\-–]+\s*(?={_CJK})",
    re.IGNORECASE,
)
_QUOTED = re.compile("«[^«»]*»|“[^“”]*”")
_ADDRESS = re.compile(
    r"^(?:https?://|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|fr|co|uk|io|gov|edu|ma|dz|tn|eg|sa|ae|tv)/?$",
    re.I,
)
_GENERIC = """
    home homepage accueil index login news start main menu logo blog الرئيسية الصفحةالرئيسية
    فهرسالمنتدى الصفحةالأولى indexduforum accueilduforum boardindex forumindex forum forums
    retouralaccueil backtohome skiptocontent inicio untitled undefined null website mysite
    mywebsite site title welcome bienvenue gotohome visithomepage pagedaccueil frontpage page
    homesite mainpage startpage startseite accederaumenu menuprincipal mainmenu رئيسي رئيسية
    english français العربية عربي deutsch español en fr ar etusivu stronagłówna главная hem
    hjem pageheader blogarchive signin signup register search contact contactus about aboutus
    facebook twitter youtube instagram rss newsletter shop store connexion inscription
    recherche wiki wikis بحث اتصلبنا مننحن actualités actualites actualité
    اخبار أخبار الاخبار الأخبار
"""
_ARTICLE = re.compile(r"^(?:the|le|la|les|l['’]|el|al|il|der|die|das)\b\s*", re.IGNORECASE)


def split_title(title: str) -> list[str]:
    """The parts of a `<title>` between separators, in order; what is quoted stays whole."""
    return [title[start:end] for start, end in part_spans(title)]


def part_spans(title: str) -> list[tuple[int, int]]:
    """Where each part of a `<title>` begins and ends."""
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
    """Letters and digits only, lower case, accents and Arabic marks taken off."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


_NOT_A_NAME = frozenset(fold(name) for name in _GENERIC.split())
_UNTITLED = """
    home homepage accueil index untitled undefined null menu logo الرئيسية الصفحةالرئيسية القائمة
"""
_NOT_A_TITLE = frozenset(fold(name) for name in _UNTITLED.split())


def is_generic(text: str) -> bool:
    """Whether a text stands on sites of all kinds and so names none."""
    return fold(text) in _NOT_A_NAME


def says_no_title(text: str) -> bool:
    """Whether a text is what pages are called that nobody gave a title."""
    return fold(text) in _NOT_A_TITLE


def is_address(text: str) -> bool:
    """Whether a name is no more than a web address."""
    return bool(_ADDRESS.search(text))


def without_article(text: str) -> str:
    """A name without the article it may begin with."""
    return _ARTICLE.sub("", text) or text


def words_of(text: str) -> set[str]:
    """The folded words of a text."""
    return set(word_list(text))


def word_list(text: str) -> list[str]:
    """The folded words of a text in order."""
    return [word for word in map(fold, re.findall(r"\w+", text)) if word]
