"""Texts in three languages: plural forms, values, and English where nothing is translated."""

import pytest

from reducepp.clustering.levels import LEVELS
from reducepp.translations import catalogues, translate
from reducepp.weights.profile import load_profile, profile_names


@pytest.mark.parametrize(
    ("language", "n", "text"),
    [
        ("en", 1, "1 page"),
        ("en", 5, "5 pages"),
        ("fr-CA", 0, "0 page"),
        ("fr", 2, "2 pages"),
        ("ar", 1, "صفحة واحدة"),
        ("ar", 2, "صفحتان"),
        ("ar", 5, "5 صفحات"),
        ("ar_LB", 25, "25 صفحة"),
        ("de", 3, "3 pages"),
    ],
)
def test_counts(language: str, n: int, text: str) -> None:
    assert translate("{n} pages", language, n=n) == text


def test_values_and_unknown_texts() -> None:
    assert translate("also on {hosts}", "fr", hosts="a.example") == "aussi sur a.example"
    assert translate("No such text", "ar") == "No such text"


def test_languages_are_equals() -> None:
    texts = catalogues()
    assert set(texts) == {"ar", "en", "fr"}
    assert set(texts["fr"]) == set(texts["ar"]) >= set(texts["en"])
    assert set(LEVELS) - {"none"} <= set(texts["fr"])


@pytest.mark.parametrize("profile", profile_names())
def test_signals_and_content_types_are_translated(profile: str) -> None:
    names = {name for s in load_profile(profile).signals for name in (s.name, s.content)}
    assert {name.replace("_", " ") for name in names} <= set(catalogues()["fr"])
