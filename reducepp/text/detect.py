"""Which language a text is in: by script, then by function words, at last by n-grams."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any

SAMPLE = 4000
"""Characters looked at: the start, and for long texts a piece from the middle."""

_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\w))?")
_NOT_PROSE = re.compile(r"https?://\S+|\S+@\S+|[@#]\S+")

_SCRIPTS = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    "arabic": re.compile(r"[\u0620-\u064a\u066e-\u06d3\ufb50-\ufdff\ufe70-\ufefc]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile(r"[\u05d0-\u05ea]"),
    "kana": re.compile(r"[\u3040-\u30ff]"),
    "han": re.compile(r"[\u4e00-\u9fff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "ka": re.compile(r"[\u10a0-\u10ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
    "devanagari": re.compile(r"[\u0900-\u097f]"),
    "bn": re.compile(r"[\u0980-\u09ff]"),
    "ta": re.compile(r"[\u0b80-\u0bff]"),
    "te": re.compile(r"[\u0c00-\u0c7f]"),
}
_ONE_LANGUAGE = frozenset({"el", "he", "ko", "th", "ka", "hy", "bn", "ta", "te"})

# Words so common that a few sentences cannot do without them. Words that two of these
# languages share help neither, so most of those are left out.
_FUNCTION_WORDS = {
    "en": "the of and to that is was for with his it he be are this have from which they you "
    "her has had were been their would will what there when who if can about its our than "
    "these your how more not by an or as at we",
    "fr": "le les des et une du dans est qui pour pas sur plus par au avec ce il sont nous vous "
    "mais ont cette aux ses leur été être comme d' l' qu' n' c' s' j' elle où ces leurs fait "
    "depuis très aussi après notre votre",
    "es": "el los las una por con para del al lo como más pero sus ha fue este esta son entre "
    "cuando muy sobre también hasta hay desde todo nos según donde está y",
    "de": "der die und das den von zu ist mit dem des nicht ein eine auch auf sich als für im an "
    "werden aus er hat dass sie nach wird bei einer um noch wie einem über so zum war haben",
    "it": "il di che è per una sono con non del della gli nel dei alla anche più le dal come ha "
    "si l' delle degli questo nella ma dell' all' un' dalla essere stato",
    "pt": "o os do da em um uma para com não na no dos das é mais ao foi pelo pela são também "
    "seu sua já até às você nos está quando muito",
    "nl": "het een van en de is dat op te zijn voor met niet aan er om ook als bij nog uit naar "
    "wordt heeft ze maar over deze werd hij kan worden",
}
_BY_WORD: dict[str, tuple[str, ...]] = {}
for _language, _words in _FUNCTION_WORDS.items():
    for _word in _words.split():
        _BY_WORD[_word] = (*_BY_WORD.get(_word, ()), _language)


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language most of the text is in; "" where nothing tells."""
    sample = _NOT_PROSE.sub(" ", _sample(text))
    counts = {name: len(letters.findall(sample)) for name, letters in _SCRIPTS.items()}
    script = max(counts, key=lambda name: counts[name])
    if counts[script] < 2:
        return ""
    if script in _ONE_LANGUAGE:
        return script
    if script == "arabic":
        return _arabic_script(sample)
    if script in ("kana", "han"):
        return "ja" if counts["kana"] > 0.05 * counts["han"] else "zh"
    return (script == "latin" and _by_function_words(sample)) or _by_ngrams(sample)


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    middle = len(text) // 2
    return f"{text[: SAMPLE // 2]} {text[middle : middle + SAMPLE // 2]}"


def _arabic_script(sample: str) -> str:
    """Arabic, Persian or Urdu: the latter two have letters that Arabic never writes."""
    letters = Counter(sample)
    persian = sum(letters[c] for c in "پچژگ")
    urdu = sum(letters[c] for c in "ٹڈڑےںہ")
    arabic = sum(letters[c] for c in "ةيىكإأ")
    if urdu > arabic:
        return "ur"
    return "fa" if persian + letters["ی"] + letters["ک"] > arabic else "ar"


def _by_function_words(sample: str) -> str:
    """The language whose function words clearly outnumber those of every other, else ""."""
    words = _WORD.findall(sample.lower().replace("’", "'"))
    hits: Counter[str] = Counter()
    for word in words:
        for language in _BY_WORD.get(word, ()):
            hits[language] += 1
    if not hits:
        return ""
    (best, most), (_, second) = [*hits.most_common(2), ("", 0)][:2]
    clear = most >= 3 and most >= 0.15 * len(words) and most >= 2 * second
    return best if clear else ""


def _by_ngrams(sample: str) -> str:
    """py3langid's best language that has a two-letter code; "" below three words' worth."""
    letters = sum(map(len, _WORD.findall(sample)))
    if letters < 12:
        return ""
    ranked = _identifier().rank(sample)
    return next((str(code) for code, _ in ranked if len(code) == 2), "")


@lru_cache(maxsize=1)
def _identifier() -> Any:
    """The n-gram model; a second to load, so only texts that need it pay for it."""
    import py3langid

    return py3langid
