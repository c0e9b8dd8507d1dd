"""Charikar's similarity hash of word counts."""

import hashlib
from collections.abc import Sequence

import numpy as np

from reducepp.errors import UsageError
from reducepp.similarity.contents import Contents, made_once
from reducepp.types import Array

BITS = 64


def simhash(contents: Contents, *, bits: int = BITS) -> Array:
    """Share of agreeing bits of the two similarity hashes, in [0, 1]; NaN without words.

    Bit k of a page is the sign of the sum of its word counts, each with the sign that bit k of
    the word's own hash gives it (Charikar 2002; Huffman et al. 2007). Unrelated texts agree in
    about half of the bits. A page's hash depends on its own words alone.
    """
    if not 8 <= bits <= 512 or bits % 8:
        raise UsageError(f"bits = {bits}: a multiple of 8 from 8 to 512 is needed")
    agreeing = (bits + contents.pairs.products(_hashes(contents, bits))) / 2
    return contents.pairs.blank(agreeing / bits, contents.texts().lengths == 0)


@made_once
def _hashes(contents: Contents, bits: int) -> Array:
    """Pages × bits, 1 or -1."""
    texts = contents.texts()
    sums = np.asarray(texts.counts @ word_signs(texts.vocabulary, bits))
    return np.where(sums >= 0, 1.0, -1.0)


def word_signs(vocabulary: Sequence[str], bits: int) -> Array:
    """+1 or -1 for each word and bit, from the word's BLAKE2 hash: words × bits."""
    hashed = b"".join(
        hashlib.blake2b(word.encode(), digest_size=bits // 8).digest() for word in vocabulary
    )
    table = np.unpackbits(np.frombuffer(hashed, dtype=np.uint8)).reshape(len(vocabulary), bits)
    return table.astype(np.float64) * 2 - 1
