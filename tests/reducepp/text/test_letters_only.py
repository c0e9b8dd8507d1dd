"""Words without digits, made from words with them, are what tokenising again gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reducepp.text.preparation import letters_only, prepare

PIECES = [*"abé12٣²½! \n日'_-", ". ", "عر", "क्षि"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(st.lists(TEXTS, max_size=5))
def test_same_as_tokenising_again(texts: list[str]) -> None:
    blank = [""] * len(texts)
    made = letters_only(prepare(texts, blank, "plain"))
    again = prepare(texts, blank, "syntactic")
    assert made.vocabulary == again.vocabulary
    assert made.count == again.count
    for name in ("words", "pages", "sentences"):
        np.testing.assert_array_equal(getattr(made, name), getattr(again, name))
