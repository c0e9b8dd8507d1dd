"""Addresses in one spelling."""

import subprocess
import sys

import pytest
import tldextract

from reducepp.text.urls import address_key, canonical_url, registered_domain


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://example.org:443/A/b/", "https://example.org/A/b/"),
        ("https://example.org:8443/a#part", "https://example.org:8443/a"),
        ("https://example.org/a?utm_source=x&id=7&fbclid=1", "https://example.org/a?id=7"),
        ("https://example.org/a?UTM_medium=x", "https://example.org/a"),
        ("https://example.org/a?b=&c=%C3%A9", "https://example.org/a?b=&c=%C3%A9"),
        ("https://user:pw@example.org/a", "https://example.org/a"),
        ("https://[2001:DB8::1]/a", "https://[2001:db8::1]/a"),
        ("mailto:a@example.org", ""),
        ("javascript:void(0)", ""),
        ("https://[broken/", ""),
        ("https://example.org:99999999/", ""),
        ("", ""),
    ],
)
def test_canonical_url(given: str, expected: str) -> None:
    assert canonical_url(given) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.example.org/a?x=1&y=2", "http://m.example.org/a/index.html?y=2&x=1"),
        ("https://xn--bcher-kva.example/a", "https://bücher.example/a/"),
        ("https://example.org/a%20b", "https://example.org/A b?utm_source=x"),
    ],
)
def test_spellings_of_one_address_have_one_key(one: str, other: str) -> None:
    assert address_key(one) == address_key(other) != ""
    assert address_key(one) != address_key(f"{one}&z=3" if "?" in one else f"{one}?z=3")


def test_relative_addresses_start_from_the_base() -> None:
    assert canonical_url("../b?x=1#y", "https://example.org/a/c/d") == "https://example.org/a/b?x=1"
    assert canonical_url("//other.org", "https://example.org/a") == "https://other.org/"


def test_canonical_is_a_fixed_point() -> None:
    once = canonical_url("HTTP://Example.org:80?utm_id=1&q=a%20b")
    assert canonical_url(once) == once


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://news.example.co.uk/a", "example.co.uk"),
        ("https://www.example.fr", "example.fr"),
        ("example.org", "example.org"),
        ("http://localhost:8000/", "localhost"),
        ("http://192.168.1.2/a", "192.168.1.2"),
        ("", ""),
    ],
)
def test_registered_domain(given: str, expected: str) -> None:
    assert registered_domain(given) == expected


def test_registered_domains_agree_with_tldextract() -> None:
    split = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    suffixes = ("co.uk", "ck", "www.ck", "kawasaki.jp", "city.kawasaki.jp", "公司.cn", "nothing")
    for suffix in suffixes:
        for host in (suffix, f"a.{suffix}", f"b.a.{suffix}", f"c.b.a.{suffix}"):
            parts = split(host)
            known = f"{parts.domain}.{parts.suffix}" if parts.domain and parts.suffix else host
            assert registered_domain(f"https://{host}/x") == known


def test_registered_domains_need_no_http_client() -> None:
    code = (
        "import sys; from reducepp.text.urls import registered_domain as of; of('a.co.uk'); "
        "print([m for m in ('requests', 'urllib3', 'tldextract') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
