"""Words of users in pictures: any script, from either side, where there is a font for it.

An SVG carries the words themselves and the browser draws them. A PNG needs glyphs, and scripts
whose letters join or turn need matplotlib from 3.11 on; where either is missing the PNG says in
which letters the words are instead.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_START, _END = "\u2068", "\u2069"
"""First strong isolate and its end: what lies between has its own direction."""
_JOINERS = "\u200c\u200d"
_ISOLATED = re.compile(f"{_START}([^{_START}{_END}]*+){_END}", re.DOTALL)
_MISSING = r"(?s).*(Glyph .* missing|Matplotlib currently does not support)"

CJK = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH")
CJK_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Noto Sans JP", "Noto Sans SC"),
    *("Noto Sans KR", "Source Han Sans", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "IPAGothic"),
    *("Hiragino Sans", "PingFang SC", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic"),
    "Arial Unicode MS",
)


def shown(words: str, width: int = 44) -> str:
    """Words of a user as part of a picture's text: on one line, cut to a width, marked off."""
    one_line = "".join(c for c in " ".join(words.split()) if _is_harmless(c))
    short = one_line if len(one_line) <= width else one_line[: width - 1] + "…"
    escaped = short.replace("$", "\\$")
    return f"{_START}{escaped}{_END}" if not escaped.isascii() else escaped


def _is_harmless(letter: str) -> bool:
    """Not a control, a direction mark, half of a pair, or of no known meaning."""
    return letter in _JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")


@contextmanager
def lettered(figure: Figure, kind: str) -> Iterator[None]:
    """While open, every text of the figure can be written in this kind of file."""
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    before = [(text, text.get_text()) for text in texts if not text.get_text().isascii()]
    with warnings.catch_warnings():
        if kind == "svg":  # the browser has the glyphs; the widths are a guess
            warnings.filterwarnings("ignore", message=_MISSING)
        for text, words in before:
            text.set_fontfamily(["sans-serif", *_fonts_for(words)])
            text.set_text(words if kind == "svg" else _drawable(words))
        yield
    for text, words in before:
        text.set_text(words)


def _drawable(text: str) -> str:
    """The text with isolated words that cannot be drawn named by their letters."""
    return _ISOLATED.sub(lambda found: _drawn(found[1]), text)


def _drawn(words: str) -> str:
    odd = _undrawable(words)
    if not odd:
        return f"{_START}{words}{_END}" if _turns(words) else words
    script = "CJK" if script_of(odd) in CJK else script_of(odd).capitalize()
    return f"(in {script} letters: see the SVG)"


def _undrawable(words: str) -> str:
    """The first letter that has no glyph or needs joining that is not there; "" for none."""
    known = _letters(("DejaVu Sans", *_fonts_for(words)))
    lacking = (c for c in words if c not in _JOINERS and not c.isspace() and ord(c) not in known)
    joined = "" if _has_shaping() else next((c for c in words if _needs_shaping(c)), "")
    return next(lacking, joined)


def _fonts_for(words: str) -> list[str]:
    """Installed fonts for the letters that the usual one lacks."""
    usual = _letters(("DejaVu Sans",))
    scripts = {script_of(c) for c in words if ord(c) not in usual and not c.isspace()}
    wanted = [f"Noto Sans {script.title()}" for script in sorted(scripts)]
    wanted += CJK_FONTS if scripts & set(CJK) else ()
    installed = _installed()
    return [name for name in wanted if name in installed]


def script_of(letter: str) -> str:
    """The first word of a letter's name, which for most scripts is the script."""
    return unicodedata.name(letter, "UNNAMED").split()[0].split("-")[0]


def _turns(words: str) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL") for c in words)


def _needs_shaping(letter: str) -> bool:
    """Written from right to left, or with marks that move: nearly all that combine."""
    return _turns(letter) or (
        unicodedata.category(letter) in ("Mn", "Mc") and unicodedata.name(letter, "C")[0] != "C"
    )


@cache
def _has_shaping() -> bool:
    from matplotlib import ft2font

    return hasattr(ft2font, "__libraqm_version__")


@cache
def _installed() -> frozenset[str]:
    from matplotlib.font_manager import fontManager

    return frozenset(entry.name for entry in fontManager.ttflist)


@cache
def _letters(fonts: tuple[str, ...]) -> frozenset[int]:
    """All letters that these installed fonts have."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    paths = [findfont(FontProperties(family=name)) for name in fonts]
    return frozenset(code for path in paths for code in get_font(path).get_charmap())
