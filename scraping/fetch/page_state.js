// Address, state, size and seconds until a meta refresh (-1 for none): equal twice, it has settled.
const meta = document.querySelector('meta[http-equiv="refresh" i]');
const refresh = /^\s*([\d.]*)\s*;.*url/is.exec(meta ? meta.getAttribute('content') || '' : '');
return [location.href, document.readyState, document.getElementsByTagName('*').length,
        document.body ? document.body.innerText.length : 0,
        refresh ? parseFloat(refresh[1]) | 0 : -1];
