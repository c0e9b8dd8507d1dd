"""Closes cookie and consent banners: refuses where there is a button for it, agrees otherwise."""

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
"""Refusing buttons of the common consent platforms, by the ids and classes in their scripts."""

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

BUTTON_TEXTS = (
    "reject( all| optional| non-essential)?( cookies)?|decline( all)?|deny( all)?|refuse( all)?"
    "|disagree|no,? thanks|continue without (accepting|agreeing)"
    "|(use |accept |allow )?(only )?(the )?(strictly )?(necessary|essential)( cookies)?( only)?"
    "|tout refuser|refuser( tout)?|tout rejeter|rejeter|je refuse|non,? merci"
    "|continuer sans accepter|(cookies )?(nécessaires|essentiels) uniquement"
    "|رفض الكل|رفض|أرفض|لا أوافق|الضرورية فقط",
    "accept( all)?( cookies)?|(i )?agree|allow all( cookies)?|ok|okay|got it|close|understood"
    "|tout accepter|accepter( tout)?|j'accepte|d'accord|fermer|compris|j'ai compris"
    "|قبول الكل|قبول|أقبل|أوافق|موافق|إغلاق|حسن[اً]+",
)
"""Texts of other banners' buttons in English, French and Arabic: refusing, then agreeing."""

BANNER_NAMES = "cookie|consent|gdpr|rgpd|privacy-(banner|notice|popup)|\\bcmp\\b|sp_message"
"""Pattern of the class, id or name of a banner."""
DIALOG_TEXT = "cookies?\\b|consent|ملفات تعريف الارتباط"
"""Pattern of the text of a dialog that its name does not show to be a banner."""

_SCRIPT = """
const [refuse, agree, words, banner, speaks] = %s;
const looks = new RegExp(banner, 'i'), says = new RegExp(speaks, 'i');
const name = e => ['id', 'class', 'name', 'title', 'aria-label', 'src']
  .map(a => e.getAttribute(a) || '').join(' ');
const shown = e => e.getClientRects().length > 0;
const roots = [document];
for (const root of roots)
  for (const e of root.querySelectorAll('*')) if (e.shadowRoot) roots.push(e.shadowRoot);
const all = selector => roots.flatMap(root => [...root.querySelectorAll(selector)]);
const first = list => list.flatMap(all).find(shown);
const over = e => e && e.nodeType === 1
  && (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(e).position)
      || e.tagName === 'IFRAME' && over(e.parentElement));
const isDialog = e => (e.matches('dialog,[role=dialog],[role=alertdialog]')
    || e.getRootNode() !== document && over(e))
  && e.innerText.length < 5000 && says.test(e.innerText);
const banners = () => all('div,section,aside,dialog,form,iframe,[role=dialog],[role=alertdialog]')
  .filter(e => shown(e) && e !== document.body && !e.querySelector('main,article')
    && (looks.test(name(e)) || isDialog(e)));
const saying = pattern => {
  const edge = '[\\\\s.!:>×✕✖→›»-]*';
  const exact = new RegExp('^' + edge + '(' + pattern + ')' + edge + '$', 'i');
  for (const box of banners())
    for (const b of box.querySelectorAll('button,[role=button],input[type=button],a'))
      if (shown(b) && exact.test(b.innerText || b.value || '')
          && !/^https?:/i.test(b.getAttribute('href') || '')) return b;
};
const button = first(refuse) || saying(words[0]) || first(agree) || saying(words[1]);
if (button) button.click();
return [button ? 1 : 0, banners().filter(over).map(e => e.remove()).length];
"""

CLOSE_BANNERS = _SCRIPT % json.dumps([REFUSE, AGREE, BUTTON_TEXTS, BANNER_NAMES, DIALOG_TEXT])
"""Script: clicks the closing button if there is one, then removes banners that are still shown."""
