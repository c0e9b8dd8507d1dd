"""Texts for property tests: words, figures and signs of several scripts in any order."""

from __future__ import annotations

from hypothesis import strategies as st

from reducepp.evidence.facts.aligned_facts import AlignedFacts
from reducepp.evidence.facts.fact_comparison import FactComparison, describe_facts
from reducepp.evidence.facts.fact_text import FactText, read_facts

_WORDS = """
the killed people on of and with Paris Lyon house old 12 950 300 7000 3.5 1,234 2021 le mai de près
1er douze vingt millions € $ % km kg 20:30 3/5/2021 2021-05-03
قُتل شخصًا في ١٢ ٣٤٫٥ مايو نحو آلاف و500 اثنا عشر ٪
漢字 3万 İ ß ½ v2.1 A320 INV-7 +33 (555) 555-1234 01 42 68 53 - . , : ; ! ? ( ) / ' … 6.1
"""
PIECES = (*_WORDS.split(), "\n", "3 May 2021", "12 percent", "www.a.b/12", "a million")

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map(" ".join)
"""Any text; pieces come back, so that two of them often share words and contexts."""


@st.composite
def near_duplicates(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same with some pieces replaced, added and left out."""
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=60))
    changed = list(pieces)
    for place in draw(st.lists(st.integers(0, len(pieces) - 1), max_size=8)):
        changed[place] = draw(st.sampled_from((*PIECES, "", "12 13")))
    return " ".join(pieces), " ".join(changed)


def align_facts(a: str | FactText, b: str | FactText) -> AlignedFacts:
    """The facts of two texts that stand in the same place."""
    one, other = (read_facts(text) if isinstance(text, str) else text for text in (a, b))
    return AlignedFacts(one, other)


def compare_facts(a: str | FactText, b: str | FactText) -> FactComparison:
    """The same as they are shown."""
    return describe_facts(align_facts(a, b))
