"""Languages told from text alone."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from reducepp.text import language_detection
from reducepp.text.language_detection import SAMPLE_CHARS, detect_language

TEXTS = {
    "en": "The council said on Monday that the bridge will be closed for repairs until spring.",
    "fr": "Le conseil a annoncé lundi que le pont sera fermé pour des travaux jusqu'au printemps.",
    "ar": "أعلن المجلس يوم الاثنين أن الجسر سيغلق لأعمال الصيانة حتى فصل الربيع المقبل.",
    "es": "El ayuntamiento anunció el lunes que el puente estará cerrado por obras hasta abril.",
    "de": "Der Stadtrat teilte am Montag mit, dass die Brücke bis zum Frühling gesperrt wird.",
    "fa": "شورای شهر روز دوشنبه گفت که پل برای تعمیر تا بهار آینده بسته خواهد بود.",
    "ur": "کونسل نے پیر کو کہا کہ پل مرمت کے لیے بہار تک بند رہے گا۔",
    "ku": "ئەنجومەنی شار ڕۆژی دووشەممە ڕایگەیاند کە پردەکە تا بەهار دادەخرێت.",
    "ps": "د ښار شورا د دوشنبې په ورځ وویل چې پل به تر پسرلي پورې تړلی وي او ځینې لارې هم.",
    "km": "ក្រុមប្រឹក្សាក្រុងបានប្រកាសនៅថ្ងៃចន្ទថាស្ពាននឹងត្រូវបិទ",
    "am": "የከተማው ምክር ቤት ድልድዩ እስከ ጸደይ ድረስ እንደሚዘጋ ሰኞ ዕለት አስታወቀ",
    "sl": "Mestni svet je v ponedeljek sporočil, da bo most zaprt in da se bo odprl šele pomladi.",
    "sk": "Mestská rada v pondelok oznámila, že most sa neotvorí, ako bolo sľúbené, ale až na jar.",
    "ru": "Городской совет сообщил в понедельник, что мост будет закрыт до весны.",
    "el": "Το συμβούλιο ανακοίνωσε τη Δευτέρα ότι η γέφυρα θα κλείσει.",
    "ja": "市議会は月曜日に橋が春まで閉鎖されると発表した。",
    "zh": "市议会星期一宣布，大桥将关闭维修至春季。",
    "ko": "시의회는 월요일에 다리가 봄까지 폐쇄된다고 발표했다.",
    "pt": "A câmara anunciou na segunda-feira que a ponte não vai abrir até à primavera.",
    "pl": "Rada miasta ogłosiła w poniedziałek, że most nie będzie otwarty do wiosny.",
    "cs": "Městská rada v pondělí oznámila, že most bude podle plánu zavřený až do jara.",
    "hu": "A városi tanács hétfőn közölte, hogy a hidat nem nyitják meg tavasz előtt.",
    "ro": "Consiliul a anunțat luni că podul nu va fi deschis până în primăvară pentru reparații.",
    "tr": "Belediye meclisi pazartesi günü köprünün bahara kadar kapalı olduğu için özür diledi.",
    "sv": "Kommunen sade på måndagen att bron inte öppnar före våren och att det är för dyrt.",
    "da": "Kommunen sagde mandag, at broen ikke åbner før foråret, og at det er blevet for dyrt.",
    "it": "Il consiglio ha annunciato lunedì che il ponte sarà chiuso fino alla primavera.",
}


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_a_sentence_is_enough(language: str) -> None:
    assert detect_language(TEXTS[language]) == language


@pytest.mark.parametrize("text", ["", "   ", "12345 67", "?!", "x"])
def test_no_evidence_for_a_language(text: str) -> None:
    assert detect_language(text) == ""


def test_majority_of_a_mixed_text_decides() -> None:
    assert detect_language(TEXTS["ar"] * 3 + " Facebook Twitter WhatsApp") == "ar"
    assert detect_language(TEXTS["en"] * 3 + TEXTS["ar"]) == "en"


def test_addresses_are_no_words() -> None:
    text = "https://the-and-of.example/with/this/that/from/have " * 5 + TEXTS["fr"]
    assert detect_language(text) == "fr"


def test_common_languages_do_not_load_the_model() -> None:
    before = "py3langid" in sys.modules
    assert detect_language(TEXTS["fr"]) == "fr"
    assert ("py3langid" in sys.modules) == before


def test_long_texts_are_sampled_from_start_and_middle() -> None:
    head = "Cookies " * (SAMPLE_CHARS // 16)
    assert detect_language(head + TEXTS["fr"] * 400) == "fr"


def test_what_is_said_decides_only_where_the_text_says_little() -> None:
    names = "Abaco Alfa Romeo Astra Cala Corsa Delta Focus Largo Lido Marina Palma Porto Salvador"
    assert detect_language(names, "pt") == "pt"
    assert detect_language(TEXTS["fr"], "pt") == "fr"
    assert detect_language(TEXTS["ru"], "pt") == "ru"


def test_persian_with_an_arabic_keyboard() -> None:
    text = "اين پل براي تعمير تا بهار بسته است و از روز دوشنبه به مردم گفته شده كه در راه بمانند"
    assert detect_language(text + " پ") == "fa"


def test_a_word_repeated_in_a_list_is_no_language() -> None:
    items = "Hirdetés Ma Jármű Ma Műszaki cikkek Ma Állás munka Ma Összes kategória Ma Üzlet Ma "
    assert detect_language(items * 4, "hu") == "hu"


def test_chinese_among_latin_names() -> None:
    assert (
        detect_language(
            "Web4C 把 Web4C 更新到了今天 release 版本，支持 Wordpress 和中文网页的标准了。"
        )
        == "zh"
    )


def test_threads_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    load = language_detection._load_identifier.__wrapped__
    counted = cache(lambda: (loads.append(1), load())[1])
    monkeypatch.setattr(language_detection, "_load_identifier", counted)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: language_detection._identifier(), range(8)))
    assert len(loads) == 1


def test_without_ngrams_a_few_function_words_decide_and_no_model_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(language_detection, "_identifier", lambda: pytest.fail("loaded"))
    texts = {
        "Le pont est ouvert avec des travaux": "fr",
        "The bridge opens": "en",
        "Bridge news": "",
    }
    for text, language in texts.items():
        assert detect_language(text, ngrams=False) == language
