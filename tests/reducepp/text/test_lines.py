"""A text read line by line, or in parts on several cores, has the words of the whole."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reducepp.text import preparation
from reducepp.text.lines import hash_runs, read_lines
from reducepp.text.tokenise import has_vowel_signs, line_spans, words
from tests.reducepp.text.test_word_spans import texts

lined = st.lists(texts, max_size=5).map("\n".join)


@given(lined)
def test_lines_have_the_words_of_the_text(text: str) -> None:
    read = read_lines(text)
    assert list(chain.from_iterable(line.words for line in read)) == words(text, digits=True)
    for line, written in zip(read, text.splitlines(keepends=True), strict=True):
        assert line.written == [written[a:b].casefold() for a, b in line.spans]
        assert len(line.signs) == len(line.words) + 1


@given(st.text("كتبأـ\u064b\u0651\u0670\u06e5é 1،.-", max_size=14))
def test_vowel_signs_belong_to_the_letter_before_them(line: str) -> None:
    """Words with signs are found by one pattern, where character by character is the rule."""
    assume(has_vowel_signs(line))
    (read,) = read_lines(line)
    found, spans = line_spans(line, digits=True)
    assert (read.words, read.spans) == (found, spans)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 4))
def test_equal_runs_have_equal_hashes(found: list[str], length: int) -> None:
    runs = list(zip(*(found[i:] for i in range(length)), strict=False))
    hashes = hash_runs(found, length).tolist()
    assert len(set(hashes)) == len(set(runs))
    assert len(set(zip(runs, hashes, strict=True))) == len(set(runs))


@pytest.mark.parametrize("cores", [1, 2])
def test_parts_are_numbered_like_the_whole(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    bodies = ["One fish. Two fish!", "", "Red fish", "blue 2 fish", "☂", "One. More\nline"]
    whole = preparation.prepare(bodies, [""] * len(bodies), "plain")
    monkeypatch.setattr(preparation, "PART_LINES", 2)
    monkeypatch.setattr(preparation, "MIN_PARALLEL_CHARS", 0)
    monkeypatch.setattr(preparation, "nested_cores", lambda: cores)
    parts = preparation.prepare(bodies, [""] * len(bodies), "plain")
    assert (parts.count, parts.vocabulary) == (whole.count, whole.vocabulary)
    np.testing.assert_array_equal(parts.words, whole.words)
    np.testing.assert_array_equal(parts.lengths, whole.lengths)
    steps = np.diff(parts.sentences)
    np.testing.assert_array_equal(steps > 0, np.diff(whole.sentences) > 0)
    assert (steps >= 0).all()


@given(st.lists(st.text("aΣé 1.?…\u0301\u0939\u093f日أ\n\r", max_size=12), max_size=6))
def test_texts_have_the_words_of_the_whole_text(bodies: list[str]) -> None:
    made = preparation.prepare(bodies, [""] * len(bodies), "plain")
    found = iter(made.words.tolist())
    by_text = [[made.vocabulary[next(found)] for _ in range(length)] for length in made.lengths]
    assert by_text == [words(body, digits=True) for body in bodies]
