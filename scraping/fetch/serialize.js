// Source of a document with its shadow trees in place and its visible frames numbered, and the
// number of these frames; nothing of the browser's own error pages. Arguments: how many frames at
// most, how many characters at most.
if (location.protocol === 'chrome-error:') return ['', 0];
const unfold = root => {
  for (const host of root.querySelectorAll('*')) if (host.shadowRoot) {
    unfold(host.shadowRoot);
    const copy = document.createElement('div');
    try { copy.innerHTML = host.shadowRoot.innerHTML; host.append(copy); } catch (refused) { }
  }
};
unfold(document);
let count = 0;
for (const frame of document.querySelectorAll('iframe, frame')) {
  const box = frame.getBoundingClientRect();
  if (box.width >= 40 && box.height >= 40 && count < arguments[0])
    frame.setAttribute('MARK', count++);
}
const html = document.documentElement ? `${document.documentElement.outerHTML.toWellFormed()}` : '';
return html.length > arguments[1] ? [null, 0] : [html, count];
