"""Write the table of word rarities that the package carries, from spaCy's lookup data.

python -m benchmarks rarity
"""

import gzip
import json
import math
from pathlib import Path

import spacy_lookups_data

import reducepp.text
from reducepp.text.lexicons import FREQUENCY_TABLE

WORDS = 40_000


def main() -> None:
    """Add up the probabilities of all spellings of a word; keep the commonest."""
    source = Path(spacy_lookups_data.__file__).parent / "data" / "en_lexeme_prob.json.gz"
    with gzip.open(source, "rt", encoding="utf-8") as file:
        logarithms: dict[str, float] = json.load(file)
    shares: dict[str, float] = {}
    for spelling, logarithm in logarithms.items():
        word = spelling.lower()
        if word.isalpha():
            shares[word] = shares.get(word, 0.0) + math.exp(logarithm)
    common = sorted(shares, key=lambda word: (-shares[word], word))[:WORDS]
    lines = "\n".join(f"{word} {round(-10 * math.log(shares[word]))}" for word in common)
    out = Path(reducepp.text.__file__).parent / FREQUENCY_TABLE
    out.write_bytes(gzip.compress(lines.encode("utf-8"), 9, mtime=0))
    print(f"{out.name}: {len(common)} words, {out.stat().st_size} bytes")
