"""Which legacy encoding bytes are in that declare none: by script, then as Latin letters."""

from __future__ import annotations

import re
from functools import lru_cache

from reducepp.scraping.decode.latin_charsets import latin_encoding

SAMPLE = 50_000
"""Bytes looked at."""
CLEAR = 0.5
"""Share of usual letters, against that of running text, from which a script is told."""
CAPITALS = 0.65
"""What a usual letter counts for in upper case."""
WORDS = 1.9
"""Bytes above ASCII in a row, on average, from which they are words of another script."""
ENOUGH = 12
"""Bytes of another script from which it may go against what is declared."""
FEW = 4
"""Runs of such bytes below which their length tells little."""
_RUN = re.compile(rb"[\x80-\xff]+")
_UNUSED = re.compile("[\x80-\x9f]")
"""Control characters that no page writes, but encodings have where another has a letter."""
_INSIDE = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+(?=[A-Za-z])")
_SIGN_BYTES = "€‚„…‹‘’“”•–—™›\u00a0§©«®°·»".encode("cp1252")
_RUSSIAN = "оеаинтсрвлкмдпу"
_GREEK = "αοιετσνηυρπκλμςάόίέΆ"
_ARABIC = "المينوترهبةدعسكفقحأ"
_CHINESE = (
    "的一是不了人我在有他中大上到子和你地出道也年得就那要下以生自着去之家可她里小么心多天而能好都"
    "然没日于起成事只作想看文手十用主行方又如前所本面公同三已老月市新区部"
)
_KANA = "\u3040-\u30ff"
# Letters that running text is mostly made of, and their usual share of its non-ASCII characters.
_SCRIPTS = {
    "cp1256": (_ARABIC, 0.9),
    "iso8859-6": (_ARABIC, 0.9),
    "cp1251": (_RUSSIAN, 0.8),
    "koi8-r": (_RUSSIAN, 0.8),
    "iso8859-5": (_RUSSIAN, 0.8),
    "cp866": (_RUSSIAN, 0.8),
    "gb18030": (_CHINESE + "这来个国说们为时会过学对后发开见经头长", 0.2),
    "big5hkscs": (_CHINESE + "這來個國說們為時會過學對後發開見經頭長", 0.2),
    "cp932": (_KANA, 0.35),
    "euc-jp": (_KANA, 0.35),
    "cp949": ("\uac00-\ud7a3", 0.9),
    "cp1253": (_GREEK, 0.9),
    "iso8859-7": (_GREEK, 0.9),
    "cp1255": ("יוהלאתמםשרבנ", 0.75),
    "cp874": ("านรกอเงมยลวดทสตะปบคหแจพชขใไโผซ\u0e31\u0e34\u0e35\u0e37\u0e48\u0e49", 0.9),
}
_SIGNS = "«»“”‘’„‹›–—…•·°€£§×†©®™\u00a0"


def guess_encoding(data: bytes) -> str:
    """The encoding in which the sample reads as words of one script; Western where none does."""
    sample = data[:SAMPLE]
    if is_latin(sample):
        return latin_encoding(sample)
    return script_encoding(sample) or "cp1252"


def is_latin(data: bytes) -> bool:
    """Whether the bytes above ASCII stand one by one, as accented letters do, and not in words."""
    runs = _runs(data)
    if not runs or sum(map(len, runs)) < WORDS * len(runs):
        return True
    return len(runs) < FEW and len(_INSIDE.findall(data)) >= 0.5 * len(runs)


def has_words(data: bytes) -> bool:
    """Whether the bytes above ASCII are several words of another script."""
    return sum(map(len, _runs(data))) >= ENOUGH and not is_latin(data)


def _runs(data: bytes) -> list[bytes]:
    """Bytes above ASCII that stand together, without those that are signs in Western text."""
    return [run for run in _RUN.findall(data) if run.strip(_SIGN_BYTES)]


def script_encoding(data: bytes) -> str:
    """The encoding in which the bytes are usual letters of another script; "" where none."""
    shares = {name: _usual_share(data[:SAMPLE], name) for name in _SCRIPTS}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] > CLEAR else ""


def _usual_share(data: bytes, encoding: str) -> float:
    """How usual the non-ASCII letters are that this encoding makes of the bytes; 1 is prose."""
    letters = [c for c in data.decode(encoding, "replace") if ord(c) > 0x7F and c not in _SIGNS]
    if not letters:
        return 0.0
    common, usual = _SCRIPTS[encoding]
    text = "".join(letters)
    hits = len(_matcher(common).findall(text)) + CAPITALS * len(_capitals(common).findall(text))
    lost = letters.count("\ufffd") + len(_UNUSED.findall(text))
    return max(0.0, hits - 5 * lost) / len(letters) / usual


@lru_cache(maxsize=16)
def _matcher(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]")


@lru_cache(maxsize=16)
def _capitals(letters: str) -> re.Pattern[str]:
    """The letters in upper case; nothing for a script that has no cases."""
    upper = "".join(c for c in letters.upper() if c not in letters)
    return _matcher(upper) if upper else re.compile(r"(?!)")
