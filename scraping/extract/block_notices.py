"""Pages that are nothing but a notice that their reader was blocked, or is being checked.

All sites behind one service show the same notice, so as pages they would be duplicates of each
other. A page is such a notice when its title and its few sentences say so and hardly anything
else: an article on captchas says other things as well, so it never is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from reducepp.scraping.extract.blocks import Block

LONGEST = 2000
"""Characters of body above which a page is more than a notice."""
SHOWN = 4000
"""Characters shown outside links above which a page is more than a notice."""
COVERED = 0.75
"""Share of the words that must be a notice's."""
_SENTENCES = re.compile(r"(?<=[.!?…؟])\s+|\n+")
_DOTS = r"(?:\.{2,3}|…)"
# Lower case without accents and without hamza, as `_plain` writes them.
_SAYS = (
    # English
    rf"^just a moment{_DOTS}$|^(?:please wait|one more step)\W*$|^attention required!?",
    r"(?:verif\w+|confirm\w*|check\w*|making sure|make sure|prove)(?: that| if)? "
    r"(?:you are|you're|you aren't) (?:really )?(?:a )?(?:human|robot|bot|not a (?:ro)?bot)",
    r"^(?:are you|i'm not|i am not) (?:a )?(?:human|robot)\W*$|sending the requests, and not a",
    r"checking (?:your browser|if the site connection is secure)|^request unsuccessful",
    r"enable (?:javascript|js|cookies).{0,50}(?:to continue|ad ?blocker|reload)",
    r"^please enable cookies|you (?:have been|were|are) (?:temporarily )?blocked",
    r"^(?:your |the )?request (?:\w+ ){0,2}blocked|^pardon our interruption",
    r"^(?:\d{3}\W*)?(?:access|permission) (?:is )?(?:denied|forbidden)\b",
    r"^(?:(?:error )?\d{3}\W*)?(?:forbidden|too many requests)\W*$",
    r"access to (?:this|the) \w+ (?:\w+ ){1,2}denied|^you (?:do not|don't) have permission",
    r"^you (?:are not|aren't) authori[sz]ed to (?:access|view)|unusual (?:traffic|activity) from",
    r"made us think you (?:were|are|might be) a bot|^solve (?:the|this) captcha",
    r"^(?:please )?complete the (?:security check|captcha|challenge)",
    r"^(?:enter|type) the (?:characters|letters) you see",
    r"^(?:human|security|robot|bot) (?:check|verif\w+)\W*$",
    r"incapsula incident|^ddos protection by|security of your connection before",
    # French
    rf"^un instant{_DOTS}$|^verif\w+ que vous (?:etes|n'etes)|securite de votre connexion avant",
    r"^verification (?:de votre navigateur|de securite|humaine)|trafic (?:inhabituel|anormal)",
    r"activ\w+ (?:javascript|les cookies).{0,50}(?:pour continuer|pour acceder|recharge)",
    r"^acces (?:\w+ ){0,5}(?:refuse|interdit|bloque)e?\b|vous (?:avez ete|etes) \w* ?bloque",
    r"^vous n'(?:etes pas autorise|avez pas (?:la permission|l'autorisation|le droit))",
    r"^(?:completez|resolvez|effectuez) (?:le|la|ce) (?:captcha|verification|controle)",
    r"^je ne suis pas un robot|^trop de requetes",
    # Arabic
    rf"^(?:انتظر )?لحظة(?: من فضلك)?{_DOTS}$|^تم (?:رفض|حظر|منع)|^الوصول (?:مرفوض|ممنوع)",
    r"(?:تحقق|التحقق|تاكد|التاكد) من ان(?:ك|كم) (?:انسان|بشر|لست)|لقد تم حظرك",
    r"(?:فحص|التحقق من) (?:متصفحك|المتصفح|امان الاتصال)|^(?:غير (?:مصرح|مسموح) لك|ليس لديك اذن)",
    r"(?:تمكين|تفعيل) .{0,60}(?:للمتابعة|للاستمرار)|حركة (?:مرور|زيارات) غير|^طلبات كثيرة",
)
_GOES_WITH = (
    r"ray id|(?:reference|incident|request|support|event) (?:#|id|number)|your ip|ip address",
    r"^why (?:have i been|did this|do i have)|^what can i do|security (?:service|solution)",
    r"trigger this block|site owner|what you were doing|^protected by|security by|^performance",
    r"process is automatic|few (?:seconds|moments)|few reasons|(?:may|might) happen|will redirect",
    r"be redirected|^please (?:wait|stand by|try again|contact|log in|sign in)|^(?:click|press) ",
    r"(?:disabled|enabled?|support|blocked|preventing) .{0,25}(?:javascript|cookies|extension)",
    r"(?:javascript|cookies) .{0,20}(?:disabled|enabled?|blocked|running)|power user moving",
    r"on this server|to regain access|need (?:help|assistance)|support article|^error code",
    r"accepting cookies|^you are unable to access|^(?:nginx|openresty|cloudflare|apache)\S*$",
    r"^loading\W*$|^sorry\W*$",
    r"veuillez (?:patienter|contacter|reessayer|activer|verifier)|quelques (?:secondes|instants)",
    r"redirige|adresse ip|proprietaire du site|^pourquoi (?:ai|suis)-je|^identifiant",
    r"(?:يرجى|الرجاء) (?:الانتظار|الاتصال|المحاولة|التواصل)|بضع ثوان|اعادة توجيه|عنوان ip",
    r"مالك الموقع|صاحب الموقع|^معرف|^لماذا تم|على هذا الخادم",
)
_NOTICE = re.compile("|".join(_SAYS))
_COMPANY = re.compile("|".join(_GOES_WITH))


def is_block_notice(title: str, body: str, shown: Iterable[Block]) -> bool:
    """Whether title and body are a block notice, and all that is shown is not much more."""
    if len(body) > LONGEST or sum(b.length - b.links for b in shown) > SHOWN:
        return False
    spare = (1 - COVERED) * len(f"{title} {body}".split())
    said = False
    for sentence in (_plain(s) for s in (title, *_SENTENCES.split(body))):
        words = len(sentence.split())
        if not any(map(str.isalpha, sentence)) or (words == 1 and "." in sentence.strip(".…")):
            continue
        notice = words <= 40 and bool(_NOTICE.search(sentence))
        said = said or notice
        if not notice and not (words <= 40 and _COMPANY.search(sentence)):
            spare -= words
        if spare < 0:
            return False
    return said


def _plain(text: str) -> str:
    """Lower case, plain apostrophes, no accents and no Arabic marks."""
    low = unicodedata.normalize("NFKD", text.strip().casefold().replace("…", "..."))
    return "".join(c for c in low if not unicodedata.combining(c)).replace("’", "'")
