// Address, state, size and meta refresh of a document: equal twice, it has settled.
const meta = document.querySelector('meta[http-equiv="refresh" i]');
return [location.href, document.readyState, document.getElementsByTagName('*').length,
        document.body ? document.body.innerText.length : 0,
        meta ? (meta.getAttribute('content') || '').toWellFormed() : ''];
