"""Made-up pictures."""

import io

import numpy as np
from PIL import Image


def picture(seed: int, size: tuple[int, int] = (320, 240), kind: str = "PNG") -> bytes:
    """A smooth made-up picture; the same for the same seed, whatever its size."""
    coarse = np.random.default_rng(seed).integers(0, 255, (6, 8)).astype(np.uint8)
    image = Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()
