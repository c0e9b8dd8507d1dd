"""Pages that are only a block notice become Failures; pages about such notices stay pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reducepp.errors import NoticeError, SplitError
from reducepp.scraping.extract.content_class import classify_text
from reducepp.scraping.extract.split import split_html, split_page
from reducepp.scraping.extract.split_many import split_many
from reducepp.types import Failure, RawPage, SearchHit

URL = "https://www.harbour.example/tides"
NOTICES = {
    "challenge": (
        "Just a moment...",
        "<noscript>Enable JavaScript and cookies to continue</noscript>",
    ),
    "check": (
        "Just a moment...",
        "<h1>www.harbour.example</h1><p>Verifying you are human. This may take a few seconds.</p>"
        "<p>The site needs to review the security of your connection before it goes on.</p>"
        "<p>Ray ID: <code>8a1b2c3d</code></p>",
    ),
    "blocked": (
        "Attention Required!",
        "<h1>Sorry, you have been blocked</h1><h2>You are unable to access harbour.example</h2>"
        "<h2>Why have I been blocked?</h2><p>A security service protects this site.</p>"
        "<p>Write to the site owner and say what you were doing. Ray ID: 77ab</p>",
    ),
    "denied": (
        "Access Denied",
        "<h1>Access Denied</h1>You don't have permission to access this page on this server."
        "<p>Reference #18.2d35</p>",
    ),
    "server": (
        "403 Forbidden",
        "<center><h1>403 Forbidden</h1></center><hr><center>nginx</center>",
    ),
    "robot": (
        "Robot Check",
        "<h4>Enter the characters you see below</h4>"
        "<p>Sorry, we just need to make sure you're not a robot.</p>",
    ),
    "instant": (
        "Un instant…",
        "<p>Vérification que vous êtes humain. Cela peut prendre quelques secondes.</p>"
        "<p>Activez JavaScript et les cookies pour continuer</p>",
    ),
    "refus": (
        "Accès refusé",
        "<h1>Accès refusé</h1><p>Vous n’avez pas la permission d’ouvrir cette page. "
        "Veuillez contacter le propriétaire du site.</p>",
    ),
    "Moment": ("Einen Moment bitte…", "<p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>"),
    "Zugriff": ("Zugriff verweigert", "<h1>Zugriff verweigert</h1><p>Sie wurden blockiert.</p>"),
    "momento": ("Un momento…", "<p>Verifique que usted es un ser humano.</p>"),
    "acceso": ("Acceso denegado", "<h1>Acceso denegado</h1><p>Has sido bloqueado.</p>"),
    "لحظة": (
        "لحظة…",
        "<p>يتم التحقق من أنك إنسان. قد يستغرق هذا بضع ثوانٍ.</p>"
        "<p>يرجى تمكين جافا سكريبت وملفات تعريف الارتباط للمتابعة</p>",
    ),
    "رفض": ("تم رفض الوصول", "<h1>تم رفض الوصول</h1><p>ليس لديك إذن لفتح هذه الصفحة.</p>"),
}
PAGES = {
    "article": (
        "How captchas work",
        "<p>Prove that you are human, says the page, and shows nine pictures of lamps.</p>"
        "<p>What is easy for a person was hard for a program when the captcha was new.</p>"
        "<p>Today a robot reads the letters better than we do.</p>",
    ),
    "quoting": (
        "Why the library's site was away",
        "<p>On Monday readers saw one line: Access denied.</p><p>You have been blocked, said the "
        "next.</p><p>The guard before the site had taken a school class for a machine.</p>",
    ),
    "status": (
        "403 Forbidden",
        "<h1>403 Forbidden</h1><p>The server has understood the request and will not fulfil it.</p>"
        "<p>Asking again with the same words gives the same answer.</p>",
    ),
    "song": (
        "Just a moment",
        "<p>Just a moment, and the tide is gone</p><p>Just a moment, and the lamp is on</p>",
    ),
    "explication": (
        "Êtes-vous un robot ?",
        "<p>Cochez la case, dit la page, et prouvez que vous êtes humain.</p>"
        "<p>La case regarde en vérité comment la souris est venue jusqu'à elle.</p>",
    ),
    "شرح": (
        "ما هو اختبار الروبوت؟",
        "<p>تطلب الصفحة التحقق من أنك إنسان وتعرض صورا للمصابيح.</p>"
        "<p>كان هذا سهلا على الناس وصعبا على البرامج قبل عشرين عاما.</p>",
    ),
    "shell": (
        "Harbour",
        "<div id='root'></div><noscript>Enable JavaScript to continue.</noscript>",
    ),
}


def _html(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


@pytest.mark.parametrize("name", NOTICES)
def test_a_notice_is_no_page(name: str) -> None:
    with pytest.raises(NoticeError, match=r"^blocked"):
        split_html(_html(*NOTICES[name]), url=URL)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_about_notices_stays(name: str) -> None:
    title, body = PAGES[name]
    assert split_html(_html(title, body), url=URL).page_title.rstrip("؟? ") in title


def test_a_long_page_is_never_a_notice() -> None:
    body = "<h1>Access Denied</h1>" + "<p>You have been blocked.</p>" * 100
    assert split_html(_html("Access Denied", body), url=URL).body.count("blocked") == 100


def test_notices_become_failures_and_the_rest_goes_on() -> None:
    pages = [
        {"url": URL, "html": _html(*NOTICES["denied"])},
        {"url": URL, "html": _html(*PAGES["song"])},
    ]
    notice, song = split_many(pages, jobs=1)
    assert isinstance(notice, Failure)
    assert (notice.stage, notice.reason.split(":")[0]) == ("split", "blocked")
    assert not isinstance(song, Failure)


@pytest.mark.parametrize(
    ("fetched", "rendered"),
    [(PAGES["song"], NOTICES["check"]), (NOTICES["challenge"], PAGES["song"])],
    ids=["only the browser was turned away", "the browser passed a check"],
)
def test_of_a_page_and_a_notice_the_page_is_taken(
    fetched: tuple[str, str], rendered: tuple[str, str]
) -> None:
    raw = RawPage(
        hit=SearchHit(url=URL),
        fetched=_html(*fetched).encode(),
        rendered=_html(*rendered),
        content_type="text/html",
    )
    assert "tide is gone" in split_page(raw).body


SHIPS = "<p>The keeper counted every ship that passed in January, and wrote them all down.</p>"
CONSENT = (
    "<p>We and our 812 partners store and access information on a device, such as cookies.</p>"
    "<p>By clicking accept you consent to the processing of personal data for personalised ads.</p>"
    "<p>You can change your choice at any time in the privacy settings.</p>"
)
CONSENTEMENT = (
    "<p>Avec votre accord, nous et nos partenaires utilisons des cookies ou traceurs.</p>"
    "<p>Vous pouvez retirer votre consentement ou modifier vos préférences à tout moment.</p>"
)


@pytest.mark.parametrize(
    ("title", "body", "found"),
    [
        ("Page not found | The Bay", "<h1>Sorry!</h1><p>Try the search.</p>", "error"),
        ("The Bay", "<h1>404 - Page not found</h1><p>Try the search.</p>", "error"),
        ("Page introuvable", "<p>Revenir à l'accueil du site.</p>", "error"),
        ("الصفحة غير موجودة", "<p>عد إلى الصفحة الرئيسية للموقع.</p>", "error"),
        ("Log in to The Bay", "<p>Name and password, please.</p>", "login"),
        ("Connexion", "<p>Votre adresse et votre mot de passe.</p>", "login"),
        ("Before you continue", CONSENT, "consent"),
        ("Avant de continuer", CONSENTEMENT, "consent"),
        ("The Bay", "<h1>Oops! Something went wrong</h1><p>Try it later.</p>", "error"),
        ("Bay", "<p>Der Link ist fehlerhaft, oder die Seite wurde leider entfernt.</p>", "error"),
        ("Bay", "<p>Abonnez-vous pour lire la suite de cet article. Déjà abonné ?</p>", "login"),
        ("Bay", "<p>Introduce tu correo y tu contraseña. ¿No tienes cuenta?</p>", "login"),
        ("Bay", "<h1>مرحبا</h1><p>هذا الموقع يستخدم ملفات الكوكيز لعرض الإعلانات.</p>", "consent"),
        ("Bay", "<p>Wir verwenden Cookies, um Inhalte und Anzeigen zu messen.</p>", "consent"),
        ("Bay", "<p>Merci de cocher la case : notre site se protège des robots.</p>", "robot"),
        ("The Bay", "<div id=root></div><script>start()</script>", "empty"),
        ("海湾", "<div id=root>加载中</div>", "empty"),
        ("海湾", "<p>选择要插入的字段，然后单击确定按钮。</p>", ""),
        ("بحر", "<p>شَرابٌ ساخِنٌ يُعَدُّ مِن حُبوبِ البُنِّ المُحَمَّصَة.</p>", ""),
        ("Ships", SHIPS, ""),
        ("404 ships", f"<h1>404 ships</h1>{SHIPS}", ""),
        ("Page not found", SHIPS * 20, ""),
        ("How to log in", SHIPS * 3, ""),
        ("How to log in", "<p>Enter your user name and your password, then click.</p>", ""),
        ("Cookie policy", CONSENT, ""),
        ("Contact us", "<p>We will not share your email address. Please try to call.</p>", ""),
        ("Site down", "<p>The site of the town was down on Monday after an error.</p>", ""),
        ("Cookies", f"<h1>Cookies</h1>{SHIPS * 3}<p>We use cookies to count visitors.</p>", ""),
    ],
)
def test_pages_without_content_have_a_class(title: str, body: str, found: str) -> None:
    page = split_html(f"<html><title>{title}</title><body>{body}", url=URL)
    assert page.content_class == found


FORM = "<form><p>Parola</p><input type='password' name='p'><p>Henüz üye değil misiniz?</p></form>"


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        ("/user/forgot_password", FORM, "login"),
        ("/ucp.php?mode=register", FORM, "login"),
        ("/wp-login.php", FORM, "login"),
        ("/login", SHIPS, ""),
        ("/login", SHIPS * 20 + FORM, ""),
        ("/how-to-choose-a-password", SHIPS + FORM, ""),
    ],
)
def test_a_form_below_the_address_of_a_login_is_one_in_any_language(
    path: str, body: str, found: str
) -> None:
    url = "https://www.harbour.example" + path
    assert split_html(_html("Giriş yap", body), url=url).content_class == found


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://bay.example/", "home"),
        ("https://bay.example/fr/index.html", "home"),
        ("https://bay.example/?lang=fr", "home"),
        ("https://bay.example/?p=1328", ""),
        ("https://bay.example/tides", ""),
    ],
)
def test_home_pages_have_a_class(url: str, found: str) -> None:
    assert split_html(f"<title>The Bay</title>{SHIPS}", url=url).content_class == found


WRITTEN = [
    json.loads(line)
    for line in Path(__file__).with_name("walls.jsonl").read_text("utf-8").splitlines()
]
MIN_SHARE_FOUND = 0.95
"""Floor: 116 of 120 are found."""


def _has_class(html: str) -> bool:
    try:
        return bool(split_html(html, url=URL).content_class)
    except SplitError:  # a block notice, or nothing at all
        return True


def test_most_walls_are_found_in_any_phrase_and_no_page_on_their_subjects() -> None:
    found = {page["id"] for page in WRITTEN if _has_class(page["html"])}
    walls = {page["id"] for page in WRITTEN if page["kind"] != "content"}
    assert not found - walls
    assert len(found) > MIN_SHARE_FOUND * len(walls)


WIDGET = "<div class='g-recaptcha' data-sitekey='6L'></div>"


def test_a_widget_of_walls_counts_with_the_words_and_never_alone() -> None:
    walls = "<p>Confirm that you are human: complete the puzzle of lamp, tide and ships.</p>"
    assert not _has_class(_html("The Bay", walls))
    assert _has_class(_html("The Bay", walls + WIDGET))
    assert not _has_class(_html("The Bay", SHIPS + WIDGET))


def test_a_sentence_of_content_beside_a_notice_is_content() -> None:
    assert _has_class(_html("Bay", CONSENT))
    assert not _has_class(_html("Bay", CONSENT + SHIPS))


def test_a_word_that_a_text_repeats_counts_once() -> None:
    body = "<p>The account of the sea: account of ships, account of tides, account of lamps.</p>"
    assert not _has_class(_html("Account", body))


@pytest.mark.parametrize(
    ("title", "body", "found"),
    [
        ("Page not found | The Bay", "Try the search.", "error"),
        ("Access denied", "You don't have permission to access this page.", "robot"),
        ("The Bay", "We use cookies. By clicking accept you agree to our use of them.", "consent"),
        ("The Bay", "Bitte melden Sie sich mit Benutzername und Passwort an.", "login"),
        ("Ships", "The keeper counted every ship that passed in January.", ""),
        ("The Bay", "", ""),
    ],
)
def test_a_title_and_a_text_have_a_class(title: str, body: str, found: str) -> None:
    assert classify_text(title, body) == found
