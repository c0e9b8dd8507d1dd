"""Bytes of every spelling, declared rightly, wrongly or not at all, long and short."""

import pytest

from reducepp.scraping.decode.charset import decode

TEXTS = {
    "fr": "L’été dernier, le vieux phare a été réparé après la tempête ; « à peine », dit-on.",
    "es": "El año pasado repararon el faro después de la tormenta. ¿Quién lo habría creído?",
    "de": "Voriges Jahr wurde der große Leuchtturm nach dem Sturm für viel Geld schöner gemacht.",
    "en": "Last year they mended the lighthouse – it’s “as new”, said the keeper, for £400.",
    "pl": "W zeszłym roku naprawiono starą latarnię morską; żaden statek już nie zabłądził.",
    "cs": "Loni opravili starý maják po bouři; žádná loď už nezabloudila mezi skalami, říká.",
    "sk": "Minulý rok opravili starý maják po búrke; žiadna loď už nezablúdila medzi skalami.",
    "hu": "Tavaly kijavították az öreg tornyot a vihar után, és ősszel egy hajó sem tévedt el.",
    "ro": "Anul trecut farul vechi a fost reparat după furtună, iar navele nu mai greşesc calea.",
    "hr": "Prošle godine popravili su stari svjetionik nakon oluje, a brodovi više ne lutaju.",
    "lt": "Pernai po audros buvo pataisytas senas švyturys, ir laivai jau nebeklysta tarp uolų.",
    "th": "ปีที่แล้วหลังพายุผ่านไป ชาวบ้านได้ซ่อมประภาคารเก่า และเรือไม่หลงทางอีกเลย",
    "bg": "Миналата година старият фар беше поправен след бурята и корабите вече не се губят.",
    "fa": "سال گذشته پس از توفان، چراغ دریایی کهنه را بازسازی کردند و کشتی‌ها دیگر گم نمی‌شوند.",
    "tr": "Geçen yıl fırtınadan sonra eski deniz feneri onarıldı; gemiler yolunu şaşırmıyor.",
    "ru": "В прошлом году старый маяк починили после бури, и корабли не сбиваются с пути.",
    "ar": "في العام الماضي تم إصلاح المنارة القديمة بعد العاصفة، ولم تعد السفن تضل الطريق.",
    "el": "Πέρυσι επισκευάστηκε ο παλιός φάρος μετά την καταιγίδα και τα πλοία δεν χάνονται πια.",
    "he": "בשנה שעברה תוקן המגדלור הישן אחרי הסערה, והספינות אינן תועות עוד בין הסלעים.",
    "zh": "去年暴风雨之后，人们修好了那座老灯塔，现在没有一条船在那里的石头中间走错路了。",
    "ja": "去年の嵐のあとで、あの古い灯台は直されました。いまでは船が迷うことはありません。",
    "ko": "지난해 폭풍이 지나간 뒤에 오래된 등대를 고쳤고 이제는 배가 길을 잃지 않는다.",
}
ENCODINGS = {
    "fr": ("cp1252", "iso-8859-15"),
    "es": ("cp1252",),
    "de": ("cp1252",),
    "en": ("cp1252",),
    "pl": ("cp1250", "iso-8859-2"),
    "cs": ("cp1250", "iso-8859-2"),
    "sk": ("cp1250", "iso-8859-2"),
    "hu": ("cp1250", "iso-8859-2"),
    "ro": ("cp1250", "iso-8859-2"),
    "hr": ("cp1250", "iso-8859-2"),
    "lt": ("cp1257",),
    "th": ("cp874",),
    "bg": ("cp1251", "iso-8859-5"),
    "fa": ("cp1256",),
    "tr": ("cp1254",),
    "ru": ("cp1251", "koi8-r", "iso-8859-5", "cp866"),
    "ar": ("cp1256", "iso-8859-6"),
    "el": ("cp1253", "iso-8859-7"),
    "he": ("cp1255",),
    "zh": ("gb18030", "gb2312"),
    "ja": ("cp932", "euc-jp"),
    "ko": ("cp949",),
}
PAIRS = [(language, encoding) for language, names in ENCODINGS.items() for encoding in names]
WIDE = [(language, encoding) for language in TEXTS for encoding in ("utf-8", "utf-16-le", "utf-16")]


def page(text: str, encoding: str, head: str = "") -> tuple[bytes, str]:
    """A page in an encoding, and the same as it should be read."""
    html = f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>"
    data = html.encode(encoding, "ignore")
    return data, data.decode(encoding)


@pytest.mark.parametrize(("language", "encoding"), PAIRS + WIDE)
@pytest.mark.parametrize("declared", ["", "utf-8", "right"])
def test_read_whatever_the_header_says(language: str, encoding: str, declared: str) -> None:
    named = encoding if declared == "right" else declared
    header = f"text/html; charset={named}" if named else "text/html"
    data, expected = page(TEXTS[language], encoding)
    assert decode(data, header) == expected


@pytest.mark.parametrize(("language", "encoding"), PAIRS)
def test_the_page_overrules_a_wrong_header(language: str, encoding: str) -> None:
    data, expected = page(TEXTS[language], encoding, f'<meta charset="{encoding}">')
    assert decode(data, "text/html; charset=utf-8") == expected


@pytest.mark.parametrize(
    "language",
    [
        *("ru", "ar", "el", "he", "zh", "ja", "ko", "th", "fa", "pl", "cs", "sk", "hu", "ro"),
        *("hr", "tr", "lt"),
    ],
)
def test_latin_1_is_said_of_whatever_a_server_sends(language: str) -> None:
    data, expected = page(TEXTS[language], ENCODINGS[language][0])
    assert decode(data, "text/html; charset=ISO-8859-1") == expected


@pytest.mark.parametrize(
    "text",
    [
        *("regelmäßig", "l’été", "Là-bas si j’y suis", "« Où ? »", "à", "déjà vu"),
        *("garçon : œuvre", "naïve façade", "¿Qué?", "100 € + 3 £"),
    ],
)
def test_a_few_accents_are_no_other_script(text: str) -> None:
    data, expected = page(text, "cp1252")
    for header in ("text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-1"):
        assert decode(data, header) == expected


EAST_ASIAN = ("shift_jis", "gb2312", "big5", "euc-jp", "euc-kr")


@pytest.mark.parametrize("declared", EAST_ASIAN)
@pytest.mark.parametrize(
    ("language", "encoding"),
    [(x, y) for x, y in PAIRS if x not in ("zh", "ja", "ko", "en", "hr", "th") and y != "koi8-r"],
)
def test_an_east_asian_charset_declared_for_another_text(
    language: str, encoding: str, declared: str
) -> None:
    data, expected = page(TEXTS[language] * 2, encoding, f'<meta charset="{declared}">')
    assert decode(data) == expected


@pytest.mark.parametrize("declared", EAST_ASIAN)
@pytest.mark.parametrize(
    "text",
    [
        *("It’s “fine” — he said …", "Price：12，Weight：3。", "・Item one ・Item two", "★★★☆☆"),
        *("Tokyo 東京 Osaka 大阪", "氏名 住所 電話番号 会社", "Mr. 王", "A股 K線", "5 ℃ × 3 ㎡"),
    ],
)
def test_signs_and_few_ideographs_stay_as_declared(text: str, declared: str) -> None:
    python = {"shift_jis": "cp932", "gb2312": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949"}
    data, expected = page(text, python.get(declared, declared))
    assert decode(data, f"text/html; charset={declared}") == expected


def test_nothing_is_lost_on_bytes_that_are_no_text() -> None:
    assert len(decode(bytes(range(0x80, 0x100)) * 50)) > 1000
    assert decode(b"") == ""
    assert decode(b"plain", "text/html; charset=no-such-name") == "plain"


@pytest.mark.parametrize(
    "name", ["zlib", "hex", "rot13", "idna", "punycode", "undefined", "unicode_escape", "cp037"]
)
def test_names_that_spell_no_page_are_passed_over(name: str) -> None:
    data, expected = page(TEXTS["fr"], "cp1252", f'<meta charset="{name}">')
    assert decode(data, f"text/html; charset={name}") == expected


def test_a_stated_language_decides_between_two_alphabets() -> None:
    data = "<html lang='ro'><body><p>Harta fără nume</p></body></html>".encode("cp1250")
    assert "fără" in decode(data)
    assert "fãrã" in decode(data.replace(b"'ro'", b"'pt'"))


def test_japanese_in_seven_bits() -> None:
    data, expected = page(TEXTS["ja"], "iso-2022-jp")
    assert decode(data) == expected


def test_null_characters_before_a_page_are_no_utf_16() -> None:
    assert decode(b"\0" * 1000 + b"a<title>plain</title>") == "a<title>plain</title>"
