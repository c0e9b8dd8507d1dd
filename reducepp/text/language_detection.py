"""Which language a text is in: by script, then by function words, at last by n-grams."""

import re
from bisect import bisect_right
from collections import Counter
from functools import cache
from threading import Lock
from typing import Any

from reducepp.text.lexicons import read_word_lists

SAMPLE_CHARS = 2000
"""Characters looked at: the start, and for long texts a part from the middle."""
LETTERS_PER_IDEOGRAPH = 2
"""Letters that one character of Chinese or Japanese counts as, among Latin names and addresses."""
MIN_DISTINCT_WORDS = 3
"""Function words from which they decide on a text that has few of them."""
MAX_HINT_RANK = 5
"""Rank of the n-gram model down to which a declared language is accepted."""
_RARE = frozenset(
    ("an", "br", "eo", "fo", "ht", "lb", "mg", "oc", "qu", "rw", "se", "vo", "wa", "la")
)
"""Languages that lists of names look like to n-grams more often than pages are in them."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\w))?")
_LOADING = Lock()
_NOT_PROSE = re.compile(r"https?://\S++|(?<!\S)[^\s@]++@\S++|[@#]\S++")

_RANGES = [
    (name, int(first, 16), int(last, 16))
    for line in read_word_lists("scripts")["ranges"].splitlines()
    for name, first, last in [line.split()]
]
_STARTS = [first for _, first, _ in _RANGES]
_ONE_LANGUAGE = frozenset(name for name, _, _ in _RANGES if len(name) == 2)

_BY_WORD: dict[str, tuple[str, ...]] = {}
for _language, _words in read_word_lists("function_words").items():
    for _word in _words.split():
        _BY_WORD[_word] = (*_BY_WORD.get(_word, ()), _language)


def detect_language(text: str, hint: str = "", *, ngrams: bool = True) -> str:
    """ISO 639-1 code of the language most of the text is in; "" where it cannot be detected.

    `hint` is a declared language: it decides where only n-grams are left and rank it high. Without
    `ngrams`, whose model takes longer to load than two short pages to compare, the language with
    the most function words is taken, however few they are.
    """
    if len(text) > SAMPLE_CHARS:
        half, middle = SAMPLE_CHARS // 2, len(text) // 2
        text = f"{text[:half]} {text[middle : middle + half]}"
    sample = _NOT_PROSE.sub(" ", text)
    counts = _count_scripts(sample)
    script = max(counts, key=lambda name: counts[name])
    if counts[script] < 2:
        return ""
    if script in _ONE_LANGUAGE:
        return script
    if script == "arabic":
        return _arabic_script(sample)
    if script in ("kana", "han"):
        return "ja" if counts["kana"] > 0.05 * counts["han"] else "zh"
    by_words = _by_function_words(sample, clearly=ngrams) if script == "latin" else ""
    return by_words or (_by_ngrams(sample, hint) if ngrams else "")


def _count_scripts(sample: str) -> Counter[str]:
    """How many letters of each script a text has, one of a dense script as several."""
    counts: Counter[str] = Counter(latin=0)
    for letter, number in Counter(sample).items():
        place = bisect_right(_STARTS, ord(letter)) - 1
        if letter.isalpha() and place >= 0 and ord(letter) <= _RANGES[place][2]:
            counts[_RANGES[place][0]] += number
    for script in ("han", "kana"):
        counts[script] *= LETTERS_PER_IDEOGRAPH
    return counts


def _arabic_script(sample: str) -> str:
    """Arabic, or one of its neighbours, which have letters that Arabic never writes."""
    letters = Counter(sample)
    persian = sum(letters[c] for c in "پچژگ")
    urdu = sum(letters[c] for c in "ٹڈڑےںہ")
    arabic = sum(letters[c] for c in "ةيىكإأ")
    others = {c: sum(letters[x] for x in own) for c, own in read_word_lists("own_letters").items()}
    other = max(others, key=lambda code: others[code])
    if others[other] > max(arabic, urdu):
        return other
    if urdu > arabic:
        return "ur"
    if persian + letters["ی"] + letters["ک"] > arabic:
        return "fa"
    words = Counter(sample.split())
    lists = read_word_lists("arabic_script").items()
    found = {code: sum(words[word] for word in own.split()) for code, own in lists}
    return "fa" if found["fa"] > found["ar"] and persian else "ar"


def count_function_words(text: str) -> Counter[str]:
    """How many words of a text are function words of each language that has a list of them."""
    return Counter(language for word in _find_words(text) for language in _BY_WORD.get(word, ()))


def _find_words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _by_function_words(sample: str, *, clearly: bool = True) -> str:
    """The language whose function words outnumber those of every other, `clearly` or at all, else
    ""."""
    hits = count_function_words(sample)
    if not hits:
        return ""
    (best, most), (_, second) = [*hits.most_common(2), ("", 0)][:2]
    if not clearly:
        return best if most > second else ""
    usual = most >= 0.1 * len(_WORD.findall(sample))
    # How many different ones the sample has: a list may repeat a single one.
    several = sum(best in _BY_WORD.get(word, ()) for word in set(_find_words(sample)))
    clear = most >= 3 and usual and most >= 2 * second and several >= 2
    clear = clear or (most >= 8 and most >= 4 * second and several >= MIN_DISTINCT_WORDS)
    mixed = most >= 20 and usual and most > second and several >= MIN_DISTINCT_WORDS
    return best if clear or mixed else ""


def _by_ngrams(sample: str, hint: str) -> str:
    """py3langid's best language that has a two-letter code; "" below three words' worth."""
    letters = sum(map(len, _WORD.findall(sample)))
    if letters < 8:
        return ""
    ranked = [str(code) for code, _ in _identifier().rank(sample) if len(code) == 2]
    if hint in ranked[:MAX_HINT_RANK]:
        return hint
    return next((code for code in ranked if code not in _RARE), "")


def _identifier() -> Any:
    """The n-gram model: slow to load, so only when a text needs it, once, whatever the threads."""
    with _LOADING:
        return _load_identifier()


@cache
def _load_identifier() -> Any:
    from reducepp.text.ngram_model import load_identifier

    return load_identifier()
