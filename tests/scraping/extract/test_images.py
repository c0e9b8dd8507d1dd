"""Content images by perceptual hash, and nothing for what is no content image."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from reducepp.scraping.extract.images import MAX_IMAGES, hash_images, image_addresses
from reducepp.scraping.extract.split import split_page
from reducepp.types import RawPage, SearchHit
from tests.machine_units import units_of
from tests.scraping.pictures import picture


def distance(a: str, b: str) -> int:
    return (int(a, 16) ^ int(b, 16)).bit_count()


def test_a_smaller_jpeg_of_a_picture_stays_near_and_another_is_far() -> None:
    (original,) = hash_images([picture(1)])
    (copy,) = hash_images([picture(1, (160, 120), "JPEG")])
    (other,) = hash_images([picture(2)])
    assert distance(original, copy) <= 8
    assert distance(original, other) >= 20


@pytest.mark.parametrize(
    "data",
    [
        picture(1, (1, 1)),
        picture(1, (64, 64)),
        picture(1, (728, 90)),
        b"",
        b"<svg></svg>",
        picture(1)[:100],
    ],
    ids=["pixel", "icon", "banner", "empty", "drawing", "cut off"],
)
def test_icons_pixels_banners_and_broken_images_are_left_out(data: bytes) -> None:
    assert hash_images([data]) == ()


def test_each_once_and_not_too_many() -> None:
    assert len(hash_images([picture(1)] * 3)) == 1
    assert len(hash_images(picture(n) for n in range(40))) == MAX_IMAGES


def test_a_page_carries_hashes_only_where_bytes_were_stored() -> None:
    html = b"<html><body><h1>Ships</h1><p>One ship passed.</p><img src=a.png></body></html>"
    plain = RawPage(hit=SearchHit(url="https://a.example/"), fetched=html)
    stored = RawPage(hit=plain.hit, fetched=html, images=(picture(3),))
    assert split_page(plain).images == ()
    assert split_page(stored).images == hash_images([picture(3)])


def test_areas_of_one_colour_are_no_pictures() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (300, 300), "red").save(buffer, "PNG")
    assert hash_images([buffer.getvalue()]) == ()


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<img src=/a.jpg>", "a.jpg"),
        ("<img src=data:image/gif;base64,R0 data-src=/a.jpg>", "a.jpg"),
        ("<img src=/placeholder.png data-original=/a.jpg>", "a.jpg"),
        ("<img srcset='/a.jpg 320w, /b.jpg 640w'>", "a.jpg"),
        ("<picture><source srcset='/a.webp 2x'><img src='data:image/gif,x'></picture>", "a.webp"),
        ("<img src=/iconic-catalogo.jpg>", "iconic-catalogo.jpg"),
        ("<img src=/site-logo_2.png>", ""),
        ("<img src=/drawing.svg class=big>", ""),
        ("<img src=/a.jpg width=80px>", ""),
        ("<img src=/a.jpg width=50%>", "a.jpg"),
        ("<img src='data:image/png;base64,R0'>", ""),
        ("<img>", ""),
    ],
)
def test_where_a_picture_is_however_it_is_loaded(markup: str, name: str) -> None:
    found = image_addresses(f"<html><body>{markup}</body></html>", "https://a.example/b/")
    assert found == ([f"https://a.example/{name}"] if name else [])


def test_only_formats_of_web_pages_are_decoded() -> None:
    buffer = io.BytesIO()
    Image.open(io.BytesIO(picture(1))).convert("RGB").save(buffer, "PPM")
    assert hash_images([buffer.getvalue()]) == ()


def test_a_jpeg_of_thousands_of_scans_is_left_out() -> None:
    whole, buffer = picture(1), io.BytesIO()
    Image.new("L", (1_000, 1_000)).save(buffer, "JPEG", progressive=True)
    scans = buffer.getvalue()[:-2]
    slow = scans + scans[scans.rindex(b"\xff\xda") :] * 1_000 + b"\xff\xd9"
    assert units_of(lambda: hash_images([slow])) < 5
    assert hash_images([slow, whole]) == hash_images([whole])


def test_the_images_of_a_page_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reducepp.scraping.extract.images.MAX_DECODED_PIXELS", 3 * 320 * 240)
    small = picture(9, (160, 120))
    found = hash_images([picture(seed) for seed in range(3)])
    assert len(found) == 3
    assert hash_images([*map(picture, range(3)), small]) == found


def test_pictures_in_pictures_take_linear_time() -> None:
    html = "<picture>" * 300 + "<source srcset=a.png>" * 300 + "<img src=b.png>" * 1_000
    assert units_of(lambda: image_addresses(html, "https://a.example/")) < 20


def test_an_image_whose_decoder_fails_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import imagehash

    hashes = iter([IndexError("list index out of range"), "8f0f"])

    def phash(image: Image.Image) -> str:
        found = next(hashes)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(imagehash, "phash", phash)
    assert hash_images([picture(1), picture(2)]) == ("8f0f",)
