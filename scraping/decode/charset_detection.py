"""Detect the legacy charset of bytes by the letters and words that it makes of them.

Bytes above ASCII in runs are words of a non-Latin script: the charset in which most of
them are frequent letters is chosen. Single bytes are accented letters: the charset
is chosen in which letters and function words fit one language best.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from reducepp.text.language_detection import count_function_words

# Weights and limits were chosen so that every text of tests/scraping/decode is decoded rightly, in
# full and cut to one sentence.
SAMPLE_BYTES = 50_000
"""Bytes at the start of a page that are examined."""
MIN_SCRIPT_SCORE = 0.5
"""Share of frequent letters, relative to running text, from which a script is detected."""
CAPITAL_WEIGHT = 0.65
"""Weight of a frequent letter in upper case."""
MIN_WORD_BYTES = 1.9
"""Mean length of runs of bytes above ASCII from which they are words of a non-Latin script."""
MIN_BYTES_AGAINST_DECLARED = 12
"""Bytes of a non-Latin script from which it overrules a declared Latin-1."""
MIN_RUNS = 4
"""Below this number of runs their length is no evidence."""
MAX_FUNCTION_WORD_SHARE = 0.3
"""Share of function words above which more of them add nothing."""
FUNCTION_WORD_WEIGHT = 2.0
"""Weight of function words, relative to the share of fitting letters."""
RARE_LETTER_WEIGHT = 0.4
LANG_ATTRIBUTE_WEIGHT = 0.15
MIN_LEAD_OVER_DECLARED = 0.12
"""Lead in score from which another Latin charset overrules a declared Latin-1."""
MIN_LATIN_SCORE = 0.7
"""Score of a Latin charset from which it overrules a declared East Asian one; that of real pages is
0.99 and more, of Lithuanian sentences 0.8."""
MAX_OVERRULED_SCORE = 0.2
"""Share of frequent letters, relative to running text, up to which an East Asian charset may be
declared wrongly: 0.99 and more in 65 real pages, 0.00 where it is declared for Latin text."""
MIN_LOST_SHARE = 0.05
"""Share of undecodable characters from which words of another script are no East Asian text."""
_RUN = re.compile(rb"[\x80-\xff]+")
_CONTROL = re.compile("[\x80-\x9f]")
"""Control characters that no page contains: a letter in another charset."""
_INSIDE_WORD = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+(?=[A-Za-z])")
_SIGN_BYTES = "€‚„…‹‘’“”•–—™›\u00a0§©«®°·»".encode("cp1252")
_LATIN_SIGNS = frozenset("‚`´¨\u00ad")
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_LANG = re.compile(rb"""<html\b[^<>]{0,300}?\blang\s*=\s*["']?([A-Za-z]{2})\b""", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_SIGN_INSIDE_WORD = re.compile(
    r"(?<=[^\W\d_])[^\w\s'’´`.,:;!?/()\"&@<>=+*|#%\u00ad\u00a0–—-]{1,3}(?=[^\W\d_])"
)
"""A sign in the middle of a word: what a letter becomes in a wrong charset."""


@cache
def read_alphabets() -> dict[str, Any]:
    """The tables of alphabets.toml."""
    with (Path(__file__).parent / "alphabets.toml").open("rb") as file:
        return tomllib.load(file)


def detect_charset(data: bytes) -> str:
    """The charset in which the sample is text of one script; Windows-1252 where none fits."""
    sample = data[:SAMPLE_BYTES]
    if is_latin(sample):
        scores = _latin_scores(sample)
        return max(scores, key=lambda name: scores[name])
    return detect_script_charset(sample) or "cp1252"


def is_latin(data: bytes) -> bool:
    """Whether bytes above ASCII are single, as accented letters are, and not in words."""
    runs = _runs(data)
    if not runs or sum(map(len, runs)) < MIN_WORD_BYTES * len(runs):
        return True
    return len(runs) < MIN_RUNS and len(_INSIDE_WORD.findall(data)) >= 0.5 * len(runs)


def overrule_latin1(data: bytes) -> str:
    """The charset of bytes declared as Latin-1 that clearly are something else; "" for none."""
    sample = data[:SAMPLE_BYTES]
    if sum(map(len, _runs(sample))) >= MIN_BYTES_AGAINST_DECLARED and not is_latin(sample):
        return detect_script_charset(sample)
    scores = _latin_scores(sample)
    best = max(scores, key=lambda name: scores[name])
    western = read_alphabets()["latin"][0]["charsets"]
    leads = scores[best] - scores["cp1252"] > MIN_LEAD_OVER_DECLARED
    return best if leads and best not in western else ""


def overrule_multibyte(data: bytes, charset: str) -> str:
    """The charset of bytes declared as East Asian that clearly are something else; "" for none.

    Accented letters and words of other scripts become rare ideographs, or cannot be decoded. Signs
    alone are no evidence: pages in English use those of the declared charset.
    """
    sample = data[:SAMPLE_BYTES]
    if _script_score(sample, charset) > MAX_OVERRULED_SCORE:
        return ""
    text = [c for c in sample.decode(charset, "replace") if ord(c) > 0x7F]
    lost = sum(c == "\ufffd" or not (c.isprintable() or c.isspace()) for c in text)
    is_too_short = len(text) < MIN_RUNS and not _INSIDE_WORD.search(sample)
    if is_too_short or 2 * (lost + sum(map(str.isalpha, text))) <= len(text):
        return ""
    if not is_latin(sample):
        return detect_script_charset(sample) if lost > MIN_LOST_SHARE * len(text) else ""
    scores = _latin_scores(sample)
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > MIN_LATIN_SCORE else ""


def _script_score(data: bytes, charset: str) -> float:
    """Highest share of frequent letters in this charset, over the scripts that it is used for."""
    return max(
        _frequent_share(data, charset, script["letters"], script["share"])
        for script in read_alphabets()["scripts"]
        if charset in script["charsets"]
    )


def _runs(data: bytes) -> list[bytes]:
    """Runs of bytes above ASCII, without those that are only punctuation in Western text."""
    return [run for run in _RUN.findall(data) if run.strip(_SIGN_BYTES)]


def detect_script_charset(data: bytes) -> str:
    """The charset in which the bytes are frequent letters of a non-Latin script; "" for none."""
    shares = {
        name: _frequent_share(data, name, script["letters"], script["share"])
        for script in read_alphabets()["scripts"]
        for name in script["charsets"]
    }
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] > MIN_SCRIPT_SCORE else ""


def _frequent_share(data: bytes, charset: str, frequent: str, usual: float) -> float:
    """Share of frequent letters among the non-ASCII ones, relative to that of running text."""
    signs = read_alphabets()["signs"]["all"]
    text = "".join(c for c in data.decode(charset, "replace") if ord(c) > 0x7F and c not in signs)
    if not text:
        return 0.0
    upper = "".join(c for c in frequent.upper() if c not in frequent)
    hits = len(re.findall(f"[{frequent}]", text))
    capitals = len(re.findall(f"[{upper}]", text)) if upper else 0
    lost = text.count("\ufffd") + len(_CONTROL.findall(text))
    return max(0.0, hits + CAPITAL_WEIGHT * capitals - 5 * lost) / len(text) / usual


def _latin_scores(data: bytes) -> dict[str, float]:
    """Score of each charset with Latin letters; higher fits better."""
    stated = _LANG.search(data[:4096])
    language = stated.group(1).decode("ascii").lower() if stated else ""
    plain = _TAG.sub(b" ", data)
    return {
        name: _latin_score(plain, name, group["languages"], language) - penalty
        for group in read_alphabets()["latin"]
        for name, penalty in zip(group["charsets"], group["penalties"], strict=True)
    }


def _latin_score(data: bytes, charset: str, languages: dict[str, str], stated: str) -> float:
    """How well the bytes in this charset are a text of one of its languages."""
    text = data.decode(charset, "replace").lower()
    letters = Counter(c for c in text if ord(c) > 0x7F)
    words = max(1, len(_WORD.findall(text)))
    hits = count_function_words(text)
    broken = len(_SIGN_INSIDE_WORD.findall(text))
    return max(
        _fitting_share(letters, alphabet, broken)
        + FUNCTION_WORD_WEIGHT * min(MAX_FUNCTION_WORD_SHARE, hits[language] / words)
        + LANG_ATTRIBUTE_WEIGHT * (language == stated)
        for language, alphabet in languages.items()
    )


def _fitting_share(letters: Counter[str], alphabet: str, broken: int) -> float:
    """Share of the characters above ASCII that are the language's letters, or signs."""
    usual, _, rare = alphabet.partition("/")
    fitting = {*usual, *_LATIN_SIGNS, *read_alphabets()["signs"]["all"]}
    held = sum(n for c, n in letters.items() if c in fitting)
    seldom = sum(n for c, n in letters.items() if c in rare)
    return (held + RARE_LETTER_WEIGHT * seldom - broken) / max(1, letters.total())
