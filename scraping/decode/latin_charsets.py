"""Which encoding of Latin letters bytes are in: by the letters and the words of each language."""

from __future__ import annotations

import re
from collections import Counter

from reducepp.text.language_detection import count_function_words

COUNTED = 0.3
"""Share of function words, of all words, from which more of them say no more."""
WORDS = 2.0
"""What that share counts for, where the share of fitting letters counts for one."""
RARE = 0.4
"""What a letter counts for that is rare in its language."""
STATED = 0.15
"""What a `lang` attribute counts for."""
CLEAR = 0.12
"""By how much another encoding must be better than the Western one that is declared."""
_SIGNS = frozenset("«»“”‘’„‚‹›–—…•·°€£§×†©®™\u00a0\u00ad´`¨")
_TAGS = re.compile(rb"<[^<>]{0,2000}>")
_LANG = re.compile(rb"""<html\b[^<>]{0,300}?\blang\s*=\s*["']?([A-Za-z]{2})\b""", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_INSIDE = re.compile(
    r"(?<=[^\W\d_])[^\w\s'’´`.,:;!?/()\"&@<>=+*|#%\u00ad\u00a0–—-]{1,3}(?=[^\W\d_])"
)
"""A sign in the middle of a word: what a letter becomes in the wrong encoding."""
# Letters beside a to z of each language that is written in these encodings, the usual one first;
# after a stroke those that are rare in it.
_WESTERN = {
    "fr": "àâçéèêîïôùû/ëœüæÿ",
    "de": "äöüß/é",
    "es": "áéíñóú¿/ü¡ªº",
    "it": "àèéìòù/íóú",
    "pt": "ãáâàçéêíóôõú/üªº",
    "sv": "åäö/éü",
    "da": "åæø/éëöäü",
    "no": "åæø/éëòôöä",
    "fi": "äö/åšžé",
    "is": "áéíóúþæöð/ý",
    "ca": "àçéèíïóòúü·",
    "nl": "éëïóöüèê",
    "et": "äõöüšž",
    "sq": "ëç",
}
_CENTRAL = {
    "pl": "ąćęłńóśźż",
    "cs": "áčéěířšúůýž/ďňóť",
    "sk": "áčéíšťúýž/äďĺľňóôŕ",
    "hu": "áéíóöőúüű",
    "ro": "ăâîşţ",
    "hr": "čćđšž",
    "sl": "čšž",
}
_SELDOM = {"cp1257": 0.2, "iso8859-15": 0.01}
"""What is taken off for encodings that few pages are in."""
_LATIN = {
    "cp1252": _WESTERN,
    "iso8859-15": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859-2": _CENTRAL,
    "cp1254": {"tr": "çğıöşüâîİ"},
    "cp1257": {"lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "et": "äõöüšž"},
}


def latin_encoding(data: bytes) -> str:
    """The encoding in which letters and words are most those of one language."""
    scores = _scores(data)
    return max(scores, key=lambda name: scores[name])


def other_latin(data: bytes) -> str:
    """An encoding that fits clearly better than the Western one; "" where none does."""
    scores = _scores(data)
    best = max(scores, key=lambda name: scores[name])
    clear = scores[best] - scores["cp1252"] > CLEAR and _LATIN[best] is not _WESTERN
    return best if clear else ""


def _scores(data: bytes) -> dict[str, float]:
    stated = _LANG.search(data[:4096])
    language = stated.group(1).decode("ascii").lower() if stated else ""
    plain = _TAGS.sub(b" ", data)
    return {name: _fit(plain, name, language) for name in _LATIN}


def _fit(data: bytes, encoding: str, stated: str) -> float:
    """How well the bytes, so read, are a text of one of the encoding's languages."""
    text = data.decode(encoding, "replace").lower()
    letters = Counter(c for c in text if ord(c) > 0x7F)
    words = max(1, len(_WORD.findall(text)))
    hits = count_function_words(text)
    broken = len(_INSIDE.findall(text))
    return -_SELDOM.get(encoding, 0.0) + max(
        _share(letters, alphabet, broken)
        + WORDS * min(COUNTED, hits[language] / words)
        + STATED * (language == stated)
        for language, alphabet in _LATIN[encoding].items()
    )


def _share(letters: Counter[str], alphabet: str, broken: int) -> float:
    """Share of the characters above ASCII that are the language's letters, or signs."""
    usual, _, rare = alphabet.partition("/")
    held = sum(n for c, n in letters.items() if c in usual or c in _SIGNS)
    seldom = sum(n for c, n in letters.items() if c in rare)
    return (held + RARE * seldom - broken) / max(1, letters.total())
