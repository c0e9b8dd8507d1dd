"""Lines that no content says, and content that looks like them."""

from __future__ import annotations

import pytest

from reducepp.scraping.extract.boilerplate import is_notice, is_prompt_or_legal
from reducepp.scraping.extract.split import split_html

NOTICES = (
    "Read more",
    "© 2021 The Herald. All rights reserved.",
    "We use cookies to remember what you read. By going on you accept all cookies, here and later.",
    "Voyages LLC n'est pas responsable du contenu d'autres sites. Taxes et frais non compris.",
    "The shop is not responsible for the content of external pages.",
    "الموقع غير مسؤول عن محتوى المواقع الأخرى.",
    "Nous utilisons des cookies pour mesurer l'audience du site et améliorer votre expérience ici.",
    "Please enable JavaScript in the settings of the program with which you look at this page now.",
    "نستخدم ملفات تعريف الارتباط لتحسين تجربتك في الموقع، "
    "ويمكنك معرفة المزيد عنها في صفحة الخصوصية",
)
BAKING = (
    "Bake the cookies on a low shelf for twelve minutes and leave the cookies on the tray to cool.",
    "Mes cookies préférés sont ceux de ma tante : des cookies aux noix, jamais trop sucrés, "
    "et mous au milieu.",
    "The cookies of my aunt "
    + "were flat, dark and full of nuts, " * 12
    + "and nobody counted cookies.",
)


@pytest.mark.parametrize("text", NOTICES)
def test_notices_say_nothing(text: str) -> None:
    assert is_prompt_or_legal(text) or is_notice(text)


@pytest.mark.parametrize("text", BAKING)
def test_recipes_speak_of_cookies_too(text: str) -> None:
    assert len(text) > 90
    assert not is_prompt_or_legal(text)
    assert not is_notice(text)


def test_a_page_of_lists_is_no_menu() -> None:
    places = "".join(f"<div><a href=/p{i}>Quay {i} in the bay</a></div>" for i in range(12))
    lists = "".join(
        f"<section><h3>{name}</h3>{places}</section>" for name in ("Week-ends", "Trips")
    )
    html = f"<title>Bay</title><div><h2>Where to go</h2><div>See the bay.</div>{lists}</div>"
    body = split_html(f"{html}<div>USD</div>").body
    assert body.startswith("Where to go\nSee the bay.")
    assert "Quay 3" not in body
