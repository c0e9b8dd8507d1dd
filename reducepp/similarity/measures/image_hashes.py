"""Images of two pages, matched one to one by their perceptual hashes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.contents import Contents, blank
from reducepp.types import Array

MAX_IMAGES = 30
"""Images of a page that are compared, the first ones."""
BITS = 64

Bits = NDArray[np.int8]


def images(contents: Contents) -> Array:
    """Best one-to-one matching of two pages' images, over the larger number of images.

    Two images are alike by 1 - d / 32 for d different bits of 64, and not at all from 32 on,
    which is what two unrelated images differ by. NaN for a page without images.
    """
    sets = [_bits(values[:MAX_IMAGES]) for values in contents.values]
    found: Array = np.eye(len(sets))
    for a, b in combinations(range(len(sets)), 2):
        found[a, b] = found[b, a] = _matching(sets[a], sets[b])
    return blank(found, np.array([len(s) == 0 for s in sets], dtype=np.bool_))


def _bits(hashes: tuple[str, ...]) -> Bits:
    """One row of 0 and 1 a hash; text that is no hash of 64 bits is left out."""
    rows = []
    for text in hashes:
        try:
            number = int(text, 16)
        except ValueError:
            continue
        if 0 <= number < 2**BITS:
            rows.append([number >> i & 1 for i in range(BITS)])
    return np.array(rows, dtype=np.int8).reshape(len(rows), BITS)


def _matching(left: Bits, right: Bits) -> float:
    """Summed likeness of the best matching, over the size of the larger set; 0 for none."""
    if not len(left) or not len(right):
        return 0.0
    from scipy.optimize import linear_sum_assignment

    different = (left[:, None, :] != right[None, :, :]).sum(axis=2)
    alike = np.clip(1 - different / (BITS / 2), 0, 1)
    rows, columns = linear_sum_assignment(alike, maximize=True)
    return float(alike[rows, columns].sum() / max(alike.shape))
