"""Which images of a page are content, and their perceptual hashes from stored bytes."""

import io
import re
import warnings
from collections.abc import Iterable
from itertools import islice

from reducepp.errors import MissingExtraError, SplitError
from reducepp.scraping.extract.html_parsing import Element, parse_html
from reducepp.text.urls import canonical_url

MAX_IMAGES = 30
MAX_FETCHED_IMAGES = 12
"""Images of one page that are fetched."""
_NO_CONTENT = re.compile(
    r"(?<![^\W_])(?:site|fav)?(?:logo|icon|avatar|sprite|pixel|spacer|badge|button|emoji|placeholder"
    r"|blank|loading|spinner)(?:s|type)?(?![^\W\d_])|\.svg(?![^\s?#])",
    re.IGNORECASE,
)
"""Words in the names of images that are no content; drawings (SVG) cannot be hashed."""
_SIDE = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(?:px)?\s*", re.IGNORECASE)
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-image")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP")
"""Formats of images on web pages; Pillow has dozens more, one of which runs Ghostscript."""
MAX_PIXELS = 50_000_000
MAX_DECODED_PIXELS = 3 * MAX_PIXELS
"""For all images of a page, those of a JPEG once per scan; they take about 10 s."""
_JPEG_SCAN = b"\xff\xda"
MAX_SOURCES = 8
"""Of one `picture` element."""
MIN_SIDE = 100
"""Icons, pixels and buttons are smaller; banners and lines are flatter than 5 to 1."""
MAX_RATIO = 5.0
MIN_CONTRAST = 8
"""Of 255 shades of grey."""


def hash_images(images: Iterable[bytes]) -> tuple[str, ...]:
    """Perceptual hash (64 bits, hexadecimal) of each content image, each once, in order.

    Icons, tracking pixels, flat banners, what cannot be read and what would take too long are
    left out.
    """
    found: dict[str, None] = {}
    left = MAX_DECODED_PIXELS
    for data in images:
        digest, decoded = _hash_image(data, left)
        left -= decoded
        if digest:
            found.setdefault(digest)
        if len(found) >= MAX_IMAGES:
            break
    return tuple(found)


def _hash_image(data: bytes, left: int) -> tuple[str, int]:
    """The hash, "" for none, and how many pixels of those `left` were decoded for it."""
    try:
        import imagehash
        from PIL import Image
    except ImportError:
        raise MissingExtraError("hashing images", "images") from None
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as image:
            warnings.simplefilter("ignore")
            scans = data.count(_JPEG_SCAN) if image.format == "JPEG" else 1
            decoded = image.width * image.height * max(1, scans)
            if not _is_content(*image.size) or decoded > left:
                return "", 0
            image.draft("L", (256, 256))
            shades = image.convert("L").resize((64, 64)).tobytes()
            has_content = max(shades) - min(shades) >= MIN_CONTRAST  # plain colours hash alike
            return (str(imagehash.phash(image)) if has_content else ""), decoded
    except Exception:  # Pillow raises whatever a damaged file makes its decoders raise
        return "", 0


def _is_content(width: int, height: int) -> bool:
    """Whether an image is large enough and not too flat, and no decompression bomb."""
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
        source = _source_of(image)
        address = canonical_url(source, base) if source and _may_be_content(image, source) else ""
        if address:
            found.setdefault(address)
        if len(found) >= MAX_FETCHED_IMAGES:
            break
    return list(found)


def _source_of(image: Element) -> str:
    """Address of the picture that a browser displays; "" where it is inside the page itself."""
    lazy = [image.get(name) or "" for name in _LAZY]
    sets = [_first_of_set(image.get(name) or "") for name in _SETS]
    if (picture := next(image.iterancestors("picture"), None)) is not None:
        sources = islice(picture.iter("source"), MAX_SOURCES)
        sets += [_first_of_set(source.get("srcset") or "") for source in sources]
    plain = image.get("src") or ""
    candidates = (*lazy, *sets[:2], plain, *sets[2:])
    return next((s for s in candidates if s.strip() and not s.startswith("data:")), "")


def _first_of_set(listed: str) -> str:
    """The first address of a `srcset`."""
    return (listed[:2000].split() or [""])[0].rstrip(",")


def _may_be_content(image: Element, source: str) -> bool:
    named = " ".join((source, image.get("class") or "", image.get("id") or ""))
    sides = [_SIDE.fullmatch(image.get(name) or "") for name in ("width", "height")]
    small = any(side and float(side[1]) < MIN_SIDE for side in sides)
    return not small and not _NO_CONTENT.search(named)
