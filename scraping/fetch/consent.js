// Body of a function: clicks the closing button if there is one, then removes banners that are still shown.
// The tables of consent.toml are put into it before it runs; the answer is [buttons clicked, banners removed].
const tables = CONSENT;
const looks = new RegExp(tables.banner_names, 'i'), says = new RegExp(tables.dialog_text, 'i');
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
const saying = texts => {
  const edge = '[\\s.!:>×✕✖→›»-]*';
  const exact = new RegExp('^' + edge + '(' + texts.join('|') + ')' + edge + '$', 'i');
  for (const box of banners())
    for (const b of box.querySelectorAll('button,[role=button],input[type=button],a'))
      if (shown(b) && exact.test(b.innerText || b.value || '')
          && !/^https?:/i.test(b.getAttribute('href') || '')) return b;
};
const button = first(tables.refuse) || saying(tables.refuse_texts)
  || first(tables.agree) || saying(tables.agree_texts);
if (button) button.click();
return [button ? 1 : 0, banners().filter(over).map(e => e.remove()).length];
