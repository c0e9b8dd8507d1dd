"""Arrays to short texts that a page can read back: the upper triangle in base64."""

import base64
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reducepp.types import Array, Bools

STEPS = 65534
"""A similarity in two bytes is this many steps from 0 to 1; the last number means missing."""


def pack_triangle(values: Array, *, exact: bool = True) -> dict[str, str]:
    """The pairs i < j of a symmetric array, row by row, little end first.

    Exact is 8 bytes a pair and bit for bit what the engine has; otherwise 2 bytes a pair, right
    to 1/131068 of the range [0, 1].
    """
    pairs = values[np.triu_indices(len(values), 1)]
    if exact:
        return {"type": "f8", "data": _base64(pairs.astype("<f8").tobytes())}
    whole = np.where(np.isnan(pairs), STEPS + 1, np.round(np.nan_to_num(pairs) * STEPS))
    return {"type": "u2", "data": _base64(whole.astype("<u2").tobytes())}


def pack_values(values: NDArray[Any], kind: str) -> dict[str, str]:
    """Numbers of one kind (`<f8`, `<f4`, `<u1`), one after the other."""
    return {"type": kind.lstrip("<"), "data": _base64(values.astype(kind).tobytes())}


def pack_numbers(numbers: Iterable[int]) -> str:
    """Whole numbers from 0 on, seven bits a byte, the high bit where more follow."""
    data = bytearray()
    for number in numbers:
        rest = number
        while rest > 127:
            data.append(rest & 127 | 128)
            rest >>= 7
        data.append(rest)
    return _base64(bytes(data))


def pack_bits(rows: Sequence[Bools]) -> str:
    """Rows of yes and no, each from a new byte on, the first in the lowest bit."""
    return _base64(b"".join(np.packbits(row, bitorder="little").tobytes() for row in rows))


def fair_limit(sizes: Sequence[int], budget: int) -> int:
    """The largest limit for which sizes cut down to it add up to no more than the budget."""
    left = budget
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return max(sizes, default=0)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
