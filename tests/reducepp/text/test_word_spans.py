"""Words with places are the words without them, wherever normal forms change lengths."""

from hypothesis import example, given
from hypothesis import strategies as st

from reducepp.text.tokenise import word_spans, words

_ODD = "abcéÉİΣσﬁ½² \n\t.،؟«»ًَُِّْـاأإيىةكعرب漢字か・なไทย๑नमस्ते\u0301’'`´123\u00a0\u3000"
texts = st.text(
    alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from(_ODD)), max_size=60
)


@given(texts, st.booleans())
@example("ـ", True)
def test_the_same_words_in_order_with_places_inside_the_text(text: str, digits: bool) -> None:
    found, spans = word_spans(text, digits=digits)
    assert found == words(text, digits=digits)
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert [a for a, _ in spans] == sorted(a for a, _ in spans)


def test_places_lead_to_the_words_as_written() -> None:
    text = "L'Été: العَرَبِيّة، ½ İstanbul 漢字"
    found, spans = word_spans(text, digits=True)
    written = [text[a:b] for a, b in spans]
    assert written[:3] == ["L", "Été", "العَرَبِيّة"]
    assert written[-2:] == ["漢", "字"]
    assert "İstanbul" in written
    assert len(found) == len(written)
