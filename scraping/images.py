"""Stored image bytes → perceptual hashes of the images that are content."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable

from reducepp.errors import MissingExtraError

MAX_IMAGES = 30
MAX_PIXELS = 50_000_000
MIN_SIDE = 100
"""Icons, pixels and buttons are smaller; banners and lines are flatter than 5 to 1."""
MAX_RATIO = 5.0


def hash_images(images: Iterable[bytes]) -> tuple[str, ...]:
    """Perceptual hash (64 bits, hexadecimal) of each content image, each once, in order.

    Icons, tracking pixels, flat banners and what cannot be read are left out.
    """
    found: dict[str, None] = {}
    for data in images:
        digest = _hash_image(data)
        if digest:
            found.setdefault(digest)
        if len(found) >= MAX_IMAGES:
            break
    return tuple(found)


def _hash_image(data: bytes) -> str:
    try:
        import imagehash
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise MissingExtraError("hashing images", "images") from None
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data)) as image:
            warnings.simplefilter("ignore")
            if not _is_content(*image.size):
                return ""
            image.draft("L", (256, 256))
            return str(imagehash.phash(image))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""


def _is_content(width: int, height: int) -> bool:
    """Whether an image is large and square enough to show something, and no bomb."""
    small, large = sorted((width, height))
    return small >= MIN_SIDE and large <= MAX_RATIO * small and width * height <= MAX_PIXELS
