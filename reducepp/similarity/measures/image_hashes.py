"""Matching of two pages' images by their perceptual hashes."""

import numpy as np
from numpy.typing import NDArray

from reducepp.similarity.contents import Contents
from reducepp.types import Array

MAX_IMAGES = 30
"""Images of a page that are compared, the first ones."""
BITS = 64

Bits = NDArray[np.int8]


def images(contents: Contents) -> Array:
    """Best one-to-one matching of two pages' images, over the larger number of images.

    The similarity of two images is 1 - d / 32 for d different bits of 64, at least 0: two
    unrelated images differ in 32. NaN for a page without images.
    """
    sets = [_bits(values[:MAX_IMAGES]) for values in contents.values]
    found = contents.pairs.each(lambda i, j: _matching(sets[i], sets[j]))
    return contents.pairs.blank(found, np.array([len(s) == 0 for s in sets], dtype=np.bool_))


def _bits(hashes: tuple[str, ...]) -> Bits:
    """One row of 64 bits per hash; texts that are no such hash are skipped."""
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
    """Summed similarity of the best matching over the size of the larger set; 0 for none."""
    if not len(left) or not len(right):
        return 0.0
    from scipy.optimize import linear_sum_assignment

    different = (left[:, None, :] != right[None, :, :]).sum(axis=2)
    similar = np.clip(1 - different / (BITS / 2), 0, 1)
    rows, columns = linear_sum_assignment(similar, maximize=True)
    return float(similar[rows, columns].sum() / max(similar.shape))
