"""How rare a word is in general: minus the logarithm of its share of all words.

The English table holds the 40,000 commonest words of spaCy's lookup data (MIT licence), in tenths;
`python -m benchmarks.rarity` writes it again. Being fixed, it makes a pair's score depend on the
pair alone, which document frequencies of the pages at hand would not.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

RAREST = 150
"""Tenths of a natural logarithm: what a word outside the table counts."""

COMMONEST = 30
"""What every word loses, so that the commonest words count next to nothing."""

TABLE = "english_words.txt.gz"


def rarity(word: str) -> int:
    """A whole number from 1 to 120, so that sums are exact in any order: 4 for "the".

    A word outside the English table counts most, whatever its language: a pair's words then
    weigh alike, and the order of pages cannot change what one weighs.
    """
    return max(_table().get(word, RAREST) - COMMONEST, 1)


@cache
def _table() -> dict[str, int]:
    data = gzip.decompress((files("reducepp.text") / TABLE).read_bytes())
    lines = data.decode("utf-8").split("\n")
    return {word: int(tenths) for word, _, tenths in (line.partition(" ") for line in lines)}
