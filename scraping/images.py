"""Which images of a page are content, and their perceptual hashes from stored bytes."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable

from reducepp.errors import MissingExtraError, SplitError
from reducepp.urls import canonical_url
from scraping.tree import Element, parse_html

MAX_IMAGES = 30
MOST_FETCHED = 12
"""Images of one page that are asked for."""
_NO_CONTENT = re.compile(r"logo|icon|avatar|sprite|pixel|spacer|badge|button|emoji", re.IGNORECASE)
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


def image_addresses(html: str, base: str) -> list[str]:
    """Addresses of the images that look like content, in order, each once; at most a dozen."""
    try:
        root = parse_html(html)
    except SplitError:
        return []
    found: dict[str, None] = {}
    for image in root.iter("img"):
        source = image.get("data-src") or image.get("src") or ""
        address = canonical_url(source, base) if _may_be_content(image, source) else ""
        if address:
            found.setdefault(address)
        if len(found) >= MOST_FETCHED:
            break
    return list(found)


def _may_be_content(image: Element, source: str) -> bool:
    named = " ".join((source, image.get("class") or "", image.get("id") or ""))
    sides = (image.get("width") or "", image.get("height") or "")
    small = any(side.isdigit() and int(side) < MIN_SIDE for side in sides)
    return not small and not _NO_CONTENT.search(named)
