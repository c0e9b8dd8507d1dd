"""Pictures in one style: figures, precision and recall, click scores; written as PNG and SVG.

Drawn with matplotlib without a screen. Words of users may be in any script, from either side. An
SVG carries the words themselves and the browser draws them. A PNG needs glyphs, and scripts whose
letters join or turn need matplotlib from 3.11 on; where either is missing the PNG says in which
letters the words are instead.
"""

from __future__ import annotations

import math
import re
import unicodedata
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

import numpy as np

from reducepp.errors import InputError, errors_as, needs_extra
from reducepp.io.atomic import refuse_foreign, write_aside
from reducepp.labelled.labelled_pairs import LabelledPairs
from reducepp.labelled.scoring import average_precision, count_all, count_at, rank_pairs
from reducepp.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#8c8c8c"
COLOURS = (BLUE, ORANGE, GREEN, "#cc79a7", "#e69f00", "#56b4e9")
_STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "reducepp",
}
TITLE: Any = {"loc": "left", "fontsize": 12, "pad": 12}
NAMES = {
    "rand": "Rand",
    "adjusted_rand": "adjusted Rand",
    "ami": "adjusted mutual information",
    "nmi": "normalised mutual information",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "homogeneity": "homogeneity",
    "completeness": "completeness",
    "v_measure": "V-measure",
    "silhouette": "Silhouette",
    "davies_bouldin": "Davies-Bouldin",
    "calinski_harabasz": "Calinski-Harabasz",
}

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


def mark_undefined(axes: Axes, values: Sequence[float]) -> None:
    """A note in the panel where no value is defined, instead of an empty scale."""
    if all(math.isnan(value) for value in values):
        axes.tick_params(left=False, labelleft=False, which="both")
        axes.text(
            0.5, 0.5, "not defined for these pages", transform=axes.transAxes, ha="center",
            va="center", color="#666666",
        )  # fmt: skip


def draw_precision_recall(
    scores: Mapping[str, Array], pairs: LabelledPairs, thresholds: Mapping[str, float]
) -> Figure:
    """A curve per method, with a dot at its own threshold; undecided pairs are left out."""
    figure, (axes,) = new_figure(1)
    duplicate = pairs.duplicate[pairs.decided]
    for place, (name, values) in enumerate(scores.items()):
        colour = COLOURS[place % len(COLOURS)]
        ranking = rank_pairs(values[pairs.decided], duplicate)
        every = count_all(ranking)
        label = f"{label_text(name)}, average precision {average_precision(every)[0]:.3f}"
        recall = 100 * np.append(0.0, every.recall[0])
        precision = 100 * np.append(every.precision[0, :1], every.precision[0])
        axes.plot(recall, precision, color=colour, linewidth=2, label=label, drawstyle="steps-pre")
        own = count_at(ranking, np.array([thresholds[name]]))
        if not math.isnan(own.precision[0, 0]):
            at = (100 * own.recall[0, 0], 100 * own.precision[0, 0])
            axes.plot(*at, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
    axes.set(xlim=(0, 101), ylim=(0, 102), xlabel="recall, %", ylabel="precision, %")
    axes.legend(loc="lower left", frameon=True, framealpha=0.85, edgecolor="none")
    count = f"{len(duplicate)} labelled pairs, {int(duplicate.sum())} of them duplicates"
    axes.set_title(f"Precision and recall, {count}", **TITLE)
    return figure


def draw_click_scores(scores: Mapping[str, Sequence[float]]) -> Figure:
    """Distribution of the redundancy score, one panel per kind with pairs (Radlinski et al.)."""
    kinds = [kind for kind, found in scores.items() if found] or list(scores)[:1]
    figure, panels = new_figure(len(kinds))
    edges = np.linspace(0, 1, 21)
    for number, (axes, kind) in enumerate(zip(panels, kinds, strict=True)):
        axes.hist(scores[kind], bins=edges.tolist(), color=COLOURS[number % len(COLOURS)])
        axes.set(xlim=(0, 1), ylabel=f"{kind}\n{len(scores[kind])} pairs")
    panels[-1].set_xlabel("redundancy score r(u, v)")
    panels[0].set_title("Redundancy score by kind of duplicate", **TITLE)
    return figure


def new_figure(panels: int, *, across: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with panels one under the other, or side by side, in our style."""
    with needs_extra("drawing", "evaluate"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    with mpl.rc_context(_STYLE):
        width = 7.2 if across == 1 else 5.0 * across
        height = 4.6 if panels == 1 else 2.1 * panels + 0.6
        figure = Figure(figsize=(width, height), layout="constrained")
        axes: Any = figure.subplots(panels, across, sharex=panels > 1, squeeze=False)
    return figure, [one for row in axes for one in row]


def save(figure: Figure, path: Path, *, overwrite: bool = False) -> list[Path]:
    """Write a picture as PNG and SVG; with `overwrite` also over files of others."""
    import matplotlib as mpl

    written = []
    with errors_as(InputError, f"{path}: cannot write", OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    for kind, options in (("png", {"dpi": 150}), ("svg", {"metadata": {"Date": None}})):
        if not overwrite:
            refuse_foreign(path.with_suffix(f".{kind}"))
        draw = partial(figure.savefig, format=kind, **options)
        with mpl.rc_context(_STYLE), drawable_texts(figure, kind):
            write_aside(path.with_suffix(f".{kind}"), draw)
        written.append(path.with_suffix(f".{kind}"))
    return written


def label_text(words: str, width: int = 44) -> str:
    """Words of a user as part of a picture's text: on one line, cut to a width, marked off."""
    unseen = ("Cc", "Cf", "Cs", "Co", "Cn")  # controls, direction marks, half pairs, no meaning
    letters = " ".join(words.split())
    one_line = "".join(c for c in letters if c in _JOINERS or category(c) not in unseen)
    short = one_line if len(one_line) <= width else one_line[: width - 1] + "…"
    escaped = short.replace("$", "\\$")
    return f"{_START}{escaped}{_END}" if not escaped.isascii() else escaped


@contextmanager
def drawable_texts(figure: Figure, kind: str) -> Iterator[None]:
    """While open, every text of the figure can be written in this kind of file."""
    from matplotlib.text import Text

    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    before = [(text, text.get_text()) for text in texts if not text.get_text().isascii()]
    with warnings.catch_warnings():
        if kind == "svg":  # the browser has the glyphs; the widths are a guess
            warnings.filterwarnings("ignore", message=_MISSING)
        for text, words in before:
            text.set_fontfamily(["sans-serif", *_fonts_for(words)])
            text.set_text(words if kind == "svg" else _ISOLATED.sub(_drawn, words))
        yield
    for text, words in before:
        text.set_text(words)


def _drawn(isolated: re.Match[str]) -> str:
    """Isolated words; those that cannot be drawn are named by their letters."""
    words = isolated[1]
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
    combines = category(letter) in ("Mn", "Mc") and unicodedata.name(letter, "C")[0] != "C"
    return _turns(letter) or combines


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
