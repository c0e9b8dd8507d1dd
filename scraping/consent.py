"""Cookie and consent banners: which buttons close them, without agreeing where one can refuse."""

from __future__ import annotations

import json

REFUSE = (
    "#onetrust-reject-all-handler",
    "#CybotCookiebotDialogBodyButtonDecline",
    "#didomi-notice-disagree-button",
    ".didomi-continue-without-agreeing",
    "#tarteaucitronAllDenied2",
    "#axeptio_btn_dismiss",
    "button[data-testid='uc-deny-all-button']",
    ".cmplz-deny",
    ".cky-btn-reject",
    ".cc-deny",
    "#hs-eu-decline-button",
    "#truste-consent-required",
    ".osano-cm-denyAll",
    ".fc-cta-do-not-consent",
    "#W0wltc",
)
"""Buttons of the common consent platforms that refuse."""

AGREE = (
    "#onetrust-accept-btn-handler",
    "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#didomi-notice-agree-button",
    "#axeptio_btn_acceptAll",
    "button[data-testid='uc-accept-all-button']",
    ".cmplz-accept",
    ".cky-btn-accept",
    ".cc-btn.cc-dismiss",
    "#hs-eu-confirmation-button",
    "#truste-consent-button",
    ".osano-cm-acceptAll",
    ".fc-cta-consent",
    ".qc-cmp2-summary-buttons button[mode='primary']",
    "#L2AGLb",
    "#bnp_btn_accept",
)
"""Buttons that agree, for banners that offer nothing else."""

WORDS = (
    "reject all|reject|decline|refuse all|refuse|only necessary|necessary only|no thanks"
    "|continue without accepting|tout refuser|refuser|continuer sans accepter|je refuse"
    "|رفض الكل|رفض|لا أوافق",
    "accept all|accept|agree|i agree|allow all|ok|got it|close|understood"
    "|tout accepter|accepter|j'accepte|d'accord|fermer|compris"
    "|قبول الكل|قبول|أوافق|موافق|إغلاق",
)
"""What such buttons say elsewhere in English, French and Arabic: refusing first."""

BANNER = "cookie|consent|gdpr|rgpd|privacy-(banner|notice|popup)|\\bcmp\\b"
"""How the class or id of a banner looks."""

_SCRIPT = """
const [refuse, agree, words, banner] = %s;
const looks = new RegExp(banner, 'i');
const named = e => looks.test((e.id || '') + ' ' + (e.getAttribute('class') || ''));
const shown = e => e.getClientRects().length > 0;
const first = list => list.map(s => document.querySelector(s)).find(e => e && shown(e));
const banners = () => [...document.querySelectorAll('div,section,aside,dialog,form')]
  .filter(e => named(e) && shown(e) && e !== document.body && !e.querySelector('main,article'));
const saying = pattern => {
  const exact = new RegExp('^\\\\s*(' + pattern + ')[.!\\\\s]*$', 'i');
  for (const box of banners())
    for (const b of box.querySelectorAll('button,[role=button],input[type=button],a'))
      if (shown(b) && exact.test(b.innerText || b.value || '')
          && !/^https?:/i.test(b.getAttribute('href') || '')) return b;
};
const button = first(refuse) || saying(words[0]) || first(agree) || saying(words[1]);
if (button) button.click();
const over = e => ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(e).position);
return [button ? 1 : 0, banners().filter(over).map(e => e.remove()).length];
"""

CLOSE_BANNERS = _SCRIPT % json.dumps([REFUSE, AGREE, WORDS, BANNER])
"""Script: press the closing button if there is one, then take away what still lies on top."""
