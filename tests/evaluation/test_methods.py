"""Baselines score like the tools they stand for."""

import sys

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from reducepp.errors import MissingExtraError, UsageError
from reducepp.evaluation.methods import BASELINES, compare_baseline, of_baseline, shingles
from reducepp.text.tokenise import words
from tests.evaluation.made import pages_of, random_pages


@pytest.mark.parametrize("name", BASELINES)
def test_like_any_comparison(name: str) -> None:
    pages = random_pages(12, words=80)
    found = compare_baseline([*pages, *pages_of([""])], name)
    assert found.profile.name == name
    np.testing.assert_array_equal(found.scores, found.scores.T)
    np.testing.assert_array_equal(found.scores.diagonal(), 1.0)
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    again = compare_baseline([*pages[::-1], *pages_of([""])], name)
    np.testing.assert_array_equal(found.scores, again.scores)


@pytest.mark.parametrize("name", BASELINES)
def test_a_copy_is_one_and_nothing_is_like_no_text(name: str) -> None:
    text = "Keepers in the old town say that most of their hives came through the winter."
    scores = compare_baseline(pages_of([text, text, "", " "]), name).scores
    assert scores[0, 1] == 1.0
    assert scores[0, 2] == scores[2, 3] == 0.0


def test_tfidf_is_scikit_learns() -> None:
    pages = random_pages(10, words=60)
    vectors = TfidfVectorizer(analyzer=words).fit_transform(page.body for page in pages)
    expected = (vectors @ vectors.T).toarray()
    np.testing.assert_allclose(compare_baseline(pages, "tfidf").scores, expected, atol=1e-11)


def test_minhash_estimates_the_share_of_common_shingles() -> None:
    pages = random_pages(15, seed=3, words=300)
    scores = compare_baseline(pages, "minhash").scores
    sets = [set(shingles(page.body, 5)) for page in pages]
    exact = np.array([[len(a & b) / len(a | b) for b in sets] for a in sets])
    assert np.abs(scores - exact).max() < 4 * np.sqrt(0.25 / 128)
    assert exact[np.triu_indices(15, 1)].max() > 0.2


def test_short_texts_are_one_shingle() -> None:
    assert shingles("two words", 5) == ["two words"]
    assert shingles("", 5) == []
    assert len(shingles("one two three four five six", 5)) == 2


def test_unknown() -> None:
    with pytest.raises(UsageError, match="minhash, minhash-3, simhash, tfidf"):
        of_baseline("magic")


def test_a_baseline_without_its_package_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(MissingExtraError, match="evaluate"):
        of_baseline("minhash-3")
    assert of_baseline("simhash").name == "simhash"
