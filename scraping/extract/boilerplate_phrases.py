"""Lines that no content says: prompts, legal lines, notices about cookies and browsers."""

from __future__ import annotations

import re

_PROMPTS = (
    # English
    r"click here|read (?:more|also|next|the full)|see also|related(?: articles?| stories| posts?)?",
    r"share (?:this|on|via)|follow us|sign up|subscribe|advertisement|loading|print(?: this)?",
    r"e-?mail(?: this)?|comments?(?: \(\d+\))?|leave a (?:comment|reply)|add (?:a )?comment",
    r"no comments|tags?|filed under|skip to|back to top|download (?:our|the) app|newsletter",
    r"most (?:read|popular)|you (?:may|might) also (?:like|need)|users browsing this|who is online",
    # French
    r"lire (?:aussi|la suite|également|plus)|à lire(?: aussi| également)?|voir aussi|partager",
    r"publicité|abonnez|inscrivez|je m'abonne|s'abonner|imprimer|commenter|réagir|mots[- ]clés",
    r"sur le même (?:sujet|thème)|retour en haut|suivez[- ]nous|articles? (?:liés|similaires)",
    r"chargement|vous aimerez aussi|utilisateurs parcourant ce forum|qui est en ligne",
    # Arabic
    r"اقرأ (?:أيضا|أيضاً|أيضًا|المزيد)|إقرأ أيضا|شاهد أيضا|شارك|مشاركة|طباعة|اشترك|إعلان|تابعنا",
    r"التعليقات|مواضيع ذات صلة|أخبار ذات صلة|المزيد|أضف تعليق|اترك تعليق|الوسوم|المتصلون الآن",
    r"كلمات (?:دلالية|مفتاحية)|قد يعجبك أيض|يتصفح هذا القسم|مواضيع مشابهة",
)
_LEGAL = (
    r"all rights reserved|tous droits réservés|droits de reproduction|جميع الحقوق محفوظة",
    r"حقوق النشر محفوظة|كافة الحقوق محفوظة|^\s*(?:©|copyright\b|\(c\) ?\d{4})",
    r"reproduction (?:totale|partielle|interdite)|may not be (?:published|reproduced)",
    r"(?:is|are) not responsible for (?:the )?content|responsables? du contenu"
    r"|غير مسؤول(?:ة|ين)? عن محتوى",
)
_NOTICES = (
    r"\bcookies?\b.{0,300}\b(?:consent\w*|accept\w*|agree|privacy|policy|browser|experience"
    r"|website|visitors?|analytics|expérience|navigation|naviguez|paramétr\w*|politique|traceurs"
    r"|utilis\w*|audience|einverst\w*|verwend\w*|nutzung|datenschutz\w*|webseite|acept\w*|privacidad"
    r"|utiliza\w*|utilizz\w*|consenso)",
    r"\b(?:we|us|site|nous|sites?) (?:\w+ ){0,2}(?:use|uses|utilis\w+) .{0,80}\bcookies?\b",
    r"ملفات تعريف الارتباط|ملفات الارتباط|this site is protected by recaptcha",
    r"javascript (?:is|must be|seems to be) (?:disabled|enabled)|ad ?blocker|bloqueur de pub",
    r"(?:enable|activer|activez|turn on) javascript|votre navigateur (?:ne|est)",
    r"your browser (?:is|does)",
)
_PROMPT = re.compile(rf"(?:{'|'.join(_PROMPTS)})\b.{{0,60}}", re.IGNORECASE)
_FORMULA = re.compile("|".join(_LEGAL), re.IGNORECASE)
_NOTICE = re.compile("|".join(_NOTICES), re.IGNORECASE | re.DOTALL)


_OF_FORMULA = (
    *("rights", "droits", "حقوق", "©", "copyright", "(c)", "reproduction", "may not be"),
    *("responsible", "responsable", "مسؤول"),
)
_OF_NOTICE = (
    *("cookie", "ارتباط", "recaptcha", "javascript", "blocker", "bloqueur", "navigateur"),
    "your browser",
)
"""Words without which the patterns cannot match: looked for first, as that is much quicker."""


def says_nothing(text: str) -> bool:
    """Whether a block is a prompt or a legal line, and not content."""
    if len(text) <= 90 and _PROMPT.fullmatch(text):
        return True
    return len(text) <= 400 and _holds(text, _OF_FORMULA, _FORMULA)


def is_notice(text: str) -> bool:
    """Whether a block speaks of cookies, scripts or browsers as banners do."""
    if not 90 < len(text) <= 1500 or (len(text) > 400 and text.lower().count("cookie") < 2):
        return False
    return _holds(text, _OF_NOTICE, _NOTICE)


def _holds(text: str, words: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    low = text.lower()
    return any(word in low for word in words) and bool(pattern.search(text))
